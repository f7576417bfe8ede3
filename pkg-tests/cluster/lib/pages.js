/** An API server without streaming lists: it refuses them, and everything else is the real server's answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePair } from '../../../webhook/pair.js';

const REFUSAL = JSON.stringify({
  kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Invalid', code: 422,
  message: 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
});

/**
 * @param {import('node:test').TestContext} t
 * @param {import('./cluster.js').Cluster} cluster
 * @returns {Promise<string>} a kubeconfig
 */
export async function withoutStreams(t, { api, ready }) {
  const pair = makePair(['127.0.0.1']);
  const server = createServer(pair, (asked, answer) => {
    const { method, url = '', headers } = asked;
    if (url.includes('sendInitialEvents=true')) return void answer.writeHead(422, { 'content-type': 'application/json' }).end(REFUSAL);
    const call = request(ready.url + url, { method, headers, agent: false, ca: api.agent.options.ca }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      // A watch may have no event for long.
      answer.flushHeaders();
      response.pipe(answer);
      response.on('error', () => answer.destroy());
    });
    call.on('error', () => answer.destroy());
    answer.on('close', () => call.destroy());
    asked.pipe(call);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-pages-'));
  t.after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const file = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1', kind: 'Config', 'current-context': 'x', contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    clusters: [
      { name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': Buffer.from(pair.cert).toString('base64') } },
    ], users: [{ name: 'u', user: { token: ready.token } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}
