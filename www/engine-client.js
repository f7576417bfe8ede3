/**
 * What the page asks of its two workers: plans of the engine; of the tools, who serves whom and why. The tools are
 * not loaded before they are first asked.
 * @import {Options, OpenAnswer, Reader, ServiceModel, TrafficModel, WhyTopic} from './types.js'
 * @import {Question} from './worker.js'
 * @import {Question as ToolsQuestion} from './tools-worker.js'
 */
import { TOOLS_MISSING } from './model/text.js';
import { WorkerClient } from './worker-client.js';

/**
 * @template T
 * @typedef {T extends {id: number} ? Omit<T, 'id'> : never} Unnumbered
 */

/** Asks the engine and the tools in their workers. */
export class EngineClient {
  #engine = new WorkerClient(
    new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'engine' }),
    'the engine could not be loaded',
  );
  /** @type {WorkerClient | null} */
  #tools = null;

  /** @param {Uint8Array} raw @param {Options} overrides @returns {Promise<OpenAnswer>} */
  open(raw, overrides) {
    return this.#ask({ call: 'open', raw, overrides });
  }

  /** @param {string} key @returns {Promise<ServiceModel | null>} */
  service(key) {
    return this.#ask({ call: 'service', key });
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
  #ask(question) {
    return this.#engine.ask(question);
  }

  /** @param {Unnumbered<ToolsQuestion>} question */
  #askTools(question) {
    this.#tools ??= new WorkerClient(new Worker(new URL('./tools-worker.js', import.meta.url), { type: 'module', name: 'tools' }), TOOLS_MISSING);
    return this.#tools.ask(question);
  }
}
