/** Readiness as seen by callers: a review through the real TLS listener, judged by the real core. */
import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { PROBE_HEADER } from './routes.js';

const UID = 'readyz';
const TIMEOUT = 2_000;

/** No policy checks this kind, so any answer but "allowed" is an error. */
const REVIEW = JSON.stringify({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: UID, kind: { group: 'slicewise', version: 'v1', kind: 'Probe' }, operation: 'CREATE', object: {} },
});

/**
 * @param {{address: import('./config.js').Address, cert: () => string, token: string}} target
 * @returns {() => Promise<string | null>} why it is not ready; null if it is
 */
export function createProbe({ address, cert, token }) {
  /** @type {Promise<string | null> | null} */
  let running = null;
  return () => {
    running ??= probe(address, new X509Certificate(cert()).fingerprint256, token).finally(() => (running = null));
    return running;
  };
}

/** @param {import('./config.js').Address} address @param {string} ours @param {string} token @returns {Promise<string | null>} */
function probe({ host, port }, ours, token) {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(REVIEW), [PROBE_HEADER]: token };
    // Whichever CA signed it, the listener must present exactly this certificate.
    const options = { host: reachable(host), port, path: '/validate', method: 'POST', headers, agent: false, rejectUnauthorized: false };
    const call = request(options, (response) => {
      const socket = /** @type {import('node:tls').TLSSocket} */ (response.socket);
      if (socket.getPeerCertificate().fingerprint256 !== ours) return call.destroy(new Error('the listener shows another certificate'));
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk)).on('end', () => resolve(verdict(response.statusCode, body)));
    });
    call.setTimeout(TIMEOUT, () => call.destroy(new Error('the listener did not answer in time')));
    call.on('error', (error) => resolve(error.message));
    call.end(REVIEW);
  });
}

/** @param {number | undefined} status @param {string} body */
function verdict(status, body) {
  try {
    const { uid, allowed } = JSON.parse(body).response;
    if (status === 200 && uid === UID && allowed === true) return null;
  } catch {
    // Reported below.
  }
  return `the listener answered ${status} to a review`;
}

/** A wildcard address can be listened on but not connected to. @param {string} host */
function reachable(host) {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}
