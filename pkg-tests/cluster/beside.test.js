/** What verdicts depend on besides the objects that plans depend on: exceptions, and the Namespaces that rules look at. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeApi, json, refuse } from '../webhook/lib/api-server.js';
import { fill, service } from '../webhook/lib/watching.js';
import { run } from './lib/reader.js';

const NOW = '1795932330';
const RULE = { name: 'team', expression: "namespaceObject.metadata.labels.team == 'web'", message: 'not of web', on: { kinds: ['Service'] } };

/** @param {object} spec */
const exception = (spec) => ({
  metadata: { name: 'move' },
  spec: { policies: ['service-traffic'], reason: 'a move', until: '2126-01-01T00:00:00Z', namespaces: ['shop'], ...spec },
});

test('reviews and audits of a cluster read its exceptions, and Namespaces if a rule does', async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  const outside = service('outside');
  Object.assign(outside.spec, { externalIPs: ['203.0.113.7'], selector: undefined });
  api.set(outside);
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-beside-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ policies: { expression: { validations: [RULE] } } }));
  const env = { KUBECONFIG: api.kubeconfig(undefined, false) };
  const input = JSON.stringify({ ...outside, metadata: { name: 'new', namespace: 'shop' } });
  const review = (/** @type {string[]} */ ...flags) => run(['review', '-A', '-o', 'text', '-', ...flags], { env, input });
  const audit = (/** @type {string[]} */ ...flags) => run(['audit', '-A', '-o', 'text', '--now', NOW, ...flags], { env });

  await t.test('a cluster without the kind has none, which is said', async () => {
    for (const ran of [await review(), await audit()]) {
      assert.match(ran.stderr, /^slicewise: [^\n]* has no SliceExceptions of slicewise\.dev\/v1alpha1, so none applies\n$/);
      assert.match(ran.stdout, /service-traffic\/external-ip/);
      assert.doesNotMatch(ran.stdout, /exception/);
    }
    assert.equal((await review()).status, 1);
  });

  /** @type {object[] | null} as long as the user may not read them */
  let items = null;
  api.also = (request, response) => {
    if (!request.url?.startsWith('/apis/slicewise.dev/v1alpha1/sliceexceptions?')) return false;
    if (items === null) refuse(response, 403, 'Forbidden', 'sliceexceptions is forbidden');
    else json(response, 200, { kind: 'SliceExceptionList', apiVersion: 'slicewise.dev/v1alpha1', metadata: {}, items });
    return true;
  };
  await t.test('who may not read them is told what to allow', async () => {
    for (const ran of [await review(), await audit()]) {
      assert.match(ran.stderr, /^slicewise: not allowed to list sliceexceptions of the cluster: .*`\{apiGroups: \["slicewise\.dev"\], resources: \[sliceexceptions\], verbs: \[list\]\}`\n$/);
      assert.match(ran.stdout, /service-traffic\/external-ip/);
    }
  });

  await t.test('they apply as in the webhook', async () => {
    items = [exception({}), { ...exception({ policies: ['slices'] }), metadata: { name: 'wrong' } }];
    const by = 'passes by exception move until 2126-01-01T00:00:00Z: a move';
    const reviewed = await review();
    assert.equal(reviewed.status, 0, reviewed.stderr);
    assert.match(reviewed.stdout, new RegExp(`^Warning: service-traffic/external-ip: Service shop/new: ${by}$`, 'm'));
    const audited = await audit();
    assert.match(audited.stdout, new RegExp(`^warn +Service shop/outside: service-traffic/external-ip: .* \\(${by}\\)`, 'm'));
    for (const { stderr } of [reviewed, audited]) assert.match(stderr, /^slicewise: SliceException wrong cannot be used: there is no policy `slices`[^\n]*\n$/);
    items = [exception({ until: '2026-01-01T00:00:00Z' })];
    assert.equal((await review()).status, 1);
  });

  await t.test('Namespaces are listed for rules alone', async () => {
    items = [exception({})];
    const listed = () => api.asked.splice(0).filter(({ kind }) => kind === 'Namespace').length;
    listed();
    await review();
    await audit();
    assert.equal(listed(), 0);
    api.set({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'shop', labels: { team: 'db' } } });
    assert.match((await review('--config', config)).stdout, /expression\/team: not of web/);
    assert.match((await audit('--config', config)).stdout, /^deny +Service shop\/cart: expression\/team: not of web/m);
    assert.equal(listed(), 2);
    api.set({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'shop', labels: { team: 'web' } } });
    assert.equal((await review('--config', config)).status, 0);
    assert.doesNotMatch((await audit('--config', config)).stdout, /expression/);
    api.intercept = (kind, _query, response) => kind === 'Namespace' && (refuse(response, 403, 'Forbidden', 'namespaces is forbidden'), true);
    const { stdout, stderr } = await review('--config', config);
    assert.match(stderr, /not allowed to list namespaces of the cluster/);
    assert.match(stdout, /expression\/not-checked: Service shop\/new: the cluster's Namespaces are unknown, so rule team was not evaluated/);
  });
});
