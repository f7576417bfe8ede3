export * from './index.js';

/** What {@link init} can load the module from. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module; call it once before anything else, later calls do nothing.
 * @param source where the module is; when left out, next to this file
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;
export default init;
