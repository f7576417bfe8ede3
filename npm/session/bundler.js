/** `slicewise/session` for bundlers: the module is where they put it, and is loaded before the importing code runs. */
import { init } from './web.js';

await init();

export { plan, planSnapshot, detect, version, SlicewiseError, Session, Controller, Proxier } from './web.js';
