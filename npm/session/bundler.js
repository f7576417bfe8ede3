/** `slicewise/session` for bundlers: they place the module, and load it before the importing code runs. */
import { init } from './web.js';

await init();

export { plan, planSnapshot, detect, version, SlicewiseError, Session, Controller, Proxier, createInstance } from './web.js';
