/**
 * The only module that imports the package's main entry. It reads an input, asks the core for its plans, and keeps
 * both, so that the page can ask for one Service at a time. It runs in a worker (`worker.js`), and as well in Node.
 * @import {EditAnswer, Glance, ObjectPage, ObjectQuery, Options, OpenAnswer, Overview, Problem, ServiceModel, Zone} from './types.js'
 * @import {Operation} from './input/operations.js'
 * @import {Kube, Objects} from './model/objects.js'
 * @import {Plan, Slice} from './model/service.js'
 * @import {Reading} from './input/read.js'
 */
import { SlicewiseError, detect, glance, plan, planSnapshot } from '#page';
import { applyChanges } from './input/changes.js';
import { Desk } from './input/desk.js';
import { characterColumn, excerptOf } from './input/excerpt.js';
import { UnreadableInput, readInput } from './input/read.js';
import { Writer } from './input/rewrite.js';
import { jsonTree, valuesOf } from './input/text-tree.js';
import { SERVICE_NAME_LABEL, collectRequest, collectSnapshot, keyOf } from './model/objects.js';
import { entryOf, serviceModel } from './model/service.js';
import { zoneOf, zonesOf } from './model/zones.js';

/** What the core takes when a setting is left out. @type {Required<Options>} */
export const DEFAULT_OPTIONS = {
  managedBy: 'endpointslice-controller.k8s.io',
  maxEndpointsPerSlice: 100,
  topologyHints: true,
  preferSameTrafficDistribution: true,
};

/**
 * An input and its answer, taken apart.
 * @typedef {object} Opened
 * @property {Reading} reading
 * @property {Options} overrides
 * @property {Overview} overview
 * @property {Uint8Array} answer the bytes of the core, as they came
 * @property {Map<string, Plan>} plans
 * @property {Map<string, Kube>} services
 * @property {ShortNode[]} nodes
 * @property {Map<string, Slice[]>} slices by the Service they name
 * @property {Zone[]} zones
 * @property {Required<Options>} options
 *
 * @typedef {{name: string, labels?: Record<string, string> | null}} ShortNode a node as traffic is asked for with it
 *
 * @typedef {object} TrafficMaterial what `tools.js` needs to know of a Service to tell who serves whom, as JSON
 * @property {string} key
 * @property {Plan} plan
 * @property {Kube} service
 * @property {Slice[]} slices
 * @property {ShortNode[]} nodes
 * @property {boolean} preferSameTrafficDistribution
 *
 * @typedef {object} WhyMaterial the same to tell why
 * @property {Uint8Array} input
 * @property {{service: string, options: Options, pod?: string}} question
 */

/** A loaded input; one at a time. */
export class Engine {
  /** @type {string | Uint8Array} */
  #input = '';
  /** Of the input, unless it cannot be read. @type {Reading | null} */
  #reading = null;
  /** What is wrong with the input. @type {Problem | null} */
  #problem = null;
  /** @type {Opened | null} */
  #opened = null;
  #desk = new Desk((bytes) => (detect(bytes) === 'request' ? 'request' : 'snapshot'));

