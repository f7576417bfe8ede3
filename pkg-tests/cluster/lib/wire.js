/** A TCP proxy to the API server that can be cut or stalled. TLS passes through unchanged. */
import { connect, createServer } from 'node:net';

/** @typedef {import('node:net').Socket} Socket */

export class Wire {
  /**
   * @param {import('node:test').TestContext} t
   * @param {string} url of the API server
   * @param {boolean} [isCut] from the start
   */
  static async to(t, url, isCut = false) {
    const wire = new Wire(url, isCut);
    await new Promise((resolve) => wire.server.listen(0, '127.0.0.1', () => resolve(null)));
    t.after(() => wire.end());
    return wire;
  }

  /** @type {Set<Socket>} */
  #sockets = new Set();
  #isHeld = false;
  #isCut;

  /** @param {string} url @param {boolean} isCut */
  constructor(url, isCut) {
    const { hostname, port } = new URL(url);
    this.#isCut = isCut;
    this.server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect({ host: hostname, port: Number(port) });
      this.#join(near, far);
      this.#join(far, near);
    });
  }

  /** The API server's address through this proxy. */
  get url() {
    return `https://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.server.address()).port}`;
  }

  /** @param {Socket} from @param {Socket} to */
  #join(from, to) {
    this.#sockets.add(from);
    from.on('error', () => {});
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    from.on('data', (chunk) => to.write(chunk));
    if (this.#isHeld) from.pause();
  }

  /** Ends all connections, and refuses others until it is fixed. */
  cut() {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets connections through, old and new. */
  mend() {
    this.#isCut = false;
    this.#isHeld = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Silently stalls all traffic. */
  hold() {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  end() {
    this.cut();
    this.server.close();
  }
}
