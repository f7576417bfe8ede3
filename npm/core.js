/**
 * Binds the raw functions of one build (bytes in, bytes out) to the public surface. Every build shares this file.
 */
import { open, openOptional } from './doors.js';
import { SlicewiseError } from './error.js';

/**
 * The glue of any build, as far as it is used here.
 * @typedef {typeof import('../pkg/glue/node.js')} Glue
 * @typedef {Pick<Glue, 'plan' | 'planSnapshot' | 'detect' | 'version' | 'maxInputBytes' | 'Reviewer'>} Raw
 */

/**
 * Runs a call into the module; whatever it throws becomes typed. Inputs longer than `most` are refused before.
 * @typedef {<T>(call: () => T, inputs?: Uint8Array[], most?: number) => T} Run
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded by hand
 */
export function bind(raw, isReady) {
  return surface(raw, runner(raw, isReady));
}

/**
 * @param {Pick<Raw, 'maxInputBytes'>} raw
 * @param {() => boolean} [isReady]
 * @returns {Run}
 */
export function runner(raw, isReady = () => true) {
  return function run(call, inputs = [], most) {
    if (!isReady()) {
      throw new SlicewiseError({ code: 'NotReady', message: 'the module is not loaded yet: `await init()` before the first call' });
    }
    for (const input of inputs) checkSize(input, most ?? raw.maxInputBytes());
    try {
      return call();
    } catch (thrown) {
      throw typed(thrown);
    }
  };
}

/**
 * What every module of ours can do.
 * @param {Raw} raw
 * @param {Run} run
 */
export function surface(raw, run) {
  /** @param {unknown} request */
  function plan(request) {
    const { bytes, answer } = open(request, 'the request');
    return answer(run(() => raw.plan(bytes), [bytes]));
  }

  /** @param {unknown} snapshot @param {unknown} [options] */
  function planSnapshot(snapshot, options) {
    const { bytes, answer } = open(snapshot, 'the snapshot');
    const optionBytes = openOptional(options, 'options');
    return answer(run(() => raw.planSnapshot(bytes, optionBytes), [bytes, optionBytes]));
  }

  /** @param {unknown} input */
  function detect(input) {
    const { bytes } = open(input, 'the input');
    return run(() => raw.detect(bytes), [bytes]);
  }

  const version = () => run(() => raw.version());

  return { plan, planSnapshot, detect, version, Reviewer: reviewerClass(raw, run), SlicewiseError };
}

/**
 * @param {Raw} raw
 * @param {Run} run
 */
function reviewerClass(raw, run) {
  return class Reviewer {
    /** @type {import('../pkg/glue/node.js').Reviewer | null} */
    #handle;

    /** @param {unknown} [snapshot] @param {unknown} [config] */
    constructor(snapshot, config) {
      const snapshotBytes = openOptional(snapshot, 'the snapshot');
      const configBytes = openOptional(config, 'the configuration');
      this.#handle = run(() => new raw.Reviewer(snapshotBytes, configBytes), [snapshotBytes, configBytes]);
    }

    /** @param {unknown} review */
    review(review) {
      const handle = this.#handle;
      if (!handle) throw new SlicewiseError({ code: 'Closed', message: 'this reviewer was freed' });
      const { bytes, answer } = open(review, 'the review');
      return answer(run(() => handle.review(bytes), [bytes]));
    }

    free() {
      const handle = this.#handle;
      this.#handle = null;
      if (handle) run(() => handle.free());
    }

    // Named by hand where the host has no `Symbol.dispose` yet, as the glue does.
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      this.free();
    }
  };
}

/**
 * The core refuses such input as well, in the same words; but by then it would be in the module's memory.
 * @param {Uint8Array} input
 * @param {number} most
 */
function checkSize({ length }, most) {
  if (length <= most) return;
  const message = `the input has ${length} bytes, more than the ${most} that are taken; split it by namespace, or raise the limit`;
  throw new SlicewiseError({ code: 'TooLarge', message });
}

/** @param {any} thrown */
function typed(thrown) {
  // The module throws its errors as JSON text.
  if (typeof thrown === 'string') return new SlicewiseError(JSON.parse(thrown));
  // A trap: a bug of ours, or no memory left. The module stays usable.
  const message = `the module stopped (${thrown?.message ?? thrown}), most likely for want of memory`;
  return new SlicewiseError({ code: 'Internal', message }, { cause: thrown });
}
