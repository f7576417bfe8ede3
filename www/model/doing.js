/**
 * Reads a change that the core proposes in words as an edit of the input. The core has few forms for them: a kubectl command, or
 * a field and its value. What the input does not have, such as an image, a probe or a flag of the controller, is no edit.
 * @import {InputChange} from '../types.js'
 * @import {Explanation} from './why.js'
 */

/**
 * @typedef {object} Scene what a change is about
 * @property {{metadata: {namespace?: string, name?: string}, spec?: any}} service
 * @property {Explanation} explanation
 * @property {(pods: number) => InputChange[]} scale
 */

/** @typedef {(words: string[], scene: Scene) => InputChange[] | null} Reader */

const KINDS = { endpointslice: 'EndpointSlice', service: 'Service', pod: 'Pod', node: 'Node' };
/** Fields of a Service that changes set. */
const FIELDS =
  'trafficDistribution|internalTrafficPolicy|externalTrafficPolicy|sessionAffinity|publishNotReadyAddresses|type|ipFamilyPolicy';
const SETTING = `spec\\.(?:${FIELDS}): \\w+`;

/** @type {[RegExp, Reader][]} */
const FORMS = [
  [/^kubectl (label|annotate|delete|patch) (.+)$/, ([, verb, rest], scene) => command(verb, rest.split(' '), scene)],
  [/^set the selector to (\S+)$/, ([, pairs], scene) => ofService(scene, [set('/spec/selector', Object.fromEntries(pairs.split(',').map(pair)))])],
  [
    new RegExp(`^(?:remove the annotation (\\S+)(?: and (\\S+))? and )?set (${SETTING}(?: and ${SETTING})*)(?:[,;( ]|$)`),
    ([, one, other, fields], scene) => {
      const removed = [one, other].filter(Boolean).map((key) => remove('annotations', key));
      const settings = [...fields.matchAll(/spec\.(\w+): (\w+)/g)].map(([, field, value]) => set(`/spec/${field}`, scalar(value)));
      return ofService(scene, [...removed, ...settings]);
    },
  ],
  [/(?:^annotate it with|annotation) (\S+): (\w+)$/, ([, key, value], scene) => ofService(scene, [set(pathOf('annotations', key), value)])],
  [/^take (\S+) away$/, ([, key], scene) => ofService(scene, [remove('annotations', key)])],
  [
    /label it (\S+)=$/,
    ([, key], { explanation: { subject: { kind, name } } }) => kind === 'Node' ? [{ kind, name, patch: [set(pathOf('labels', key), '')] }] : null,
  ],
  [/^set targetPort: (\S+)$/, ([, port], scene) => ports(scene, 'targetPort', scalar(port))],
  [/ and set port: (\d+)\b/, ([, port], scene) => ports(scene, 'port', scalar(port))],
  [/^run (\d+) (?:ready endpoints?|pods)\b/, ([, pods], { scale }) => scale(Number(pods))],
];

/** The edit that a change in words stands for; null if it is not one. @param {string} change @param {Scene} scene @returns {InputChange[] | null} */
export function editOf(change, scene) {
  const bare = change.replace(/^or,? /, '').replace(/^if [^:]*: /, '');
  for (const [form, read] of FORMS) {
    const words = form.exec(bare);
    const changes = words && read(words, scene);
    if (changes && changes.length > 0) return changes;
  }
  return null;
}

/** @param {string} verb @param {string[]} words @param {Scene} scene @returns {InputChange[] | null} */
function command(verb, words, scene) {
  const [kindWord, ...rest] = words.filter((word) => word !== '--overwrite');
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (kindWord)];
  const at = rest.indexOf('-n');
  const namespace = at < 0 ? undefined : scene.service.metadata.namespace;
  const [names, values] = splitNames(at < 0 ? rest : rest.toSpliced(at, 2), verb, at);
  if (!kind || names.length === 0) return null;
  const of = (/** @type {Partial<InputChange>} */ what) => names.map((name) => ({ kind, namespace, name, ...what }));
  if (verb === 'delete') return of({ delete: true });
  if (verb === 'patch') return of({ patch: merged(values.join(' ')) });
  const field = verb === 'label' ? 'labels' : 'annotations';
  // A value that is to be filled in, or that the shell would compute, is no value.
  if (values.length === 0 || values.some((value) => /[$"]|=[A-Z]+$/.test(value))) return null;
  return of({ patch: values.map((value) => setting(field, value)) });
}

/** Names come first; `delete` has nothing else. @param {string[]} words @param {string} verb @param {number} at of `-n` */
function splitNames(words, verb, at) {
  if (verb === 'delete') return [words, []];
  const end = at < 0 ? 1 : Math.max(1, at);
  return [words.slice(0, end), words.slice(end)];
}

/** `-p '{"spec": {…}}'` @param {string} words */
function merged(words) {
  const { spec } = JSON.parse(words.replace(/^-p '(.*)'$/, '$1'));
  return Object.entries(spec).map(([field, value]) => set(`/spec/${field}`, value));
}

/** `key=value`, or `key-` to remove it. @param {'labels' | 'annotations'} field @param {string} words */
function setting(field, words) {
  if (!words.includes('=')) return remove(field, words.replace(/-$/, ''));
  const [key, value] = pair(words);
  return set(pathOf(field, key), value);
}

/** The ports that an explanation is about. @param {Scene} scene @param {'port' | 'targetPort'} field @param {unknown} value */
function ports(scene, field, value) {
  const old = scene.explanation.figures?.[field];
  /** @type {Record<string, unknown>[]} */
  const all = scene.service.spec?.ports ?? [];
  const patch = all.flatMap((port, index) => (port[field] === old ? set(`/spec/ports/${index}/${field}`, value) : []));
  return patch.length > 0 ? ofService(scene, patch) : null;
}

/** @param {Scene} scene @param {NonNullable<InputChange['patch']>} patch @returns {InputChange[]} */
function ofService({ service: { metadata: { namespace, name = '' } } }, patch) {
  return [{ kind: 'Service', namespace, name, patch }];
}

/** @param {string} path @param {unknown} value */
function set(path, value) {
  return { op: 'add', path, value };
}

/** @param {'labels' | 'annotations'} field @param {string} key */
function remove(field, key) {
  return { op: 'remove', path: pathOf(field, key) };
}

/** @param {'labels' | 'annotations'} field @param {string} key */
function pathOf(field, key) {
  return `/metadata/${field}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** @param {string} text @returns {[string, string]} */
function pair(text) {
  const [key, ...rest] = text.split('=');
  return [key, rest.join('=')];
}

/** @param {string} word */
function scalar(word) {
  if (/^\d+$/.test(word)) return Number(word);
  return word === 'true' || (word === 'false' ? false : word);
}
