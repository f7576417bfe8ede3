/**
 * The lifetime and the number of connections. The API server keeps its connection to a replica as long as it can, which
 * would leave new replicas without work, and keeps calling one that shuts down; so the response announces when it is the
 * last one.
 */
import { Server as TlsServer } from 'node:https';
import { setImmediate as immediately } from 'node:timers/promises';

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
 * @typedef {object} Connection
 * @property {import('node:net').Socket} socket
 * @property {import('node:net').Socket} [secured] the same with TLS, after the handshake
 * @property {boolean} isProven whether it has had a request of a permitted caller
 * @property {number} since its place in the order of openings and requests
 * @property {Set<import('node:http').ServerResponse>} responses those not sent completely
 */

/** How long shutdown waits for a connection without a request, in milliseconds: a request may be on its way. */
const SILENCE = 500;
/** The same for one whose handshake is not done. */
const HANDSHAKE = 2_000;
/** The share of all connections that callers may have before their first request, even if permitted callers hold the rest. */
const NEWCOMERS = 1 / 8;

/** Those of each server. @type {WeakMap<object, Connections>} */
const known = new WeakMap();

/**
 * Limits the number of a server's connections. Anyone can open one and send nothing, or half a request, so strangers must
 * not keep permitted callers out: above the limit, the connection that has been silent for longest is closed, and those of
 * permitted callers last.
 */
export class Connections {
  /** By the client's address. @type {Map<string, Connection>} */
  #all = new Map();
  /** @type {WeakMap<import('node:net').Socket, Connection>} */
  #of = new WeakMap();
  #count = 0;
  #isTrimming = false;
  #server;
  #most;

  /** @param {import('node:http').Server | import('node:https').Server} server @param {number} most */
  constructor(server, most) {
    this.#server = server;
    this.#most = most;
    known.set(server, this);
    server.on('connection', (/** @type {import('node:net').Socket} */ socket) => this.#open(socket));
    server.on('secureConnection', (/** @type {import('node:net').Socket} */ socket) => this.#secure(socket));
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.on(event, (/** @type {import('node:http').IncomingMessage} */ { socket }, response) => this.#begin(socket, response));
    }
  }

  /** To be called for each connection with a request of a permitted caller. @param {import('node:net').Socket} socket */
  prove(socket) {
    const connection = this.#of.get(socket);
    if (connection) connection.isProven = true;
  }

  /** Closes those that stay silent, after reading what has arrived by then. */
  dismiss() {
    this.#dismissAfter(SILENCE, ({ socket, secured }) => (this.#server instanceof TlsServer ? secured : socket));
    this.#dismissAfter(HANDSHAKE, ({ socket, secured }) => secured ?? socket);
  }

  /** @param {number} pause @param {(connection: Connection) => import('node:net').Socket | undefined} socketOf */
  #dismissAfter(pause, socketOf) {
    const dismiss = () => {
      for (const connection of this.#all.values()) if (connection.responses.size === 0) socketOf(connection)?.destroySoon();
    };
    setTimeout(() => setImmediate(dismiss), pause).unref();
  }

  /** @param {import('node:net').Socket} socket */
  #open(socket) {
    const name = nameOf(socket);
    const connection = { socket, isProven: false, since: (this.#count += 1), responses: new Set() };
    this.#all.set(name, connection);
    this.#of.set(socket, connection);
    socket.once('close', () => {
      if (this.#all.get(name) === connection) this.#all.delete(name);
    });
    if (!this.#server.listening) this.dismiss();
    if (this.#all.size > this.#most && !this.#isTrimming) void this.#trimSoon();
  }

  /** @param {import('node:net').Socket} socket */
  #secure(socket) {
    const connection = this.#all.get(nameOf(socket));
    if (!connection) return;
    connection.secured = socket;
    this.#of.set(socket, connection);
    if (!this.#server.listening) this.dismiss();
  }

  /** @param {import('node:net').Socket} socket @param {import('node:http').ServerResponse} response */
  #begin(socket, response) {
    const connection = this.#of.get(socket);
    if (!connection || response.closed) return;
    connection.since = this.#count += 1;
    connection.responses.add(response);
    response.once('close', () => connection.responses.delete(response));
  }

  /**
   * Many connections are accepted in one turn of the event loop, and read in the next one: a caller whose request has
   * arrived must not go because others came after it.
   */
  async #trimSoon() {
    this.#isTrimming = true;
    await immediately();
    await immediately();
    this.#isTrimming = false;
    for (const [name, { socket }] of this.#surplus()) {
      this.#all.delete(name);
      socket.destroy();
    }
  }

  /** @returns {Iterable<[string, Connection]>} */
  #surplus() {
    const surplus = Math.max(0, this.#all.size - this.#most);
    const silent = [...this.#all].filter(([, { responses }]) => isAnswered(responses)).sort(([, a], [, b]) => a.since - b.since);
    const strangers = silent.filter(([, { isProven }]) => !isProven);
    const callers = silent.filter(([, { isProven }]) => isProven);
    const newcomers = strangers.splice(Math.max(0, strangers.length - Math.max(1, Math.floor(this.#most * NEWCOMERS))));
    const busy = [...this.#all].reverse();
    return new Map([...strangers, ...callers, ...newcomers, ...busy].slice(0, surplus));
  }
}

/** A client that does not read its answers is not waited for. @param {Set<import('node:http').ServerResponse>} responses */
function isAnswered(responses) {
  for (const { writableEnded } of responses) if (!writableEnded) return false;
  return true;
}

/** The same for a connection and for TLS on it. @param {import('node:net').Socket} socket */
function nameOf({ remoteAddress, remotePort }) {
  return `${remoteAddress} ${remotePort}`;
}

/** Closes a server's connections that stay silent. @param {object} server */
export function dismissSilent(server) {
  known.get(server)?.dismiss();
}
