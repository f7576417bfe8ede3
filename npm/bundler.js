/** For bundlers: they place the module, and load it before the importing code runs. */
import { init } from './web.js';

await init();

export { plan, planSnapshot, detect, version, SlicewiseError, createInstance } from './web.js';
