/** The page's verdicts on reviews and changes are the webhook's; without a browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createReviewer, policies } from 'slicewise/admission';
import { Judge } from '../../www/admission.js';
import { reviews, reviewsFile } from '../../www/samples/generate-reviews.mjs';
import { exampleBytes } from './files.js';
import { ROOT } from './server.js';

const cluster = exampleBytes('cluster-at-rest');

/** @param {Uint8Array} [input] @param {boolean} [isRequest] */
function judgeOf(input = cluster, isRequest = false) {
  const judge = new Judge();
  judge.load(input, isRequest);
  return judge;
}

/** @param {Judge} judge @param {import('../../www/admission.js').Question} question @param {string} [config] */
async function told(judge, question, config = '') {
  const answer = await judge.judge(question, config);
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer;
}

test('the examples are those the script writes, one for each policy', () => {
  assert.equal(readFileSync(join(ROOT, 'www/samples/reviews.json'), 'utf8'), reviewsFile);
  assert.deepEqual(reviews.map(({ policy }) => policy), policies().map(({ name }) => name));
});

for (const { policy, review, config } of reviews) {
  test(`the verdict on an example is the core's, to the byte: ${policy}`, async () => {
    const reviewer = createReviewer({ config: config ?? {}, snapshot: cluster });
    const bytes = new TextEncoder().encode(JSON.stringify(review));
    const { answer, explanation } = await told(judgeOf(), { review: JSON.stringify(review, null, 2) }, config ? JSON.stringify(config) : '');
    assert.equal(answer, new TextDecoder().decode(reviewer.review(bytes)));
    assert.deepEqual(explanation, JSON.parse(new TextDecoder().decode(reviewer.explain(bytes))));
    const [found, ...others] = explanation.steps.filter(({ findings }) => findings.length > 0);
    assert.equal(found?.policy, policy);
    assert.deepEqual(others, []);
  });
}

test('each policy has its sentence', async () => {
  const slip = reviews.find(({ policy }) => policy === 'service-blast-radius');
  const { explanation } = await told(judgeOf(), { review: JSON.stringify(slip?.review) }, '{"policies": {"service-traffic": {"mode": "warn"}}}');
  const sentences = Object.fromEntries(explanation.steps.map(({ policy, said }) => [policy, said]));
  assert.equal(sentences['slice-shape'], 'not asked, because it checks EndpointSlice, not Service.');
  assert.match(sentences['service-blast-radius'] ?? '', /^found one thing; it looked at the Pods and Nodes of the cluster\.$/);
  assert.match(sentences['service-traffic'] ?? '', /^found nothing wrong; /);
  assert.match(sentences.expression ?? '', /^found nothing wrong; /);
});

test('a change to an object of the cluster: update, delete, create', async () => {
  const judge = judgeOf();
  const text = judge.text('Service', 'shop/cart');
  const change = { kind: 'Service', key: 'shop/cart', text, user: 'jane' };
  const slip = text.replace(/("selector": \{\s*"app": )"cart"/, '$1"crat"');
  assert.notEqual(slip, text);
  const denied = await told(judge, { change: { ...change, operation: 'UPDATE', text: slip } });
  assert.match(denied.explanation.text, /^Update of Service shop\/cart by jane: denied\.\n/);
  assert.match(denied.explanation.text, /did you mean app=cart/);
  const same = await told(judge, { change: { ...change, operation: 'UPDATE' } });
  assert.match(same.explanation.text, /^Update of Service shop\/cart by jane: allowed\.\n/);
  const gone = await told(judge, { change: { ...change, operation: 'DELETE' } });
  assert.match(gone.explanation.text, /^Deletion of Service shop\/cart by jane: denied\.\n/);
  const yaml =
    'apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: x, namespace: shop, labels: {kubernetes.io/service-name: ' +
      'cart}}\naddressType: IPv4\nendpoints: [{addresses: [169.254.169.254]}]\nports: []\n';
  const created = await told(judge, { change: { operation: 'CREATE', kind: 'EndpointSlice', key: '', text: yaml, user: 'jane' } });
  assert.match(created.explanation.text, /reserved-address/);
  assert.equal(JSON.parse(created.review).request.resource.resource, 'endpointslices');
});

test('the kinds that can be changed are those that policies judge', () => {
  const kinds = new Judge().load(cluster, false);
  const workloads = ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'];
  assert.deepEqual([...kinds].sort(), [...workloads, 'EndpointSlice', 'Endpoints', 'Node', 'Pod', 'Service'].sort());
  const others = policies().map((policy) => policy.kinds.filter((kind) => !kinds.includes(kind)));
  assert.deepEqual(others.filter(({ length }) => length > 0), [['Scale', 'Eviction']], 'parts of other objects');
});

test('objects are listed by kind and found by name; a plan request is a cluster too', () => {
  const judge = judgeOf();
  assert.equal(judge.objects('Node', '').count, 13);
  assert.deepEqual(judge.objects('Service', 'shop/c').names, ['shop/cart', 'shop/catalog']);
  const bare = judgeOf(new TextEncoder().encode('{"kind": "Service", "apiVersion": "v1", "metadata": {"name": "web"}, "spec": {}}'));
  assert.deepEqual(bare.objects('Service', 'default/web').names, ['default/web']);
  const request = judgeOf(exampleBytes('scale-up'), true);
  assert.deepEqual(request.objects('Service', '').names, ['shop/web']);
  assert.match(request.text('Service', 'shop/web'), /"kind": "Service"/);
});

test('what is wrong is said of the settings or of the question, with its place', async () => {
  const judge = judgeOf();
  const review = JSON.stringify(reviews[0]?.review);
  const config = await judge.judge({ review }, '{"policies": {"slice-shape": {"mode": "loud"}}}');
  assert.deepEqual([config.ok, !config.ok && config.of, !config.ok && config.problem.path], [false, 'config', '/policies/slice-shape/mode']);
  const cut = await judge.judge({ review: review.slice(0, 200) }, '');
  assert.deepEqual([cut.ok, !cut.ok && cut.of, !cut.ok && cut.problem.code, !cut.ok && cut.problem.line], [false, 'question', 'InvalidJson', 1]);
  const yaml = await judge.judge({ review: 'a: [1\nb: 2' }, '');
  assert.ok(!yaml.ok && yaml.problem.line);
  const after = await told(judge, { review });
  assert.equal(JSON.parse(after.answer).response.allowed, false);
});
