/** What most entries export: functions and classes of a module, as they are. */
import { SlicewiseError } from './error.js';
import { define, guard } from './guard.js';

/** How many steps are made together: enough that calls cost little, few enough that the first comes at once. */
const AT_ONCE = 64;

/** What is left of a run, by the class of its handle. @type {Record<string, (this: any) => Generator>} */
const LEFT = {
  *Timeline() {
    for (let steps; (steps = this.next(AT_ONCE)).length > 0; ) yield* steps;
  },
  *Controller() {
    for (let due; (due = this.nextDue()) !== null; ) yield* this.due(due);
  },
};

/**
 * @param {any} raw
 * @param {string[]} names
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 * @returns {Record<string, any>}
 */
export function bind(raw, names, isReady) {
  const { guarded, handle } = guard(isReady);
  const bound = names.map((name) => [name, /^[A-Z]/.test(name) ? iterable(handle(raw[name], name), name) : guarded(raw[name])]);
  return { ...Object.fromEntries(bound), SlicewiseError };
}

/** @param {any} Handle @param {string} name */
function iterable(Handle, name) {
  if (LEFT[name]) define(Handle.prototype, Symbol.iterator, LEFT[name]);
  if (Handle.prototype.feed) define(Handle.prototype, 'answers', answers);
  return Handle;
}

/** The answers to lines: values, or lines of text. @this {any} @param {unknown} lines */
function* answers(lines) {
  for (const line of linesOf(lines)) {
    const answer = this.feed(line) ?? [];
    if (typeof answer === 'string') yield* answer.split('\n').filter(Boolean);
    else if (Array.isArray(answer)) yield* answer;
    else yield answer;
  }
}

/** @param {any} given @returns {Iterable<unknown>} */
function linesOf(given) {
  if (typeof given === 'string') return given.split('\n').filter(Boolean);
  if (isIterable(given)) return given;
  throw new SlicewiseError({ code: 'InvalidType', message: 'the lines must be a string, an array or another iterable' });
}

/** @param {any} given */
function isIterable(given) {
  try {
    return typeof given[Symbol.iterator] === 'function' && !ArrayBuffer.isView(given);
  } catch {
    return false;
  }
}
