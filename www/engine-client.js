/**
 * What the page asks of its workers: plans of the engine; of the tools, who serves whom, why, and what differs; of
 * admission, verdicts. None but the engine is loaded before it is first asked.
 * @import {CompareAnswer, Crossing, CompareColumn, JudgeAnswer, NodeTraffic, EditAnswer, ObjectName, OpenAnswer, Options} from './types.js'
 * @import {ExportForm, Legend, ObjectPage, ObjectQuery, Reader, TextPlace, TrafficModel, WhyAnswer} from './types.js'
 * @import {Question as JudgeQuestion} from './admission.js'
 * @import {Question as AdmissionQuestion} from './admission-worker.js'
 * @import {Question as TimelineQuestion} from './timeline-worker.js'
 * @import {Recipe} from './input/generator.js'
 * @import {Question} from './worker.js'
 * @import {Question as ToolsQuestion} from './tools-worker.js'
 */
import { applyChanges } from './input/changes.js';
import { unpackModel } from './model/packed.js';
import { ADMISSION_MISSING, ENGINE_MISSING, TIMELINE_MISSING, TOOLS_MISSING } from './model/text.js';
import { LOST } from './tools-lost.js';
import { WorkerClient, WorkerDied } from './worker-client.js';

/**
 * @template T
 * @typedef {T extends {id: number} ? Omit<T, 'id'> : never} Unnumbered
 */

