/** The last known state of a cluster: events in, plans out. */
import { decode, open, openOptional } from '../doors.js';
import { readers } from '../fields.js';
import { Handle, mostBytes, serviceKey } from '../handle.js';

/**
 * @param {import('./core.js').Raw} raw
 * @param {import('../core.js').Run} run
 */
export function sessionClass(raw, run) {
  const usual = () => run(() => raw.maxInputBytes());
  const reader = readers(raw.fields);
  const [ofEvents, ofDump] = [reader('events'), reader('dump')];
  /** Marks the constructor call whose first argument is a dump. */
  const RESTORED = Symbol('restored');

  return class Session {
    /** @type {Handle<InstanceType<import('./core.js').Raw['Session']>>} */
    #handle;

    /** @param {unknown} [options] @param {unknown} [limits] @param {unknown} [restored] */
    constructor(options, limits, restored) {
      const most = mostBytes(limits, usual());
      const isDump = restored === RESTORED;
      const input = isDump ? open(options, 'the dump', ofDump) : openOptional(options, 'options');
      const { bytes } = input;
      this.#handle = new Handle(run, 'session', most, [input], () => (isDump ? raw.Session.restore(bytes, most) : new raw.Session(bytes, most)));
    }

    /** @param {unknown} dump @param {unknown} [limits] */
    static restore(dump, limits) {
      return new Session(dump, limits, RESTORED);
    }

    /** @param {unknown} events */
    apply(events) {
      const input = open(events, 'the events', ofEvents);
      return input.answer(this.#handle.use((handle) => handle.apply(input.bytes), [input]));
    }

    /** @param {unknown} service */
    sync(service) {
      return JSON.parse(decode(this.syncBytes(service)));
    }

    /** @param {unknown} service */
    syncBytes(service) {
      const key = serviceKey(service);
      return this.#handle.use((handle) => handle.sync(key));
    }

    services() {
      return JSON.parse(decode(this.#handle.use((handle) => handle.services())));
    }

    dump() {
      return this.#handle.use((handle) => handle.dump());
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
