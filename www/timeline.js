/**
 * The only module that imports `slicewise/simulation`: a scenario, played step by step. It runs in its own worker
 * (`timeline-worker.js`), and also in Node.
 * @import {Problem} from './types.js'
 * @import {ScenarioSummary} from 'slicewise/simulation'
 * @import {Step} from './model/recording.js'
 */
import { SlicewiseError, Timeline } from 'slicewise/simulation';
import { readInput } from './input/read.js';
import { UnreadableInput } from './input/unreadable.js';

const MOMENT = 60;
const AT_ONCE = 20;

/** One run at a time. */
export class Runs {
  /** @type {Timeline | null} */
  #timeline = null;
  /** Its number; callers for an older run get nothing from this one. */
  #run = 0;

  /**
   * @param {string} text a scenario, as JSON or YAML
   * @param {string} service the Service to follow, or '' for the first
   * @param {string} kubernetes the version that decides, unless the scenario names one; '' for the default
   * @returns {Promise<{ok: true, about: ScenarioSummary, run: number, kubernetes: string} | {ok: false, problem: Problem}>} with the version
   *   that decides, or ''
   */
  async open(text, service, kubernetes = '') {
    /** @type {import('./input/read.js').Reading | null} */
    let reading = null;
    try {
      reading = await readInput(text, { isOwn: true });
      const decided = decidedBy(reading.bytes, kubernetes);
      const next = timelineOf(decided.bytes, service, reading.bytes);
      this.#timeline?.free();
      this.#timeline = next;
      this.#run += 1;
      return { ok: true, about: next.about(), run: this.#run, kubernetes: decided.kubernetes };
    } catch (error) {
      return { ok: false, problem: problemOf(error, reading) };
    }
  }

  /** The next steps, as many as can be computed quickly; none once the run has ended. @param {number} run @returns {Step[]} */
  next(run) {
    const until = performance.now() + MOMENT;
    /** @type {Step[]} */
    const steps = [];
    while (this.#timeline && run === this.#run) {
      const more = /** @type {Step[]} */ (/** @type {unknown} */ (this.#timeline.next(AT_ONCE)));
      steps.push(...more);
      if (more.length === 0 || performance.now() > until) break;
    }
    return steps;
  }

  /** The report of the run. @param {number} run */
  report(run) {
    return this.#timeline && run === this.#run ? this.#timeline.report() : null;
  }
}

/**
 * The scenario as a version of Kubernetes plays it, unless it names one itself.
 * @param {Uint8Array} bytes @param {string} kubernetes
 */
function decidedBy(bytes, kubernetes) {
  const scenario = JSON.parse(new TextDecoder().decode(bytes));
  const { controller } = scenario ?? {};
  const own = controller?.options?.kubernetes;
  if (own || kubernetes === '') return { bytes, kubernetes: String(own ?? '') };
  const options = { ...controller?.options, kubernetes };
  const whole = { ...scenario, controller: { ...controller, options } };
  return { bytes: new TextEncoder().encode(JSON.stringify(whole)), kubernetes };
}

/**
 * Mistakes are reported where they are in the text as it was written.
 * @param {Uint8Array} bytes @param {string} service @param {Uint8Array} written
 */
function timelineOf(bytes, service, written) {
  const settings = service ? { service } : undefined;
  try {
    return new Timeline(bytes, settings);
  } catch (error) {
    if (bytes !== written) new Timeline(written, settings).free();
    throw error;
  }
}

/** @param {unknown} error @param {import('./input/read.js').Reading | null} reading @returns {Problem} */
function problemOf(error, reading) {
  if (error instanceof UnreadableInput) {
    const { code, message, line, column } = error;
    return { code, message, line, column };
  }
  if (!(error instanceof SlicewiseError)) return { code: 'Internal', failed: true, message: String(error) };
  const { code, message, path } = error;
  const { line, column } = (reading?.format === 'yaml' ? reading.locate(path ?? '') : error) ?? {};
  return { code, message, path, line, column };
}
