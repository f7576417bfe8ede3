/** The cluster as a file: what `kubectl get services,pods,nodes,endpointslices -A -o json` (or `-o yaml`) printed. */
import { readFileSync } from 'node:fs';
import { LineCounter, parseAllDocuments } from 'yaml';
import { ConfigError } from './config.js';

/**
 * The snapshot as JSON bytes. JSON goes to the core as it is, which is the fast way and keeps its strictness.
 * @param {string | null} file null for none
 * @returns {Uint8Array}
 */
export function loadSnapshot(file) {
  if (file === null) return new Uint8Array();
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ConfigError(`cannot read the snapshot ${file}: ${/** @type {Error} */ (error).message}`);
  }
  return isJson(bytes) ? bytes : fromYaml(bytes.toString('utf8'), file);
}

/** JSON starts with a bracket, after white space or a byte order mark. @param {Uint8Array} bytes */
function isJson(bytes) {
  const first = bytes.find((byte) => ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].includes(byte));
  return first === 0x7b || first === 0x5b;
}

/**
 * All documents of a YAML file as one List.
 * @param {string} text
 * @param {string} file
 */
function fromYaml(text, file) {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const documents = Array.isArray(parsed) ? parsed : [];
  const [mistake] = documents.flatMap((document) => document.errors);
  if (mistake) {
    const { line, col } = lines.linePos(mistake.pos[0]);
    throw new ConfigError(`the snapshot ${file}:${line}:${col}: ${mistake.message}`);
  }
  const items = documents.map((document) => document.toJS()).filter((object) => object !== null);
  return new TextEncoder().encode(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}
