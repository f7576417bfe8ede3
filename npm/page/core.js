/** Binds the raw functions of the page's module: those of the main module, the Service overview, and the effects of edits. */
import { runner, surface } from '../core.js';
import { decode, open } from '../doors.js';
import { glancing } from '../glance.js';

const LINE_END = 10;

/** @param {typeof import('../../pkg/glue/page/node.js')} raw */
export function bind(raw) {
  const run = runner(raw);
  /** A line with the overview and the state of hints, and the plans, from a single read. @param {Uint8Array} input @param {object} question */
  const look = (input, question) => {
    const [given, asked] = [open(input, 'the input'), open(question, 'the question')];
    const answer = run(() => raw.look(given.bytes, asked.bytes), [given, asked]);
    const line = answer.indexOf(LINE_END);
    return { line: answer.subarray(0, line), plans: answer.subarray(line + 1) };
  };
  /** @param {'edit' | 'partners'} name */
  const asking = (name) => (/** @type {Uint8Array | object} */ question) => {
    const asked = open(question, 'the question');
    return JSON.parse(decode(run(() => raw[name](asked.bytes), [asked])));
  };
  /** The legend for pictures of endpoints. */
  const legend = () => JSON.parse(decode(run(() => raw.legend())));
  return { ...surface(raw, run), glance: glancing(raw, run), legend, look, edit: asking('edit'), partners: asking('partners') };
}
