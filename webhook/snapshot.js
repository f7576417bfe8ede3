/** The cluster as a file: the output of `kubectl get services,pods,nodes,endpointslices -A -o json` (or `-o yaml`). */
import { readFileSync } from 'node:fs';
import { YamlError, readDocuments } from '../yaml/documents.js';
import { locate } from '../yaml/place.js';
import { ConfigError } from './config.js';

/**
 * The snapshot as JSON bytes. JSON is passed to the core unchanged, which is fast and as strict as the core.
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

/**
 * Where the core has found a mistake, in the file as written: the lines of YAML are not those of the JSON made of it.
 * @param {string} file
 * @param {{path?: string, line?: number}} error
 */
export function placeInSnapshot(file, { path = '', line }) {
  const bytes = readFileSync(file);
  const at = path ? ` at ${path}` : '';
  if (isJson(bytes)) return `${file}${line ? `:${line}` : ''}${at}`;
  const { documents, placeOf } = readDocuments(bytes.toString('utf8'));
  const place = locate(documents, path.replace(/^\/items/, ''), placeOf);
  return `${file}${place ? `:${place.line}:${place.column}` : ''}${at}`;
}

/**
 * JSON starts with a bracket, after white space or a byte order mark; a `---` line is never JSON.
 * @param {Buffer} bytes
 */
function isJson(bytes) {
  const first = bytes.find((byte) => ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].includes(byte));
  return (first === 0x7b || first === 0x5b) && !bytes.includes('\n---');
}

/**
 * All documents of a YAML file as one List.
 * @param {string} text
 * @param {string} file
 */
function fromYaml(text, file) {
  try {
    return new TextEncoder().encode(`{"apiVersion":"v1","kind":"List","items":[${readDocuments(text).json.join(',')}]}`);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, column, code, message } = error;
    const place = line === undefined ? file : `${file}:${line}:${column}`;
    throw new ConfigError(`the snapshot ${place}: ${message} (${code})`);
  }
}
