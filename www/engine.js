/**
 * The only module that imports the page's own part of the core. It reads an input, asks the core for its plans, and keeps
 * both, so that the page can ask for one Service at a time. It runs in a worker (`worker.js`), and also in Node.
 * @import {EditAnswer, Glance, HintsState, Legend, ObjectPage, ObjectQuery, Options, OpenAnswer, Overview, Problem, ScaleAnswer} from './types.js'
 * @import {TextChange} from './input/changes.js'
 * @import {Operation} from './input/operations.js'
 * @import {Reading} from './input/read.js'
 * @import {Scaling} from './input/scaling.js'
 * @import {Place, Range} from './input/scan.js'
 * @import {Kube} from './model/objects.js'
 * @import {Opened, ShortNode} from './model/opened.js'
 * @import {PackedModel} from './model/packed.js'
 * @import {Plan, Slice} from './model/service.js'
 */
import { SlicewiseError, detect, edit as editObjects, glance, legend, look, partners } from '#page';
import { applyChanges } from './input/changes.js';
import { characterColumn, excerptOf } from './input/excerpt.js';
import { changedReading, readInput } from './input/read.js';
import { UnreadableInput } from './input/unreadable.js';
import { OPTIONS, movedPlaces, placesIn, valueAt } from './input/scan.js';
import { joined } from './model/bytes.js';
import { askedAs, keyOf } from './model/objects.js';
import { byKind, metadataAt, modelOf, piece, plansIn, shortNode, slicesByService, withoutSlices } from './model/opened.js';
import { entryOf } from './model/service.js';
import { EDITING_MISSING } from './model/text.js';

/** The range of a slider's counts: fixed while it moves, until it reaches the next range. */
const WIDTH = 22;
/** The beginning of the answer to a snapshot. */
const SEVERAL = '{"plans"';

/** The core's words for what is drawn, and its default options. @type {Legend} */
const LEGEND = legend();

/**
 * @typedef {object} TrafficMaterial the input of `tools.js` for a Service's traffic, as JSON
 * @property {Plan} plan
 * @property {Kube} service
 * @property {Slice[]} slices
 * @property {ShortNode[]} nodes
 * @property {boolean} preferSameTrafficDistribution
 * @property {string} kubernetes
 *
 * @typedef {{text: string, reading: Reading | null, scalings: Map<string, Scaling>}} Base what is edited: a text, its reading if it
 *   has been read, and what the core was asked about its Services' pods
 *
 * @typedef {object} WhyMaterial the input for explanations
 * @property {Uint8Array} input
 * @property {{service?: string, options: Options, pod?: string}} question
 */

/** What edits the input could not be loaded. */
class NoEditing extends Error {}

/** Loads what lists, edits and generates objects. */
export async function editing() {
  try {
    return await import(/* webpackChunkName: "editing" */ './input/editing.js');
  } catch (cause) {
    throw new NoEditing(EDITING_MISSING, { cause });
  }
}

/** A loaded input; one at a time. */
export class Engine {
  /** Null if the reading has it. @type {string | Uint8Array | null} */
  #input = '';
  /** What was scaled last. @type {Base} */
  #base = { text: '', reading: null, scalings: new Map() };
  /** The input, unless it cannot be read. @type {Reading | null} */
  #reading = null;
  /** The error in the input. @type {Problem | null} */
  #problem = null;
  /** @type {Opened | null} */
  #opened = null;
  /** @type {import('./input/desk.js').Desk | null} */
  #desk = null;

