/** An installation of the webhook on an API server of the tests, where its Service leads to this machine. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The same object; a Service that points to this machine. @param {any} object */
export function loopback(object) {
  return object.kind === 'Service' ? { ...object, spec: { type: 'ExternalName', externalName: '127.0.0.1' } } : object;
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** @param {string} folder @param {{url: string, ca: string}} ready @param {string} name @param {string} token */
export function kubeconfig(folder, { url, ca }, name, token) {
  const file = join(folder, `${name}.kubeconfig`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority': ca } }],
    users: [{ name, user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: name } }],
    'current-context': 'test',
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
