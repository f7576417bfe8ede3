/** Merges the JSON Schemas into one that makes good TypeScript: every type once, under a qualified name. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from './run.mjs';

/** Replacements for names that are too general in a larger program, or would shadow a global. @type {Record<string, string>} */
const RENAMED = {
  Code: 'CoreErrorCode',
  Error: 'ErrorDetails',
  Event: 'PlanEvent',
  Finding: 'LintFinding',
  Manager: 'SliceManager',
  Mode: 'PolicyMode',
  Reason: 'WriteReason',
  Direction: 'FlowDirection',
  Severity: 'LintSeverity',
  Update: 'ProxyUpdate',
  Warning: 'SnapshotWarning',
  WarningCode: 'SnapshotWarningCode',
};

/** Declared by hand: the fields that any Kubernetes object has, of which a schema names only some. */
const KUBERNETES = 'KubernetesObject';
/** Parts of Kubernetes objects, or what stands for one. */
const ANY_OBJECT = ['KubernetesPart', 'RouteNode'];
/** Types that allow additional properties. */
const OPEN = ['ObjectMeta'];

/**
 * One schema that defines every type once: each file has its own copies of the types it refers to.
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
  if (ANY_OBJECT.includes(name) || name === KUBERNETES) return;
  const adapted = adapt(definition, name);
  const target = RENAMED[name] ?? name;
  const known = definitions[target];
  if (known && JSON.stringify(known) !== JSON.stringify(adapted)) throw new Problem(`two schemas define \`${name}\` differently`);
  definitions[target] = adapted;
}

/**
 * References by name, so that a description beside one does not make a copy; closed objects, unless they are open by nature;
 * and replacements for what the TypeScript generator does not understand.
 * @param {any} schema
 * @param {string} owner the type it is part of
 * @returns {any}
 */
function adapt(schema, owner) {
  if (Array.isArray(schema)) return schema.map((each) => adapt(each, owner));
  if (typeof schema !== 'object') return schema;
  const tsType = typeOf(schema);
  if (tsType) return { description: schema.description, tsType };
  const { properties, prefixItems, items = prefixItems, additionalProperties, anyOf, oneOf, ...rest } = schema;
  const either = anyOf ?? oneOf;
  if (properties && either) {
    // The fields that all alternatives share, and those of each.
    const { description, ...own } = { ...rest, properties };
    return { description, allOf: [adapt(own, owner), { anyOf: adapt(either, owner) }] };
  }
  const adapted = { ...rest };
  if (either) adapted.anyOf = adapt(either, owner);
  if (items) adapted.items = adapt(items, owner);
  if (properties) adapted.properties = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, adapt(each, owner)]));
  if (rest.type === 'object') adapted.additionalProperties = adapt(additionalProperties ?? (!properties || OPEN.includes(owner)), owner);
  return adapted;
}

/** The type, if it has a name or is unconstrained. @param {any} schema @returns {string | undefined} */
function typeOf({ $ref, items, type, required = [], properties = {}, ...rest }) {
  if ($ref) {
    const needed = required.map((/** @type {string} */ name) => `{ readonly ${name}: ${typeOf(properties[name]) ?? properties[name].type} }`);
    return [nameOf($ref), ...needed].join(' & ');
  }
  const item = items?.$ref && nameOf(items.$ref);
  if (item === KUBERNETES || item === 'object') return `readonly ${item}[]${type.includes('null') ? ' | null' : ''}`;
  const saysNothing = !items && !type && Object.keys({ ...properties, ...rest }).every((key) => key === 'description' || key === 'default');
  return saysNothing ? 'JsonValue' : undefined;
}

/** @param {string} reference */
function nameOf(reference) {
  const name = reference.replace('#/$defs/', '');
  return ANY_OBJECT.includes(name) ? 'object' : (RENAMED[name] ?? name);
}
