/**
 * What the page asks of its workers: plans of the engine; of the tools, who serves whom, why, and what differs; of
 * admission, verdicts. None but the engine is loaded before it is first asked.
 * @import {CompareAnswer, Crossing, CompareColumn, JudgeAnswer, NodeTraffic, EditAnswer, ObjectName, OpenAnswer, Options} from './types.js'
 * @import {ExportForm, ObjectPage, ObjectQuery, Reader, TextPlace, TrafficModel, WhyTopic} from './types.js'
 * @import {Question as JudgeQuestion} from './admission.js'
 * @import {Question as AdmissionQuestion} from './admission-worker.js'
 * @import {Question as TimelineQuestion} from './timeline-worker.js'
 * @import {Recipe} from './input/generator.js'
 * @import {Question} from './worker.js'
 * @import {Question as ToolsQuestion} from './tools-worker.js'
 */
import { ADMISSION_MISSING, ENGINE_MISSING, TIMELINE_MISSING, TOOLS_MISSING } from './model/text.js';
import { unpackModel } from './model/packed.js';
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
  /** The cluster that admission judges by, and whether its worker has lost it. @type {{input: Uint8Array, isRequest: boolean} | null} */
  #cluster = null;
  #lost = false;
  /** The input the engine has; it is not sent twice. @type {string | Uint8Array | null} */
  #sent = null;

  constructor() {
    this.#engine.start();
  }

  /** @param {string | Uint8Array} input @param {Options} overrides @param {string} service the one chosen, or '' @returns {Promise<OpenAnswer>} */
  async open(input, overrides, service) {
    const known = input === this.#sent;
    this.#sent = input;
    const answer = await this.#ask({ call: 'open', input: known ? null : input, overrides, service });
    return answer.ok && answer.model ? { ...answer, model: unpackModel(answer.model) } : answer;
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
  async traffic(key, reader) {
    const material = await this.#ask({ call: 'trafficMaterial', key });
    return material && this.#askTools({ call: 'traffic', material, reader });
  }

  /** Nothing when it was asked again meanwhile. @param {string} key @returns {Promise<WhyTopic[] | null>} */
  async why(key) {
    const material = await this.#ask({ call: 'whyMaterial', key });
    return material && this.#askTools({ call: 'why', material });
  }

  /**
   * A plan as a text to take along. Nothing when it was asked again meanwhile.
   * @param {string} key @param {ExportForm} form @returns {Promise<string | null>}
   */
  async exported(key, form) {
    const material = await this.#ask({ call: 'whyMaterial', key });
    return material && this.#askTools({ call: 'export', material, form });
  }

  /** Nothing when it was asked again meanwhile. @param {string} key @returns {Promise<Crossing | null>} */
  async crossing(key) {
    const material = await this.#ask({ call: 'whyMaterial', key });
    return material && this.#askTools({ call: 'crossing', material });
  }

  /** The same of one pod of the Service. @param {string} key @param {string} pod @returns {Promise<WhyTopic[] | null>} */
  async whyPod(key, pod) {
    const material = await this.#ask({ call: 'whyMaterial', key, pod });
    return material && this.#askTools({ call: 'whyPod', material });
  }

  /**
   * Nothing when it was asked again meanwhile.
   * @param {string} key
   * @param {Reader} reader
   * @param {string} node
   * @returns {Promise<NodeTraffic | null>}
   */
  async nodeTraffic(key, reader, node) {
    const material = await this.#ask({ call: 'trafficMaterial', key });
    return material && this.#askTools({ call: 'node', material, reader, node });
  }

  /**
   * Nothing when it was asked again meanwhile.
   * @param {string} key
   * @param {string} other another input as text, or ''
   * @param {CompareColumn[]} columns
   * @param {Reader} reader
   * @returns {Promise<CompareAnswer | null>}
   */
  async compare(key, other, columns, reader) {
    const material = await this.#ask({ call: 'whyMaterial', key });
    return material && this.#askTools({ call: 'compare', material, other, columns, reader });
  }

  /** Has admission judge by the input that is loaded. @param {string} key of any Service in it @param {boolean} isRequest */
  async judgeLoaded(key, isRequest) {
    const material = await this.#ask({ call: 'whyMaterial', key });
    await this.judgeCluster(material?.input ?? new TextEncoder().encode('[]'), isRequest);
  }

  /** Has admission judge by a cluster. @param {Uint8Array} input @param {boolean} isRequest @returns {Promise<void>} */
  judgeCluster(input, isRequest) {
    this.#cluster = { input, isRequest };
    return this.#askAdmission({ call: 'load', input, isRequest });
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

  /** What came of it all; nothing of a run that is over. @param {number} run @returns {Promise<import('./types.js').RunReport | null>} */
  timelineReport(run) {
    return this.#askTimeline({ call: 'report', run });
  }

  /** @param {Unnumbered<TimelineQuestion>} question */
  #askTimeline(question) {
    return this.#timeline.ask(question);
  }

  /** @param {Unnumbered<AdmissionQuestion>} question */
  async #askAdmission(question) {
    if (this.#lost && question.call !== 'load' && this.#cluster) await this.#admission.ask({ call: 'load', ...this.#cluster });
    this.#lost = false;
    try {
      return await this.#admission.ask(question);
    } catch (error) {
      this.#lost = error instanceof WorkerDied;
      throw error;
    }
  }

  /** @param {Unnumbered<Question>} question */
  async #ask(question) {
    try {
      return await this.#engine.ask(question);
    } catch (error) {
      if (error instanceof WorkerDied) this.#sent = null;
      throw error;
    }
  }

  /** @param {Unnumbered<ToolsQuestion>} question */
  #askTools(question) {
    return this.#tools.ask(question);
  }
}
