/**
 * Puts the vectors to runners, and compares their answers with what kube-proxy does.
 *
 *     npm run conformance [-- [NAME…] [--write]]
 *     node conformance/run.mjs --command 'COMMAND'     a runner of your own
 *
 * `NAME` is a reader of `conformance/runners/readers.json`; by default all run. What claims to be kube-proxy must agree in
 * every vector, and the others must give the answers recorded in `conformance/results.json`, which `--write` renews together
 * with `docs/consumers.md`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TARGET, TESTED_CLI } from '../scripts/lib/paths.mjs';
import { Problem, ROOT, mustRun, script } from '../scripts/lib/run.mjs';
import { ask } from './lib/ask.mjs';
import { PAGE, machine, pageWith } from './lib/page.mjs';
import { isExact, isSame, readGroups } from './lib/vectors.mjs';

/** @import { Answer } from './lib/vectors.mjs' */

/**
 * @typedef {object} Reader
 * @property {string} name
 * @property {string} title
 * @property {string[]} [command] a program and its arguments, from the root
 * @property {[string, string]} [build] instead: a folder with a `go.mod`, and a package in it
 * @property {Record<string, string>} [env] for that: some would be linked with C libraries that a bare machine lacks
 * @property {boolean} [isKubeProxy]
 * @property {string} [model] the `--reader` of slicewise that stands for it
 */

/**
 * @typedef {object} Result what a reader has answered
 * @property {string} name
 * @property {string} title
 * @property {string} reader
 * @property {string} version
 * @property {string} how
 * @property {string} date
 * @property {string} machine
 * @property {Record<string, Omit<Answer, 'id'>>} answers those that differ from kube-proxy's, by vector
 * @property {Record<string, Omit<Answer, 'id'>>} [model] those in which our model of the reader differs from it
 */

const RESULTS = join(import.meta.dirname, 'results.json');
const groups = readGroups();
const vectors = groups.flatMap((group) => group.vectors);

/** @param {Reader} reader @returns {Promise<string[]>} */
async function built({ name, command, build, env }) {
  if (!build) return command ?? [];
  const [folder, from] = build;
  mkdirSync(join(TARGET, 'conformance'), { recursive: true });
  const program = join(TARGET, 'conformance', name);
  await mustRun(['go', 'build', '-buildvcs=false', '-o', program, from], { cwd: join(ROOT, folder), env });
  return [program];
}

/** The answers of a runner that are not the expected ones. @param {Map<string, Answer>} answers @param {typeof isSame} accepts */
function differing(answers, accepts) {
  const wrong = vectors.filter((vector) => {
    const answer = answers.get(vector.id);
    return !answer || answer.notAsked !== undefined || !accepts(vector, answer);
  });
  return Object.fromEntries(wrong.map(({ id }) => {
    const { id: _id, ...answer } = answers.get(id) ?? { id };
    return [id, answer];
  }));
}

/** Where our model of a reader reaches other endpoints than the reader itself. @param {string} model @param {Map<string, Answer>} real */
async function ofModel(model, real) {
  const { answers } = await ask(['node', 'conformance/runners/slicewise/run.mjs', '--reader', model], vectors, { SLICEWISE: TESTED_CLI });
  const reached = (/** @type {Answer | undefined} */ answer) => JSON.stringify(answer?.varies ?? answer?.endpoints ?? []);
  const both = [...answers.values()].filter(({ id, notAsked }) => notAsked === undefined && real.get(id)?.notAsked === undefined);
  const wrong = both.filter((answer) => reached(answer) !== reached(real.get(answer.id)));
  return Object.fromEntries(wrong.map(({ id, ...answer }) => [id, answer]));
}

/** @param {Reader} reader @returns {Promise<Result>} */
async function result(reader) {
  const { introduction, answers } = await ask(await built(reader), vectors, { SLICEWISE: TESTED_CLI });
  const differs = differing(answers, reader.isKubeProxy ? isExact : isSame);
  const { name, title, model } = reader;
  const date = new Date().toISOString().slice(0, 10);
  return { name, title, ...introduction, date, machine: machine(), answers: differs, ...(model && { model: await ofModel(model, answers) }) };
}

/** @param {Result} result */
function report({ title, version, answers }) {
  const differs = Object.entries(answers).filter(([, { notAsked }]) => notAsked === undefined);
  const notAsked = Object.keys(answers).length - differs.length;
  const asked = vectors.length - notAsked;
  console.log(`${title} ${version}: ${asked - differs.length} of ${asked} as kube-proxy; ${notAsked} not asked`);
  return differs;
}

/** @param {Result} found @param {Result | undefined} recorded */
function check(found, recorded) {
  if (!recorded) throw new Problem(`${found.title} has no result in ${RESULTS}: run with --write`);
  const of = (/** @type {Result} */ { version, answers, model }) => JSON.stringify({ version, answers, model });
  if (of(found) !== of(recorded)) {
    const renew = `npm run conformance -- ${found.name} --write`;
    throw new Problem(`${found.title} ${found.version} no longer answers as recorded: see what changes by ${renew}`);
  }
}

/** @param {string} command */
async function ofOthers(command) {
  const { introduction, answers } = await ask(['sh', '-c', command], vectors);
  const differs = differing(answers, isSame);
  const shown = report({ ...introduction, title: introduction.reader, name: '', date: '', machine: '', answers: differs });
  const known = new Map(vectors.map((vector) => [vector.id, vector]));
  for (const [id, answer] of shown) {
    const { title, expect } = known.get(id) ?? {};
    console.log(`  ${id}: ${title}\n    kube-proxy ${JSON.stringify(expect)}\n    here       ${JSON.stringify(answer)}`);
  }
}

await script(async () => {
  const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' }, command: { type: 'string' } }, allowPositionals: true });
  if (values.command !== undefined) return ofOthers(values.command);
  /** @type {Reader[]} */
  const readers = JSON.parse(readFileSync(join(import.meta.dirname, 'runners/readers.json'), 'utf8'));
  const unknown = positionals.filter((name) => !readers.some((reader) => reader.name === name));
  if (unknown.length > 0) throw new Problem(`no such reader: ${unknown.join(', ')}; there are ${readers.map(({ name }) => name).join(', ')}`);
  /** @type {Result[]} */
  let results = JSON.parse(readFileSync(RESULTS, 'utf8'));
  for (const reader of readers.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const found = await result(reader);
    const differs = report(found);
    if (reader.isKubeProxy && differs.length > 0) {
      throw new Problem(`${reader.title} must agree in all vectors:\n${JSON.stringify(differs, null, 1)}`);
    }
    if (values.write) {
      const place = (/** @type {Result} */ { name }) => readers.findIndex((each) => each.name === name);
      results = [...results.filter(({ name }) => name !== reader.name), found].sort((one, other) => place(one) - place(other));
    } else if (!reader.isKubeProxy) {
      check(found, results.find(({ name }) => name === reader.name));
    }
  }
  if (!values.write) return;
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(resolve(PAGE), pageWith(results, groups));
});
