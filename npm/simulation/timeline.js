/** A scenario, played step by step. */
import { decode, open, openOptional } from '../doors.js';
import { SlicewiseError } from '../error.js';
import { Handle, mostBytes } from '../handle.js';

/**
 * @param {import('./core.js').Raw} raw
 * @param {import('../core.js').Run} run
 */
export function timelineClass(raw, run) {
  const usual = () => run(() => raw.maxInputBytes());

  return class Timeline {
    /** @type {Handle<InstanceType<import('./core.js').Raw['Timeline']>>} */
    #handle;

    /** @param {unknown} scenario @param {unknown} [settings] @param {unknown} [limits] */
    constructor(scenario, settings, limits) {
      const most = mostBytes(limits, usual());
      const input = open(scenario, 'the scenario');
      const given = openOptional(settings, 'the settings');
      this.#handle = new Handle(run, 'timeline', most, [input, given], () => new raw.Timeline(input.bytes, given.bytes, most));
    }

    about() {
      return JSON.parse(decode(this.#handle.use((handle) => handle.summary())));
    }

    /** @param {unknown} [count] */
    next(count = 1) {
      const most = whole(count);
      return JSON.parse(decode(this.#handle.use((handle) => handle.steps(most))));
    }

    report() {
      return JSON.parse(decode(this.reportBytes()));
    }

    reportBytes() {
      return this.#handle.use((handle) => handle.report());
    }

    free() {
      this.#handle.free();
    }

    // Defined explicitly where the host has no `Symbol.dispose` yet, as the glue does.
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      this.free();
    }
  };
}

/** More steps at once would not fit into memory anyway. */
const MOST = 100_000;

/** @param {unknown} count */
function whole(count) {
  if (typeof count === 'number' && Number.isInteger(count) && count > 0 && count <= MOST) return count;
  throw new SlicewiseError({
    code: 'InvalidValue',
    message: `the number of steps must be a whole number between 1 and ${MOST}, got ${String(count)}`,
  });
}
