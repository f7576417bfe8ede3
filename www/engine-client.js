/**
 * The page's requests to its workers: plans from the engine; traffic, reasons and differences from the tools; verdicts from
 * admission. All but the engine are loaded on first use.
 * @import {Attempts, CompareAnswer, Crossing, CompareColumn, JudgeAnswer, NodeTraffic, EditAnswer, OpenAnswer, Options} from './types.js'
 * @import {ExportForm, Fix, Legend, Likeness, ObjectPage, ObjectQuery, Reader, Selection} from './types.js'
 * @import {TextPlace, TrafficModel, UpgradeAnswer, Verdicts, Versions, WhyAnswer} from './types.js'
 * @import {Question as JudgeQuestion} from './admission.js'
 * @import {Question as AdmissionQuestion} from './admission-worker.js'
 * @import {Question as TimelineQuestion} from './timeline-worker.js'
 * @import {Recipe} from './input/generator.js'
 * @import {Question} from './worker.js'
 * @import {Question as ToolsQuestion} from './tools-worker.js'
 */
import { applyChanges, changeBetween } from './input/changes.js';
import { unpackModel } from './model/packed.js';
import { encoded, isLong } from './model/pieces.js';
import { ADMISSION_MISSING, ENGINE_MISSING, NOT_ANY_MORE, TIMELINE_MISSING, TOOLS_MISSING } from './model/text.js';
import { LOST } from './tools-lost.js';
import { WorkerClient, WorkerDied } from './worker-client.js';

/**
 * @template T
 * @typedef {T extends {id: number} ? Omit<T, 'id'> : never} Unnumbered
 */

/** @type {import('./input/changes.js').TextChange} */
const NO_CHANGE = { from: 0, to: 0, insert: '' };
/** Shorter texts are sent as they are. */
const SHORT = 10_000;

