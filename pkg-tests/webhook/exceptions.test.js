/** Exceptions that are objects of the cluster: whoever is on call lets a change pass, without a rollout, for a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApi, json, refuse } from './lib/api-server.js';
import { reviewOf } from './lib/reviews.js';
import { LIMIT, startReal, until } from './lib/start.js';
import { fill, slice } from './lib/watching.js';

const HOUR = 3_600_000;
const later = new Date(Date.now() + HOUR).toISOString();

/** @param {string} name @param {object} spec */
const exception = (name, spec) => ({
  apiVersion: 'slicewise.dev/v1alpha1',
  kind: 'SliceException',
  metadata: { name },
  spec: { policies: ['slice-addresses'], reason: 'the database moves', until: later, namespaces: ['shop'], ...spec },
});

test('an exception lets pass what it records, and the next change is refused once it is gone', LIMIT, async (t) => {
  const api = await FakeApi.start(t);
  fill(api);
  /** @type {object[] | null} as long as the account may not read them */
  let items = null;
  /** Of the list, as the API server cuts it off. */
  let rest = '';
  api.also = (request, response) => {
    if (!request.url?.startsWith('/apis/slicewise.dev/v1alpha1/sliceexceptions?')) return false;
    if (items === null) refuse(response, 403, 'Forbidden', 'sliceexceptions is forbidden');
    else json(response, 200, { kind: 'SliceExceptionList', metadata: { continue: rest }, items });
    return true;
  };
  const settings = { policies: { 'slice-shape': { mode: 'warn' } } };
  const watched = { settings, snapshot: null, cluster: { kubeconfig: api.kubeconfig() }, times: { exceptions: 20 } };
  const { supervisor, client } = await startReal(t, /** @type {any} */ (watched));
  /** @type {{level: string, fields: any, message: string}[]} */
  const lines = [];
  supervisor.on('log', (level, fields, message) => lines.push({ level, fields, message }));
  const told = (/** @type {string} */ text) => lines.find(({ message }) => message === text);
  await until(() => supervisor.whyNotReady() === null);
  const review = JSON.stringify(reviewOf('CREATE', slice('mine', ['203.0.113.7'])));
  const answer = async () => (await client.post(review)).json.response;
  assert.equal((await answer()).allowed, false);
  await until(() => told('exceptions cannot be read; those that are known stay in use'));
  assert.match(JSON.stringify(lines), /SliceExceptions cannot be listed and watched; a ClusterRole with the rule/);

  items = [exception('db', {}), exception('wrong', { policies: ['slices'] }), exception('over', { until: '2026-01-01T00:00:00Z' })];
  await until(async () => (await answer()).allowed);
  const { warnings, auditAnnotations } = await answer();
  const by = `exception db until ${later}: the database moves`;
  assert.match(warnings.join('\n'), new RegExp(`slice-addresses/not-a-pod: EndpointSlice shop/mine: passes by ${by}`));
  assert.equal(auditAnnotations['slice-addresses'], `excepted: would deny: not-a-pod; ${by}`);
  const refused = told('an exception cannot be used');
  assert.equal(refused?.fields.name, 'wrong');
  assert.match(refused?.fields.reason, /there is no policy `slices`/);
  const metrics = (await client.get('/metrics')).text;
  assert.match(metrics, /^slicewise_webhook_exceptions 1$/m);
  assert.match(metrics, /^slicewise_webhook_policy_findings_total\{policy="slice-addresses",verdict="excepted"\} [1-9]/m);

  // Settings that are reloaded keep it.
  supervisor.configure({ policies: { 'slice-shape': { mode: 'audit' } } });
  assert.equal((await answer()).allowed, true);

  // What cannot be read whole changes nothing, and is told.
  const cut = (/** @type {RegExp} */ reason) => () => lines.some(({ fields }) => reason.test(String(fields.reason)));
  [items, rest] = [[], 'more'];
  await until(cut(/there are more than 500 sliceexceptions; delete those that are over/));
  [items, rest] = [[exception('long', { reason: 'x'.repeat(9 << 20) })], ''];
  await until(cut(/the list of sliceexceptions has more than 8388608 bytes/));
  assert.equal((await answer()).allowed, true);

  items = [];
  await until(async () => !(await answer()).allowed);
  assert.match((await client.get('/metrics')).text, /^slicewise_webhook_exceptions 0$/m);
});
