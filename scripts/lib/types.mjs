/**
 * Generated parts of the package: TypeScript types from the JSON Schemas and the module, its entries, and the CommonJS form of
 * the wrapper.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDeclarations } from './declarations.mjs';
import { mergeSchemas } from './merge-schemas.mjs';
import { ROOT, mustRun } from './run.mjs';

const BANNER = `// Generated from the JSON Schemas in pkg/schema, which come from the Rust types.

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/**
 * A Kubernetes object as it is, such as an instance of a client's class: the names of its fields are checked, and nothing
 * else. Lists are objects too.
 */
export interface KubernetesObject {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: unknown;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly addressType?: unknown;
  readonly endpoints?: unknown;
  readonly ports?: unknown;
  readonly subsets?: unknown;
  readonly items?: unknown;
}
`;

/** Writes `pkg/types`, `pkg/cjs`, and the declarations of `pkg/entries`. */
export async function writeDerived() {
  const { compile } = await import('json-schema-to-typescript');
  const schema = await mergeSchemas(join(ROOT, 'pkg/schema'), 'Envelopes');
  const text = await compile(/** @type {any} */ (schema), 'Envelopes', {
    additionalProperties: false,
    bannerComment: BANNER,
    format: true,
    style: { singleQuote: true, printWidth: 120 },
    unreachableDefinitions: true,
  });
  // The merged schema itself has no meaning of its own; only its definitions do.
  const types = text
    .replace(/export (interface Envelopes \{[^}]*\}|type Envelopes = .*)\n/, '')
    .replace(/ \*\n \* This (interface|type) was referenced by [^/]*?\n \* via the `definition` ".*"\.\n/g, '')
    .replace(/\/\*\*\n \* This (interface|type) was referenced by [^/]*?\n \* via the `definition` ".*"\.\n \*\/\n/g, '')
    // In inputs, an optional property may also be undefined, which is not written.
    .replace(/(\?: (?:[^;{}]|\{[^{}]*\})*? \| null);/g, '$1 | undefined;');
  const folder = join(ROOT, 'pkg/types');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'envelopes.d.cts'), types);
  await writeDeclarations();
  await writeCommonJs();
}

/** The package is ESM, so the folder declares itself CommonJS. */
async function writeCommonJs() {
  await rm(join(ROOT, 'pkg/cjs'), { recursive: true, force: true });
  await mustRun([process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'npm/tsconfig.cjs.json']);
  await writeFile(join(ROOT, 'pkg/cjs/package.json'), '{"type":"commonjs"}\n');
}
