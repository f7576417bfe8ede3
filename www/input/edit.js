/**
 * Changes objects in the text they were read from: formatting, comments and everything unaffected stay as they
 * are, byte for byte. The changes are the core's proposals (`glance`, fixes) and those of the object view.
 * @import {TextChange} from './changes.js'
 * @import {Operation} from './json-patch.js'
 * @import {Reading} from './read.js'
 * @import {Node} from './text-tree.js'
 * @import {Found} from './walk.js'
 */
import { applyChanges, changeBetween } from './changes.js';
import { patched } from './json-patch.js';
import { placed } from '../model/objects.js';
import { readInput } from './read.js';
import { BY_HAND, NotEditable, Writer, ordered } from './rewrite.js';
import { follow, isStream, jsonTree, valuesOf } from './text-tree.js';
import { REQUEST_FIELDS, objectsOf } from './walk.js';

const ONE_SERVICE = 'a request is about one Service; give a List of objects for more';

/**
 * @typedef {object} ObjectChange one of `patch`, `delete`, `copyOf` (with `patch`) and `object`
 * @property {string} kind
 * @property {string} [namespace]
 * @property {string} name
 * @property {Operation[]} [patch]
 * @property {boolean} [delete]
 * @property {string} [copyOf] the name of an object of the same kind and namespace
 * @property {Record<string, unknown>} [object] one that is new
 *
 * @typedef {{found: Found, node: Node, parent: Node | null, index: number}} Place
 */

/** @typedef {(bytes: Uint8Array) => 'request' | 'snapshot'} FormOf */

