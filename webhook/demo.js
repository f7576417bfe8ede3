/**
 * Reviews to try by hand, made from the loaded snapshot: one that the policies deny, one with a warning, and one
 * they allow. Not used if the service has its own certificate.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reviewOf } from './review.js';

/** @typedef {{title: string, file: string, review: object}} Example */

/**
 * Picks a Service that has pods, and changes it in three ways.
 * @param {Uint8Array} snapshot JSON
 * @returns {Example[]} none if the snapshot has no suitable Service
 */
export function examples(snapshot) {
  const items = snapshot.length === 0 ? [] : itemsOf(JSON.parse(new TextDecoder().decode(snapshot)));
  const services = items.filter(({ kind, spec }) => kind === 'Service' && spec?.clusterIP !== 'None' && Object.keys(spec?.selector ?? {}).length > 0);
  const found = services.map((service) => ({ service, pods: selected(items, service) })).find(({ pods }) => pods.length > 1);
  if (!found) return [];
  const { service, pods } = found;
  const [key, value] = Object.entries(service.spec.selector)[0];
  const slip = { ...service, spec: { ...service.spec, selector: { ...service.spec.selector, [key]: misspelt(value) } } };
  const { selector: _, ...rest } = service.spec;
  const unselected = { ...service, spec: rest };
  const labelled = { ...service, metadata: { ...service.metadata, labels: { ...service.metadata.labels, reviewed: 'yes' } } };
  const name = `${service.metadata.namespace}/${service.metadata.name}`;
  return [
    {
      title: `a typo in the selector of Service ${name} (${key}=${misspelt(value)}) would empty it: denied`,
      file: 'denied.json',
      review: reviewOf('UPDATE', slip, service),
    },
    {
      title: `a handwritten slice for Service ${name} that repeats an address and mixes families: denied`,
      file: 'slice.json',
      review: reviewOf('CREATE', sliceOf(service, pods[0])),
    },
    {
      title: `taking the selector from Service ${name}: allowed with a warning`,
      file: 'warned.json',
      review: reviewOf('UPDATE', unselected, service),
    },
    { title: `a new label on Service ${name}: allowed`, file: 'allowed.json', review: reviewOf('UPDATE', labelled, service) },
  ];
}

/**
 * Writes the examples and the certificate into a new folder, which goes with the process, and returns instructions.
 * @param {{url: string, cert: string, snapshot: Uint8Array}} service
 * @returns {string} for people
 */
export function writeDemo({ url, cert, snapshot }) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-webhook-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const authority = join(folder, 'ca.crt');
  writeFileSync(authority, cert);
  const curl = `curl --cacert ${authority} -H 'content-type: application/json'`;
  const lines = examples(snapshot).map(({ title, file, review }) => {
    writeFileSync(join(folder, file), `${JSON.stringify(review, null, 2)}\n`);
    return `  # ${title}\n  ${curl} --data-binary @${join(folder, file)} ${url}/validate\n`;
  });
  if (snapshot.length === 0) return `The certificate is in ${authority}. No cluster is known: give it --snapshot FILE, or try --demo.\n`;
  if (lines.length === 0) return `The certificate is in ${authority}. The snapshot has no Service with pods to try a review on.\n`;
  return `Try, in another terminal:\n\n${lines.join('\n')}`;
}

/** @param {any} root @returns {any[]} */
function itemsOf(root) {
  const items = Array.isArray(root) ? root : (root.items ?? [root]);
  return items.flatMap((/** @type {any} */ item) => (Array.isArray(item?.items) ? itemsOf(item) : [item]));
}

/** Ready pods of a Service. @param {any[]} items @param {any} service */
function selected(items, { metadata, spec }) {
  const matches = (/** @type {any} */ pod) => Object.entries(spec.selector).every(([key, value]) => pod.metadata.labels?.[key] === value);
  const isReady = (/** @type {any} */ pod) =>
    pod.status?.conditions?.some((/** @type {any} */ each) => each.type === 'Ready' && each.status === 'True');
  return items.filter((item) => item.kind === 'Pod' && item.metadata.namespace === metadata.namespace && matches(item) && isReady(item));
}

/** A typo: the last two letters swapped, or the last one doubled. @param {string} value */
function misspelt(value) {
  const [head, last, end] = [value.slice(0, -2), value.at(-2) ?? '', value.at(-1) ?? ''];
  return last === end ? `${value}${end}` : `${head}${end}${last}`;
}

/** @param {any} service @param {any} pod */
function sliceOf({ metadata, spec }, pod) {
  const { name, namespace } = metadata;
  const [port] = spec.ports ?? [];
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-by-hand`, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [pod.status.podIP] }, { addresses: ['203.0.113.7'] }, { addresses: ['203.0.113.7'] }, { addresses: ['fd00::7'] }],
    ports: [{ name: port?.name ?? '', protocol: port?.protocol ?? 'TCP', port: 8080 }],
  };
}
