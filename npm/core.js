/**
 * Binds the raw functions of a build (bytes in, bytes out) to the public API. All builds share this file.
 */
import { close, open, openOptional } from './doors.js';
import { SlicewiseError } from './error.js';
import { firstKey, readers } from './fields.js';

/**
 * The parts of a build's glue that are used here.
 * @typedef {typeof import('../pkg/glue/node.js')} Glue
 * @typedef {Pick<Glue, 'plan' | 'planSnapshot' | 'detect' | 'version' | 'maxInputBytes' | 'fields'>} Raw
 */

/**
 * Calls the module, converts anything it throws to a typed error, and closes the inputs. Inputs longer than `most` are
 * refused first.
 * @typedef {<T>(call: () => T, inputs?: import('./doors.js').Opened[], most?: number) => T} Run
 */

/**
 * @param {Raw} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  return surface(raw, runner(raw, isReady));
}

/**
 * @param {{maxInputBytes(): number}} raw
 * @param {() => boolean} [isReady]
 * @returns {Run}
 */
export function runner(raw, isReady = () => true) {
  return function run(call, inputs = [], most) {
    if (!isReady()) {
      throw new SlicewiseError({ code: 'NotReady', message: 'the module is not loaded yet: `await init()` before the first call' });
    }
    for (const { bytes } of inputs) checkSize(bytes, most ?? raw.maxInputBytes());
    try {
      return call();
    } catch (thrown) {
      throw typed(thrown, call, inputs);
    } finally {
      inputs.forEach(close);
    }
  };
}

/**
 * What all our modules can do.
 * @param {Raw} raw
 * @param {Run} run
 */
export function surface(raw, run) {
  const reader = readers(raw.fields);
  const [ofRequest, ofSnapshot] = [reader('plan'), reader('snapshot')];

  /** @param {unknown} request */
  function plan(request) {
    const input = open(request, 'the request', ofRequest);
    return input.answer(run(() => raw.plan(input.bytes), [input]));
  }

  /** @param {unknown} snapshot @param {unknown} [options] */
  function planSnapshot(snapshot, options) {
    const input = open(snapshot, 'the snapshot', ofSnapshot);
    const opened = openOptional(options, 'options');
    return input.answer(run(() => raw.planSnapshot(input.bytes, opened.bytes), [input, opened]));
  }

  /** @param {unknown} given */
  function detect(given) {
    const input = open(given, 'the input', firstKey);
    return run(() => raw.detect(input.bytes), [input]);
  }

  const version = () => run(() => raw.version());

  return { plan, planSnapshot, detect, version, SlicewiseError };
}

/**
 * The core refuses such input with the same message, but by then it would be in the module's memory.
 * @param {Uint8Array} input
 * @param {number} most
 */
function checkSize({ length }, most) {
  if (length <= most) return;
  const message = `the input has ${length} bytes, more than the limit of ${most}; split it by namespace, or raise the limit`;
  throw new SlicewiseError({ code: 'TooLarge', message });
}

const NEWLINE = 0x0a;

/** @param {any} thrown @param {() => unknown} call @param {import('./doors.js').Opened[]} inputs */
function typed(thrown, call, inputs) {
  // The module throws its errors as JSON text.
  if (typeof thrown === 'string') {
    const { line, column, ...details } = JSON.parse(thrown);
    return new SlicewiseError(isPlaced(line, call, inputs) ? { ...details, line, column } : details);
  }
  // A trap: a bug of ours, or out of memory. The module stays usable.
  const message = `the module stopped (${thrown?.message ?? thrown}), most likely for want of memory`;
  return new SlicewiseError({ code: 'Internal', message }, { cause: thrown });
}

/**
 * Whether the line is in a text from the caller. If another input was a value, the call is repeated with that value one
 * line further down: the line of an error in it moves along.
 * @param {number | undefined} line
 * @param {() => unknown} call
 * @param {import('./doors.js').Opened[]} inputs
 */
function isPlaced(line, call, inputs) {
  const values = inputs.filter(({ isValue }) => isValue);
  // An omitted input is an empty text.
  const hasText = inputs.some(({ bytes, isValue }) => bytes.length > 0 && !isValue);
  if (line === undefined || values.length === 0) return true;
  if (!hasText) return false;
  for (const value of values) value.bytes = lowered(value.bytes);
  try {
    call();
  } catch (again) {
    return typeof again === 'string' && JSON.parse(again).line === line;
  }
  return false;
}

/** The same bytes, one line further down. @param {Uint8Array} bytes */
function lowered(bytes) {
  const moved = new Uint8Array(bytes.length + 1);
  moved[0] = NEWLINE;
  moved.set(bytes, 1);
  return moved;
}
