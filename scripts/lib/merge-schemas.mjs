/** The JSON Schemas as one, in the shape that makes good TypeScript: every type once, under a name that says whose it is. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from './run.mjs';

/** Names that would be too general beside the rest of a program, or hide a global one. @type {Record<string, string>} */
const RENAMED = {
  Code: 'CoreErrorCode',
  Error: 'ErrorDetails',
  Event: 'PlanEvent',
  Finding: 'LintFinding',
  Manager: 'SliceManager',
  Mode: 'PolicyMode',
  Reason: 'WriteReason',
  Severity: 'LintSeverity',
  Warning: 'SnapshotWarning',
  WarningCode: 'SnapshotWarningCode',
};

/** Types that only go in: any object will do there, such as the classes of a Kubernetes client. */
const INPUTS = ['KubernetesServiceRequest', 'MirrorRequest', 'PlanRequest', 'RequestEndpoint', 'Snapshot'];
/** Types that may hold more than they name. */
const OPEN = ['KubernetesObject', 'Snapshot'];

/**
 * One schema that defines every type once: each file brings its own copy of what it refers to.
 * @param {string} folder
 * @param {string} title
 */
export async function mergeSchemas(folder, title) {
  /** @type {Record<string, unknown>} */
  const definitions = {};
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  for (const file of files) {
    const { $schema: _, $defs = {}, ...own } = JSON.parse(await readFile(join(folder, file), 'utf8'));
    if (!own.title) throw new Problem(`${file} has no title to name its type by`);
    for (const [name, definition] of Object.entries({ ...$defs, [own.title]: own })) add(definitions, name, definition);
  }
  return { title, type: 'object', $defs: definitions };
}

/** @param {Record<string, unknown>} definitions @param {string} name @param {any} definition */
function add(definitions, name, { title: _, ...definition }) {
  const adapted = adapt(definition, name);
  const target = RENAMED[name] ?? name;
  const known = definitions[target];
  if (known && JSON.stringify(known) !== JSON.stringify(adapted)) throw new Problem(`two schemas define \`${name}\` differently`);
  definitions[target] = adapted;
}

/**
 * References by name, so that a description beside one does not make a copy; closed objects, unless they are open by nature.
 * @param {any} schema
 * @param {string} owner the type it is part of
 * @returns {any}
 */
function adapt(schema, owner) {
  if (Array.isArray(schema)) return schema.map((each) => adapt(each, owner));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema;
  if ($ref) return { ...rest, tsType: typeOf($ref.replace('#/$defs/', ''), owner) };
  const adapted = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, adapt(value, owner)]));
  if (rest.type === 'object') adapted.additionalProperties ??= !rest.properties || OPEN.includes(owner);
  return adapted;
}

/** @param {string} name @param {string} owner */
function typeOf(name, owner) {
  if (name === 'KubernetesObject' && INPUTS.includes(owner)) return 'object';
  return RENAMED[name] ?? name;
}
