/** TLS and sockets only; `routes.js` and `health.js` handle the requests. */
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setImmediate as immediately } from 'node:timers/promises';
import { Connections, dismissSilent } from './connections.js';

/** Of the plain port: probes and scrapes send their few bytes at once. */
const HEALTH = { keepAliveTimeout: 5_000, headersTimeout: 2_000, requestTimeout: 2_000, connectionsCheckingInterval: 500 };
/** Connections to the plain port, of which the kubelet and a scraper need a handful. */
const MOST_HEALTH = 256;
/** How often to check for slow connections. */
const CHECKING = 1_000;
export const TLS = /** @type {const} */ ('TLSv1.3');

/** @typedef {import('./config.js').Address} Address */
/** @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown} OnRequest */

/**
 * The review port. It speaks HTTP/1.1, as the API server does to Services.
 * @param {import('./pair.js').Pair} pair
 * @param {import('./config.js').Limits} limits
 * @param {OnRequest} onRequest
 */
export function createReviewServer(pair, limits, onRequest) {
  // The route refuses late bodies: reviews and audits have different deadlines.
  const requestTimeout = Math.max(limits.maxTimeout, limits.auditTimeout) + limits.headersTimeout;
  const { maxConnectionIdle: keepAliveTimeout, headersTimeout } = limits;
  const timeouts = { keepAliveTimeout, headersTimeout, requestTimeout, connectionsCheckingInterval: CHECKING };
  // The route answers callers without a valid certificate: our own readiness probe has none.
  const clients = { requestCert: pair.ca !== undefined, rejectUnauthorized: false };
  const tls = { ...pair, ...clients, minVersion: TLS, handshakeTimeout: limits.headersTimeout };
  // The Host header is not used, and without one Node would refuse the request without a message.
  const server = createTlsServer({ ...tls, ...timeouts, requireHostHeader: false }, onRequest);
  // By default, Node lets clients send their body before anything checks its size.
  server.on('checkContinue', onRequest);
  // Whatever else is expected need not be met, and would be refused by Node without a message.
  server.on('checkExpectation', onRequest);
  server.on('clientError', refuseNoise);
  return server;
}

/** @param {OnRequest} onRequest */
export function createHealthServer(onRequest) {
  const server = createPlainServer(HEALTH, onRequest);
  new Connections(server, MOST_HEALTH);
  return server;
}

/**
 * Input that is not HTTP, or breaks off in the middle.
 * @param {Error & {code?: string}} error
 * @param {import('node:stream').Duplex} socket
 */
function refuseNoise(error, socket) {
  if (socket.destroyed || !socket.writable) return;
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const message = error.code === 'HPE_HEADER_OVERFLOW' ? 'the headers are too large' : 'this is no complete HTTP request';
  const body = JSON.stringify({ error: { code: 'BadRequest', message } });
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
}

/**
 * @param {import('node:net').Server} server
 * @param {Address} address
 * @returns {Promise<Address>} with the chosen port
 */
export function listen(server, { host, port }) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ host, port: /** @type {import('node:net').AddressInfo} */ (server.address()).port });
    });
  });
}

/**
 * Accepts no more connections, lets requests in flight finish, and closes the rest when time is up.
 * @param {import('node:http').Server | import('node:https').Server} server
 * @param {number} timeout milliseconds
 * @returns {Promise<boolean>} whether all finished in time
 */
export async function closeGently(server, timeout) {
  // A connection that looks idle may have a request waiting. Sockets are read between one turn's immediates and the next's.
  await immediately();
  await immediately();
  return new Promise((resolve) => {
    let inTime = true;
    const timer = setTimeout(() => {
      inTime = false;
      server.closeAllConnections();
    }, timeout);
    server.close(() => {
      clearTimeout(timer);
      resolve(inTime);
    });
    server.closeIdleConnections();
    dismissSilent(server);
  });
}

/** `https://127.0.0.1:8443`. @param {string} scheme @param {Address} address */
export function urlOf(scheme, { host, port }) {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
