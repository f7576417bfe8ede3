/** The table of results in `docs/consumers.md`. */
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { Problem, ROOT } from '../../scripts/lib/run.mjs';

/** @import { Result } from '../run.mjs' */
/** @import { Answer, Group, Vector } from './vectors.mjs' */

export const PAGE = join(ROOT, 'docs/consumers.md');
const [BEGIN, END] = ['<!-- results -->\n', '<!-- /results -->\n'];

export function machine() {
  return `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB`;
}

/** The page with these results. @param {Result[]} results @param {Group[]} groups */
export function pageWith(results, groups) {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Problem(`${PAGE} must have a place for the results, between ${BEGIN.trim()} and ${END.trim()}`);
  const sections = results.filter(hasDifferences).map((result) => section(result, groups));
  return before + BEGIN + [table(results, groups), ...sections].join('\n') + END + after;
}

/** @param {Result} result */
const hasDifferences = ({ answers }) => Object.values(answers).some(({ notAsked }) => notAsked === undefined);

/** @param {Result[]} results @param {Group[]} groups */
function table(results, groups) {
  const header = ['Group', ...results.map(({ title, version }) => `${title} ${version}`)];
  const rows = groups.map(({ title, group, vectors }) => [
    `${title} ([\`${group}\`](../conformance/vectors/${group}.json))`, ...results.map((result) => cell(result, vectors)),
  ]);
  const all = groups.flatMap(({ vectors }) => vectors);
  rows.push(['**All**', ...results.map((result) => cell(result, all))]);
  return [header, ['---', ...results.map(() => '--:')], ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

/** @param {Result} result @param {Vector[]} vectors */
function cell({ answers }, vectors) {
  const asked = vectors.filter(({ id }) => answers[id]?.notAsked === undefined);
  const same = asked.filter(({ id }) => !answers[id]);
  return asked.length === 0 ? '–' : `${same.length} of ${asked.length}`;
}

/** @param {Result} result @param {Group[]} groups */
function section({ title, version, how, date, machine: where, answers, model }, groups) {
  const notAsked = new Set(Object.values(answers).flatMap((answer) => answer.notAsked ?? []));
  const rows = groups.flatMap(({ vectors }) => vectors).flatMap((vector) => {
    const answer = answers[vector.id];
    if (!answer || answer.notAsked !== undefined) return [];
    return [`| \`${vector.id}\` | ${vector.title} | ${shown(vector.expect)} | ${shown(answer)} |\n`];
  });
  const compared = model && (Object.keys(model).length === 0
    ? 'Our model of it reaches the same endpoints in every vector that both were asked.\n\n'
    : `Our model of it reaches other endpoints in ${Object.keys(model).map((id) => `\`${id}\``).join(', ')}.\n\n`);
  return [
    `### ${title} ${version}\n\n`,
    `Runs ${how}. Run on ${date}, ${where}.\n\n`,
    ...[...notAsked].map((reason) => `Not asked: ${reason}.\n\n`),
    compared ?? '',
    '| Vector | Situation, and what kube-proxy does | kube-proxy | Here |\n| --- | --- | --- | --- |\n',
    ...rows,
  ].join('');
}

/** @param {Omit<Answer, 'id' | 'notServed'> & {notServed?: true | string}} answer */
function shown({ endpoints, notServed, varies }) {
  if (varies !== undefined) return `varies: ${varies}`;
  if (notServed !== undefined) return 'not served';
  return endpoints?.length ? endpoints.map((each) => `\`${each}\``).join(' ') : 'none';
}
