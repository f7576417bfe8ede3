/** The module of admission, in as many instances as there are reviewers: one that is lost takes nothing with it. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bind } from '../npm/admission/core.js';

const GLUE = fileURLToPath(new URL('../pkg/glue/admission/node.cjs', import.meta.url));

/** @param {import('slicewise/admission').ReviewerOptions} options @returns {import('slicewise/admission').Reviewer} */
export function createReviewer(options) {
  // Node keeps what a parent has loaded as long as the parent, so that each has one of its own.
  const require = createRequire(import.meta.url);
  delete require.cache[GLUE];
  return /** @type {any} */ (bind(require(GLUE)).createReviewer(options));
}