/** Sends requests to the workers. */
export class EngineClient {
  #engine = new WorkerClient(() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'engine' }), ENGINE_MISSING);
  #tools = new WorkerClient(() => new Worker(new URL('./tools-worker.js', import.meta.url), { type: 'module', name: 'tools' }), TOOLS_MISSING);
  #admission = new WorkerClient(
    () => new Worker(new URL('./admission-worker.js', import.meta.url), { type: 'module', name: 'admission' }),
    ADMISSION_MISSING,
  );
  #timeline = new WorkerClient(
    () => new Worker(new URL('./timeline-worker.js', import.meta.url), { type: 'module', name: 'timeline' }),
    TIMELINE_MISSING,
  );
  /** Provides the cluster for admission. @type {(() => Promise<Unnumbered<AdmissionQuestion> & {call: 'load'}>) | null} */
  #cluster = null;
  #isClusterLost = false;
  /** The input that the engine has, which is not sent again. @type {string | Uint8Array | null} */
  #sent = null;
  /** Called when the engine died during a request other than a plan, and lost its input. */
  onLost = () => {};
  /** The text that it scaled last. @type {string | null} */
  #base = null;

  constructor() {
    this.#engine.start();
  }

  /** @param {string | Uint8Array} input @param {Options} overrides @param {string} service the one chosen, or '' @returns {Promise<OpenAnswer>} */
  async open(input, overrides, service) {
    const change = changeOf(this.#sent, input);
    const given = change === undefined ? await handed(input) : change;
    this.#sent = input;
    return unpacked(await this.#ask({ call: 'open', input: given, overrides, service }));
  }

  /**
   * Opens a text with another number of ready pods of a Service in it.
   * @param {string} base @param {Options} overrides @param {{service: string, pods: number}} wanted @param {string} service the Service to show
   * @returns {Promise<{text: string, refused: string, answer: OpenAnswer}>}
   */
  async scale(base, overrides, wanted, service) {
    const change = base === this.#base ? null : changeOf(this.#sent, base);
    const given = base === this.#base ? null : change === undefined ? await handed(base) : (change ?? NO_CHANGE);
    [this.#base, this.#sent] = [base, null];
    const { edit, answer } = await this.#ask({ call: 'scale', base: given, overrides, wanted, service });
    this.#sent = edit.ok ? applyChanges(base, edit.changes) : base;
    return { text: this.#sent, refused: edit.ok ? '' : edit.message, answer: unpacked(answer) };
  }

  /**
   * The text changes for an edit of objects.
   * @param {string} text @param {Options} overrides @param {object} what @returns {Promise<EditAnswer>}
   */
  async edit(text, overrides, what) {
    return this.#ask({ call: 'edit', text: text === this.#sent ? null : await handed(text), overrides, what });
  }

  /** The text of a generated input. @param {Recipe} recipe @returns {Promise<string>} */
  generate(recipe) {
    return this.#ask({ call: 'generate', recipe });
  }

  /** Objects of the input that was opened last; nothing if it cannot be read. @param {ObjectQuery} query @returns {Promise<ObjectPage | null>} */
  objects(query) {
    return this.#ask({ call: 'objects', query });
  }

  /** The core's sentences about Services. @param {string[]} keys @returns {Promise<string[]>} */
  headlines(keys) {
    return this.#ask({ call: 'headlines', keys });
  }

  /** The position of an object in it. @param {{kind: string, namespace?: string, name: string}} object @returns {Promise<TextPlace | null>} */
  place(object) {
    return this.#ask({ call: 'place', object });
  }

  /** @param {string} key @returns {Promise<string>} */
  planText(key) {
    return this.#ask({ call: 'planText', key });
  }

  /** @returns {Promise<Uint8Array<ArrayBuffer>>} */
  answer() {
    return this.#ask({ call: 'answer' });
  }

  /** Null if superseded by a newer request. @param {string} key @param {Reader} reader @returns {Promise<TrafficModel | null>} */
  traffic(key, reader) {
    return this.#askTraffic(key, { call: 'traffic', reader });
  }

  /** Null if superseded by a newer request. @param {string} key @param {Legend} legend @returns {Promise<WhyAnswer | null>} */
  why(key, legend) {
    return this.#askWhy({ key }, { call: 'why', legend });
  }

  /**
   * What the proposals for a Service lead to. Null if superseded by a newer request.
   * @param {string} key @param {Fix[]} fixes @param {Legend} legend @returns {Promise<Attempts | null>}
   */
  attempts(key, fixes, legend) {
    return this.#askWhy({ key }, { call: 'attempts', fixes, legend });
  }

  /**
   * The pods nearest to a selector that matches none. Null if superseded by a newer request.
   * @param {string} key @param {Legend} legend @returns {Promise<{near: Selection | null} | null>}
   */
  selection(key, legend) {
    return this.#askWhy({ key }, { call: 'selection', legend });
  }

  /**
   * What a scenario about the Service takes over from it. Null if superseded by a newer request.
   * @param {string} key @param {Legend} legend @returns {Promise<Likeness | null>}
   */
  likeness(key, legend) {
    return this.#askWhy({ key }, { call: 'likeness', legend });
  }

  /**
   * A plan as text for export. Null if superseded by a newer request.
   * @param {string} key @param {ExportForm} form @returns {Promise<string | null>}
   */
  exported(key, form) {
    return this.#askWhy({ key }, { call: 'export', form });
  }

  /**
   * What changes from one version of Kubernetes to another. Null if superseded by a newer request.
   * @param {string} key @param {Versions} versions @returns {Promise<UpgradeAnswer | null>}
   */
  upgrade(key, versions) {
    return this.#askWhy({ key }, { call: 'upgrade', versions });
  }

  /** Null if superseded by a newer request. @param {string} key @returns {Promise<Crossing | null>} */
  crossing(key) {
    return this.#askWhy({ key }, { call: 'crossing' });
  }

  /** The verdict on each Service of the input. Null if superseded by a newer request. @returns {Promise<Verdicts | null>} */
  verdicts() {
    return this.#askWhy({ key: '' }, { call: 'verdicts' });
  }

  /**
   * The input of one Service only, on request with other names and addresses, and the Service's key in it.
   * @param {{key: string, renamed: boolean}} which
   * @returns {Promise<{text: string, key: string} | null>}
   */
  reduced(which) {
    return this.#ask({ call: 'reduced', which });
  }

  /** The same for one pod of the Service. @param {string} key @param {string} pod @param {Legend} legend @returns {Promise<WhyAnswer | null>} */
  whyPod(key, pod, legend) {
    return this.#askWhy({ key, pod }, { call: 'whyPod', legend });
  }

  /**
   * Null if superseded by a newer request.
   * @param {string} key
   * @param {Reader} reader
   * @param {string} node
   * @returns {Promise<NodeTraffic | null>}
   */
  nodeTraffic(key, reader, node) {
    return this.#askTraffic(key, { call: 'node', reader, node });
  }

  /**
   * Null if superseded by a newer request.
   * @param {string} key
   * @param {string} other another input as text, or ''
   * @param {CompareColumn[]} columns
   * @param {Reader} reader
   * @param {Legend} legend
   * @param {(done: number) => void} onProgress called after each column with how many are done
   * @returns {Promise<CompareAnswer | null>}
   */
  compare(key, other, columns, reader, legend, onProgress) {
    return this.#askWhy({ key }, { call: 'compare', other, columns, reader, legend }, { onProgress });
  }

  /** Makes admission use the loaded input; returns the kinds it checks. @param {boolean} isRequest */
  judgeLoaded(isRequest) {
    return this.#judgeBy(() => this.#ask({ call: 'input' }), isRequest);
  }

  /** Makes admission use a cluster; returns the kinds it checks. @param {Uint8Array} input @param {boolean} isRequest */
  judgeCluster(input, isRequest) {
    return this.#judgeBy(() => Promise.resolve(input), isRequest);
  }

  /** @param {() => Promise<Uint8Array>} input @param {boolean} isRequest */
  #judgeBy(input, isRequest) {
    this.#cluster = async () => ({ call: 'load', input: await input(), isRequest });
    return this.#loadCluster();
  }

  /** Skips a cluster that was replaced while being fetched. @returns {Promise<string[]>} */
  async #loadCluster() {
    const cluster = this.#cluster;
    const question = await cluster?.();
    return question && cluster === this.#cluster ? this.#askAdmission(question) : [];
  }

  /** Null if superseded by a newer request. @param {JudgeQuestion} question @param {string} config @returns {Promise<JudgeAnswer | null>} */
  judge(question, config) {
    return this.#askAdmission({ call: 'judge', question, config });
  }

  /** Objects that admission knows. @param {string} kind @param {string} find @returns {Promise<{names: string[], count: number}>} */
  judgeObjects(kind, find) {
    return this.#askAdmission({ call: 'objects', kind, find });
  }

  /** One of them as text. @param {string} kind @param {string} key @returns {Promise<string>} */
  judgeText(kind, key) {
    return this.#askAdmission({ call: 'text', kind, key });
  }

  /**
   * Starts running a scenario, replacing the previous one.
   * @param {string} text
   * @param {string} service
   * @param {string} kubernetes the version that decides, unless the scenario names one
   * @returns {Promise<Awaited<ReturnType<import('./timeline.js').Runs['open']>>>}
   */
  openTimeline(text, service, kubernetes) {
    return this.#askTimeline({ call: 'open', text, service, kubernetes });
  }

  /** Its next steps; none at its end. @param {number} run @returns {Promise<import('./model/recording.js').Step[]>} */
  nextSteps(run) {
    return this.#askTimeline({ call: 'next', run });
  }

  /** The report of the run; null for a run that was replaced. @param {number} run @returns {Promise<import('./types.js').RunReport | null>} */
  timelineReport(run) {
    return this.#askTimeline({ call: 'report', run });
  }

  /** @param {Unnumbered<TimelineQuestion>} question */
  #askTimeline(question) {
    return this.#timeline.ask(question);
  }

  /** @param {Unnumbered<AdmissionQuestion>} question */
  async #askAdmission(question) {
    if (this.#isClusterLost && question.call !== 'load' && this.#cluster) await this.#admission.ask(await this.#cluster());
    this.#isClusterLost = false;
    try {
      return await this.#admission.ask(question);
    } catch (error) {
      this.#isClusterLost = error instanceof WorkerDied;
      throw error;
    }
  }

  /** @param {Question['call']} call */
  #lost(call) {
    [this.#sent, this.#base] = [null, null];
    if (call !== 'open' && call !== 'scale') this.onLost();
  }

  /** @param {Unnumbered<Question>} question */
  async #ask(question) {
    try {
      return await this.#engine.ask(question, transfersOf(question));
    } catch (error) {
      if (error instanceof WorkerDied) this.#lost(question.call);
      throw error;
    }
  }

  /**
   * Asks the tools about the input, sending it if they do not have it.
   * @param {{key: string, pod?: string}} about
   * @param {object} question a {@link ToolsQuestion} without its material
   * @param {{again?: boolean, onProgress?: (done: number) => void}} [how] `again` if they have lost the input
   * @returns {Promise<any>}
   */
  async #askWhy(about, question, { again = false, onProgress } = {}) {
    const material = await this.#ask({ call: 'whyMaterial', ...about, again });
    if (!material) throw new Error(NOT_ANY_MORE);
    const answer = await this.#askTools({ ...question, material }, material.input, onProgress);
    return answer === LOST ? this.#askWhy(about, question, { again: true, onProgress }) : answer;
  }

  /** @param {string} key @param {object} question @returns {Promise<any>} */
  async #askTraffic(key, question) {
    const material = await this.#ask({ call: 'trafficMaterial', key });
    if (!material) throw new Error(NOT_ANY_MORE);
    return this.#askTools({ ...question, material }, material);
  }

  /** @param {object} question @param {Uint8Array | null} bytes transferred with it @param {(done: number) => void} [onProgress] */
  #askTools(question, bytes, onProgress) {
    return this.#tools.ask(/** @type {Unnumbered<ToolsQuestion>} */ (question), bytes ? [bytes.buffer] : [], onProgress);
  }
}

/**
 * An input as it is sent: a very long text in pieces.
 * @template {string | Uint8Array} T
 * @param {T} input
 */
function handed(input) {
  return typeof input === 'string' && isLong(input) ? encoded(input) : input;
}

/**
 * What makes the input of the one that the worker has: null if nothing does, undefined if sending all of it is as good.
 * @param {string | Uint8Array | null} sent
 * @param {string | Uint8Array} input
 */
function changeOf(sent, input) {
  if (sent === input) return null;
  if (typeof sent !== 'string' || typeof input !== 'string' || input.length < SHORT) return undefined;
  const change = changeBetween(sent, input);
  return change && change.insert.length > input.length / 2 ? undefined : change;
}

/** @param {object} question @returns {Transferable[]} */
function transfersOf(question) {
  const pieces = Object.values(question).find((value) => Array.isArray(value) && value[0] instanceof Uint8Array) ?? [];
  return pieces.map((/** @type {Uint8Array<ArrayBuffer>} */ piece) => piece.buffer);
}

/** @param {OpenAnswer<import('./model/packed.js').PackedModel>} answer @returns {OpenAnswer} */
function unpacked(answer) {
  return answer.ok ? { ...answer, model: answer.model && unpackModel(answer.model) } : answer;
}
