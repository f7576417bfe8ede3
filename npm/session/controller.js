/** The controller in virtual time: timed events in, actions out. */
import { decode, open, openOptional } from '../doors.js';
import { SlicewiseError } from '../error.js';
import { readers } from '../fields.js';
import { Handle, mostBytes, serviceKey } from '../handle.js';

/**
 * @param {import('./core.js').Raw} raw
 * @param {import('../core.js').Run} run
 */
export function controllerClass(raw, run) {
  const usual = () => run(() => raw.maxInputBytes());
  const reader = readers(raw.fields);
  const [ofLine, ofEvents] = [reader('line'), reader('events')];

  return class Controller {
    /** @type {Handle<InstanceType<import('./core.js').Raw['Controller']>>} */
    #handle;

    /** @param {unknown} [config] @param {unknown} [limits] */
    constructor(config, limits) {
      const most = mostBytes(limits, usual());
      const input = openOptional(config, 'the configuration');
      this.#handle = new Handle(run, 'controller', most, [input], () => new raw.Controller(input.bytes, most));
    }

    /** @param {unknown} line */
    feed(line) {
      return this.#feed(line, 'the line');
    }

    /** @param {unknown} events @param {unknown} now */
    apply(events, now) {
      const at = milliseconds(now);
      const input = open(events, 'the events', ofEvents, parseLines);
      return input.answer(this.#handle.use((handle) => handle.apply(at, input.bytes), [input]));
    }

    /** @param {unknown} list @param {unknown} now */
    list(list, now) {
      const at = milliseconds(now);
      const input = open(list, 'the list', ofEvents, parseLines);
      return input.answer(this.#handle.use((handle) => handle.list(at, input.bytes), [input]));
    }

    /** @param {unknown} now */
    due(now) {
      return this.#feed({ at: milliseconds(now) }, 'the time');
    }

    /** @param {unknown} service @param {unknown} error @param {unknown} now @param {unknown} [applied] */
    complete(service, error, now, applied) {
      const result = { service: serviceKey(service), error: error ?? undefined, applied };
      return this.#feed({ at: milliseconds(now), result }, 'the result');
    }

    nextDue() {
      return this.#handle.use((handle) => handle.nextDue()) ?? null;
    }

    /** @returns {unknown[]} */
    metrics() {
      return JSON.parse(decode(this.#handle.use((handle) => handle.metrics())));
    }

    metricsText() {
      return this.#handle.use((handle) => handle.metricsText());
    }

    free() {
      this.#handle.free();
    }

    // Defined explicitly where the host has no `Symbol.dispose` yet, as the glue does.
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      this.free();
    }

    /** @param {unknown} line @param {string} what */
    #feed(line, what) {
      const input = open(line, what, ofLine, parseLines);
      return input.answer(this.#handle.use((handle) => handle.feed(input.bytes), [input]));
    }
  };
}

/** @param {string} text @returns {unknown[]} */
function parseLines(text) {
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/** @param {unknown} now */
function milliseconds(now) {
  if (typeof now === 'number' && Number.isSafeInteger(now) && now >= 0) return now;
  throw new SlicewiseError({ code: 'InvalidValue', message: `the time must be whole milliseconds since the start, got ${String(now)}` });
}
