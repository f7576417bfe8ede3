/** The module of `slicewise/admission`, one instance per reviewer, so that losing one does not affect others. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const CORE = fileURLToPath(new URL('../pkg/cjs/admission/core.js', import.meta.url));
const GLUE = fileURLToPath(new URL('../pkg/glue/full/node.cjs', import.meta.url));

/** @param {import('slicewise/admission').ReviewerOptions} options @returns {import('slicewise/admission').Reviewer} */
export function createReviewer(options) {
  // Node keeps a module as long as its parent, so every instance has a parent of its own.
  const require = createRequire(import.meta.url);
  delete require.cache[GLUE];
  return require(CORE).bind(require(GLUE)).createReviewer(options);
}
