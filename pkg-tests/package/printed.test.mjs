/** What `docs/cluster.md` says that the command prints, for a cluster like the one it describes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './lib/builds.mjs';
import { NATIVE, invoke } from './lib/commands.mjs';

// As long as those of an API server, so that sizes are the same.
const uid = (/** @type {number} */ number) => `5d2a7c1e-0b6f-4c53-9a3e-00000000000${number}`;
const metadata = (/** @type {string} */ name, /** @type {number} */ number, more = {}) => ({
  namespace: 'shop',
  name,
  uid: uid(number),
  resourceVersion: `${number}`,
  ...more,
});

/** @param {number} number @param {string} node @param {object} status */
const pod = (number, node, status) => ({
  apiVersion: 'v1', kind: 'Pod', metadata: metadata(`cart-${number}`, number, { labels: { app: 'cart' } }),
  spec: { nodeName: node, containers: [{ name: 'app', ports: [{ containerPort: 8080 }] }] },
  status: { phase: 'Running', podIP: `10.1.2.${number}`, podIPs: [{ ip: `10.1.2.${number}` }], ...status },
});
const ready = (/** @type {string} */ status, /** @type {string} */ lastTransitionTime) => ({
  conditions: [{ type: 'Ready', status, lastTransitionTime }],
});
const endpoint = (/** @type {number} */ number, /** @type {string} */ zone) => ({
  addresses: [`10.1.2.${number}`], conditions: { ready: true, serving: true, terminating: false }, nodeName: `${zone}1`, zone,
  targetRef: { kind: 'Pod', namespace: 'shop', name: `cart-${number}`, uid: uid(number) },
});

const CLUSTER = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'v1', kind: 'Service', metadata: metadata('cart', 9, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } }),
      spec: {
        selector: { app: 'cart' },
        clusterIP: '10.96.0.10',
        clusterIPs: ['10.96.0.10'],
        ipFamilies: ['IPv4'],
        ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }],
      },
    },
    pod(1, 'a1', ready('True', '2026-11-23T07:40:00Z')),
    pod(2, 'b1', {
      ...ready('False', '2026-11-23T07:50:00Z'),
      containerStatuses: [{
        name: 'app', ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { reason: 'OOMKilled', exitCode: 137, finishedAt: '2026-11-23T07:49:58Z' } },
      }],
    }),
    ...['a', 'b', 'c'].map((zone) => ({
      apiVersion: 'v1', kind: 'Node', metadata: { name: `${zone}1`, labels: { 'topology.kubernetes.io/zone': zone } },
      status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
    })),
    {
      apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4',
      metadata: metadata('cart-7xk2p', 7, {
        generateName: 'cart-',
        labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io', 'kubernetes.io/service-name': 'cart' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'cart', uid: uid(9), controller: true, blockOwnerDeletion: true }],
      }),
      endpoints: [endpoint(1, 'a'), endpoint(2, 'b')],
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    },
  ],
};

describe('docs/cluster.md', () => {
  const text = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');

  for (const [command, args] of /** @type {[string, string[]][]} */ ([
    ['slicewise explain -n shop cart', ['explain', '--service', 'shop/cart', '--color', 'never']],
    ['slicewise plan -A -o summary', ['plan', '-o', 'summary']],
  ])) {
    it(`prints what it shows: ${command}`, async () => {
      const shown = text.split(`\`\`\`\n$ ${command}\n`)[1]?.split('```')[0];
      const { stdout, stderr, code } = await invoke(NATIVE, args, JSON.stringify(CLUSTER));
      assert.equal(code, 0, stderr);
      assert.equal(stdout.toString(), shown);
    });
  }
});
