/** The examples of webhooks, in their frameworks, over HTTP. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { objectOf, reviewOf } from '../webhook/lib/reviews.js';
import { ROOT, makeConsumer } from './lib/consumer.js';

/** @import {AddressInfo} from 'node:net' */

const SNAPSHOT = join(ROOT, 'samples/cluster-at-rest.json');
const cart = objectOf(JSON.parse(readFileSync(SNAPSHOT, 'utf8')), 'Service', 'shop/cart');
const DENIED = reviewOf('UPDATE', { ...cart, spec: { ...cart.spec, selector: { app: 'crat' } } }, cart);
const ALLOWED = reviewOf('UPDATE', labelled('yes'), cart);
/** More than what parsers take unless they are told. */
const LARGE = reviewOf('UPDATE', labelled('y'.repeat(1_200_000)), cart);

/** @param {string} reviewed */
function labelled(reviewed) {
  return { ...cart, metadata: { ...cart.metadata, annotations: { reviewed } } };
}

/** @type {ReturnType<typeof makeConsumer>} */
let consumer;
before(() => {
  consumer = makeConsumer();
  cpSync(join(ROOT, 'examples/admission'), consumer.folder, { recursive: true });
});
after(() => consumer?.remove());

/** @param {number} port @param {string} body */
async function post(port, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/validate`, { method: 'POST', headers, body });
  return { status: response.status, type: response.headers.get('content-type'), answer: await response.json() };
}

/** @param {number} port */
async function checkVerdicts(port) {
  for (const [review, allowed] of /** @type {const} */ ([[DENIED, false], [ALLOWED, true], [LARGE, true]])) {
    const { status, type, answer } = await post(port, JSON.stringify(review));
    assert.equal(status, 200, JSON.stringify(answer));
    assert.match(String(type), /^application\/json/);
    assert.deepEqual([answer.kind, answer.response.uid, answer.response.allowed], ['AdmissionReview', review.request.uid, allowed]);
    if (!allowed) assert.match(answer.response.status.message, /shop\/cart/);
  }
}

for (const name of ['node', 'express', 'fastify', 'hono']) {
  describe(`examples/admission/${name}.mjs`, () => {
    /** @type {import('node:child_process').ChildProcess} */
    let child;
    /** @type {number} */
    let port;
    before(async () => {
      child = spawn(process.execPath, [`${name}.mjs`, SNAPSHOT, '0'], { cwd: consumer.folder, stdio: ['ignore', 'pipe', 'inherit'] });
      const line = await new Promise((resolve, reject) => {
        child.stdout?.once('data', (chunk) => resolve(String(chunk)));
        child.once('exit', (code) => reject(new Error(`${name}.mjs ended with ${code}`)));
      });
      ({ port } = JSON.parse(line));
    });
    after(() => child?.kill());

    it('gives verdicts, also on large reviews', () => checkVerdicts(port));

    it('refuses what is no review', async () => {
      for (const body of ['{}', '{"request": 1}', '[]']) {
        const { status, answer } = await post(port, body);
        assert.deepEqual([status, typeof answer.error.code], [400, 'string'], body);
      }
    });
  });
}

describe('examples/admission/pepr.mjs', () => {
  /** @type {import('node:http').Server} */
  let server;
  before(async () => {
    const [, , given] = process.argv;
    process.argv[2] = SNAPSHOT;
    const { validate } = await import(pathToFileURL(join(consumer.folder, 'pepr.mjs')).href);
    process.argv[2] = given;
    // As Pepr's controller does around a capability.
    server = createServer(async (request, response) => {
      const { request: Request } = /** @type {any} */ (await json(request));
      const Approve = (/** @type {string[]} */ warnings) => ({ allowed: true, warnings });
      const Deny = (/** @type {string} */ message, /** @type {number} */ code, /** @type {string[]} */ warnings) =>
        ({ allowed: false, status: { code, message }, warnings });
      const verdict = await validate({ Request, Approve, Deny });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: Request.uid, ...verdict } }));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  });
  after(() => server?.close());

  it('gives verdicts, also on large reviews', () => checkVerdicts(/** @type {AddressInfo} */ (server.address()).port));
});
