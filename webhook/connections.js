/**
 * The lifetime and the number of connections. The API server keeps its connection to a replica as long as it can, which
 * would leave new replicas without work, and keeps calling one that shuts down; so the response announces when it is the
 * last one.
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

/**
 * Limits the number of connections. Anyone can open one, so strangers must not keep permitted callers out: above the limit,
 * the oldest connection without a request of a permitted caller is closed, or the new one if there is none.
 * @param {import('node:net').Server} server
 * @param {number} most
 * @returns {(socket: import('node:net').Socket) => void} to call for each connection with such a request
 */
export function limitCount(server, most) {
  /** Oldest first. @type {Map<string, import('node:net').Socket>} */
  const unproven = new Map();
  /** @type {WeakSet<import('node:net').Socket>} */
  const proven = new WeakSet();
  /** Destroyed, and not closed yet. @type {Set<import('node:net').Socket>} */
  const leaving = new Set();
  let count = 0;
  server.on('connection', (/** @type {import('node:net').Socket} */ socket) => {
    const name = nameOf(socket);
    count += 1;
    unproven.set(name, socket);
    socket.once('close', () => {
      count -= 1;
      if (unproven.get(name) === socket) unproven.delete(name);
    });
    if (count - leaving.size <= most) return;
    const [[oldestName, oldest]] = unproven;
    unproven.delete(oldestName);
    leaving.add(oldest);
    oldest.once('close', () => leaving.delete(oldest));
    oldest.destroy();
  });
  return (socket) => {
    if (proven.has(socket)) return;
    proven.add(socket);
    unproven.delete(nameOf(socket));
  };
}

/** The same for a connection and for TLS on it. @param {import('node:net').Socket} socket */
function nameOf({ remoteAddress, remotePort }) {
  return `${remoteAddress} ${remotePort}`;
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
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, ({ socket }) => sockets.delete(socket));
}

/** Closes those that stay silent, after reading what has arrived by then. @param {object} server */
export function dismissSilent(server) {
  const dismiss = () => {
    for (const socket of silent.get(server) ?? []) socket.destroySoon();
  };
  setTimeout(() => setImmediate(dismiss), SILENCE).unref();
}
