/** `slicewise/admission/web`, whose module is loaded explicitly: `await init()` first. */
import { init, isReady, raw } from '../full.js';
import { bind } from './core.js';

export { init, init as default };
export const { createReviewer, createHandler, maxReviewBytes, policies, version, SlicewiseError } = bind(raw, isReady);
