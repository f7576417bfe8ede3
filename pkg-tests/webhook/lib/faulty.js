/**
 * Reviewers of the real module that fail as a review's uid says: `trap`, `loop`, `sleep MS`.
 */
import { createReviewer } from '../../../webhook/module.js';

const decoder = new TextDecoder();

/** @type {Record<string, (argument: number) => void>} */
const FAULTS = {
  trap() {
    throw Object.assign(new Error('the module stopped (unreachable)'), { name: 'SlicewiseError', code: 'Internal' });
  },
  loop() {
    // Until interrupted.
    for (;;);
  },
  sleep(milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** @param {import('slicewise/admission').ReviewerOptions} options */
export function createFaulty(options) {
  const real = createReviewer(options);
  for (const door of /** @type {const} */ (['judge', 'audit'])) {
    const ask = real[door].bind(real);
    real[door] = (bytes, asking) => {
      const uid = /"uid":"(\w+) ?(\d*)"/.exec(decoder.decode(bytes.slice()));
      if (uid) FAULTS[uid[1]]?.(Number(uid[2]));
      return ask(bytes, asking);
    };
  }
  return real;
}
