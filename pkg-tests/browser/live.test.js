/** The page as served by `slicewise serve`, in Chromium: it follows a cluster, and pages of other sites cannot. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Following } from '../cluster/lib/following.js';
import { FakeApi } from '../webhook/lib/api-server.js';
import { drawnSlices, openInput, settled, start, withPage } from './harness.js';
import { ROOT } from './server.js';

const ZONES = ['a', 'b', 'c'];

/** @type {import('./harness.js').World} */
let world;

before(async () => {
  world = await start();
});
after(() => world.close());

/** @param {number} number @param {string} app */
function endpointOf(number, app) {
  const zone = ZONES[number % ZONES.length];
  return {
    addresses: [`10.0.0.${number}`], conditions: { ready: true, serving: true, terminating: false }, nodeName: `n-${zone}`, zone,
    targetRef: { kind: 'Pod', namespace: 'shop', name: `${app}-${number}`, uid: `${app}-${number}` },
  };
}

/** A Service with this many ready pods, and an up-to-date slice. @param {FakeApi} api @param {string} app @param {number} pods */
function run(api, app, pods) {
  const metadata = { namespace: 'shop', name: app, uid: app };
  api.set({
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: {
      clusterIP: '10.9.0.1',
      type: 'ClusterIP',
      ipFamilies: ['IPv4'],
      selector: { app },
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }],
    },
  });
  const numbers = Array.from({ length: pods }, (_, index) => index + 1);
  for (const number of numbers) {
    api.set({
      apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'shop', name: `${app}-${number}`, uid: `${app}-${number}`, labels: { app } },
      spec: { nodeName: `n-${ZONES[number % ZONES.length]}` },
      status: { phase: 'Running', podIP: `10.0.0.${number}`, podIPs: [{ ip: `10.0.0.${number}` }], conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }
  const labels = { 'kubernetes.io/service-name': app, 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
  const owner = { apiVersion: 'v1', kind: 'Service', name: app, uid: app, controller: true, blockOwnerDeletion: true };
  api.set({
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice',
    metadata: { namespace: 'shop', name: `${app}-a`, uid: `${app}-a`, generateName: `${app}-`, labels, ownerReferences: [owner] },
    addressType: 'IPv4', ports: [{ name: 'http', port: 8080, protocol: 'TCP' }], endpoints: numbers.map((number) => endpointOf(number, app)),
  });
}

/** @param {import('node:test').TestContext} t */
async function follow(t) {
  const api = await FakeApi.start(t);
  for (const zone of ZONES) {
    const metadata = { name: `n-${zone}`, labels: { 'topology.kubernetes.io/zone': zone } };
    api.set({ apiVersion: 'v1', kind: 'Node', metadata, status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] } });
  }
  run(api, 'cart', 3);
  run(api, 'search', 1);
  const serve = Following.start(t, ['serve', '-A', '--kubeconfig', api.kubeconfig(api.url, false), '--page', join(ROOT, 'dist'), '--port', '0']);
  const { origin, hash } = new URL(await serve.next('the address', (line) => String(line).startsWith('http://')));
  return { api, serve, hash, here: { ...world, base: `${origin}/` } };
}

/** The drawn endpoints. @param {import('playwright-core').Page} page */
async function endpoints(page) {
  return (await drawnSlices(page)).reduce((sum, slice) => sum + slice.after, 0);
}

/** @param {import('playwright-core').Page} page @param {number} count */
async function drawn(page, count) {
  await page.waitForFunction((wanted) => document.querySelectorAll('.slice .side.after [role=option]').length === wanted, count);
  await settled(page);
  assert.equal(await endpoints(page), count);
}

test('a change is seen without a reload, and another Service by choosing it', async (t) => {
  const { api, hash, here } = await follow(t);
  await withPage(here, { hash }, async (page) => {
    await drawn(page, 3);
    assert.equal(new URL(page.url()).hash, '', 'the token is in no history');
    const cluster = page.getByRole('region', { name: 'Cluster' });
    assert.equal(await cluster.getByRole('status').textContent(), 'Live');
    run(api, 'cart', 5);
    await drawn(page, 5);
    await cluster.getByText('gained 10.0.0.5:8080, Pod cart-5 on node n-c in zone c, ready; 4 → 5 ready').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true, 'nobody has taken a step');
    await cluster.getByRole('combobox', { name: 'Service' }).selectOption('shop/search');
    await drawn(page, 1);
    // After a reload, the tab continues with the selected Service.
    await page.reload();
    await drawn(page, 1);
    assert.deepEqual(await page.evaluate(() => navigator.serviceWorker?.getRegistrations().then((kept) => kept.length) ?? 0), 0);
  });
});

test('when the connection is lost, what was last seen stays and is marked', async (t) => {
  const { api, serve, hash, here } = await follow(t);
  await withPage(here, { hash, expected: /ERR_/ }, async (page) => {
    await drawn(page, 3);
    const status = page.getByRole('region', { name: 'Cluster' }).getByRole('status');
    api.intercept = (_, __, response) => Boolean(response.destroy());
    api.cut();
    await status.getByText('Not live since').waitFor();
    assert.equal(await endpoints(page), 3);
    api.intercept = null;
    await status.getByText('Live', { exact: true }).waitFor();
    run(api, 'cart', 4);
    await drawn(page, 4);
    await serve.end();
    await status.getByText('slicewise serve does not answer').waitFor();
    assert.equal(await endpoints(page), 4);
  });
});

test('who changes the input is not overrun', async (t) => {
  const { api, hash, here } = await follow(t);
  await withPage(here, { hash }, async (page) => {
    await drawn(page, 3);
    await openInput(page);
    await page.locator('#input').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(' ');
    const cluster = page.getByRole('region', { name: 'Cluster' });
    await cluster.getByText('You have changed the input').waitFor();
    run(api, 'cart', 4);
    await cluster.getByText('gained 10.0.0.4').first().waitFor();
    assert.equal(await endpoints(page), 3);
    await cluster.getByRole('button', { name: 'Follow it again' }).click();
    await drawn(page, 4);
    run(api, 'cart', 5);
    await drawn(page, 5);
  });
});

test('without the token, with another one, and from another site, nothing is told', async (t) => {
  const { hash, here } = await follow(t);
  await withPage(here, {}, async (page) => {
    assert.equal(await page.getByRole('region', { name: 'Cluster' }).count(), 0, 'it is the page as it is anywhere');
  });
  await withPage(here, { hash: `#live=${'0'.repeat(64)}`, expected: /401/, path: '' }, async (page) => {
    await page.getByText('the token is missing or wrong').waitFor();
  });
  const token = hash.replace('#live=', '');
  await withPage(world, { path: 'blank.html', expected: /elsewhere|CORS|ERR_FAILED|Failed to load|Refused|frame/i }, async (page) => {
    const stolen = await page.evaluate(async ([base, secret]) => {
      const ask = (/** @type {RequestInit} */ init) => fetch(`${base}live`, init).then(({ status }) => status, () => 'refused');
      return [
        await ask({ headers: { authorization: `Bearer ${secret}` } }),
        await ask({}),
        await fetch(base ?? '').then(
          () => 'read',
          () => 'refused',
        ),
      ];
    }, [here.base, token]);
    assert.deepEqual(stolen, ['refused', 'refused', 'refused']);
  });
});
