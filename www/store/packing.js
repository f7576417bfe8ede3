/** The input of a link, packed and unpacked, with the two functions of fflate that this takes: loaded when there is one. */
import { deflateSync, inflateSync } from 'fflate';
import { Broken, CUT, GARBLED } from './broken.js';

/** Bytes that a link may unpack to. */
const UNPACKED = 32 * 1024 * 1024;
/** The maximum compression ratio of deflate. */
const DEFLATE_RATIO = 1032;
const HEAD = 8;

const TOO_LARGE = 'This link unpacks to more than 32 MB and was not opened. Ask for the input as a file. Nothing was changed.';

/** Deflated, preceded by its size and checksum. @param {string} text */
export function pack(text) {
  const bytes = new TextEncoder().encode(text);
  const deflated = deflateSync(bytes, { level: 9 });
  const packed = new Uint8Array(HEAD + deflated.length);
  const view = new DataView(packed.buffer);
  view.setUint32(0, bytes.length);
  view.setUint32(4, checkSum(bytes));
  packed.set(deflated, HEAD);
  return toBase64(packed);
}

/** @param {string} data */
export function unpack(data) {
  const packed = fromBase64(data);
  if (packed.length < HEAD) throw new Broken(CUT);
  const view = new DataView(packed.buffer);
  const size = view.getUint32(0);
  const deflated = packed.subarray(HEAD);
  if (size > UNPACKED) throw new Broken(size > deflated.length * DEFLATE_RATIO ? CUT : TOO_LARGE);
  if (size > deflated.length * DEFLATE_RATIO) throw new Broken(CUT);
  /** @type {Uint8Array} */
  let bytes;
  try {
    // Never more than it claims: the buffer is limited.
    bytes = inflateSync(deflated, { out: new Uint8Array(size) });
  } catch (error) {
    throw new Broken(/** @type {{code?: number}} */ (error).code === 0 ? CUT : GARBLED);
  }
  if (bytes.length !== size || checkSum(bytes) !== view.getUint32(4)) throw new Broken(GARBLED);
  return new TextDecoder().decode(bytes);
}

/** FNV-1a: detects accidental damage only. @param {Uint8Array} bytes */
function checkSum(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
function fromBase64(text) {
  if (!/^[\w-]*$/.test(text)) throw new Broken(GARBLED);
  // A group of one character holds no byte: the rest is missing.
  if (text.length % 4 === 1) throw new Broken(CUT);
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
