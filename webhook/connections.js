/**
 * The lifetime of connections. The API server keeps its connection to a replica as long as it can, which would leave new
 * replicas without work, and keeps calling one that shuts down; so the response announces when it is the last one.
 */

/** Connections opened together should not close together: each lives shorter by up to this share. */
const SPREAD = 0.2;

/**
 * @param {import('node:net').Server} server
 * @param {number} maxAge in milliseconds; 0 for ever
 * @param {() => boolean} isDraining
 * @returns {(socket: import('node:net').Socket) => boolean} whether the next response is the last one on a connection
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

/** How long shutdown waits for a connection without a request, in milliseconds: a request may be on its way. */
const SILENCE = 500;

/**
 * Connections without a request so far: clients open some ahead of their requests. Node counts them as
 * busy, so a graceful shutdown would wait for them.
 * @type {WeakMap<object, Set<import('node:net').Socket>>}
 */
const silent = new WeakMap();

/** @param {import('node:https').Server} server */
export function noteSilent(server) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  silent.set(server, sockets);
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (!server.listening) dismissSilent(server);
  });
  for (const event of ['request', 'checkContinue']) server.on(event, ({ socket }) => sockets.delete(socket));
}

/** Closes those that stay silent, after reading what has arrived by then. @param {object} server */
export function dismissSilent(server) {
  const dismiss = () => {
    for (const socket of silent.get(server) ?? []) socket.destroySoon();
  };
  setTimeout(() => setImmediate(dismiss), SILENCE).unref();
}
