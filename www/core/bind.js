/** What the page asks the package's main module for: plans with the Service overview, and the effects of edits. */
import { SlicewiseError } from '../../npm/error.js';
import { guard } from '../../npm/guard.js';

const LINE_END = 10;

/** @param {import('../../pkg/glue/glue.js').Instance} raw */
export function bind(raw) {
  const { guarded } = guard();
  const both = guarded(raw.look);
  /** A line with the overview and the state of hints, and the plans, from a single read. @param {Uint8Array} input @param {object} question */
  const look = (input, question) => {
    /** @type {Uint8Array} */
    const answer = both(input, question);
    const line = answer.indexOf(LINE_END);
    return { line: answer.subarray(0, line), plans: answer.subarray(line + 1) };
  };
  return {
    glance: guarded(raw.glance),
    legend: guarded(raw.legend),
    look,
    edit: guarded(raw.edit),
    partners: guarded(raw.partners),
    detect: guarded(raw.detect),
    version: guarded(raw.version),
    SlicewiseError,
  };
}
