/** `slicewise/admission` for bundlers: they place the module, and load it before the importing code runs. */
import { init } from './web.js';

await init();

export { createReviewer, createHandler, maxReviewBytes, policies, version, SlicewiseError, createInstance } from './web.js';
