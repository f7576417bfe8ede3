/** What kube-proxy on a node makes of Services and slices: what happens in, who gets traffic out. */
import { open } from '../doors.js';
import { Handle, mostBytes } from './handle.js';

/**
 * @param {import('./core.js').Raw} raw
 * @param {import('../core.js').Run} run
 */
export function proxierClass(raw, run) {
  const usual = () => run(() => raw.maxInputBytes());

  return class Proxier {
    /** @type {Handle<InstanceType<import('./core.js').Raw['Proxier']>>} */
    #handle;

    /** @param {unknown} settings @param {unknown} [limits] */
    constructor(settings, limits) {
      const most = mostBytes(limits, usual());
      const { bytes } = open(settings, 'the settings');
      this.#handle = new Handle(run, 'proxier', most, bytes, () => new raw.Proxier(bytes, most));
    }

    /** @param {unknown} line */
    feed(line) {
      const { bytes, answer } = open(line, 'the line', (text) => (text ? JSON.parse(text) : null));
      return answer(this.#handle.use((handle) => handle.feed(bytes), [bytes]));
    }

    free() {
      this.#handle.free();
    }

    // Named by hand where the host has no `Symbol.dispose` yet, as the glue does.
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      this.free();
    }
  };
}
