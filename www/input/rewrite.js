/**
 * Writes the difference between two values into the text of the first: unchanged parts keep their bytes, and new parts are
 * laid out like their neighbours.
 * @import {Entry, Node} from './text-tree.js'
 * @import {TextChange} from './changes.js'
 */

export const BY_HAND = 'this part of the input is written in a way that only its text can be changed by hand';

/** A part that cannot be changed in place; the message is shown to the user. */
export class NotEditable extends Error {}

/** @typedef {(value: unknown) => string} Block writes a value by indentation, without a line break at its end */

export class Writer {
  #text;
  #block;

  /** @param {string} text @param {Block | null} block how to write indented values, in YAML */
  constructor(text, block) {
    this.#text = text;
    this.#block = block;
  }

  /** @param {Node} node @param {unknown} before @param {unknown} after @returns {TextChange[]} */
  differences(node, before, after) {
    if (same(before, after)) return [];
    if (Array.isArray(before) && Array.isArray(after) && node.type === 'list') return this.#list(node, before, after);
    if (isMap(before) && isMap(after) && node.type === 'map' && Object.keys(after).length > 0) return this.#map(node, before, after);
    return [this.#replace(node, after)];
  }

  /** @param {Node} node @param {Record<string, unknown>} before @param {Record<string, unknown>} after */
  #map(node, before, after) {
    const entries = node.entries();
    /** @type {number[]} */
    const gone = [];
    const changes = entries.flatMap(({ key, node: value }, index) => {
      if (Object.hasOwn(after, key)) return this.differences(value, before[key], after[key]);
      gone.push(index);
      return [];
    });
    const fresh = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
    // If all its members go, new ones have no neighbours for their layout.
    if (gone.length === entries.length) return [this.#replace(node, after)];
    return ordered([...changes, ...this.removal(node, gone), ...this.#members(node, fresh, gone)]);
  }

  /** @param {Node} node @param {unknown[]} before @param {unknown[]} after */
  #list(node, before, after) {
    let start = 0;
    while (start < before.length && start < after.length && same(before[start], after[start])) start += 1;
    let end = 0;
    const most = Math.min(before.length, after.length) - start;
    while (end < most && same(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
    const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
    if (node.entries().length === 0 || after.length === 0) return [this.#replace(node, after)];
    const shared = Math.min(old.length, fresh.length);
    const entries = node.entries();
    const changes = old.slice(0, shared).flatMap((value, index) => this.differences(entries[start + index].node, value, fresh[index]));
    const gone = old.slice(shared).map((_, index) => start + shared + index);
    const texts = fresh.slice(shared).map((value) => this.itemText(node, value));
    const added = texts.length > 0 ? [this.insertion(node, start + shared - 1, texts)] : [];
    return ordered([...changes, ...this.removal(node, gone), ...added]);
  }

  /** @param {Node} node @param {unknown} value @returns {TextChange} */
  #replace(node, value) {
    if (!this.#block || !node.block) return { from: node.from, to: node.to, insert: this.#flow(node, value) };
    const column = this.#column(node.from);
    return { from: node.from, to: node.to, insert: this.#indented(value, column) };
  }

  /** A value between brackets, or a scalar. @param {Node} node @param {unknown} value */
  #flow(node, value) {
    const old = this.#text.slice(node.from, node.to);
    const isScalar = value === null || typeof value !== 'object';
    const multiline = !this.#block && this.#hasOwnLine(node);
    const text = this.#block && isScalar ? this.#scalar(value, old) : this.#json(value, this.#lineIndent(node.from), multiline);
    return `${this.#gap(node)}${text}${old.endsWith('\n') ? '\n' : ''}`;
  }

  /** In YAML, keeps the old quoting style. @param {unknown} value @param {string} old */
  #scalar(value, old) {
    if (typeof value !== 'string') return JSON.stringify(value);
    const plain = /** @type {Block} */ (this.#block)(value);
    if (old.startsWith('"') || plain.includes('\n')) return JSON.stringify(value);
    return old.startsWith("'") ? `'${value.replaceAll("'", "''")}'` : plain;
  }

  /** A value where there was none begins right after the colon. @param {Node} node */
  #gap(node) {
    return this.#block && node.from === node.to && this.#text[node.from - 1] === ':' ? ' ' : '';
  }

  /** @param {Node} map @param {[string, unknown][]} members @param {number[]} gone entries that go, not all @returns {TextChange[]} */
  #members(map, members, gone) {
    if (members.length === 0) return [];
    const entries = map.entries();
    if (map.block) {
      const last = entries[entries.findLastIndex((_, index) => !gone.includes(index))];
      const pad = ' '.repeat(this.#column(last.from));
      const end = this.#lineEnd(last.node.to);
      const lines = members.map(([key, value]) => `${pad}${this.#indented({ [key]: value }, pad.length)}\n`).join('');
      return [{ from: end, to: end, insert: this.#text[end - 1] === '\n' ? lines : `\n${lines.trimEnd()}` }];
    }
    const { gap, multiline, at } = this.#style(map, entries.length - 1);
    const colon = this.#colon(entries[entries.length - 1]);
    const texts = members.map(([key, value]) => `,${gap}${JSON.stringify(key)}${colon}${this.#json(value, indentOf(gap), multiline)}`);
    return [{ from: at, to: at, insert: texts.join('') }];
  }

  /** An item as text for {@link insertion}. @param {Node} list @param {unknown} value */
  itemText(list, value) {
    const entries = list.entries();
    if (list.block) return this.#indented(value, entries[0] ? this.#column(entries[0].from) : 0);
    const { gap, multiline } = this.#style(list, entries.length - 1);
    return this.#json(value, indentOf(gap), multiline);
  }

  /** The text of an item with these changes. @param {Node} node @param {TextChange[]} changes @returns {string} */
  copy(node, changes) {
    let at = node.from;
    const parts = changes.map(({ from, to, insert }) => {
      const part = this.#text.slice(at, from) + insert;
      at = to;
      return part;
    });
    return parts.join('') + this.#text.slice(at, node.to);
  }

  /** @param {Node} list not empty @param {number} after the index of the item before, or -1 @param {string[]} texts @returns {TextChange} */
  insertion(list, after, texts) {
    const entry = list.entries()[Math.max(after, 0)];
    const prefix = this.#prefix(list, entry);
    if (after < 0) {
      const behind = list.block ? `\n${prefix}` : `,${this.#style(list, 0).gap || ' '}`;
      return { from: entry.from, to: entry.from, insert: texts.map((text) => text + behind).join('') };
    }
    if (!list.block) {
      const { gap, at } = this.#style(list, after);
      return { from: at, to: at, insert: texts.map((text) => `,${gap}${text}`).join('') };
    }
    const end = this.#lineEnd(entry.node.to);
    const insert = texts.map((text) => `${prefix}${text.replace(/\n*$/, '\n')}`).join('');
    // The last line of a text may lack a line break.
    return { from: end, to: end, insert: this.#text[end - 1] === '\n' ? insert : `\n${insert.replace(/\n$/, '')}` };
  }

  /** The text before each item in indented layout. @param {Node} list @param {Entry} entry */
  #prefix(list, entry) {
    if (!list.block) return '';
    if (list.stream) return '---\n';
    const dash = this.#dash(entry);
    return ' '.repeat(this.#column(dash)) + this.#text.slice(dash, entry.from);
  }

  /** Adds objects to a text with a single object. @param {Node} node @param {string[]} texts @returns {TextChange[]} */
  beside(node, texts) {
    if (!this.#block) {
      const insert = `${texts.map((text) => `,\n${text}`).join('')}]`;
      return [{ from: node.from, to: node.from, insert: '[' }, { from: node.to, to: node.to, insert }];
    }
    const end = this.#lineEnd(node.to);
    const newline = this.#text[end - 1] === '\n' ? '' : '\n';
    return [{ from: end, to: end, insert: newline + texts.map((text) => `---\n${text}\n`).join('') }];
  }

  /** @param {Node} parent @param {number[]} indices ascending @returns {TextChange[]} */
  removal(parent, indices) {
    const entries = parent.entries();
    if (indices.length === 0) return [];
    if (parent.block) return this.#blockRemoval(parent, indices);
    if (indices.length === entries.length) return [{ from: parent.from + 1, to: parent.to - 1, insert: '' }];
    return runs(indices).map(([first, last]) => {
      const next = entries[last + 1];
      const from = next ? entries[first].from : entries[first - 1].node.to;
      return { from, to: next ? next.from : entries[last].node.to, insert: '' };
    });
  }

  /** Removes whole lines; a comment before the next item stays with it. @param {Node} parent @param {number[]} indices */
  #blockRemoval(parent, indices) {
    const entries = parent.entries();
    if (!parent.stream && indices.length === entries.length) {
      const [first] = entries;
      const from = this.#lineStart(parent.type === 'list' ? this.#dash(first) : first.from);
      const pad = ' '.repeat(this.#column(parent.type === 'list' ? this.#dash(first) : first.from) + 2);
      const end = this.#lineEnd(entries[entries.length - 1].node.to);
      return [{ from, to: end, insert: `${pad}${parent.type === 'list' ? '[]' : '{}'}\n` }];
    }
    return indices.map((index) => {
      const entry = entries[index];
      const to = this.#lineEnd(entry.node.to);
      if (parent.stream) return this.#documentRemoval(entry, to);
      const start = parent.type === 'list' ? this.#dash(entry) : entry.from;
      const from = this.#lineStart(start);
      if (this.#text.slice(from, start).trim() === '') return { from, to, insert: '' };
      // The first key after a dash: the next one moves up to it.
      const next = entries[index + 1];
      if (!next) throw new NotEditable(BY_HAND);
      return { from: start, to: next.from, insert: '' };
    });
  }

  /** @param {Entry} entry @param {number} to */
  #documentRemoval(entry, to) {
    const marker = '---\n';
    if (this.#text.slice(0, entry.from).endsWith(marker)) return { from: entry.from - marker.length, to, insert: '' };
    return { from: entry.from, to: this.#text.startsWith(marker, to) ? to + marker.length : to, insert: '' };
  }

  /** The separator of entries between brackets. @param {Node} parent @param {number} index the neighbour, or -1 */
  #style(parent, index) {
    const entries = parent.entries();
    const entry = entries[index];
    if (!entry) return { gap: '', multiline: false, at: parent.from + 1 };
    const before = index === 0 ? parent.from + 1 : this.#text.lastIndexOf(',', entry.from) + 1;
    const gap = this.#text.slice(before, entry.from);
    const between = /^\s*$/.test(gap) ? gap : ' ';
    const inner = index === 0 && !between.includes('\n') && between === '' && this.#text.includes(', ') ? ' ' : between;
    return { gap: inner, multiline: inner.includes('\n') && !entries.some((each) => this.#isOnOneLine(each)), at: entry.node.to };
  }

  /** @param {Entry} entry */
  #isOnOneLine({ node }) {
    return node.type !== 'scalar' && node.entries().length > 0 && !this.#text.slice(node.from, node.to).includes('\n');
  }

  /** @param {Entry} entry */
  #colon({ from, node }) {
    return /:\s*$/.exec(this.#text.slice(from, node.from))?.[0] ?? ': ';
  }

  /** @param {unknown} value @param {string} indent of the line it begins on @param {boolean} multiline */
  #json(value, indent, multiline) {
    if (!multiline) return this.#block ? JSON.stringify(value) : spaced(value, this.#text);
    return JSON.stringify(value, null, unitOf(this.#text)).replaceAll('\n', `\n${indent}`);
  }

  /** @param {unknown} value @param {number} column */
  #indented(value, column) {
    const lines = /** @type {Block} */ (this.#block)(value).split('\n');
    return lines.join(`\n${' '.repeat(column)}`);
  }

  /** The dash of an item. @param {Entry} entry */
  #dash({ from }) {
    const dash = this.#text.slice(0, from).trimEnd().length - 1;
    if (this.#text[dash] !== '-') throw new NotEditable(BY_HAND);
    return dash;
  }

  /** @param {number} at */
  #column(at) {
    return at - this.#lineStart(at);
  }

  /** @param {number} at */
  #lineStart(at) {
    return this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  /** @param {number} at */
  #lineIndent(at) {
    return /^[ \t]*/.exec(this.#text.slice(this.#lineStart(at), at))?.[0] ?? '';
  }

  /** Whether the line begins with it, or with its key. @param {Node} node */
  #hasOwnLine({ from }) {
    const start = this.#lineStart(from);
    return start > 0 && /^\s*(?:"[^"]*"\s*:\s*)?$/.test(this.#text.slice(start, from));
  }

  /** The start of the next line. @param {number} at */
  #lineEnd(at) {
    if (this.#text[at - 1] === '\n') return at;
    const newline = this.#text.indexOf('\n', at);
    return newline < 0 ? this.#text.length : newline + 1;
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isMap(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** @param {unknown} a @param {unknown} b @returns {boolean} */
export function same(a, b) {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, index) => same(each, b[index]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** @param {TextChange[]} changes */
export function ordered(changes) {
  return changes.toSorted((a, b) => a.from - b.from || a.to - b.to);
}

/** The first and last of consecutive numbers. @param {number[]} indices ascending */
function runs(indices) {
  /** @type {[number, number][]} */
  const found = [];
  for (const index of indices) {
    const last = found.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else found.push([index, index]);
  }
  return found;
}

/** @param {string} gap */
function indentOf(gap) {
  return gap.slice(gap.lastIndexOf('\n') + 1);
}

/** The indentation width of the text. @param {string} text */
function unitOf(text) {
  return /^[[{]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  ';
}

/** On one line, spaced like the text. @param {unknown} value @param {string} text @returns {string} */
function spaced(value, text) {
  if (!/": /.test(text.slice(0, 2000))) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => spaced(each, text)).join(', ')}]`;
  if (!isMap(value)) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each, text)}`).join(', ')}}`;
}
