/**
 * The only module that imports `slicewise/simulation`: a scenario, played step by step. It runs in a worker of its own
 * (`timeline-worker.js`), and as well in Node.
 * @import {Problem} from './types.js'
 * @import {Step} from './model/recording.js'
 */
import { SlicewiseError, Timeline } from 'slicewise/simulation';
import { UnreadableInput, readInput } from './input/read.js';

/**
 * What a run is about, as the core tells it.
 * @typedef {object} About
 * @property {string | null} [title]
 * @property {string | null} [lesson]
 * @property {string | null} [description]
 * @property {string[]} services
 * @property {string} service the one whose slices are told of
 * @property {number} maxEndpointsPerSlice
 * @property {string[]} phases
 */

/** One run at a time. */
export class Runs {
  /** @type {Timeline | null} */
  #timeline = null;

  /**
   * @param {string} text a scenario, as JSON or YAML
   * @param {string} service the one to tell of, or '' for the first
   * @returns {Promise<{ok: true, about: About} | {ok: false, problem: Problem}>}
   */
  async open(text, service) {
    /** @type {import('./input/read.js').Reading | null} */
    let reading = null;
    try {
      reading = await readInput(new TextEncoder().encode(text));
      const next = new Timeline(reading.bytes, service ? { service } : undefined);
      this.#timeline?.free();
      this.#timeline = next;
      return { ok: true, about: told(next.about()) };
    } catch (error) {
      return { ok: false, problem: problemOf(error, reading) };
    }
  }

  /** So many more steps; none when the run has ended. @param {number} count @returns {Step[]} */
  next(count) {
    return this.#timeline ? told(this.#timeline.next(count)) : [];
  }

  /** What came of it all, to the byte as the command has it. */
  report() {
    return this.#timeline ? told(this.#timeline.report()) : null;
  }
}

/** Bytes in, bytes out; what is told as a value is taken as it is. @param {unknown} answer */
function told(answer) {
  if (answer instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(answer));
  return typeof answer === 'string' ? JSON.parse(answer) : answer;
}

/** @param {unknown} error @param {import('./input/read.js').Reading | null} reading @returns {Problem} */
function problemOf(error, reading) {
  if (error instanceof UnreadableInput) {
    const { code, message, line, column } = error;
    return { code, message, line, column };
  }
  if (!(error instanceof SlicewiseError)) return { code: 'Internal', message: String(error) };
  const { code, message, path } = error;
  const { line, column } = (reading?.format === 'yaml' ? reading.locate(path ?? '') : error) ?? {};
  return { code, message, path, line, column };
}
