/** What was given: JSON goes on to the core; anything else is refused in the words of the native command. */
import { SlicewiseError } from '../node.js';

const WHAT_TO_GIVE = 'give a plan request, or what `kubectl get services,pods,nodes,endpointslices -A -o json` prints';
/** A Status is short; larger inputs are not looked through for one. */
const MAX_STATUS_BYTES = 64 << 10;
/** What the native command reads as YAML, told from the first line that says something. */
const LIKE_YAML = /^(?:[{[&!]|[-?](?:[\t\n\f\r ]|$)|[\w\-./<~"' ]+:(?:[\t\n\f\r ]|$))/;

/**
 * @param {Buffer} input
 * @param {boolean} isPiped
 */
export function refuseOthers(input, isPiped) {
  if (!isJson(input)) throw otherThanJson(input.toString('utf8').replace(/^\ufeff/, ''), isPiped);
  if (input.length <= MAX_STATUS_BYTES) refuseStatus(input);
}

/** White space, and the bytes of a byte order mark. */
const BEFORE_JSON = [0x20, 0x09, 0x0a, 0x0c, 0x0d, 0xef, 0xbb, 0xbf];

/** A line of `---` is no JSON anywhere, but divides JSON as well as YAML. @param {Buffer} input */
function isJson(input) {
  const first = input.find((byte) => !BEFORE_JSON.includes(byte));
  return (first === 0x7b || first === 0x5b) && !input.includes('\n---');
}

/** @param {string} text @param {boolean} isPiped */
function otherThanJson(text, isPiped) {
  const first = firstLine(text);
  if (first === undefined) {
    const what = isPiped && trim(text) === '' ? 'nothing came in on standard input; did the command before the pipe fail?' : 'the input holds no object;';
    return new SlicewiseError({ code: 'InvalidJson', message: `${what} ${WHAT_TO_GIVE}` });
  }
  if (LIKE_YAML.test(first)) {
    const message = 'this looks like YAML, or like several documents, which only the native command reads; take one JSON document';
    return new SlicewiseError({ code: 'Unsupported', message });
  }
  const characters = [...first];
  const begins = characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : first;
  const message = `the input is neither JSON nor YAML objects, it begins with \`${begins}\`; ${WHAT_TO_GIVE}`;
  return new SlicewiseError({ code: 'InvalidJson', message });
}

/** The first line that says something: no comment, no directive, and without the `---` in front. @param {string} text */
function firstLine(text) {
  return text
    .split(/[\n\r]/)
    .map((line) => trim(trim(line).replace(/^---(?= |$)/, '')))
    .find((line) => line !== '' && !line.startsWith('#') && !line.startsWith('%'));
}

/** @param {string} text */
function trim(text) {
  return text.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '');
}

/** What an API server answers when it does not give the objects. @param {Buffer} input */
function refuseStatus(input) {
  if (!input.includes('"Status"')) return;
  let found;
  try {
    found = JSON.parse(input.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    // The core says what is wrong with it.
    return;
  }
  if (found.kind !== 'Status') return;
  const message = `the input is the answer of an API server that gave no objects: \`${found.message ?? ''}\`; mend that, and get them again`;
  throw new SlicewiseError({ code: 'InvalidValue', message, path: '/kind' });
}
