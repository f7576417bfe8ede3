/**
 * Reviewers of the real module, which go wrong where a review's uid says so: `trap`, `loop`, `exit`, `sleep MS`. A thread
 * loads it in place of the module.
 */
import { createReviewer as createReal } from 'slicewise/admission';

const decoder = new TextDecoder();

/** @type {Record<string, (argument: number) => void>} */
const FAULTS = {
  trap() {
    throw Object.assign(new Error('the module stopped (unreachable)'), { name: 'SlicewiseError', code: 'Internal' });
  },
  loop() {
    // Until the thread is ended from outside.
    for (;;);
  },
  exit: () => process.exit(3),
  throw() {
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  },
  sleep(milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** @param {import('slicewise/admission').ReviewerOptions} options */
export function createReviewer(options) {
  const real = createReal(options);
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
