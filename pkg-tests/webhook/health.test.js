/** The plain port, and metrics. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policies } from 'slicewise/admission';
import { anyReview } from './lib/reviews.js';
import { fakeReviewer, start } from './lib/start.js';

test('probes, version, and nothing else', async (t) => {
  const { client } = await start(t);
  for (const path of ['/livez', '/startupz', '/readyz']) {
    const { status, text } = await client.get(path);
    assert.deepEqual([status, text], [200, 'ok\n'], path);
  }
  assert.deepEqual((await client.get('/version')).json, { slicewise: '0.0.0-test' });
  assert.equal((await client.get('/livez', 'HEAD')).status, 200);
  assert.equal((await client.get('/livez', 'POST')).status, 405);
  for (const path of ['/', '/validate', '/readyz/', '/__proto__', '/constructor']) assert.equal((await client.get(path)).status, 404, path);
});

test('readiness is a review through the real listener', async (t) => {
  let isBroken = false;
  const fake = fakeReviewer();
  const reviewer = {
    judge: (/** @type {Uint8Array} */ bytes) => {
      if (isBroken) throw new Error('a bug');
      return fake.judge(bytes, undefined);
    },
  };
  const { client, service, lines } = await start(t, { reviewer });
  assert.equal((await client.get('/readyz')).status, 200);
  assert.deepEqual(fake.asked, [{ uid: 'readyz', policy: undefined }]);
  isBroken = true;
  const broken = await client.get('/readyz');
  assert.deepEqual([broken.status, broken.text], [503, 'not ready: the listener answered 500 to a review\n']);
  assert.equal((await client.get('/livez')).status, 200);
  isBroken = false;
  let pass = () => {};
  const stopped = service.drain(new Promise((resolve) => (pass = () => resolve(null))));
  const draining = await client.get('/readyz');
  assert.deepEqual([draining.status, draining.text], [503, 'not ready: shutting down\n']);
  assert.equal((await client.get('/livez')).status, 200);
  pass();
  await stopped;
  assert.equal(lines.filter((line) => line.message === 'review').length, 0, 'probes are no reviews');
});

test('metrics', async (t) => {
  const decide = (/** @type {any} */ request) => {
    if (request.uid === 'deny') {
      const auditAnnotations = { 'slice-shape': 'deny: x; warn: z', 'slice-hints': 'warn: w', 'slice-ownership': 'would deny: v' };
      return { allowed: false, warnings: ['w'], auditAnnotations };
    }
    return request.uid === 'warn' ? { warnings: ['w'], auditAnnotations: { 'service-blast-radius': 'warn: y' } } : {};
  };
  const { client } = await start(t, { reviewer: fakeReviewer(decide) });
  for (const uid of ['a', 'b', 'warn', 'deny']) await client.post(anyReview(uid));
  await client.post('', '/nowhere');
  await client.get('/readyz');
  const { text, headers } = await client.get('/metrics');
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const expected = [
    'slicewise_webhook_reviews_total{verdict="allow"} 2',
    'slicewise_webhook_reviews_total{verdict="warn"} 1',
    'slicewise_webhook_reviews_total{verdict="deny"} 1',
    'slicewise_webhook_policy_findings_total{policy="slice-shape",verdict="deny"} 1',
    'slicewise_webhook_policy_findings_total{policy="slice-hints",verdict="warn"} 1',
    'slicewise_webhook_policy_findings_total{policy="slice-hints",verdict="deny"} 0',
    'slicewise_webhook_policy_findings_total{policy="slice-ownership",verdict="would deny"} 1',
    'slicewise_webhook_policy_findings_total{policy="service-blast-radius",verdict="warn"} 1',
    'slicewise_webhook_http_responses_total{code="404"} 1',
    'slicewise_webhook_review_duration_seconds_bucket{le="+Inf"} 4',
    'slicewise_webhook_review_duration_seconds_count 4',
    'slicewise_webhook_ready 1',
    'slicewise_webhook_build_info{version="0.0.0-test"} 1',
  ];
  const lines = text.split('\n').filter((line) => !line.startsWith('nodejs_') && !line.startsWith('process_'));
  for (const line of expected) assert.ok(lines.includes(line), line);
  for (const line of lines) assert.match(line, /^(|# (HELP|TYPE) \S+ .*|[a-z_]+(\{.*\})? [\d.e+-]+)$/);
});

test('every series of a counter is there, at 0, before it counts', async (t) => {
  const { client, service } = await start(t, { onFailure: 'allow', limits: { maxBodyBytes: 4096 } });
  const counted = async () => {
    const { text } = await client.get('/metrics');
    const names = [...text.matchAll(/^# TYPE (slicewise_webhook_\S+) counter$/gm)].map(([, name]) => name);
    const all = text.split('\n').filter((line) => names.includes(line.split(/[{ ]/, 1)[0]));
    return new Map(all.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
  };
  const before = await counted();
  assert.ok([...before.values()].every((value) => value === 0), JSON.stringify([...before]));
  for (const policy of policies()) {
    for (const verdict of ['deny', 'would deny', 'warn', 'would warn']) {
      assert.ok(before.has(`slicewise_webhook_policy_findings_total{policy="${policy.name}",verdict="${verdict}"}`), policy.name);
    }
  }
  await client.post(anyReview());
  await client.post('{', '/validate');
  await client.post(' '.repeat(5000), '/validate');
  await client.post(anyReview(), '/nowhere');
  await client.post(anyReview(), '/validate', { method: 'PUT' });
  await client.post(anyReview(), '/validate', { headers: { 'content-type': 'text/plain' } });
  await client.post(`${anyReview()}\nno json\n`, '/audit', { headers: { 'content-type': 'application/x-ndjson' } });
  for (const kind of ['Service', 'EndpointSlice', 'Pod', 'Node']) service.metrics.leftOut.inc({ kind });
  for (const reason of ['trap', 'runaway', 'start']) service.metrics.replacements.inc({ reason });
  for (const what of ['certificate', 'configuration']) for (const result of ['taken', 'refused']) service.metrics.reloads.inc({ what, result });
  const after = await counted();
  assert.deepEqual([...after.keys()].filter((name) => !before.has(name)), []);
  assert.ok([...after.values()].filter((value) => value > 0).length >= 15);
});
