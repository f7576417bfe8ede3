/**
 * How long connections live. The API server keeps one to a replica for as long as it may, so that a new replica would get
 * nothing to do, and one that ends is still called; so the answer that is due says that it is the last one.
 */

/** Connections that came together should not go together: each lives up to this share shorter. */
const SPREAD = 0.2;

/**
 * @param {import('node:net').Server} server
 * @param {number} maxAge in milliseconds; 0 for ever
 * @param {() => boolean} isDraining
 * @returns {(socket: import('node:net').Socket) => boolean} whether the answer that is due is the last one of a connection
 */
export function limitAge(server, maxAge, isDraining) {
  /** @type {WeakMap<import('node:net').Socket, number>} */
  const ends = new WeakMap();
  if (maxAge > 0) {
    let count = 0;
    server.on('secureConnection', (socket) => {
      count = (count + 1) % 16;
      ends.set(socket, performance.now() + maxAge * (1 - (SPREAD * count) / 16));
    });
  }
  return (socket) => isDraining() || performance.now() > (ends.get(socket) ?? Infinity);
}
