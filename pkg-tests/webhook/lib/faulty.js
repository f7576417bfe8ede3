/**
 * Reviewers of the real module that fail as a review's uid says: `trap`, `loop`, `spin`, `block`, `sleep MS`.
 */
import { execFileSync } from 'node:child_process';
import { createReviewer } from '../../../webhook/module.js';

const decoder = new TextDecoder();

/** A module whose only function, `f`, is `(loop br 0)`. */
const ENDLESS = new WebAssembly.Module(new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11,
]));

/** @type {Record<string, (argument: number) => void>} */
const FAULTS = {
  trap() {
    throw Object.assign(new Error('the module stopped (unreachable)'), { name: 'SlicewiseError', code: 'Internal' });
  },
  loop() {
    // Until interrupted.
    for (;;);
  },
  spin() {
    /** @type {any} */ (new WebAssembly.Instance(ENDLESS).exports).f();
  },
  block() {
    // In the operating system, where nothing can interrupt it.
    execFileSync('sleep', ['20']);
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
