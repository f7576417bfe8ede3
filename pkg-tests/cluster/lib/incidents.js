/** Incidents of `slicewise controller` during a history; the slices must be the same in the end. */
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './controller.js';

/**
 * @typedef {object} World
 * @property {import('node:test').TestContext} t
 * @property {import('./cluster.js').Cluster} cluster
 * @property {import('./wire.js').Wire} wire
 * @property {import('./controller.js').Controller} controller
 * @property {() => void} restart
 *
 * @typedef {{what: string, before: () => unknown, after: () => unknown}} Incident
 */

/** By the step of the history. @param {World} world @returns {Map<string, Incident>} */
export function incidents(world) {
  return new Map([
    ['scaled up, over several slices', killed(world, 'killed before, started again after')],
    ['ready again', cut(world)],
    ['new pods have another port of the same name', crossed(world)],
    ['pods have ended', killed(world, 'killed before, started again after')],
    ['another way to distribute traffic, or none', stopped(world)],
    ['another selector', cut(world)],
  ]);
}

/** @param {World} world @param {string} what @returns {Incident} */
function killed(world, what) {
  return {
    what,
    before: () => world.controller.kill(),
    after: async () => {
      world.restart();
      await world.controller.said('leading');
    },
  };
}

/** @param {World} world @returns {Incident} */
function stopped(world) {
  return {
    what: 'ended before, started again after',
    before: async () => assert.equal(await world.controller.terminate(), 0),
    after: async () => {
      const started = Date.now();
      world.restart();
      // The Lease was released: nobody waits for its expiry.
      const led = await world.controller.when('leading');
      assert.ok(led - started < 2500, `leading after ${led - started} ms`);
    },
  };
}

/** All connections break, including watches, and no new ones are possible during the change. @param {World} world @returns {Incident} */
function cut(world) {
  return {
    what: 'the API server cannot be reached meanwhile',
    before: () => world.wire.cut(),
    after: async () => {
      await sleep(500);
      world.wire.mend();
      const failures = async () => {
        const metrics = await world.controller.metrics();
        assert.ok([...metrics.keys()].some((name) => name.startsWith('slicewise_controller_watch_failures_total')), 'no watch has failed');
      };
      await eventually('watches fail', failures);
    },
  };
}

/**
 * Another client writes to each slice between our read and our write, through a webhook that the API server calls
 * before it accepts our update.
 * @param {World} world @returns {Incident}
 */
function crossed(world) {
  const { api, ready } = world.cluster;
  const name = 'cross';
  let crossings = 0;
  const server = createServer({ cert: readFileSync(ready.ca), key: readFileSync(join(ready.folder, 'server.key')) }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', async () => {
      const { uid, namespace, name: slice } = JSON.parse(text).request;
      if (crossings < 3) {
        crossings += 1;
        await api.patch('EndpointSlice', `${namespace}/${slice}`, { metadata: { labels: { crossing: String(crossings) } } });
      }
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } }));
    });
  });
  world.t.after(() => server.close());
  return {
    what: 'another client writes in between',
    before: async () => {
      await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      await api.create({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name },
        webhooks: [{
          name: 'cross.slicewise.test',
          clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: readFileSync(ready.ca).toString('base64') },
          rules: [{ apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['endpointslices'] }],
          matchConditions: [{ name: 'ours', expression: "request.userInfo.username == 'system:serviceaccount:slicewise:slicewise-controller'" }],
          sideEffects: 'NoneOnDryRun',
          admissionReviewVersions: ['v1'],
          failurePolicy: 'Fail',
        }],
      });
      await sleep(300);
      // So that one of our slices is updated, not only created.
      await api.patch('Service', 'shop/auto', { metadata: { labels: { crossed: 'yes' } } });
    },
    after: async () => {
      const refused = async () => {
        const metrics = await world.controller.metrics();
        assert.ok((metrics.get('slicewise_controller_refused_writes_total{operation="update",reason="Conflict"}') ?? 0) > 0, 'no conflict');
        assert.ok((metrics.get('endpoint_slice_controller_syncs{result="error"}') ?? 0) > 0, 'no sync has failed');
      };
      await eventually('conflicts', refused);
      await api.delete('ValidatingWebhookConfiguration', name);
      server.close();
    },
  };
}