  /**
   * @param {string | Uint8Array | null} input what was typed, pasted, dropped or opened; nothing if it is the same as before
   * @param {Options} overrides the settings made on the page; those left out are the input's, or the default
   * @param {string} [service] the Service wanted; without it, or if it is not there, the first in which something happens
   * @returns {Promise<OpenAnswer>}
   */
  async open(input, overrides, service = '') {
    if (input !== null) [this.#input, this.#reading] = [input, null];
    try {
      const reading = (this.#reading ??= await readInput(typeof this.#input === 'string' ? new TextEncoder().encode(this.#input) : this.#input));
      const same = this.#opened?.reading === reading && JSON.stringify(this.#opened.overrides) === JSON.stringify(overrides);
      const opened = same && this.#opened ? this.#opened : this.#take(reading, overrides);
      const { overview, plans } = (this.#opened = opened);
      this.#problem = null;
      const key = plans.has(service) ? service : firstOfInterest(overview.services);
      const glanced = this.#glance(key);
      return { ok: true, overview, model: this.#service(key, glanced?.plan ?? ''), glance: glanced };
    } catch (error) {
      this.#problem = problemOf(error, this.#reading);
      return { ok: false, problem: this.#problem };
    }
  }

  /** @param {Reading} reading @param {Options} overrides @returns {Opened} */
  #take(reading, overrides) {
    const started = performance.now();
    const kind = detect(reading.bytes) === 'request' ? 'request' : 'snapshot';
    const { answer, options, root } = kind === 'request' ? askRequest(reading, overrides) : askSnapshot(reading, overrides);
    const milliseconds = performance.now() - started;
    const result = JSON.parse(new TextDecoder().decode(answer));
    /** @type {Plan[]} */
    const plans = kind === 'request' ? [result] : result.plans;
    const objects = kind === 'request' ? collectRequest(root) : collectSnapshot(root);
    const plansByKey = new Map(plans.map((each) => [keyOf(each.service), each]));
    /** @type {Overview} */
    const overview = {
      format: reading.format,
      kind,
      services: plans.map(entryOf),
      skipped: skippedServices(objects.Service, plansByKey),
      warnings: (result.warnings ?? []).map(wordsOf),
      ignored: result.ignored ?? {},
      objects: Object.fromEntries(Object.entries(objects).map(([name, list]) => [name, list.length])),
      options,
      milliseconds,
    };
    return {
      reading,
      overrides,
      overview,
      answer,
      plans: plansByKey,
      services: new Map(objects.Service.map((service) => [keyOf(service.metadata), service])),
      nodes: objects.Node.map(({ metadata: { name, labels } }) => ({ name: name ?? '', labels })),
      slices: slicesByService(objects.EndpointSlice),
      zones: zonesIn(objects, plans),
      options,
    };
  }

  /**
   * What an edit of objects changes in a text.
   * @param {string} text
   * @param {Options} overrides
   * @param {Operation} operation
   * @returns {Promise<EditAnswer>}
   */
  async edit(text, overrides, operation) {
    if (text === this.#input && this.#problem) return { ok: false, message: mendFirst(this.#problem) };
    try {
      const reading = text === this.#input ? this.#reading : null;
      const bytes = operation.do === 'scale' ? (reading ?? (await readInput(new TextEncoder().encode(text)))).bytes : new Uint8Array();
      return await this.#desk.edit(reading ?? text, operation, (service, pods, by) => scaled(bytes, { service, options: overrides }, pods, by));
    } catch (error) {
      return { ok: false, message: mendFirst(problemOf(error, null)) };
    }
  }

  /** Objects of the input that was opened last, if it can be read. @param {ObjectQuery} query @returns {Promise<ObjectPage | null>} */
  objects(query) {
    return this.#reading ? this.#desk.list(this.#reading, query) : Promise.resolve(null);
  }

  /** Where an object is written, in the input that was opened last. @param {{kind: string, namespace?: string, name: string}} object */
  place(object) {
    return this.#reading ? this.#desk.place(this.#reading, object) : Promise.resolve(null);
  }

  /** @param {string} key @param {string} sentence @returns {ServiceModel | null} */
  #service(key, sentence) {
    const found = this.#opened?.plans.get(key);
    if (!this.#opened || !found) return null;
    const { slices, zones, options } = this.#opened;
    return serviceModel(found, slices.get(key) ?? [], zones, options.maxEndpointsPerSlice, sentence);
  }

  /** @param {string} key @returns {Glance | null} */
  #glance(key) {
    const opened = this.#opened;
    const found = opened?.plans.get(key);
    if (!opened || !found) return null;
    /** @param {number} count */
    const lookAround = (count) => {
      const [from, to] = rangeAround(count);
      return { ...look(opened.reading.bytes, { service: nameOf(found), options: opened.overrides, from, to }), range: [Math.min(from, count), to] };
    };
    const looked = lookAround(found.stats.endpoints);
    // Not all endpoints are ready, and there may be two families of them.
    return looked.ready >= looked.range[0] && looked.ready <= looked.range[1] ? looked : lookAround(looked.ready);
  }

  /** @param {string} key @returns {Uint8Array | null} */
  trafficMaterial(key) {
    const opened = this.#opened;
    const [found, service] = [opened?.plans.get(key), opened?.services.get(key)];
    if (!opened || !found || !service) return null;
    const { nodes, slices, options: { preferSameTrafficDistribution } } = opened;
    /** @type {TrafficMaterial} */
    const material = { key, plan: found, service, slices: slices.get(key) ?? [], nodes, preferSameTrafficDistribution };
    return new TextEncoder().encode(JSON.stringify(material));
  }

  /** @param {string} key @param {string} [pod] if it is about this one only @returns {WhyMaterial | null} */
  whyMaterial(key, pod) {
    const opened = this.#opened;
    const found = opened?.plans.get(key);
    if (!opened || !found) return null;
    return { input: opened.reading.bytes, question: { service: nameOf(found), options: opened.overrides, pod } };
  }

  /** One plan, laid out to be read. @param {string} key */
  planText(key) {
    return JSON.stringify(this.#opened?.plans.get(key) ?? null, null, 2);
  }

  /** The answer of the core, byte for byte. */
  answer() {
    return this.#opened?.answer ?? new Uint8Array();
  }
}

/** @param {Uint8Array} bytes @param {import('slicewise').GlanceQuestion} question */
function look(bytes, question) {
  return JSON.parse(new TextDecoder().decode(glance(bytes, question)));
}

/**
 * What the core would change in the input for a Service to have so many ready pods.
 * @param {Uint8Array} bytes
 * @param {{service: string, options: Options}} question
 * @param {number | undefined} pods
 * @param {number} by so many more than there are, if their number is not given
 */
function scaled(bytes, question, pods, by) {
  return look(bytes, { ...question, endpoints: pods ?? Math.max(0, look(bytes, question).ready + by) }).changes;
}

/** As questions name a Service. @param {Plan} plan */
function nameOf({ service: { namespace, name } }) {
  return `${namespace}/${name}`;
}

/** The counts a slider is set out over: they stay while it is moved, until it comes to the next ones. @param {number} count */
function rangeAround(count) {
  const [least, width] = [3, 22];
  const from = least + Math.max(0, Math.floor((count - least) / width)) * width;
  return [from, from + width - 1];
}

/** @param {Problem} problem */
function mendFirst({ line, message }) {
  return line ? `Mend line ${line} of the text first: ${message}` : message;
}

/** @param {Overview['services']} services */
function firstOfInterest(services) {
  const busy = services.find(({ counts }) => counts.created + counts.updated + counts.deleted > 0);
  return (busy ?? services[0])?.key ?? '';
}

/**
 * The request goes to the core as it is, for its errors to have the right place; with settings made on the
 * page, a second time with those in it.
 * @param {Reading} reading
 * @param {Options} overrides
 */
function askRequest(reading, overrides) {
  const answer = plan(reading.bytes);
  const text = new TextDecoder().decode(reading.bytes);
  const root = JSON.parse(text);
  const options = { ...DEFAULT_OPTIONS, ...withoutNulls(root.options), ...overrides };
  if (Object.keys(overrides).length === 0) return { answer, options, root };
  // Written into the text: what JavaScript cannot hold, such as a number beyond 2^53, stays as it is.
  const changes = new Writer(text, null).differences(jsonTree(text), root, { ...root, options: { ...root.options, ...overrides } });
  const bytes = new TextEncoder().encode(applyChanges(text, changes));
  return { answer: underSettings(overrides, () => plan(bytes)), options, root };
}

/** @param {Reading} reading @param {Options} overrides */
function askSnapshot(reading, overrides) {
  const answer = underSettings(overrides, () => planSnapshot(reading.bytes, overrides));
  return { answer, options: { ...DEFAULT_OPTIONS, ...overrides }, root: valuesOf(new TextDecoder().decode(reading.bytes)) };
}

/** A setting of the page that the core refuses; it has no place in the input. */
class RefusedSetting extends Error {
  /** @param {SlicewiseError} error */
  constructor({ code, message, path }) {
    super(message);
    this.problem = { code, message, path, setting: true };
  }
}

/**
 * @template T
 * @param {Options} overrides
 * @param {() => T} ask
 */
function underSettings(overrides, ask) {
  try {
    return ask();
  } catch (error) {
    const at = error instanceof SlicewiseError ? error.path?.replace('/options/', '/') : undefined;
    const refused = Object.keys(overrides).some((name) => at === `/${name}`);
    throw refused && error instanceof SlicewiseError ? new RefusedSetting(error) : error;
  }
}

/** @param {Record<string, unknown> | null | undefined} options @returns {Options} */
function withoutNulls(options) {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== null));
}

/** @param {Slice[]} slices */
function slicesByService(slices) {
  /** @type {Map<string, Slice[]>} */
  const services = new Map();
  for (const slice of slices) {
    const name = slice.metadata.labels?.[SERVICE_NAME_LABEL];
    if (!name) continue;
    const key = keyOf({ namespace: slice.metadata.namespace ?? '', name });
    services.set(key, [...(services.get(key) ?? []), slice]);
  }
  return services;
}

/** @param {Objects} objects @param {Plan[]} plans */
function zonesIn(objects, plans) {
  const slices = [...objects.EndpointSlice, ...plans.flatMap((each) => [...each.create, ...each.update])];
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  return zonesOf([
    ...objects.Node.map((node) => zoneOf(node.metadata)),
    ...endpoints.map((endpoint) => endpoint.zone ?? ''),
    ...endpoints.flatMap((endpoint) => (endpoint.hints?.forZones ?? []).map((zone) => zone.name)),
  ]);
}

/** @param {Kube[]} services @param {Map<string, Plan>} plans */
function skippedServices(services, plans) {
  return services
    .filter((service) => !plans.has(keyOf(service.metadata)))
    .map((service) => ({ key: keyOf(service.metadata), reason: skipReason(service) }));
}

/** @param {Kube} service */
function skipReason(service) {
  if (service.spec?.type === 'ExternalName') return 'is of type ExternalName';
  const selector = Object.keys(service.spec?.selector ?? {});
  return selector.length === 0 ? 'has no selector' : 'has no plan';
}

/** @param {unknown} warning */
function wordsOf(warning) {
  if (typeof warning === 'string') return warning;
  const { message } = /** @type {{message?: string}} */ (warning ?? {});
  return message ?? JSON.stringify(warning);
}

/** @param {unknown} error @param {Reading | null} reading @returns {Problem} */
function problemOf(error, reading) {
  if (error instanceof WebAssembly.RuntimeError) throw error;
  if (error instanceof UnreadableInput) {
    const { code, message, line, column, text } = error;
    return { code, message, line, column, excerpt: excerptOf(text, line, column) };
  }
  if (error instanceof RefusedSetting) return error.problem;
  if (!(error instanceof SlicewiseError)) return { code: 'Internal', message: String(error) };
  const { code, message, path } = error;
  if (!reading) return { code, message, path };
  const { line, column } = (reading.format === 'yaml' ? reading.locate(path ?? '') : placeInJson(error, reading.text)) ?? {};
  return { code, message, path, line, column, excerpt: excerptOf(reading.text, line, column) };
}

/** @param {{line?: number, column?: number}} error @param {string} text */
function placeInJson({ line, column }, text) {
  return line && column ? { line, column: characterColumn(text, line, column) } : { line, column };
}
