/**
 * Many changes in one test program (mutant schemata): it is compiled once, and `MUTANT=7` in the environment switches the seventh change on.
 * `pkg-tests/mutants` rewrites a copy of the sources; here the copy is made and compiled, and changes that do not compile are taken out.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { TARGET } from './paths.mjs';
import { Problem, ROOT, ask } from './run.mjs';

/** @typedef {{id: number, name: string, file: string}} Mutant what cargo-mutants lists, numbered; it has more, which `pkg-tests/mutants` reads */
/** @typedef {{file_name: string, byte_start: number, byte_end: number, is_primary: boolean, expansion: {span: Span} | null}} Span */
/** @typedef {{level: string, message: string, code: {code: string} | null, spans: Span[], rendered: string}} Diagnostic */
/** @typedef {{mutant: Mutant, why: string}} LeftOut */

/** Where all this happens. */
const PLACE = join(TARGET, 'mutants');

/** The copy of the sources. */
export const TREE = join(PLACE, 'tree');

/** How often the compiler may object before something else is wrong: it reports types first, and borrows when types are right. */
const ROUNDS = 30;

/**
 * Compiles as many of `mutants` as compile together.
 * @param {Mutant[]} mutants
 * @returns {{program: string, mutants: Mutant[], leftOut: LeftOut[]}}
 */
export function compile(mutants) {
  const rewriter = buildRewriter();
  copySources();
  const files = new Set(['src/lib.rs', ...mutants.map(({ file }) => file)]);
  const sources = new Map([...files].map((file) => [file, readFileSync(join(TREE, file))]));
  /** @type {LeftOut[]} */
  const leftOut = [];
  let left = mutants;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [file, text] of sources) writeFileSync(join(TREE, file), text);
    const fixed = new Set(rewrite(rewriter, left));
    leftOut.push(...left.filter(({ id }) => fixed.has(id)).map((mutant) => ({ mutant, why: 'not an expression that can be switched' })));
    left = left.filter(({ id }) => !fixed.has(id));
    const { program, errors } = build();
    if (program !== undefined) return { program, mutants: left, leftOut };
    const faulty = blame(errors);
    console.log(`${left.length} changes, ${faulty.size} of which do not compile`);
    leftOut.push(...left.filter(({ id }) => faulty.has(id)).map((mutant) => ({ mutant, why: faulty.get(mutant.id) ?? '' })));
    left = left.filter(({ id }) => !faulty.has(id));
  }
  throw new Problem(`the changes do not compile together after ${ROUNDS} rounds`);
}

function buildRewriter() {
  const manifest = join(ROOT, 'pkg-tests/mutants/Cargo.toml');
  const target = join(PLACE, 'rewriter');
  if (ask(['cargo', 'build', '--quiet', '--locked', '--manifest-path', manifest], { CARGO_TARGET_DIR: target }) === null) {
    throw new Problem(`cannot build ${manifest}`);
  }
  return join(target, 'debug/slicewise-mutants');
}

function copySources() {
  rmSync(TREE, { recursive: true, force: true });
  const listed = ask(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  if (listed === null) throw new Problem('git cannot list the sources');
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(TREE, file)), { recursive: true });
    cpSync(join(ROOT, file), join(TREE, file));
  }
}

/**
 * Puts the changes into the copy; returns the numbers of those for which there is no place.
 * @param {string} rewriter
 * @param {Mutant[]} mutants
 * @returns {number[]}
 */
function rewrite(rewriter, mutants) {
  const list = join(PLACE, 'list.json');
  writeFileSync(list, JSON.stringify(mutants));
  const { status, stdout, stderr } = spawnSync(rewriter, [list, TREE], { encoding: 'utf8', maxBuffer: Infinity });
  if (status !== 0) throw new Problem(`the changes cannot be put into the sources: ${stderr}`);
  return JSON.parse(stdout);
}

