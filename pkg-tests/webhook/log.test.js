/** One line per review, and nothing of the reviewed objects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../webhook/log.js';
import { reviewOf } from './lib/reviews.js';
import { fakeReviewer, start, startReal } from './lib/start.js';

const SECRET = 'correct-horse-battery-staple';

test('a review leaves one line with names and verdict, and no body', async (t) => {
  const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop', annotations: { token: SECRET } } };
  const decide = () => ({
    allowed: false,
    status: { message: 'no', details: { kind: 'Service', name: 'web' } },
    auditAnnotations: { 'slice-shape': 'deny: x' },
  });
  const { client, lines } = await start(t, { reviewer: fakeReviewer(decide) });
  const { auditAnnotations } = (await client.post(JSON.stringify(reviewOf('CREATE', object)))).json.response;
  await client.post(`{"broken": "${SECRET}"`);
  const [review, broken] = lines;
  const { time, durationMs, waitMs, ...rest } = review;
  assert.ok(!Number.isNaN(Date.parse(time)) && durationMs >= 0 && waitMs >= 0);
  assert.deepEqual(rest, {
    level: 'info', message: 'review', verdict: 'deny', uid: 'uid-of-web', kind: 'Service', name: 'web', policies: ['slice-shape'],
    auditAnnotations: { 'slice-shape': 'deny: x', 'uid': 'uid-of-web' }, reason: 'no', status: 200,
  });
  assert.deepEqual(auditAnnotations, review.auditAnnotations, 'as in the audit log of the API server');
  assert.deepEqual([broken.level, broken.verdict, broken.status], ['error', 'error', 500]);
  assert.equal(lines.length, 2);
  assert.ok(!JSON.stringify(lines).includes(SECRET));
});

test('the line says who asked for what', async (t) => {
  const { client, lines } = await startReal(t);
  const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: { ports: [{ port: 80 }] } };
  const review = reviewOf('CREATE', object);
  review.request.dryRun = true;
  review.request.userInfo.groups.push('shop-owners');
  await client.post(JSON.stringify(review));
  const { user, groups, operation, dryRun, kind, namespace, name } = lines.find(({ message }) => message === 'review');
  assert.deepEqual(
    { user, groups, operation, dryRun, kind, namespace, name },
    { user: 'jane', groups: 2, operation: 'CREATE', dryRun: true, kind: 'Service', namespace: 'shop', name: 'web' },
  );
});

test('levels', () => {
  /** @type {string[]} */
  const written = [];
  const log = createLog('warn', { write: (line) => void written.push(line) });
  log.debug('d');
  log.info('i');
  log.warn({ text: 'x'.repeat(5000), line: 'a\nb' }, 'w');
  log.error('e');
  assert.equal(written.length, 2);
  assert.ok(written.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1));
  const first = JSON.parse(written[0]);
  assert.deepEqual([first.level, first.message, first.text.length], ['warn', 'w', 1001]);
  assert.ok(Math.abs(Date.parse(first.time) - Date.now()) < 60_000);
  createLog('silent', { write: () => assert.fail() }).error('never');
});

test('no line is obeyed by a terminal', () => {
  /** @type {string[]} */
  const written = [];
  const log = createLog('info', { write: (line) => void written.push(line) });
  const text = 'a\x1b[2J\x7f\x9b31m\u202e\u2028\u200b\ufeff\u{e0041}東京';
  log.info({ text }, text);
  assert.match(written[0], /^[\x20-\x7e東京]*\n$/u);
  const { text: found, message } = JSON.parse(written[0]);
  assert.deepEqual([found, message], [text, text]);
});
