/**
 * The TLS certificate and key: from files, or made at start for a trial on loopback. A made pair is self-signed
 * (ECDSA P-256), lives for a week, and its key never leaves the process.
 */
import { X509Certificate, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigError } from './config.js';
import { bitString, bool, explicit, ia5, ipBytes, nothing, octets, oid, positive, sequence, set, time, utf8 } from './der.js';

/** @typedef {{cert: string, key: string, ca?: string}} Pair all PEM; `ca` is that of callers, if they must have a certificate */

const LIFETIME = 7 * 24 * 3600 * 1000;

/**
 * Reads a pair and checks that its halves belong together.
 * @param {import('./config.js').TlsFiles} files
 * @returns {Pair}
 */
export function loadPair(files) {
  const [cert, key] = [read(files.cert), read(files.key)];
  let fits;
  try {
    fits = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new ConfigError(`cannot use ${files.cert} and ${files.key}: ${/** @type {Error} */ (error).message}`);
  }
  if (!fits) throw new ConfigError(`the key ${files.key} is not that of the certificate ${files.cert}`);
  return files.clientCA === undefined ? { cert, key } : { cert, key, ca: readAuthority(files.clientCA) };
}

/** The authority of callers' certificates, checked. @param {string} file */
function readAuthority(file) {
  const ca = read(file);
  try {
    if (new X509Certificate(ca).ca) return ca;
  } catch (error) {
    throw new ConfigError(`cannot use ${file}: ${/** @type {Error} */ (error).message}`);
  }
  throw new ConfigError(`${file} is no certificate of an authority`);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read ${file}: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Makes a self-signed pair, which is its own CA.
 * @param {string[]} hosts names and addresses it is valid for
 * @param {Date} [now]
 * @returns {Pair}
 */
export function makePair(hosts, now = new Date()) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = certificateBody(hosts, spki, now);
  const signature = sign('sha256', body, privateKey);
  const der = sequence(body, ECDSA_WITH_SHA256, bitString(signature));
  const lines = /** @type {string[]} */ (der.toString('base64').match(/.{1,64}/g));
  const cert = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

/** RFC 5280, TBSCertificate. @param {string[]} hosts @param {Buffer} spki @param {Date} now */
function certificateBody(hosts, spki, now) {
  const validity = sequence(time(new Date(now.getTime() - 60_000)), time(new Date(now.getTime() + LIFETIME)));
  const serial = randomBytes(16);
  serial[0] = (serial[0] & 0x7f) | 0x40;
  // A name of its own: authorities are found by name.
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8(`slicewise webhook ${serial.toString('hex', 0, 4)}`))));
  const version = explicit(0, positive(Buffer.of(2)));
  return sequence(version, positive(serial), ECDSA_WITH_SHA256, name, validity, name, spki, explicit(3, sequence(...extensions(hosts))));
}

/** @param {string[]} hosts */
function extensions(hosts) {
  /** @param {string} id @param {boolean} critical @param {Buffer} value */
  const extension = (id, critical, value) => sequence(oid(id), critical ? bool(true) : nothing, octets(value));
  const names = hosts.map((host) => (isIP(host) ? ipBytes(host) : ia5(host)));
  // digitalSignature and keyCertSign: bits 0 and 5.
  const usage = Buffer.of(0x03, 0x02, 0x02, 0x84);
  return [
    extension('2.5.29.19', true, sequence(bool(true))),
    extension('2.5.29.15', true, usage),
    // For servers, and for callers in trials.
    extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2'))),
    extension('2.5.29.17', false, sequence(...names)),
  ];
}