  /**
   * @param {string | Uint8Array | TextChange | null} input what was typed, pasted, dropped or opened; or the change of the text
   *   that it was before; null if unchanged
   * @param {Options} overrides the settings made on the page; others come from the input, or are the default
   * @param {string} [service] the Service to show; if missing, the first with changes
   * @returns {Promise<OpenAnswer<PackedModel>>}
   */
  async open(input, overrides, service = '') {
    const before = this.#opened;
    const places = this.#receive(input);
    try {
      const reading = (this.#reading ??= await readInput(this.#input ?? ''));
      const same = before?.reading === reading && JSON.stringify(before.overrides) === JSON.stringify(overrides);
      const opened = same && before ? before : take(reading, overrides, service, before?.reading === reading ? before.places : places);
      const { overview, plans } = (this.#opened = opened);
      this.#problem = null;
      const key = plans.has(service) ? service : firstOfInterest(overview.services);
      const glanced = this.#glance(key);
      return { ok: true, overview, model: modelOf(opened, key, glanced?.plan ?? '', LEGEND, partners), glance: glanced };
    } catch (error) {
      this.#problem = problemOf(error, this.#reading);
      return { ok: false, problem: this.#problem };
    }
  }

  /**
   * @param {string | Uint8Array | TextChange | null} input
   * @returns {Place[] | null} the places of its objects, if a change leaves no doubt
   */
  #receive(input) {
    if (input === null) return null;
    const [opened, before] = [this.#opened, this.#reading];
    this.#reading = null;
    if (typeof input === 'string' || input instanceof Uint8Array) {
      this.#input = input;
      return null;
    }
    const reading = before && changedReading(before, [input]);
    if (!reading) {
      this.#input = applyChanges(this.#textOf(before), [input]);
      return null;
    }
    [this.#input, this.#reading] = [null, reading];
    return opened?.reading === before ? movedPlaces(opened.places, input, reading.bytes, opened.overview.kind) : null;
  }

  /** @param {Reading | null} reading of the input */
  #textOf(reading) {
    return typeof this.#input === 'string' ? this.#input : (reading?.text ?? '');
  }

  /**
   * The text changes for an edit of objects.
   * @param {string | null} given null for the text that was opened last
   * @param {Options} overrides
   * @param {Operation} operation
   * @returns {Promise<EditAnswer>}
   */
  async edit(given, overrides, operation) {
    const isOpened = given === null || given === this.#input;
    if (isOpened && this.#problem) return { ok: false, message: mendFirst(this.#problem) };
    const text = given ?? this.#textOf(this.#reading);
    return await this.#edited({ text, reading: isOpened ? this.#reading : null, scalings: new Map() }, overrides, operation);
  }

  /**
   * @param {Base} base @param {Options} overrides @param {Operation} operation @returns {Promise<EditAnswer>}
   */
  async #edited({ text, reading, scalings }, overrides, operation) {
    try {
      const bytes = operation.do === 'scale' ? (reading ?? (await readInput(text))).bytes : new Uint8Array();
      const { Scaling } = await editing();
      /** @type {import('./input/operations.js').Core['scale']} */
      const scale = (service, pods, by) => {
        const question = { service: askedAs(service), options: overrides };
        const key = JSON.stringify(question);
        const scaling = scalings.get(key) ?? new Scaling((endpoints) => ask(bytes, { ...question, endpoints }));
        scalings.set(key, scaling);
        return scaling.to(pods, by);
      };
      return await (await this.#loadDesk()).edit(reading ?? text, operation, { edit: editObjects, scale, list });
    } catch (error) {
      if (error instanceof NoEditing) return { ok: false, message: error.message };
      return { ok: false, message: mendFirst(problemOf(error, null)) };
    }
  }

  /**
   * Opens a text with another number of ready pods in it.
   * @param {string | TextChange | null} base the text; or the change of the one opened last; null for the base of the last call
   * @param {Options} overrides
   * @param {{service: string, pods: number}} wanted
   * @param {string} service the Service to show
   * @returns {Promise<ScaleAnswer<PackedModel>>}
   */
  async scale(base, overrides, wanted, service) {
    if (base !== null) {
      const text = typeof base === 'string' ? base : applyChanges(this.#textOf(this.#reading), [base]);
      this.#base = { text, reading: await readInput(text).catch(() => null), scalings: new Map() };
    }
    const { text, reading } = this.#base;
    const edit = await this.#edited(this.#base, overrides, { do: 'scale', ...wanted });
    const changes = edit.ok ? edit.changes : [];
    const after = reading && changedReading(reading, changes);
    if (!after) return { edit, answer: await this.open(applyChanges(text, changes), overrides, service) };
    [this.#input, this.#reading] = [null, after];
    return { edit, answer: await this.open(null, overrides, service) };
  }

  /** Objects of the input that was opened last, if it can be read. @param {ObjectQuery} query @returns {Promise<ObjectPage | null>} */
  async objects(query) {
    return this.#reading && (await this.#loadDesk()).list(this.#reading, query, { list });
  }

  /** The position of an object in the input that was opened last. @param {{kind: string, namespace?: string, name: string}} object */
  async place(object) {
    return this.#reading && (await this.#loadDesk()).place(this.#reading, object);
  }

  async #loadDesk() {
    const { Desk } = await editing();
    return (this.#desk ??= new Desk((bytes) => (detect(bytes) === 'request' ? 'request' : 'snapshot'), LEGEND));
  }

  /** @param {string} key @returns {Glance | null} */
  #glance(key) {
    const opened = this.#opened;
    if (!opened?.plans.has(key)) return null;
    const { glance: first, reading: { bytes }, overrides } = opened;
    return first && keyOf(first.service) === key ? first : ask(bytes, { service: askedAs(key), options: overrides, width: WIDTH });
  }

  /** The core's sentence about each Service. @param {string[]} keys */
  headlines(keys) {
    const opened = this.#opened;
    if (!opened) return [];
    const { reading: { bytes }, overrides } = opened;
    return keys.map((key) => ask(bytes, { service: askedAs(key), options: overrides }).headline);
  }

  /** A {@link TrafficMaterial}: excerpts of the input and the answer, unchanged. @param {string} key @returns {Uint8Array | null} */
  trafficMaterial(key) {
    const opened = this.#opened;
    const [found, service] = [opened?.plans.get(key), opened?.services.get(key)];
    if (!opened || !found || !service) return null;
    const { reading: { bytes }, answer, options } = opened;
    const slices = (opened.slices.get(key) ?? []).map((range) => piece(bytes, range));
    const nodes = opened.nodes.map((node) => shortNode(bytes, node));
    return joined([
      ...['{"plan":', piece(answer, found.plan), ',"service":', piece(bytes, service)],
      ...[',"slices":[', ...slices.flatMap((slice, index) => (index === 0 ? [slice] : [',', slice])), ']'],
      `,"nodes":${JSON.stringify(nodes)},"preferSameTrafficDistribution":${options.preferSameTrafficDistribution}`,
      `,"kubernetes":${JSON.stringify(options.kubernetes)}}`,
    ]);
  }

  /** @param {string} key a Service, or '' for all @param {string} [pod] to ask about this pod only @returns {WhyMaterial | null} */
  whyMaterial(key, pod) {
    const opened = this.#opened;
    if (!opened || (key !== '' && !opened.plans.has(key))) return null;
    return { input: opened.reading.bytes, question: { service: key === '' ? undefined : askedAs(key), options: opened.overrides, pod } };
  }

  /** One plan as indented JSON. @param {string} key */
  planText(key) {
    const opened = this.#opened;
    const found = opened?.plans.get(key);
    return JSON.stringify(opened && found ? valueAt(opened.answer, found.plan) : null, null, 2);
  }

  /** The input of one Service only. @param {{key: string, renamed: boolean}} which @returns {Promise<{text: string, key: string} | null>} */
  async reduced(which) {
    const opened = this.#opened;
    const { reduced } = await import(/* webpackChunkName: "reduce" */ './input/reduce.js');
    return opened && reduced(JSON.parse(new TextDecoder().decode(opened.reading.bytes)), opened.overview.kind, which, LEGEND);
  }

  /** The input as JSON. */
  input() {
    return this.#opened?.reading.bytes ?? new TextEncoder().encode('[]');
  }

  /** The answer of the core, byte for byte. */
  answer() {
    return this.#opened?.answer ?? new Uint8Array();
  }
}

/**
 * @param {Reading} reading @param {Options} overrides @param {string} service
 * @param {Place[] | null} known the places of its objects, if they are known
 * @returns {Opened}
 */
function take(reading, overrides, service, known) {
  const started = performance.now();
  const { bytes } = reading;
  const { line, plans: answer } = underSettings(overrides, () => look(bytes, { service: askedAs(service), options: overrides, width: WIDTH }));
  const milliseconds = performance.now() - started;
  const kind = new TextDecoder().decode(answer.subarray(0, SEVERAL.length)) === SEVERAL ? 'snapshot' : 'request';
  const places = known ?? placesIn(bytes, kind);
  const own = ownOptions(bytes, places);
  const options = { ...LEGEND.options, ...own, ...overrides };
  const planPlaces = plansIn(answer, kind);
  const result = withoutSlices(answer, { from: 0, to: answer.length }, planPlaces);
  /** @type {Plan[]} */
  const planned = kind === 'request' ? [result] : result.plans;
  /** @type {{glance: Opened['glance'], hints: HintsState[]}} */
  const looked = JSON.parse(new TextDecoder().decode(line));
  const plans = new Map(planned.map((each, index) => [keyOf(each.service), planPlaces[index]]));
  const objects = byKind(places);
  const services = new Map(objects.Service.map((place) => [keyOf(metadataAt(bytes, place, kind)), place]));
  /** @type {Overview} */
  const overview = {
    format: reading.format,
    kind,
    services: planned.map((each, index) => entryOf(each, looked.hints[index])),
    skipped: [...services.keys()].filter((key) => !plans.has(key)),
    warnings: (result.warnings ?? []).map(wordsOf),
    ignored: result.ignored ?? {},
    objects: Object.fromEntries(Object.entries(objects).map(([name, found]) => [name, found.length])),
    options,
    ownOptions: own,
    kubernetesVersions: LEGEND.kubernetesVersions,
    mostEndpointsPerSlice: LEGEND.mostEndpointsPerSlice,
    milliseconds,
  };
  const slices = slicesByService(bytes, objects.EndpointSlice, kind, LEGEND);
  const hints = new Map(overview.services.map((each) => [each.key, each.hints]));
  const { glance: glanced } = looked;
  return { reading, places, overrides, overview, answer, glance: glanced, plans, hints, services, nodes: objects.Node, slices, zones: null, options };
}

/** @param {Uint8Array} bytes @param {object} question */
function ask(bytes, question) {
  return JSON.parse(new TextDecoder().decode(glance(bytes, question)));
}

/** The text of a generated input. @param {import('./input/generator.js').Recipe} recipe */
export async function generated(recipe) {
  const { asking, generate } = await editing();
  return generate(recipe, (service, hints) => asking(service, hints, glance));
}

/**
 * What a list says of objects; nothing if one of them cannot be read, which the plan reports.
 * @type {import('./input/operations.js').Core['list']}
 */
function list(objects) {
  try {
    return editObjects({ do: 'list', objects });
  } catch (error) {
    if (error instanceof SlicewiseError) return [];
    throw error;
  }
}

/** @param {Problem} problem */
function mendFirst({ line, message }) {
  return line ? `Fix line ${line} of the text first: ${message}` : message;
}

/** @param {Overview['services']} services */
function firstOfInterest(services) {
  const busy = services.find(({ counts }) => counts.created + counts.updated + counts.deleted > 0);
  return (busy ?? services[0])?.key ?? '';
}

/** The options of a request that are set. @param {Uint8Array} bytes @param {Place[]} places @returns {Options} */
function ownOptions(bytes, places) {
  const place = places.findLast(({ kind }) => kind === OPTIONS);
  const own = place ? valueAt(bytes, place) : null;
  return Object.fromEntries(Object.entries(own ?? {}).filter(([, value]) => value !== null));
}

/** A setting of the page that the core refuses; it has no position in the input. */
class RefusedSetting extends Error {
  /** @param {InstanceType<typeof SlicewiseError>} error */
  constructor({ code, message, path }) {
    super(message);
    this.problem = { code, message, path, setting: true };
  }
}

/**
 * @template T
 * @param {Options} overrides
 * @param {() => T} run
 */
function underSettings(overrides, run) {
  try {
    return run();
  } catch (error) {
    const at = error instanceof SlicewiseError ? error.path?.replace('/options/', '/') : undefined;
    const refused = Object.keys(overrides).some((name) => at === `/${name}`);
    throw refused && error instanceof SlicewiseError ? new RefusedSetting(error) : error;
  }
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
