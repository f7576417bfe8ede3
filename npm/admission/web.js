/** `slicewise/admission/web`, whose module is loaded explicitly: `await init()` first. */
import { full, init } from '../full/web.js';
import { entry } from '../instances.js';
import { bind } from './core.js';

export { init, init as default };
export const { createReviewer, createHandler, maxReviewBytes, policies, version, SlicewiseError, createInstance } = entry(bind, full);
