/** `slicewise/simulation` for bundlers: the module is where they put it, and is loaded before the importing code runs. */
import { init } from './web.js';

await init();

export { Timeline, version, SlicewiseError } from './web.js';
