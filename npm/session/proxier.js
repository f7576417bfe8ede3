/** kube-proxy's view of Services and slices on a node: events in, traffic out. */
import { open } from '../doors.js';
import { readers } from '../fields.js';
import { Handle, mostBytes } from '../handle.js';

/**
 * @param {import('./core.js').Raw} raw
 * @param {import('../core.js').Run} run
 */
export function proxierClass(raw, run) {
  const usual = () => run(() => raw.maxInputBytes());
  const ofLine = readers(raw.fields)('proxyLine');

  return class Proxier {
    /** @type {Handle<InstanceType<import('./core.js').Raw['Proxier']>>} */
    #handle;

    /** @param {unknown} settings @param {unknown} [limits] */
    constructor(settings, limits) {
      const most = mostBytes(limits, usual());
      const input = open(settings, 'the settings');
      this.#handle = new Handle(run, 'proxier', most, [input], () => new raw.Proxier(input.bytes, most));
    }

    /** @param {unknown} line */
    feed(line) {
      const input = open(line, 'the line', ofLine, (text) => (text ? JSON.parse(text) : null));
      return input.answer(this.#handle.use((handle) => handle.feed(input.bytes), [input]));
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
