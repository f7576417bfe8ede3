import type { ModuleSource } from './web.js';

/** What a bundler or a host makes of an imported module: bytes, an address or a compiled module, all of which `init` takes. */
declare const source: ModuleSource;
export default source;
