/** The sources from which {@link init} can load the module. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module; call it once before anything else, later calls do nothing.
 * @param source the location of the module; by default where the package has it
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;
