/**
 * Where an object is written in the input, as lines of its text.
 * @import {ObjectLines} from '../types.js'
 * @import {Reading} from './read.js'
 */
import { follow, jsonTree } from './text-tree.js';
import { objectsOf } from './walk.js';

/** So many lines are quoted. */
const QUOTED = 60;
const WIDTH = 200;

/**
 * @param {Reading} reading
 * @param {'request' | 'snapshot'} form
 * @param {{kind: string, namespace: string, name: string}} object
 * @returns {Promise<ObjectLines | null>}
 */
export async function linesOf({ text, bytes, format }, form, { kind, namespace, name }) {
  const root = JSON.parse(new TextDecoder().decode(bytes));
  const found = objectsOf(root, form).find((each) => {
    const meta = each.value.metadata ?? {};
    return each.kind === kind && meta.name === name && (meta.namespace || 'default') === namespace;
  });
  if (!found) return null;
  const tree = format === 'json' ? jsonTree(text) : (await import(/* webpackChunkName: "yaml" */ './yaml-tree.js')).yamlTree(text);
  const place = follow(tree, found.path);
  return place && quoted(text, place.node.from, place.node.to);
}

/** @param {string} text @param {number} from @param {number} to @returns {ObjectLines} */
function quoted(text, from, to) {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < from; at = text.indexOf('\n', at + 1)) line += 1;
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const indent = /^[ ]*/.exec(text.slice(start, from))?.[0].length ?? 0;
  const outdent = new RegExp(`^ {0,${indent}}`);
  const lines = text.slice(start, to).split('\n').map((each) => cut(each.replace(outdent, '')));
  return { line, lines: lines.slice(0, QUOTED), left: Math.max(0, lines.length - QUOTED) };
}

/** @param {string} line */
function cut(line) {
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
}
