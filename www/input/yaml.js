/**
 * YAML to JSON, with positions. One document becomes its value; several become an array of the documents
 * with content, as on the command line.
 */
import { YamlError, readDocuments } from '../../yaml/documents.js';
import { locate } from '../../yaml/place.js';
import { UnreadableInput } from './unreadable.js';

/** @import {Place} from '../../yaml/documents.js' */

/**
 * @param {string} text
 * @param {boolean} isOwn see `readDocuments`
 * @returns {{text: string, bytes: Uint8Array, locate: (path: string) => Place | null}}
 */
export function convertYaml(text, isOwn) {
  const { json, documents, placeOf } = read(text, isOwn);
  const single = documents.length === 1;
  return {
    text,
    bytes: new TextEncoder().encode(single ? json[0] : `[${json.join(',')}]`),
    locate: (path) => locate(single ? documents[0] : documents, path, placeOf),
  };
}

/** @param {string} text @param {boolean} isOwn */
function read(text, isOwn) {
  try {
    return readDocuments(text, { isOwn });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { code, message, line, column } = error;
    throw new UnreadableInput({ code, message, line, column, text });
  }
}
