/**
 * Writes `conformance/vectors/`, a file for each group. `--check` only compares.
 *
 *     node conformance/generate/index.mjs [--check]
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONDITIONS } from './conditions.mjs';
import { DUPLICATES, MANAGERS } from './duplicates.mjs';
import { DUAL_STACK, FQDN, PORTS } from './families.mjs';
import { HEADLESS, PUBLISHED } from './headless.mjs';
import { NODE_HINTS, PARTIAL_HINTS, ZONE_HINTS } from './hints.mjs';
import { EXTERNAL_LOCAL, INTERNAL_LOCAL } from './local.mjs';
import { node, service, slice } from './objects.mjs';

const VERSION = 1;
const FOLDER = join(import.meta.dirname, '../vectors');
const GROUPS = [
  ZONE_HINTS, NODE_HINTS, PARTIAL_HINTS, CONDITIONS, INTERNAL_LOCAL, EXTERNAL_LOCAL, DUAL_STACK, FQDN, DUPLICATES, PORTS, PUBLISHED, HEADLESS,
  MANAGERS,
];
/** Where requests come from, beside the nodes that endpoints are on. */
const NODES = ['a1', 'a2', 'b1', 'b2', 'c1'];

/**
 * @typedef {object} Draft a vector in short
 * @property {string} id
 * @property {string} title
 * @property {any[] | null} [endpoints] of the only slice
 * @property {any[]} [slices] if there is not just one
 * @property {Record<string, any>} [service] what differs from a plain Service
 * @property {any[] | null} uses the endpoints, by number or text; null: the Service's port is not served
 * @property {string} [from] the client's node
 * @property {string[]} [nodes]
 * @property {'internal' | 'external'} [traffic]
 * @property {string} [family]
 * @property {{name: string, protocol: string}} [port]
 * @property {string[]} [source]
 */

/** @typedef {{group: string, title: string, source: string[], drafts: Draft[]}} Group */

/** @param {Group} group @param {Draft} draft */
function vector(group, draft) {
  const { uses, from = 'a1', nodes = NODES, traffic = 'internal', family = 'IPv4', port = { name: 'http', protocol: 'TCP' } } = draft;
  const all = nodes.includes(from) ? nodes : [...nodes, from];
  const text = (/** @type {number | string} */ each) => (typeof each === 'number' ? `10.0.0.${each}:8080` : each);
  return {
    id: `${group.group}/${draft.id}`,
    title: draft.title,
    source: draft.source ?? group.source,
    service: service(draft.service),
    slices: draft.slices ?? [slice('cart-1', draft.endpoints ?? [])],
    nodes: all.map(node),
    client: { node: from },
    traffic,
    addressType: family,
    port,
    expect: uses === null ? { notServed: true } : { endpoints: uses.map(text).sort() },
  };
}

/** Values that fit in a line are written in one. @param {any} value @param {string} indent @returns {string} */
function print(value, indent = '') {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ').replaceAll(/([[{]) | ([\]}])/g, '$1$2');
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 140) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Array.isArray(value)
    ? value.map((each) => print(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${print(each, deeper)}`);
  return `${open}\n${entries.map((entry) => deeper + entry).join(',\n')}\n${indent}${close}`;
}

/** The files by name. */
export function files() {
  return new Map(GROUPS.map((group) => {
    const { group: name, title, drafts } = group;
    const content = { $schema: '../schema.json', version: VERSION, group: name, title, vectors: drafts.map((draft) => vector(group, draft)) };
    // Fields that are undefined are absent.
    return [`${name}.json`, `${print(JSON.parse(JSON.stringify(content)))}\n`];
  }));
}

function main() {
  const written = files();
  const strangers = readdirSync(FOLDER).filter((name) => !written.has(name));
  if (process.argv.includes('--check')) {
    const stale = [...written].filter(([name, text]) => readFileSync(join(FOLDER, name), 'utf8') !== text).map(([name]) => name);
    if (stale.length + strangers.length > 0) throw new Error(`not as generated: ${[...stale, ...strangers].join(', ')}`);
    return;
  }
  for (const name of strangers) rmSync(join(FOLDER, name));
  for (const [name, text] of written) writeFileSync(join(FOLDER, name), text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
