/**
 * The TLS certificate and key: from files, or generated at startup for trying the service on loopback. A generated pair is
 * self-signed (RSA 2048, SHA-256), valid for a week, and its key never leaves the process.
 */
import { X509Certificate, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import forge from 'node-forge';
import { ConfigError } from './config.js';

const { md, pki } = forge;

/** @typedef {{cert: string, key: string, ca?: string}} Pair all PEM; `ca` signs the certificates of callers, if required */

const LIFETIME = 7 * 24 * 3600 * 1000;

/**
 * Reads a pair and checks that certificate and key match.
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

/** Those in a text, of which there must be one. @param {string} pem @returns {X509Certificate[]} */
export function certificatesOf(pem) {
  const all = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  return (all ?? [pem]).map((each) => new X509Certificate(each));
}

/** Reads and checks the CA of callers' certificates. @param {string} file */
function readAuthority(file) {
  const ca = read(file);
  try {
    if (certificatesOf(ca)[0].ca) return ca;
  } catch (error) {
    throw new ConfigError(`cannot use ${file}: ${/** @type {Error} */ (error).message}`);
  }
  throw new ConfigError(`${file} is not a CA certificate`);
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
 * Generates a self-signed pair, which is its own CA.
 * @param {string[]} hosts names and addresses it is valid for
 * @param {Date} [now]
 * @returns {Pair}
 */
export function makePair(hosts, now = new Date()) {
  // Node generates the key, in a hundredth of the time.
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signer = pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.setRsaPublicKey(signer.n, signer.e);
  // Positive, and of full length.
  certificate.serialNumber = `4${randomBytes(16).toString('hex').slice(1)}`;
  certificate.validity.notBefore = new Date(now.getTime() - 60_000);
  certificate.validity.notAfter = new Date(now.getTime() + LIFETIME);
  // A unique name: CAs are looked up by name.
  const name = [{ name: 'commonName', value: `slicewise webhook ${certificate.serialNumber.slice(0, 8)}` }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
    // For servers, and for callers when trying the service.
    { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
    { name: 'subjectAltName', altNames: hosts.map((host) => (isIP(host) ? { type: IP, ip: host } : { type: DNS, value: host })) },
  ]);
  certificate.sign(signer, md.sha256.create());
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: pki.certificateToPem(certificate).replaceAll('\r', ''), key };
}

/** Kinds of alternative names (RFC 5280, GeneralName). */
const [DNS, IP] = [2, 7];