/** The test program, or what the compiler has against it. @returns {{program?: string, errors: Diagnostic[]}} */
function build() {
  const [, arguments_ = '[]'] = /^additional_cargo_args = (\[.*\])$/m.exec(readFileSync(join(ROOT, '.cargo/mutants.toml'), 'utf8')) ?? [];
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: join(PLACE, 'build'),
    // Each test runs a thousand times. Overflows are noticed all the same.
    CARGO_PROFILE_DEV_OPT_LEVEL: '1',
    CARGO_PROFILE_DEV_DEBUG: '0',
    RUSTFLAGS: '--allow warnings',
  };
  const command = ['test', ...JSON.parse(arguments_), '--lib', '--no-run', '--message-format', 'json'];
  const { stdout } = spawnSync('cargo', command, { cwd: TREE, env, encoding: 'utf8', maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'inherit'] });
  const messages = stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const program = messages.find(({ reason, executable }) => reason === 'compiler-artifact' && executable)?.executable;
  return { program, errors: messages.filter(({ reason }) => reason === 'compiler-message').map(({ message }) => message) };
}

/**
 * The changes that errors are about, each with the message: those in whose text the error is; else the smallest around it.
 * @param {Diagnostic[]} diagnostics
 */
function blame(diagnostics) {
  /** @type {Map<string, Region[]>} */
  const files = new Map();
  const regionsOf = (/** @type {string} */ file) => {
    const known = files.get(file) ?? regions(readFileSync(join(TREE, file), 'latin1'));
    files.set(file, known);
    return known;
  };
  /** @type {Map<number, string>} */
  const faulty = new Map();
  const errors = diagnostics.filter(({ level, spans }) => level === 'error' && spans.length > 0);
  for (const { code, message, rendered, spans } of errors) {
    const inOrder = spans.map(outsideOfMacros).filter(({ file_name: file }) => existsSync(join(TREE, file)));
    inOrder.sort((a, b) => Number(b.is_primary) - Number(a.is_primary));
    const texts = inOrder.map((span) => smallest(regionsOf(span.file_name), span, 'text'));
    const wholes = inOrder.map((span) => smallest(regionsOf(span.file_name), span, 'whole'));
    // An error may be outside of the change that causes it: in what a function returns elsewhere, for one.
    const near = inOrder.map((span) => nearest(regionsOf(span.file_name), span));
    const ids = [...texts, ...wholes, ...near].find((found) => found.length > 0);
    if (ids === undefined) throw new Problem(`an error that is about no change:\n${rendered}`);
    for (const id of ids) faulty.set(id, `${code?.code ?? 'error'}: ${message}`);
  }
  if (faulty.size === 0) throw new Problem(`the changes do not compile:\n${diagnostics.map(({ rendered }) => rendered).join('\n')}`);
  return faulty;
}

/** @param {Span} span @returns {Span} */
function outsideOfMacros(span) {
  return span.expansion === null ? span : { ...outsideOfMacros(span.expansion.span), is_primary: span.is_primary };
}

/** @typedef {{ids: number[], form: 'text' | 'whole', start: number, end: number}} Region */

/** What the comments in a rewritten file say: which bytes belong to which changes. @param {string} text */
function regions(text) {
  /** @type {Region[]} */
  const found = [];
  const starts = new Map();
  for (const { 0: comment, 1: opens, 2: ids, 3: closes, index } of text.matchAll(/\/\*([{[])?(\d+(?:,\d+)*)([}\]])?\*\//g)) {
    const form = '[]'.includes(opens ?? closes) ? 'text' : 'whole';
    if (opens !== undefined) starts.set(form + ids, index);
    else found.push({ ids: ids.split(',').map(Number), form, start: starts.get(form + ids), end: index + comment.length });
  }
  return found;
}

/**
 * The changes whose region of that form is the smallest around `span`.
 * @param {Region[]} among
 * @param {Span} span
 * @param {Region['form']} form
 */
function smallest(among, { byte_start, byte_end }, form) {
  const around = among.filter((region) => region.form === form && region.start <= byte_start && byte_end <= region.end);
  return around.sort((a, b) => a.end - a.start - (b.end - b.start))[0]?.ids ?? [];
}

/** The changes of the text that is closest to `span`, which is outside of all. @param {Region[]} among @param {Span} span */
function nearest(among, { byte_start, byte_end }) {
  const distance = (/** @type {Region} */ { start, end }) => Math.max(start - byte_end, byte_start - end);
  return among.filter(({ form }) => form === 'whole').sort((a, b) => distance(a) - distance(b))[0]?.ids ?? [];
}
