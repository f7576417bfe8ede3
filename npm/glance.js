/** The Service overview, for the modules that have it. */
import { open, openOptional } from './doors.js';
import { readers } from './fields.js';

/**
 * @param {Pick<typeof import('../pkg/glue/page/node.js'), 'glance' | 'fields'>} raw
 * @param {import('./core.js').Run} run
 */
export function glancing(raw, run) {
  const reader = readers(raw.fields)('glance');
  /** @param {unknown} given @param {unknown} [question] */
  return function glance(given, question) {
    const input = open(given, 'the input', reader);
    const asked = openOptional(question, 'the question');
    return input.answer(run(() => raw.glance(input.bytes, asked.bytes), [input, asked]));
  };
}
