/** As much of DER (X.690) as one certificate needs. Each function returns a whole tag-length-value. */
import { isIPv4 } from 'node:net';

export const nothing = Buffer.alloc(0);

/** @param {number} tag @param {...Buffer} parts */
function value(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = length < 0x100 ? Buffer.of(length) : Buffer.of(length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length), bytes, content]);
}

/** @param {...Buffer} parts */
export const sequence = (...parts) => value(0x30, ...parts);
/** @param {...Buffer} parts */
export const set = (...parts) => value(0x31, ...parts);
/** @param {number} number @param {Buffer} inner */
export const explicit = (number, inner) => value(0xa0 | number, inner);
/** @param {Buffer} bytes */
export const octets = (bytes) => value(0x04, bytes);
/** @param {Buffer} bytes a whole number of them */
export const bitString = (bytes) => value(0x03, Buffer.of(0), bytes);
/** @param {Buffer} bytes big-endian, the highest bit not set */
export const positive = (bytes) => value(0x02, bytes);
/** @param {boolean} truth */
export const bool = (truth) => value(0x01, Buffer.of(truth ? 0xff : 0));
/** @param {string} text */
export const utf8 = (text) => value(0x0c, Buffer.from(text, 'utf8'));
/** A DNS name among alternative names. @param {string} text */
export const ia5 = (text) => value(0x82, Buffer.from(text, 'ascii'));

/** A moment, to the second; two-digit years until 2049. @param {Date} date */
export function time(date) {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050 ? value(0x17, Buffer.from(digits.slice(2), 'ascii')) : value(0x18, Buffer.from(digits, 'ascii'));
}

/** @param {string} dotted */
export function oid(dotted) {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (let arc of rest) {
    const groups = [arc & 0x7f];
    while ((arc = Math.floor(arc / 128)) > 0) groups.unshift(0x80 | (arc & 0x7f));
    bytes.push(...groups);
  }
  return value(0x06, Buffer.from(bytes));
}

/** An address among alternative names. @param {string} address */
export function ipBytes(address) {
  return value(0x87, isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6(address));
}

/** @param {string} address */
function ipv6(address) {
  const [head, tail = ''] = address.split('::');
  const groups = (/** @type {string} */ text) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [front, back] = [groups(head), groups(tail)];
  const middle = new Array(8 - front.length - back.length).fill(0);
  return Buffer.from([...front, ...middle, ...back].flatMap((group) => [group >> 8, group & 0xff]));
}
