/**
 * Completion: the fields that fit and are not there yet, and the values of a field. The text is incomplete by nature where one
 * types, so a place is found with a name or a value put there.
 * @import {Completion, CompletionContext, CompletionResult} from '@codemirror/autocomplete'
 * @import {EditorState} from '@codemirror/state'
 * @import {EditorView} from '@codemirror/view'
 * @import {SyntaxNode} from '@lezer/common'
 * @import {Schemas, Type} from './schema.js'
 */
import { pickedCompletion, startCompletion } from '@codemirror/autocomplete';
import { language, syntaxTree } from '@codemirror/language';
import { holdsLabels, occurring, typeAt } from './places.js';
import { wordsOf } from './schema.js';
import { entriesOf, isList, isMap, isName, leafAt, ownerOf, treeUpTo } from './structure.js';

/** A word, as far as it is typed, with the quote that begins it. */
const WORD = /(["']?)([\w./-]*)$/;
const REST = /^[\w./-]*/;
/** The longest word that is looked for, since a line may have megabytes; labels and names are shorter. */
const LONGEST = 512;
/** The beginning of a line of YAML: items, and a key with its colon. */
const ITEMS = /^\s*(?:- +)*$/;
const KEY = /^\s*(?:- +)*(?:"[^"]*"|'[^']*'|[^\s#"'{[&*!|>-][^#]*?)\s*:\s+$/;
/** Stands for what is not typed yet. */
const STAND_IN = 'z';
/** Beyond this length a text is not searched for labels. */
const LONG = 500_000;
const NOT_TEXT = new Set(['Comment', 'BlockLiteralContent', 'BlockLiteral', 'BlockLiteralHeader']);

/**
 * @typedef {object} Spot where something is typed
 * @property {number} from the word with its quote
 * @property {number} to
 * @property {boolean} isKey
 * @property {boolean} isNew whether it is a key without a colon
 * @property {'json' | 'flow' | 'block'} style
 * @property {string} quote
 * @property {string} trial what to put there to read the text
 */

/** @param {Schemas} schemas */
export function completionSource(schemas) {
  /** @param {CompletionContext} context @returns {CompletionResult | null} */
  return ({ state, pos, explicit }) => {
    // A very long text has no grammar.
    const spot = state.facet(language) && spotAt(state, pos);
    if (!spot || (!explicit && pos === spot.from)) return null;
    const options = optionsAt(state, spot, schemas);
    // What is typed is matched up to the cursor, without its quote; an option replaces all of the word.
    return options.length > 0 ? { from: spot.from + spot.quote.length, options, validFor: /^[\w./-]*$/ } : null;
  };
}

/** @param {EditorState} state @param {number} pos @returns {Spot | null} */
function spotAt(state, pos) {
  const tree = syntaxTree(state);
  if (NOT_TEXT.has(tree.resolveInner(pos, -1).name)) return null;
  const line = state.doc.lineAt(pos);
  const [whole = '', quote = ''] = WORD.exec(state.sliceDoc(Math.max(line.from, pos - LONGEST), pos)) ?? [];
  const from = pos - whole.length;
  const to = endOf(state, pos, quote);
  const around = enclosing(tree.resolveInner(from, -1));
  if (tree.topNode.name === 'JsonText') return flowSpot(state, { from, to, quote, style: 'json' }, around);
  if (around?.name.startsWith('Flow')) return flowSpot(state, { from, to, quote, style: 'flow' }, around);
  return blockSpot({ from, to, quote, style: 'block' }, line.text.slice(0, from - line.from), line.text.slice(to - line.from));
}

/** The end of the word that the cursor is in, with its closing quote. @param {EditorState} state @param {number} pos @param {string} quote */
function endOf(state, pos, quote) {
  const after = state.sliceDoc(pos, Math.min(state.doc.lineAt(pos).to, pos + LONGEST));
  const [rest = ''] = REST.exec(after) ?? [];
  return pos + rest.length + (quote !== '' && after[rest.length] === quote ? 1 : 0);
}

/** @typedef {Pick<Spot, 'from' | 'to' | 'quote' | 'style'>} Word */

/** @param {Word} word @param {string} before the line up to it @param {string} after the rest of the line @returns {Spot | null} */
function blockSpot(word, before, after) {
  const isLast = /^\s*(#.*)?$/.test(after);
  if (ITEMS.test(before)) {
    const isNew = !/^\s*:/.test(after);
    return isNew && !isLast ? null : { ...word, isKey: true, isNew, trial: isNew ? `${STAND_IN}: 0` : STAND_IN };
  }
  return isLast && KEY.test(before) ? { ...word, isKey: false, isNew: false, trial: STAND_IN } : null;
}

/** @param {EditorState} state @param {Word} word @param {SyntaxNode | null} around @returns {Spot | null} */
function flowSpot(state, word, around) {
  const last = state.doc.sliceString(Math.max(0, word.from - 1000), word.from).trimEnd().slice(-1);
  const next = nextAfter(state, word.to);
  const isKey = last === '{' || (last === ',' && isMap(around));
  if (!isKey && !':['.includes(last) && !(last === ',' && isList(around))) return null;
  const isNew = isKey && next !== ':';
  const comma = next === '' || ',:]}'.includes(next) ? '' : ',';
  return { ...word, isKey, isNew, trial: `"${STAND_IN}"${isNew ? ':0' : ''}${comma}` };
}

/** The next character that is not a space. @param {EditorState} state @param {number} at */
function nextAfter(state, at) {
  return state.doc.sliceString(at, at + 1000).trimStart().slice(0, 1);
}

/** The innermost map or list. @param {SyntaxNode} node */
function enclosing(node) {
  for (let at = /** @type {SyntaxNode | null} */ (node); at; at = at.parent) {
    if (isMap(at) || isList(at)) return at;
  }
  return null;
}

/** @param {EditorState} state @param {Spot} spot @param {Schemas} schemas @returns {Completion[]} */
function optionsAt(state, spot, schemas) {
  const changes = { from: spot.from, to: spot.to, insert: spot.trial };
  const { state: trial } = state.update({ changes });
  const tree = treeUpTo(trial, trial.doc.length);
  const leaf = leafAt(tree.resolveInner(spot.from + 1, -1));
  const known = () => (trial.doc.length > LONG ? null : occurring(tree.topNode, trial.doc, schemas));
  if (!leaf) return [];
  if (!isName(leaf)) return valuesAt(leaf, trial, spot, schemas, known);
  const holder = ownerOf(leaf, trial.doc);
  const at = holder && typeAt(holder.node, trial.doc, schemas);
  if (!at) return [];
  if (at.type.fields.size === 0 && at.type.values.length > 0) return valueOptions(at.type.values, spot, at.type);
  const there = new Set(entriesOf(holder.node, trial.doc).map(({ key }) => key));
  const names = [...at.type.fields.keys()];
  if (holdsLabels(at.key, at.type)) names.push(...(known()?.labels.keys() ?? []));
  return [...new Set(names)].filter((name) => !there.has(name)).map((name) => keyOption(name, at.type, spot, schemas));
}

/**
 * @param {SyntaxNode} leaf @param {EditorState} trial @param {Spot} spot @param {Schemas} schemas
 * @param {() => ReturnType<typeof occurring> | null} known
 */
function valuesAt(leaf, trial, spot, schemas, known) {
  const at = typeAt(leaf, trial.doc, schemas);
  if (!at) return [];
  const holder = ownerOf(leaf, trial.doc);
  const above = holder && typeAt(holder.node, trial.doc, schemas);
  const { names } = at.type;
  const isBoolean = names.includes('boolean');
  // Numbers do not occur again, and to search the text takes a while.
  const occurs = names.length === 0 || names.includes('string') ? known() : null;
  const seen = (above && holdsLabels(above.key, at.owner) ? occurs?.labels : occurs?.shared)?.get(at.key);
  const values = [...at.type.values, ...at.type.examples, ...(isBoolean ? ['true', 'false'] : []), ...(seen ?? [])];
  return valueOptions([...new Set(values)].filter((value) => value !== '' && value !== STAND_IN), spot, at.type);
}

/** @param {string[]} values @param {Spot} spot @param {Type} type @returns {Completion[]} */
function valueOptions(values, spot, { names }) {
  const isText = !names.includes('boolean');
  return values.map((label, index) => {
    const mustQuote = isText && (spot.style === 'json' || /^(true|false|yes|no|null|on|off|[\d.+-]+)$/i.test(label));
    const quote = isText ? spot.quote || (mustQuote ? '"' : '') : '';
    return { label, type: 'enum', boost: -index, apply: applying(`${quote}${label}${quote}`, spot) };
  });
}

/** @param {string} label @param {Type} owner @param {Spot} spot @param {Schemas} schemas @returns {Completion} */
function keyOption(label, owner, spot, schemas) {
  const place = schemas.field(owner, label);
  const type = place && schemas.typeOf(place);
  const name = spot.style === 'json' ? `"${label}"` : spot.quote + label + spot.quote;
  const words = type ? wordsOf(type, schemas) : '';
  const info = type?.description ? { info: type.description } : {};
  if (!spot.isNew) return { label, type: 'property', detail: words, ...info, apply: applying(name, spot) };
  return { label, type: 'property', detail: words, ...info, apply: applying(name, spot, type) };
}

/**
 * Inserts a value, or a name with the beginning of its value, and proposes the values if it has some.
 * @param {string} text @param {Spot} spot @param {Type | null} [type] that of the value of a name that is new
 */
function applying(text, { quote, style }, type) {
  return (/** @type {EditorView} */ view, /** @type {Completion} */ completion, /** @type {number} */ word, /** @type {number} */ cursor) => {
    const from = word - quote.length;
    const to = endOf(view.state, cursor, quote);
    const column = from - view.state.doc.lineAt(from).from;
    const [before, after] = type === undefined ? ['', ''] : style === 'block' ? blockValue(type, column) : flowValue(type, style);
    const isAmong = type !== undefined && style !== 'block' && !['', ',', ']', '}'].includes(nextAfter(view.state, to));
    view.dispatch({
      changes: { from, to, insert: text + before + after + (isAmong ? ',' : '') },
      selection: { anchor: from + text.length + before.length },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
    if (type && (type.values.length > 0 || type.examples.length > 0)) startCompletion(view);
  };
}

/** What follows a key, before and after the cursor. @param {Type | null} type @param {number} column of the key @returns {[string, string]} */
function blockValue(type, column) {
  const indent = ' '.repeat(column);
  if (type?.names.includes('array')) return [`:\n${indent}- `, ''];
  return type?.names.includes('object') ? [`:\n${indent}  `, ''] : [': ', ''];
}

/** @param {Type | null} type @param {Spot['style']} style @returns {[string, string]} */
function flowValue(type, style) {
  const [name] = type?.names ?? [];
  if (name === 'array') return [': [', ']'];
  if (name === 'object') return [': {', '}'];
  return name === 'string' && type?.names.length === 1 && style === 'json' ? [': "', '"'] : [': ', ''];
}