/** Asks the engine and the tools in their workers. */
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
  /** Gives the cluster that admission judges by. @type {(() => Promise<Unnumbered<AdmissionQuestion> & {call: 'load'}>) | null} */
  #cluster = null;
  #isClusterLost = false;
  /** The input the engine has; it is not sent twice. @type {string | Uint8Array | null} */
  #sent = null;
  /** Called when the engine died of another question than one for a plan: it has lost its input. */
  onLost = () => {};
  /** The text it scaled last. @type {string | null} */
  #base = null;

  constructor() {
    this.#engine.start();
  }

  /** @param {string | Uint8Array} input @param {Options} overrides @param {string} service the one chosen, or '' @returns {Promise<OpenAnswer>} */
  async open(input, overrides, service) {
    const known = input === this.#sent;
    this.#sent = input;
    return unpacked(await this.#ask({ call: 'open', input: known ? null : input, overrides, service }));
  }

  /**
   * Opens a text with another number of ready pods of a Service in it.
   * @param {string} base @param {Options} overrides @param {{service: string, pods: number}} wanted @param {string} service the one to be shown
   * @returns {Promise<{text: string, refused: string, answer: OpenAnswer}>}
   */
  async scale(base, overrides, wanted, service) {
    const known = base === this.#base;
    [this.#base, this.#sent] = [base, null];
    const { edit, answer } = await this.#ask({ call: 'scale', base: known ? null : base, overrides, wanted, service });
    this.#sent = edit.ok ? applyChanges(base, edit.changes) : base;
    return { text: this.#sent, refused: edit.ok ? '' : edit.message, answer: unpacked(answer) };
  }

  /**
   * What an edit of objects changes in a text.
   * @param {string} text @param {Options} overrides @param {object} what @returns {Promise<EditAnswer>}
   */
  edit(text, overrides, what) {
    return this.#ask({ call: 'edit', text, overrides, what });
  }

  /** The text of an input made up. @param {Recipe} recipe @returns {Promise<string>} */
  generate(recipe) {
    return this.#ask({ call: 'generate', recipe });
  }

  /** Objects of the input that was opened last; nothing if it cannot be read. @param {ObjectQuery} query @returns {Promise<ObjectPage | null>} */
  objects(query) {
    return this.#ask({ call: 'objects', query });
  }

  /** What the core says of Services. @param {string[]} keys @returns {Promise<string[]>} */
  headlines(keys) {
    return this.#ask({ call: 'headlines', keys });
  }

  /** Where an object is written in it. @param {{kind: string, namespace?: string, name: string}} object @returns {Promise<TextPlace | null>} */
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

  /** Nothing when it was asked again meanwhile. @param {string} key @param {Reader} reader @returns {Promise<TrafficModel | null>} */
  traffic(key, reader) {
    return this.#askTraffic(key, { call: 'traffic', reader });
  }

  /** Nothing when it was asked again meanwhile. @param {string} key @returns {Promise<WhyAnswer | null>} */
  why(key) {
    return this.#askWhy({ key }, { call: 'why' });
  }

  /**
   * A plan as a text to take along. Nothing when it was asked again meanwhile.
   * @param {string} key @param {ExportForm} form @returns {Promise<string | null>}
   */
  exported(key, form) {
    return this.#askWhy({ key }, { call: 'export', form });
  }

  /** Nothing when it was asked again meanwhile. @param {string} key @returns {Promise<Crossing | null>} */
  crossing(key) {
    return this.#askWhy({ key }, { call: 'crossing' });
  }

  /** The same of one pod of the Service. @param {string} key @param {string} pod @returns {Promise<WhyAnswer | null>} */
  whyPod(key, pod) {
    return this.#askWhy({ key, pod }, { call: 'whyPod' });
  }

  /**
   * Nothing when it was asked again meanwhile.
   * @param {string} key
   * @param {Reader} reader
   * @param {string} node
   * @returns {Promise<NodeTraffic | null>}
   */
  nodeTraffic(key, reader, node) {
    return this.#askTraffic(key, { call: 'node', reader, node });
  }

  /**
   * Nothing when it was asked again meanwhile.
   * @param {string} key
   * @param {string} other another input as text, or ''
   * @param {CompareColumn[]} columns
   * @param {Reader} reader
   * @param {Legend} legend
   * @returns {Promise<CompareAnswer | null>}
   */
  compare(key, other, columns, reader, legend) {
    return this.#askWhy({ key }, { call: 'compare', other, columns, reader, legend });
  }

  /** Has admission judge by the input that is loaded. @param {boolean} isRequest */
  judgeLoaded(isRequest) {
    return this.#judgeBy(() => this.#ask({ call: 'input' }), isRequest);
  }

  /** Has admission judge by a cluster. @param {Uint8Array} input @param {boolean} isRequest */
  judgeCluster(input, isRequest) {
    return this.#judgeBy(() => Promise.resolve(input), isRequest);
  }

  /** @param {() => Promise<Uint8Array>} input @param {boolean} isRequest */
  #judgeBy(input, isRequest) {
    this.#cluster = async () => ({ call: 'load', input: await input(), isRequest });
    return this.#loadCluster();
  }

  /** Not one that another has taken the place of while it was fetched. @returns {Promise<void>} */
  async #loadCluster() {
    const cluster = this.#cluster;
    const question = await cluster?.();
    if (question && cluster === this.#cluster) await this.#askAdmission(question);
  }

  /** Nothing when it was asked again meanwhile. @param {JudgeQuestion} question @param {string} config @returns {Promise<JudgeAnswer | null>} */
  judge(question, config) {
    return this.#askAdmission({ call: 'judge', question, config });
  }

  /** Objects that admission knows. @param {string} kind @param {string} find @returns {Promise<{names: ObjectName[], count: number}>} */
  judgeObjects(kind, find) {
    return this.#askAdmission({ call: 'objects', kind, find });
  }

  /** One of them as text. @param {string} kind @param {string} key @returns {Promise<string>} */
  judgeText(kind, key) {
    return this.#askAdmission({ call: 'text', kind, key });
  }

  /**
   * Begins to run a scenario, in place of the one before.
   * @param {string} text
   * @param {string} service
   * @returns {Promise<Awaited<ReturnType<import('./timeline.js').Runs['open']>>>}
   */
  openTimeline(text, service) {
    return this.#askTimeline({ call: 'open', text, service });
  }

  /** More of its steps; none at its end. @param {number} run @returns {Promise<import('./model/recording.js').Step[]>} */
  nextSteps(run) {
    return this.#askTimeline({ call: 'next', run });
  }

  /** The result of it all; nothing of a run that is over. @param {number} run @returns {Promise<import('./types.js').RunReport | null>} */
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
      return await this.#engine.ask(question);
    } catch (error) {
      if (error instanceof WorkerDied) this.#lost(question.call);
      throw error;
    }
  }

  /**
   * Asks the tools about the input, which they are given if they do not have it.
   * @param {{key: string, pod?: string}} about
   * @param {object} question a {@link ToolsQuestion} without its material
   * @param {boolean} [again] whether they have lost what they were given
   * @returns {Promise<any>}
   */
  async #askWhy(about, question, again = false) {
    const material = await this.#ask({ call: 'whyMaterial', ...about, again });
    if (!material) return null;
    const answer = await this.#askTools({ ...question, material }, material.input);
    return answer === LOST ? this.#askWhy(about, question, true) : answer;
  }

  /** @param {string} key @param {object} question @returns {Promise<any>} */
  async #askTraffic(key, question) {
    const material = await this.#ask({ call: 'trafficMaterial', key });
    return material && this.#askTools({ ...question, material }, material);
  }

  /** @param {object} question @param {Uint8Array | null} bytes handed over with it */
  #askTools(question, bytes) {
    return this.#tools.ask(/** @type {Unnumbered<ToolsQuestion>} */ (question), bytes ? [bytes.buffer] : []);
  }
}

/** @param {OpenAnswer<import('./model/packed.js').PackedModel>} answer @returns {OpenAnswer} */
function unpacked(answer) {
  return answer.ok ? { ...answer, model: answer.model && unpackModel(answer.model) } : answer;
}
