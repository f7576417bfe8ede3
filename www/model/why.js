/**
 * Sorts the core's explanations by topic, and folds those that say the same of many objects.
 * @import {WhyAnswer, WhyEntry, WhyTopic} from '../types.js'
 */

/**
 * What is read of an explanation.
 * @typedef {object} Explanation
 * @property {string} code
 * @property {WhyTopic['topic']} topic
 * @property {{kind: string, name: string}} subject
 * @property {string | null} [addressType]
 * @property {WhyEntry['severity']} severity
 * @property {string} what
 * @property {string} [because]
 * @property {string} [do]
 * @property {string} [details]
 * @property {{change: string, effect: string}[]} [fixes]
 */

/** @type {WhyTopic['topic'][]} */
const ORDER = ['service', 'pods', 'hints', 'nodes', 'slices', 'cost'];

/** A topic with more entries than these is no longer read through; the command prints them all. */
const ENTRIES = 200;
const NAMES = 12;

/**
 * @param {Explanation[]} explanations in the order of the core
 * @returns {WhyTopic[]} those that have entries
 */
export function topicsOf(explanations) {
  /** @type {Map<string, WhyEntry[]>} */
  const topics = new Map(ORDER.map((topic) => [topic, []]));
  for (const entry of folded(explanations)) topics.get(entry.topic)?.push(entry);
  return ORDER.flatMap((topic) => {
    const entries = topics.get(topic) ?? [];
    return entries.length === 0 ? [] : { topic, entries: entries.slice(0, ENTRIES), left: Math.max(0, entries.length - ENTRIES) };
  });
}

/** What is said of each slice, the worst of it. @param {Explanation[]} explanations the worst first @returns {WhyAnswer['slices']} */
export function ofSlices(explanations) {
  const told = explanations.filter(({ subject }) => subject.kind === 'EndpointSlice');
  return Object.fromEntries(told.reverse().map(({ subject, what, because }) => [subject.name, because ? `${what} ${because}` : what]));
}

/** @param {Explanation[]} explanations @returns {WhyEntry[]} */
function folded(explanations) {
  /** @type {Map<string, Explanation[]>} */
  const alike = new Map();
  for (const explanation of explanations) {
    const words = samenessOf(explanation);
    const found = alike.get(words);
    if (found) found.push(explanation);
    else alike.set(words, [explanation]);
  }
  return [...alike.values()].flatMap(entryOf);
}

/** What explanations have in common that differ in the name of their object or in the family only. @param {Explanation} explanation */
function samenessOf({ code, subject: { kind, name }, what, because, details, fixes }) {
  const words = JSON.stringify([code, kind, what, because, details, fixes ?? []]);
  return kind === 'Service' ? words : words.replaceAll(name, '\0');
}

/** @param {Explanation[]} alike @returns {WhyEntry | []} */
function entryOf(alike) {
  const [first] = alike;
  if (!first) return [];
  const { code, topic, severity, subject: { kind }, what, because = '', do: mend = '', details = '', fixes = [] } = first;
  const families = new Set(alike.flatMap(({ addressType }) => addressType ?? []));
  const [name, ...others] = new Set(alike.map(({ subject }) => subject.name));
  const objects = { kind, name: name ?? '', others: others.slice(0, NAMES), otherCount: others.length, families: [...families] };
  return { code, topic, severity, ...objects, what, because, mend, details, fixes };
}
