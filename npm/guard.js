/** Calls into a module: what may go wrong around a call, and the objects that live in its memory. */
import { SlicewiseError } from './error.js';
import { notReady } from './instances.js';

/** @typedef {<T>(call: () => T) => T} Run */
/** @typedef {{free(): void, [method: string]: any}} Raw an object in the module's memory */
/** @typedef {new (...given: any[]) => Raw} RawClass */
/** @template R @typedef {{[USE]<T>(call: (raw: R) => T): T, free(): void}} Handle */
/**
 * @template {RawClass} C
 * @typedef {{new (...given: any[]): InstanceType<C> & Handle<InstanceType<C>>, [OF](raw: InstanceType<C>): Handle<InstanceType<C>>}} HandleClass
 */

/** Calls the object in the module. */
export const USE = Symbol('use');
/** Makes a handle of an object that exists already. */
export const OF = Symbol('of');
const MADE = Symbol('made');

/**
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function guard(isReady = () => true) {
  /** @type {Run} */
  function run(call) {
    if (!isReady()) throw notReady();
    try {
      return call();
    } catch (thrown) {
      if (thrown instanceof SlicewiseError) throw thrown;
      // A trap: a bug of ours, or out of memory. The module stays usable.
      const message = `the module stopped (${/** @type {any} */ (thrown)?.message ?? thrown}), most likely for want of memory`;
      throw new SlicewiseError({ code: 'Internal', message }, { cause: thrown });
    }
  }

  /**
   * A function of the module.
   * @param {(...given: any[]) => any} call
   * @returns {(...given: any[]) => any}
   */
  const guarded = (call) => (...given) => run(() => call(...given));

  /**
   * A class of the module. Its objects end with a call that traps, which leaves them in an inconsistent state, or with `free`.
   * @template {RawClass} C
   * @param {C} RawClass
   * @param {string} name
   */
  function handle(RawClass, name) {
    class Handle {
      /** @type {any} */
      #raw;
      /** Why it no longer exists. */
      #gone = '';
      #isBusy = false;

      /** @param {any[]} given */
      constructor(...given) {
        this.#raw = given[0] === MADE ? given[1] : run(() => new RawClass(...given));
      }

      /** @param {InstanceType<C>} raw */
      static [OF](raw) {
        return new this(MADE, raw);
      }

      /**
       * @template T
       * @param {(raw: InstanceType<C>) => T} call
       * @returns {T}
       */
      [USE](call) {
        const raw = this.#raw;
        if (!raw) throw new SlicewiseError({ code: 'Closed', message: this.#gone });
        this.#checkIdle();
        this.#isBusy = true;
        try {
          return run(() => call(raw));
        } catch (error) {
          if (error instanceof SlicewiseError && error.code === 'Internal') this.#leave('was lost when the module stopped');
          throw error;
        } finally {
          this.#isBusy = false;
        }
      }

      free() {
        this.#checkIdle();
        const raw = this.#raw;
        this.#leave('was freed');
        if (raw) run(() => raw.free());
      }

      // Defined explicitly where the host has no `Symbol.dispose` yet, as the glue does.
      [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
        this.free();
      }

      /** Code of the caller runs while an input is written. */
      #checkIdle() {
        if (!this.#isBusy) return;
        const message = `this ${name.toLowerCase()} is at work: a getter or toJSON of its input has called it`;
        throw new SlicewiseError({ code: 'InvalidValue', message });
      }

      /** @param {string} why */
      #leave(why) {
        if (!this.#raw) return;
        this.#raw = null;
        this.#gone = `this ${name.toLowerCase()} ${why}`;
      }
    }
    Object.defineProperty(Handle, 'name', { value: name, configurable: true });
    for (const [method] of methods(RawClass.prototype)) {
      define(Handle.prototype, method, /** @this {Handle} */ function (/** @type {any[]} */ ...given) {
        return this[USE]((/** @type {any} */ raw) => raw[method](...given));
      });
    }
    for (const [method, make] of methods(RawClass)) {
      define(Handle, method, (/** @type {any[]} */ ...given) => Handle[OF](run(() => make.apply(RawClass, given))));
    }
    return /** @type {HandleClass<C>} */ (/** @type {unknown} */ (Handle));
  }

  return { run, guarded, handle };
}

/** Those for callers: not what the glue adds to each class, nor what begins with `_`. @param {any} holder @returns {[string, Function][]} */
function methods(holder) {
  const names = Object.getOwnPropertyNames(holder).filter((name) => !/^(_|constructor$|free$)/.test(name));
  return names.flatMap((name) => (typeof holder[name] === 'function' ? [[name, holder[name]]] : []));
}

/** @param {object} holder @param {string | symbol} name @param {Function} value */
export function define(holder, name, value) {
  Object.defineProperty(holder, name, { value, configurable: true, writable: true });
}
