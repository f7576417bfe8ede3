/** `slicewise/simulation` for bundlers: they place the module, and load it before the importing code runs. */
import { init } from './web.js';

await init();

export { Timeline, version, SlicewiseError, createInstance } from './web.js';
