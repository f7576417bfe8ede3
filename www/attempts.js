/**
 * What a change of the input leads to: it is made, the Service is planned again, the plan is written, and then the core is asked
 * about the result.
 * @import {Attempts, Deed, Fix, InputChange, Legend, Options, Outlook, Selection} from './types.js'
 * @import {WhyMaterial} from './engine.js'
 * @import {Kube} from './model/objects.js'
 * @import {ShortNode} from './model/opened.js'
 * @import {Explanation} from './model/why.js'
 * @import {Slice} from './model/service.js'
 */
import { SlicewiseError, apply, explain, glance, plan } from 'slicewise/tools';
import { trafficOf } from './compare.js';
import { patched } from './input/json-patch.js';
import { ColumnInput } from './model/column-input.js';
import { likenessOf } from './model/likeness.js';
import { askedAs, keyOf } from './model/objects.js';

/** Inputs above this size are not tried: an attempt reads all of it several times. */
export const LARGE = 1_000_000;
/** The most attempts for one answer. */
const MOST = 16;
/** The fields of a slice that a plan writes. */
const WRITTEN = ['endpoints', 'ports', 'metadata/labels', 'metadata/annotations'];
/** Pods that are shown beside a selector. */
const NEAREST = 3;

/**
 * @typedef {{service: Kube, pods: Kube[], nodes: Kube[], slices: Slice[], options: Options}} Request
 * @typedef {{outlook: Outlook, explanations: Explanation[]}} Result
 */

/** A Service of the input, to try changes on. */
export class Trial {
  #request;
  #left = MOST;
  /** @type {Map<string, Result | null>} */
  #tried = new Map();

  /** @param {Request} request */
  constructor(request) {
    this.#request = request;
  }

  /** Does a slice only lack pods that a proposal added? Their uid is that of another pod, and their name. @param {Explanation} explanation */
  isAboutCopies({ code, figures }) {
    if (code !== 'NotWrittenEndpoint') return false;
    const { pods } = this.#request;
    const copies = new Set(pods.flatMap(({ metadata: { name = '', uid } }) => (uid?.endsWith(`-${name}`) ? name : [])));
    return [figures?.names ?? []].flat().every((name) => copies.has(/** @type {string} */ (name)));
  }

  /** Null if the input is large, or has no such Service. @param {WhyMaterial} material @param {Legend} legend */
  static of(material, legend) {
    if (!material.question.service || material.input.length > LARGE) return null;
    return new Trial(requestOf(material, legend));
  }

