/** An object in the module's memory, and calls to it. */
import { SlicewiseError } from './error.js';

/**
 * @template {{free(): void}} Raw
 */
export class Handle {
  /** @type {Raw | null} */
  #raw;
  /** Why it no longer exists. */
  #gone = '';
  /** @type {string} */
  #what;
  /** @type {import('./core.js').Run} */
  #run;
  /** @type {number} */
  #most;

  /**
   * @param {import('./core.js').Run} run
   * @param {string} what its name in messages
   * @param {number} most the maximum length of inputs
   * @param {import('./doors.js').Opened[]} inputs
   * @param {() => Raw} make
   */
  constructor(run, what, most, inputs, make) {
    this.#run = run;
    this.#what = what;
    this.#most = most;
    this.#raw = run(make, inputs, most);
  }

  /**
   * @template T
   * @param {(raw: Raw) => T} call
   * @param {import('./doors.js').Opened[]} [inputs]
   * @returns {T}
   */
  use(call, inputs) {
    const raw = this.#raw;
    if (!raw) throw new SlicewiseError({ code: 'Closed', message: this.#gone });
    try {
      return this.#run(() => call(raw), inputs, this.#most);
    } catch (error) {
      // An object that trapped during a call is in an inconsistent state and must not be used again.
      if (error instanceof SlicewiseError && error.code === 'Internal') this.#leave('was lost when the module stopped');
      throw error;
    }
  }

  free() {
    const raw = this.#raw;
    this.#leave('was freed');
    if (raw) this.#run(() => raw.free());
  }

  /** @param {string} why */
  #leave(why) {
    if (!this.#raw) return;
    this.#raw = null;
    this.#gone = `this ${this.#what} ${why}`;
  }
}

/**
 * The maximum length of a handle's inputs.
 * @param {unknown} limits
 * @param {number} usual
 */
export function mostBytes(limits, usual) {
  const most = /** @type {{maxInputBytes?: unknown}} */ (limits ?? {}).maxInputBytes ?? usual;
  // The most that the module can address.
  if (typeof most === 'number' && Number.isInteger(most) && most > 0 && most < 2 ** 32) return most;
  throw new SlicewiseError({
    code: 'InvalidValue',
    message: `maxInputBytes must be a whole number between 1 and ${2 ** 32 - 1}, got ${String(most)}`,
  });
}

/**
 * The name of a Service, in the module's format.
 * @param {unknown} service
 */
export function serviceKey(service) {
  const { namespace, name } = /** @type {{namespace?: unknown, name?: unknown}} */ (service ?? {});
  const key = typeof namespace === 'string' && typeof name === 'string' ? `${namespace}/${name}` : service;
  if (typeof key === 'string' && key.isWellFormed()) return key;
  throw new SlicewiseError({ code: 'InvalidType', message: 'name the Service as `namespace/name`, or as an object with `namespace` and `name`' });
}
