/**
 * What the page asks of its two workers: plans of the engine; of the tools, who serves whom and why. The tools are
 * not loaded before they are first asked.
 * @import {EditAnswer, Options, OpenAnswer, Reader, TrafficModel, WhyTopic} from './types.js'
 * @import {Question} from './worker.js'
 * @import {Question as ToolsQuestion} from './tools-worker.js'
 */
import { ENGINE_MISSING, TOOLS_MISSING } from './model/text.js';
import { WorkerClient, WorkerDied } from './worker-client.js';

/**
 * @template T
 * @typedef {T extends {id: number} ? Omit<T, 'id'> : never} Unnumbered
 */

/** Asks the engine and the tools in their workers. */
export class EngineClient {
  #engine = new WorkerClient(() => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'engine' }), ENGINE_MISSING);
  #tools = new WorkerClient(() => new Worker(new URL('./tools-worker.js', import.meta.url), { type: 'module', name: 'tools' }), TOOLS_MISSING);
  /** The input the engine has; it is not sent twice. @type {string | Uint8Array | null} */
  #sent = null;

  constructor() {
    this.#engine.start();
  }

  /** @param {string | Uint8Array} input @param {Options} overrides @param {string} service the one chosen, or '' @returns {Promise<OpenAnswer>} */
  open(input, overrides, service) {
    const known = input === this.#sent;
    this.#sent = input;
    return this.#ask({ call: 'open', input: known ? null : input, overrides, service });
  }

  /**
   * What an edit of objects changes in a text.
   * @param {string} text @param {Options} overrides @param {object} what @returns {Promise<EditAnswer>}
   */
  edit(text, overrides, what) {
    return this.#ask({ call: 'edit', text, overrides, what });
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
