/**
 * Sorts the core's explanations by topic, and merges equal ones about several objects.
 * @import {Deed, InputChange, WhyAnswer, WhyEntry, WhyTopic} from '../types.js'
 */

/**
 * The part of an explanation that is read.
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
 * @property {{change: string, effect: string, changes?: InputChange[], resync?: boolean}[]} [fixes]
 * @property {{at: string, shows: string}[]} [look]
 * @property {Record<string, unknown>} [figures]
 */

/** @type {WhyTopic['topic'][]} */
const ORDER = ['service', 'pods', 'hints', 'nodes', 'slices', 'cost'];

/** The maximum number of entries per topic; nobody reads more, and the command prints them all. */
const ENTRIES = 200;
const NAMES = 12;

/**
 * @param {Explanation[]} explanations in the order of the core
 * @param {(alike: Explanation[]) => Deed | null} deedOf what those that are alike propose, as an edit
 * @returns {WhyTopic[]} those that have entries
 */
export function topicsOf(explanations, deedOf) {
  /** @type {Map<string, WhyEntry[]>} */
  const topics = new Map(ORDER.map((topic) => [topic, []]));
  for (const entry of folded(explanations, deedOf)) topics.get(entry.topic)?.push(entry);
  return ORDER.flatMap((topic) => {
    const entries = topics.get(topic) ?? [];
    return entries.length === 0 ? [] : { topic, entries: entries.slice(0, ENTRIES), left: Math.max(0, entries.length - ENTRIES) };
  });
}

/** The most severe explanation of each slice. @param {Explanation[]} explanations most severe first @returns {WhyAnswer['slices']} */
export function ofSlices(explanations) {
  const told = explanations.filter(({ subject }) => subject.kind === 'EndpointSlice');
  return Object.fromEntries(told.reverse().map(({ subject, what, because }) => [subject.name, because ? `${what} ${because}` : what]));
}

/** @param {Explanation[]} explanations @param {(alike: Explanation[]) => Deed | null} deedOf @returns {WhyEntry[]} */
function folded(explanations, deedOf) {
  /** @type {Map<string, Explanation[]>} */
  const alike = new Map();
  for (const explanation of explanations) {
    const words = samenessOf(explanation);
    const found = alike.get(words);
    if (found) found.push(explanation);
    else alike.set(words, [explanation]);
  }
  return [...alike.values()].flatMap((each) => entryOf(each, deedOf));
}

/** The common key of explanations that differ only in the object's name or the family. @param {Explanation} explanation */
function samenessOf({ code, subject: { kind, name }, what, because, details, fixes, look }) {
  const words = JSON.stringify([code, kind, what, because, details, wordsOf(fixes), look ?? []]);
  return kind === 'Service' ? words : words.replaceAll(name, '\0');
}

/** @param {Explanation['fixes']} fixes */
function wordsOf(fixes = []) {
  return fixes.map(({ change, effect }) => ({ change, effect }));
}

/** @param {Explanation[]} alike @param {(alike: Explanation[]) => Deed | null} deedOf @returns {WhyEntry | []} */
function entryOf(alike, deedOf) {
  const [first] = alike;
  if (!first) return [];
  const { code, topic, severity, subject: { kind }, what, because = '', do: mend = '', details = '', fixes, look = [] } = first;
  const families = new Set(alike.flatMap(({ addressType }) => addressType ?? []));
  const [name, ...others] = new Set(alike.map(({ subject }) => subject.name));
  const objects = { kind, name: name ?? '', others: others.slice(0, NAMES), otherCount: others.length, families: [...families] };
  return { code, topic, severity, ...objects, what, because, mend, deed: deedOf(alike), details, fixes: wordsOf(fixes), look };
}
