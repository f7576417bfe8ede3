/**
 * The objects of the input as the page lists and edits them. Repeated requests do not read the same text again.
 * @import {EditAnswer, Legend, ObjectPage, ObjectQuery, ObjectRow} from '../types.js'
 * @import {FormOf} from './edit.js'
 * @import {Core, Operation} from './operations.js'
 * @import {Reading} from './read.js'
 * @import {Found} from './walk.js'
 */
import { Draft, listOf } from './edit.js';
import { changesOf, typed } from './operations.js';
import { readInput } from './read.js';
import { NotEditable } from './rewrite.js';
import { rowOf, told } from './rows.js';

/** Kinds in the order they are listed; others follow. */
const ORDER = ['Service', 'Pod', 'Node', 'EndpointSlice'];

export class Desk {
  #formOf;
  #legend;
  /** The text that is shown, and the one that a slider started from. @type {Draft[]} */
  #drafts = [];
  /** @type {{draft: Draft, rows: {row: ObjectRow, found: Found}[]} | null} */
  #listed = null;

  /** @param {FormOf} formOf tells a request from a snapshot @param {Legend} legend */
  constructor(formOf, legend) {
    this.#formOf = formOf;
    this.#legend = legend;
  }

  /**
   * @param {Reading | string} input as read, or a text that has not been read yet
   * @param {Operation} operation
   * @param {Core} core
   * @returns {Promise<EditAnswer>}
   */
  async edit(input, operation, core) {
    try {
      if (typeof input === 'string' && input.trim() === '') {
        return { ok: true, changes: [{ from: 0, to: input.length, insert: listOf(changesOf(operation, [], core)) }] };
      }
      const draft = await this.#of(input);
      return { ok: true, changes: await draft.edit(changesOf(operation, draft.objects, core)) };
    } catch (error) {
      if (error instanceof NotEditable) return { ok: false, message: error.message };
      throw error;
    }
  }

  /** A page of the list. @param {Reading} reading @param {ObjectQuery} query @param {Pick<Core, 'list'>} core @returns {Promise<ObjectPage>} */
  async list(reading, { kind, find, from, count, chosen }, core) {
    const draft = await this.#of(reading);
    if (this.#listed?.draft !== draft) this.#listed = { draft, rows: draft.objects.map((found) => ({ row: rowOf(found, this.#legend), found })) };
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = this.#listed.rows.filter(({ row }) => words.every((word) => row.text.includes(word)));
    const totals = new Map(ORDER.map((name) => [name, 0]));
    for (const { row } of matching) totals.set(row.kind, (totals.get(row.kind) ?? 0) + 1);
    const ofKind = matching.filter(({ row }) => row.kind === kind);
    const page = ofKind.slice(from, from + count);
    const shown = [...page, ...this.#listed.rows.filter(({ row }) => row.id === chosen).slice(0, 1)];
    const meant = core.list(typed(shown.map(({ found }) => found)));
    const rows = shown.map(({ row }, index) => told(row, meant[index]));
    return {
      kinds: [...totals].map(([name, total]) => ({ kind: name, total })),
      total: ofKind.length,
      from,
      rows: rows.slice(0, page.length),
      chosen: rows[page.length] ?? null,
    };
  }

  /**
   * The position of an object; null if it does not exist.
   * @param {Reading} reading
   * @param {{kind: string, namespace?: string, name: string}} object
   */
  async place(reading, object) {
    const { text } = reading;
    const draft = await this.#of(reading);
    try {
      const { from, to } = draft.placeOf(object);
      const line = countLines(text, 0, from) + 1;
      return { from, to, line, lastLine: line + countLines(text, from, to) };
    } catch (error) {
      if (error instanceof NotEditable) return null;
      throw error;
    }
  }

  /** @param {Reading | string} input */
  async #of(input) {
    const text = typeof input === 'string' ? input : input.text;
    const known = this.#drafts.find((draft) => draft.text === text);
    if (known) return known;
    const draft = await Draft.of(typeof input === 'string' ? await readInput(input) : input, this.#formOf);
    this.#drafts = [draft, ...this.#drafts.slice(0, 1)];
    return draft;
  }
}

/** @param {string} text @param {number} from @param {number} to */
function countLines(text, from, to) {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
