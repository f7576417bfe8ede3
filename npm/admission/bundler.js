/** `slicewise/admission` for bundlers: the module lies where they put it, and is loaded before whoever imports this runs. */
import { init } from './web.js';

await init();

export { createReviewer, createHandler, policies, version, SlicewiseError } from './web.js';