/** The first objects, if there is no text yet. @param {ObjectChange[]} changes */
export function listOf(changes) {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: changes.flatMap(({ object }) => object ?? []) }, null, 2)}\n`;
}

/** Groups changes that can be made together: none affects an object that another one creates. @param {ObjectChange[]} changes */
function roundsOf(changes) {
  /** @type {ObjectChange[][]} */
  const rounds = [[]];
  let made = new Set();
  for (const change of changes) {
    if (made.has(nameOf(change)) || (change.copyOf && made.has(nameOf({ ...change, name: change.copyOf })))) {
      rounds.push([]);
      made = new Set();
    }
    if (change.copyOf || change.object) made.add(nameOf(change));
    rounds.at(-1)?.push(change);
  }
  return rounds;
}

/** A text and its objects. */
export class Draft {
  text;
  form;
  objects;
  #formOf;
  #root;
  #yaml;
  #writer;
  /** The tree, once it is needed. @type {Node | null} */
  #grown = null;

  /**
   * @param {Reading} reading
   * @param {FormOf} formOf tells a request from a snapshot
   * @param {typeof import('./yaml-tree.js') | null} yaml
   */
  constructor({ text, bytes }, formOf, yaml) {
    this.text = text;
    this.form = formOf(bytes);
    this.#formOf = formOf;
    this.#root = valuesOf(new TextDecoder().decode(bytes));
    this.#yaml = yaml;
    this.#writer = new Writer(text, yaml?.blockText ?? null);
    this.objects = objectsOf(this.#root, this.form);
  }

  /** @param {Reading} reading @param {FormOf} formOf */
  static async of(reading, formOf) {
    const yaml = reading.format === 'yaml' ? await import(/* webpackChunkName: "yaml" */ './yaml-tree.js') : null;
    return new Draft(reading, formOf, yaml);
  }

  get #tree() {
    if (this.#grown) return this.#grown;
    if (!this.#yaml && isStream(this.text)) throw new NotEditable(BY_HAND);
    return (this.#grown = this.#yaml ? this.#yaml.yamlTree(this.text) : jsonTree(this.text));
  }

  /** @param {ObjectChange[]} changes in order @returns {Promise<TextChange[]>} */
  async edit(changes) {
    const [first, ...others] = roundsOf(changes);
    const done = this.#change(first);
    if (others.length === 0) return done;
    let now = applyChanges(this.text, done);
    for (const round of others) now = applyChanges(now, (await Draft.of(await readInput(now), this.#formOf)).#change(round));
    const change = changeBetween(this.text, now);
    return change ? [change] : [];
  }

  /** The position of an object. @param {{kind: string, namespace?: string, name: string}} object @returns {{from: number, to: number}} */
  placeOf(object) {
    const { node } = this.#place(object);
    return { from: node.from, to: node.to };
  }

  /** @param {ObjectChange[]} changes that can be made together @returns {TextChange[]} */
  #change(changes) {
    const deleted = new Set(changes.filter((change) => change.delete).map(nameOf));
    const patches = changes.filter((change) => change.patch && !change.copyOf && !deleted.has(nameOf(change)));
    return ordered([
      ...grouped(patches, nameOf).flatMap((same) => this.#patch(same)),
      ...this.#delete(changes.filter((change) => change.delete)),
      ...this.#insert(changes.filter((change) => change.copyOf || change.object)),
    ]);
  }

  /** @param {ObjectChange[]} changes of one object */
  #patch(changes) {
    const { found, node } = this.#place(changes[0]);
    return this.#writer.differences(node, found.value, patched(found.value, changes.flatMap(({ patch }) => patch ?? [])));
  }

  /** @param {ObjectChange[]} changes */
  #delete(changes) {
    const places = changes.map((change) => this.#place(change));
    const whole = places.find(({ parent }) => parent?.type !== 'list');
    if (whole && whole.parent) throw new NotEditable(`a request is about its ${whole.found.kind}, which cannot be taken out`);
    if (whole) return [{ from: whole.node.from, to: whole.node.to, insert: '' }];
    return grouped(places, ({ parent }) => parent).flatMap((each) => {
      const indices = each.map(({ index }) => index).toSorted((a, b) => a - b);
      return this.#writer.removal(/** @type {Node} */ (each[0].parent), [...new Set(indices)]);
    });
  }

  /** New objects go after the last of their kind; copies after the last similar object. @param {ObjectChange[]} changes */
  #insert(changes) {
    const additions = changes.map((change) => {
      const like = change.copyOf ? this.#place({ ...change, name: change.copyOf }) : null;
      return { change, like, spot: this.#spot(change, like) };
    });
    return grouped(additions, ({ spot }) => spot.key).flatMap((group) => {
      const [{ spot: { place, field } }] = group;
      if (!place) return this.#fill(field, group.map(({ change }) => change.object));
      const { node, parent, index } = place;
      const list = parent?.type === 'list' ? parent : null;
      const texts = group.map(({ change, like }) => (like ? this.#copyText(change, like) : this.#writer.itemText(list ?? node, change.object)));
      return list ? [this.#writer.insertion(list, index, texts)] : this.#writer.beside(node, texts);
    });
  }

  /** The change if there is no neighbour. @param {string} field @param {unknown[]} objects */
  #fill(field, objects) {
    const after = Array.isArray(this.#root) ? objects : { ...this.#root, [field]: objects };
    return this.#writer.differences(this.#tree, this.#root, after);
  }

  /** @param {ObjectChange} change @param {Place} like */
  #copyText(change, { found, node }) {
    const name = [{ op: 'replace', path: '/metadata/name', value: change.name }];
    return this.#writer.copy(node, this.#writer.differences(node, found.value, patched(found.value, [...name, ...(change.patch ?? [])])));
  }

  /** Where a new object goes. @param {ObjectChange} change @param {Place | null} like @returns {{key: string, field: string, place: Place | null}} */
  #spot({ kind }, like) {
    const ofKind = this.objects.filter((each) => each.kind === kind);
    const neighbour = (like && this.#lastLike(like.found)) ?? ofKind.at(-1) ?? this.objects.findLast((each) => each.value.kind);
    if (this.form === 'request' && ofKind.length === 0) return { key: kind, field: requestField(kind), place: null };
    if (!neighbour) return { key: 'items', field: 'items', place: null };
    const place = this.#nodeOf(neighbour);
    if (this.form === 'request' && place.parent?.type !== 'list') throw new NotEditable(ONE_SERVICE);
    return { key: neighbour.path.join('/'), field: '', place };
  }

  /** The last object of the same kind with the same labels, so that pods of one owner stay together. @param {Found} like */
  #lastLike(like) {
    const labels = JSON.stringify(like.value.metadata?.labels ?? null);
    return this.objects.findLast(({ kind, value }) => kind === like.kind && JSON.stringify(value.metadata?.labels ?? null) === labels) ?? null;
  }

  /** @param {{kind: string, namespace?: string, name: string}} object @returns {Place} */
  #place(object) {
    const wanted = nameOf(this.#placed(object));
    const found = this.objects.find(
      ({ kind, value: { metadata } }) => metadata?.name === object.name && nameOf(this.#placed({ ...metadata, kind })) === wanted,
    );
    if (!found) throw new NotEditable(`there is no ${object.kind} ${object.name} in the input any more`);
    return this.#nodeOf(found);
  }

  /** The same with its namespace, which a manifest may leave out. @param {{kind: string, namespace?: string, name: string}} object */
  #placed(object) {
    return this.form === 'snapshot' ? placed(object.kind, object) : object;
  }

  /** @param {Found} found @returns {Place} */
  #nodeOf(found) {
    const place = follow(this.#tree, found.path);
    if (!place) throw new NotEditable(BY_HAND);
    return { found, ...place };
  }
}

/** @param {string} kind */
function requestField(kind) {
  const [field] = Object.entries(REQUEST_FIELDS).find(([, each]) => each === kind) ?? [];
  if (!field || kind === 'Service') throw new NotEditable(ONE_SERVICE);
  return field;
}

/** @template T @param {T[]} list @param {(each: T) => unknown} keyOf @returns {T[][]} */
function grouped(list, keyOf) {
  /** @type {Map<unknown, T[]>} */
  const groups = new Map();
  for (const each of list) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return [...groups.values()];
}

/** The identity of an object. @param {{kind: string, namespace?: string, name: string}} object */
export function nameOf({ kind, namespace, name }) {
  return `${kind} ${namespace ?? ''} ${name}`;
}
