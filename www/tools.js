/**
 * Traffic and explanations: questions for `slicewise/tools`, which only this file and
 * `compare.js` import. It runs in its own worker (`tools-worker.js`), and also in Node.
 * @import {Crossing, ExportForm, Legend, NodeTraffic, Reader, TrafficModel, UpgradeAnswer, Verdicts} from './types.js'
 * @import {Versions, WhyAnswer} from './types.js'
 * @import {TrafficMaterial, WhyMaterial} from './engine.js'
 * @import {Plan, Slice} from './model/service.js'
 */
import { apply, explain, exported, glance, route, traffic, upgrade } from 'slicewise/tools';
import { LARGE, Trial } from './attempts.js';
import { nodeTraffic } from './model/node-traffic.js';
import { keyOf } from './model/objects.js';
import { countsOf, familiesOf } from './model/service.js';
import { isEmpty, sentence } from './model/text.js';
import { portsOf } from './model/traffic.js';
import { ofSlices, topicsOf } from './model/why.js';

export { attemptsOf, likenessIn, selectionOf } from './attempts.js';
export { compareOf } from './compare.js';

/** The only reader for which `route` reports every step. */
const TOLD_STEP_BY_STEP = 'kube-proxy';

/** @param {Uint8Array} material a {@link TrafficMaterial} @param {Reader} reader @returns {TrafficModel} */
export function trafficOf(material, reader) {
  const { nodes, families } = situationsOf(material, reader);
  const answers = families.map(({ now, after }) => ({ now: ask({ ...now, nodes }), after: after && ask({ ...after, nodes }) }));
  const ports = nodes.length === 0 ? [] : answers.flatMap(({ now, after }) => portsOf(now, after));
  const places = (answers[0]?.now.nodes ?? []).map(({ node, zone }) => ({ name: node, zone }));
  return { ports, nodes: places, assumption: answers[0]?.now.assumption ?? '', note: ports.length === 0 ? noteOf(nodes, answers) : '' };
}

/**
 * Why there is no answer.
 * @param {object[]} nodes @param {{now: import('./model/traffic.js').Answer}[]} answers
 */
function noteOf(nodes, answers) {
  const missing = nodes.length === 0 ? ['There are no Nodes, from which traffic originates.'] : [];
  const messages = answers.flatMap(({ now }) => now.notProxied).map(({ message }) => sentence(message));
  return [...new Set([...missing, ...messages])].join(' ');
}

/**
 * The traffic of one node, for a reader.
 * @param {Uint8Array} material a {@link TrafficMaterial}
 * @param {Reader} reader
 * @param {string} name
 * @returns {NodeTraffic | null} null if the node does not exist
 */
export function nodeTrafficOf(material, reader, name) {
  const { nodes, families } = situationsOf(material, reader);
  const node = nodes.find((each) => each.name === name);
  if (!node) return null;
  /** @param {object} situation */
  const side = (situation) => ({
    traffic: ask({ ...situation, nodes: [node] }),
    route: reader === TOLD_STEP_BY_STEP ? askRoute({ ...situation, node }) : null,
  });
  return nodeTraffic(name, families.map(({ now, after }) => ({ now: side(now), after: after && side(after) })));
}

/**
 * The Service in each of its families, with the current slices, and with the planned ones if the plan writes any.
 * @param {Uint8Array} bytes a {@link TrafficMaterial}
 * @param {Reader} reader
 */
function situationsOf(bytes, reader) {
  /** @type {TrafficMaterial} */
  const { plan, service, slices, nodes, preferSameTrafficDistribution, kubernetes } = JSON.parse(new TextDecoder().decode(bytes));
  const then = isEmpty(countsOf(plan)) ? null : slicesAfter(plan, slices);
  const families = familiesOf(plan).map((addressType) => {
    const common = { service, reader, addressType, preferSameTrafficDistribution, kubernetes };
    return { now: { ...common, slices }, after: then && { ...common, slices: then } };
  });
  return { nodes, families };
}

// Text is passed through unchanged; objects would be searched for what JSON cannot represent.

/** @param {Plan} plan @param {Slice[]} slices @returns {Slice[]} */
function slicesAfter(plan, slices) {
  return JSON.parse(apply(JSON.stringify(plan), JSON.stringify(slices))).slices;
}

/** @param {object} request @returns {import('./model/traffic.js').Answer} */
function ask(request) {
  return JSON.parse(traffic(JSON.stringify(request)));
}

/** @param {{reader?: string, node: object}} request @returns {import('./model/node-traffic.js').RouteAnswer} */
function askRoute({ reader: _, ...request }) {
  return JSON.parse(route(JSON.stringify(request)));
}

/** How much of the traffic crosses zones, now and after the plan. @param {WhyMaterial} material @returns {Crossing | null} */
export function crossingOf({ input, question }) {
  return JSON.parse(new TextDecoder().decode(glance(input, question))).traffic ?? null;
}

/** @param {WhyMaterial} material @param {Legend} legend @returns {WhyAnswer} */
export function whyOf(material, legend) {
  const { services, cluster } = JSON.parse(new TextDecoder().decode(explain(material.input, material.question)));
  const trial = Trial.of(material, legend);
  const told = [...services.flatMap((/** @type {any} */ each) => each.explanations), ...cluster];
  const explanations = told.filter((each) => !trial?.isAboutCopies(each));
  const topics = topicsOf(explanations, (alike) => trial?.deedOf(alike) ?? null);
  const isAnyTried = topics.some(({ entries }) => entries.some(({ deed }) => deed));
  return { topics, now: (isAnyTried && trial?.after([])?.outlook) || null, slices: ofSlices(explanations) };
}

/** The verdict on each Service. @param {WhyMaterial} material @returns {Verdicts} */
export function verdictsOf({ input, question }) {
  const { services } = JSON.parse(new TextDecoder().decode(explain(input, question)));
  return Object.fromEntries(services.map((/** @type {any} */ { service, verdict }) => [keyOf(service), verdict]));
}

/**
 * What changes from one version of Kubernetes to another. A large input is compared only if it must be: both versions plan all of it.
 * @param {WhyMaterial} material @param {Versions} versions @returns {UpgradeAnswer}
 */
export function upgradeOf({ input, question: { service, options } }, { from, to, must }) {
  if (!must && input.length > LARGE) return { upgrade: null };
  const question = { service, to, options: { ...options, kubernetes: from } };
  return { upgrade: JSON.parse(new TextDecoder().decode(upgrade(input, question))) };
}

/** The plan of a Service, as text for export. @param {WhyMaterial} material @param {ExportForm} form @returns {string} */
export function exportedOf({ input, question }, form) {
  return exported(input, { ...question, form });
}
