/**
 * Who may call: connections with a certificate of the configured CA and a permitted name. When the CA is replaced,
 * connections that only the former one vouches for end: requests under way are answered, and no more are read.
 */
import { certificatesOf } from './pair.js';

/**
 * @typedef {import('node:crypto').X509Certificate} X509Certificate
 * @typedef {import('node:tls').TLSSocket} TLSSocket
 */

/** The maximum length of a name in the log: certificates set no limit. */
const MOST = 256;

export class Callers {
  /** The CA's certificates. @type {X509Certificate[]} */
  #authorities;
  #isReplaced = false;
  #names;
  /** Open connections with a certificate, and the responses under way on each. @type {Map<TLSSocket, Set<object>>} */
  #open = new Map();
  /** Those whose CA is no longer configured. @type {WeakSet<object>} */
  #distrusted = new WeakSet();

  /**
   * @param {import('node:https').Server} server
   * @param {string} authority the CA, as PEM
   * @param {string[]} names common names; empty permits every name
   */
  constructor(server, authority, names) {
    this.#authorities = certificatesOf(authority);
    this.#names = names;
    server.on('secureConnection', (socket) => this.#note(socket));
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      // Before the route, which may answer at once.
      server.prependListener(event, ({ socket }, response) => this.#begin(socket, response));
    }
  }

  /**
   * @param {import('node:net').Socket} connection
   * @returns {{reason: string, presented?: string, allowed?: string[]} | null} for the log alone; null if the caller is permitted
   */
  whyRefused(connection) {
    const socket = /** @type {TLSSocket} */ (connection);
    if (this.isLast(socket)) return { reason: 'the CA of its certificate is no longer configured' };
    const name = socket.getPeerCertificate().subject?.CN;
    if (!socket.authorized) return { reason: name === undefined ? 'no client certificate' : 'the certificate is not from the configured CA' };
    if (name !== undefined && (this.#names.length === 0 || this.#names.includes(String(name)))) return null;
    return { reason: 'the certificate has another name', presented: String(name ?? '').slice(0, MOST), allowed: this.#names };
  }

  /** Whether its connection ends after this response. @param {object} socket */
  isLast(socket) {
    return this.#distrusted.has(socket);
  }

  /** Replaces the CA. @param {string} authority PEM */
  replace(authority) {
    this.#authorities = certificatesOf(authority);
    this.#isReplaced = true;
    for (const socket of this.#open.keys()) this.#check(socket);
  }

  /** @param {TLSSocket} socket */
  #note(socket) {
    if (!socket.authorized) return;
    this.#open.set(socket, new Set());
    socket.once('close', () => this.#open.delete(socket));
    // The handshake may have begun under the former CA. A resumed session has not: its ticket is of the current one.
    if (this.#isReplaced && !socket.isSessionReused()) this.#check(socket);
  }

  /** @param {TLSSocket} socket @param {import('node:http').ServerResponse} response */
  #begin(socket, response) {
    const under = this.#open.get(socket);
    if (!under) return;
    under.add(response);
    response.once('close', () => {
      under.delete(response);
      if (under.size === 0 && this.isLast(socket)) socket.destroySoon();
    });
  }

  /** @param {TLSSocket} socket */
  #check(socket) {
    if (this.isLast(socket) || isIssued(socket.getPeerX509Certificate(), this.#authorities)) return;
    this.#distrusted.add(socket);
    if (this.#open.get(socket)?.size === 0) socket.destroySoon();
  }
}

/**
 * Whether one of the authorities, or an intermediate CA of theirs, has issued it.
 * @param {X509Certificate | undefined} certificate @param {X509Certificate[]} authorities
 */
function isIssued(certificate, authorities) {
  /** @type {Set<string>} */
  const seen = new Set();
  for (let each = certificate; each && !seen.has(each.fingerprint256); each = each.issuerCertificate) {
    seen.add(each.fingerprint256);
    const { raw } = each;
    if (authorities.some((authority) => authority.raw.equals(raw) || (each.checkIssued(authority) && each.verify(authority.publicKey)))) return true;
  }
  return false;
}