  /** Null if the change cannot be made. @param {InputChange[]} changes */
  after(changes) {
    const key = JSON.stringify(changes);
    const known = this.#tried.get(key);
    if (known !== undefined) return known;
    if (this.#left === 0) return null;
    this.#left -= 1;
    const result = attempt(() => resultOf(written(changed(this.#request, changes))));
    this.#tried.set(key, result);
    return result;
  }

  /**
   * What explanations that are alike propose, as an edit that makes them go away; null if there is none.
   * @param {Explanation[]} alike @returns {Deed | null}
   */
  deedOf(alike) {
    const edits = alike.map((each) => this.#editOf(each));
    const changes = unique(edits.flatMap((edit) => edit ?? []));
    if (edits.includes(null) || changes.length === 0) return null;
    const result = this.after(changes);
    const keys = new Set(alike.map(keyOfExplanation));
    return result && !result.explanations.some((each) => keys.has(keyOfExplanation(each))) ? { changes, outlook: result.outlook } : null;
  }

  /** What the first fix changes in the input; null if that is not data. @param {Explanation} explanation */
  #editOf({ fixes: [fix] = [] }) {
    return fix?.resync ? this.#sync() : (fix?.changes ?? null);
  }

  /** The edit that writes the plan. @returns {InputChange[]} */
  #sync() {
    const { slices } = this.#request;
    const after = attempt(() => written(this.#request).slices) ?? slices;
    const [before, left] = [new Map(slices.map((slice) => [slice.metadata.name, slice])), new Set(after.map(({ metadata }) => metadata.name))];
    const gone = slices.filter(({ metadata: { name } }) => !left.has(name));
    return [
      ...after.flatMap((slice) => writeOf(before.get(slice.metadata.name), slice)),
      ...gone.map(({ metadata: { namespace, name = '' } }) => ({ kind: 'EndpointSlice', namespace, name, delete: true })),
    ];
  }

  /** The pods that nearly match a selector that matches none. @returns {Selection | null} */
  nearest() {
    const { service: { spec }, pods } = this.#request;
    const { services: [found] } = JSON.parse(explain(JSON.stringify(this.#request), {}));
    /** @type {Explanation | undefined} */
    const nothing = found.explanations.find((/** @type {Explanation} */ { code }) => code === 'SelectsNothing');
    const names = /** @type {string[]} */ ([nothing?.figures?.nearest ?? []].flat()).slice(0, NEAREST);
    const near = names.flatMap((name) => pods.find(({ metadata }) => metadata.name === name) ?? []);
    const selector = Object.entries(/** @type {{selector?: Record<string, string>}} */ (spec ?? {}).selector ?? {});
    return near.length === 0 ? null : { selector, pods: near.map(({ metadata: { name = '', labels } }) => ({ name, labels: labels ?? {} })) };
  }

  /** The edit to this number of ready pods. @param {number} pods @returns {InputChange[]} */
  scaled(pods) {
    return asked(this.#request, { endpoints: pods }).changes;
  }
}

/**
 * The results of the proposals for a Service; and if one of them does not keep its hints in a rollout, the same with the number of
 * pods that does.
 * @param {WhyMaterial} material @param {Fix[]} fixes @param {Legend} legend @returns {Attempts}
 */
export function attemptsOf(material, fixes, legend) {
  const trial = Trial.of(material, legend);
  const results = fixes.map(({ changes }) => trial?.after(changes) ?? null);
  return {
    now: trial?.after([])?.outlook ?? null,
    outlooks: results.map((result) => result?.outlook ?? null),
    steady: trial && steadyOf(trial, fixes, results),
  };
}

/** @param {Trial} trial @param {Fix[]} fixes @param {(Result | null)[]} results @returns {Attempts['steady']} */
function steadyOf(trial, fixes, results) {
  const at = results.findIndex((result) => result?.outlook.lasts === false && result.outlook.steady > 0);
  const [fix, pods] = [fixes[at], results[at]?.outlook.steady ?? 0];
  if (!fix) return null;
  const own = fix.changes.filter(({ kind }) => kind !== 'Pod');
  const changes = [...own, ...trial.scaled(pods)];
  return { title: own.length > 0 ? `${fix.title} with ${pods}` : `Use ${pods}`, changes, outlook: trial.after(changes)?.outlook ?? null };
}

/**
 * A selector that matches nothing, and the pods that the core finds nearest to it.
 * @param {WhyMaterial} material @param {Legend} legend @returns {{near: Selection | null}}
 */
export function selectionOf(material, legend) {
  return { near: Trial.of(material, legend)?.nearest() ?? null };
}

/** @param {WhyMaterial} material @param {Legend} legend */
export function likenessIn(material, legend) {
  const request = requestOf(material, legend);
  return { ...likenessOf(request, legend.labels), kubernetes: request.options.kubernetes };
}

/** A plan request for the Service. @param {WhyMaterial} material @param {Legend} legend @returns {Request} */
function requestOf({ input, question: { service: key = '', options } }, legend) {
  const columns = new ColumnInput(input, legend);
  return JSON.parse(new TextDecoder().decode(columns.request(key, columns.about(key).service, { ...columns.options, ...options })));
}

/** What says where a node is, and how much it sends. @param {Kube} node @returns {ShortNode} */
function sending({ metadata: { name = '', labels }, status }) {
  return { name, labels, status: { allocatable: status?.allocatable, conditions: status?.conditions } };
}

/** @param {Explanation} explanation */
function keyOfExplanation({ code, subject: { kind, name }, addressType, what }) {
  return JSON.stringify([code, kind, name, addressType, what]);
}

/** @param {InputChange[]} changes */
function unique(changes) {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

/** @template T @param {() => T} run @returns {T | null} null if there is nothing to change, or the core refuses the result */
function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (error instanceof SlicewiseError || error instanceof NothingToChange) return null;
    throw error;
  }
}

/** A change of an object that the input does not have. */
class NothingToChange extends Error {}

/** @param {Slice | undefined} before @param {Slice} after @returns {InputChange[]} */
function writeOf(before, after) {
  const { namespace, name = '' } = after.metadata;
  const identity = { kind: 'EndpointSlice', namespace, name };
  if (!before) return [{ ...identity, object: { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...after } }];
  const patch = WRITTEN.flatMap((field) => {
    const [old, value] = [before, after].map((/** @type {any} */ slice) => field.split('/').reduce((at, step) => at?.[step], slice));
    if (JSON.stringify(old) === JSON.stringify(value)) return [];
    return value === undefined ? { op: 'remove', path: `/${field}` } : { op: 'add', path: `/${field}`, value };
  });
  return patch.length > 0 ? [{ ...identity, patch }] : [];
}

/** All objects of a request have different names, as they are of one namespace. @param {Request} request @param {InputChange[]} changes */
function changed(request, changes) {
  /** @type {Record<string, any[]>} */
  const objects = { Service: [request.service], Pod: [...request.pods], Node: [...request.nodes], EndpointSlice: [...request.slices] };
  for (const { kind, name, copyOf, patch = [], ...change } of changes) {
    const list = objects[kind];
    const at = list?.findIndex(({ metadata }) => metadata.name === (copyOf ?? name)) ?? -1;
    if (change.object) {
      list.push(change.object);
      continue;
    }
    if (at < 0) throw new NothingToChange(`there is no ${kind} ${name}`);
    if (change.delete) list.splice(at, 1);
    else if (copyOf) list.push(patched(list[at], patch));
    else list[at] = patched(list[at], patch);
  }
  return { ...request, service: objects.Service[0], pods: objects.Pod, nodes: objects.Node, slices: objects.EndpointSlice };
}

/** The same with the slices that its plan leads to. @param {Request} request @returns {Request} */
function written(request) {
  return { ...request, slices: JSON.parse(apply(plan(JSON.stringify(request)), JSON.stringify(request.slices))).slices };
}

/** @param {Request} request @param {object} question */
function asked(request, question) {
  const service = askedAs(keyOf(request.service.metadata));
  return JSON.parse(glance(JSON.stringify(request), { ...question, service }));
}

/** @param {Request} request with written slices @returns {Result} */
function resultOf(request) {
  const { mode, applied } = asked(request, {});
  const { services: [{ verdict, explanations }], cluster } = JSON.parse(explain(JSON.stringify(request), {}));
  const flaps = explanations.find((/** @type {Explanation} */ { code }) => code === 'HintsMayFlap');
  const nodes = request.nodes.map(sending);
  const ports = trafficOf({ ...request, nodes }, JSON.parse(plan(JSON.stringify(request))), JSON.stringify(request.slices), 'kube-proxy');
  const [port] = ports.toSorted((one, other) => other.overload - one.overload);
  /** @type {Outlook} */
  const outlook = {
    severity: verdict.severity,
    hints: hintsOf(mode, applied),
    crossZone: port?.crossZone ?? null,
    busiest: port?.busiest ? { zone: port.busiest, times: 1 + port.overload } : null,
    lasts: mode === 'Auto' && applied ? !flaps : null,
    steady: Number(flaps?.figures?.steadyCount ?? 0),
  };
  return { outlook, explanations: [...explanations, ...cluster] };
}

/** @param {string} mode @param {boolean} applied */
function hintsOf(mode, applied) {
  if (mode === 'None') return 'none';
  return applied ? 'on' : 'off';
}
