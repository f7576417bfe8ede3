/** Puts vectors to a runner: questions in, an introduction and answers out, a line each. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Problem, ROOT } from '../../scripts/lib/run.mjs';
import { questionOf } from './vectors.mjs';

/** @import { Answer, Vector } from './vectors.mjs' */

const OUTCOMES = /** @type {const} */ (['endpoints', 'notServed', 'notAsked', 'varies']);

/**
 * @param {string[]} command
 * @param {Vector[]} vectors
 * @param {Record<string, string>} [env]
 * @returns {Promise<{introduction: {reader: string, version: string, how: string}, answers: Map<string, Answer>}>}
 */
export async function ask([program = '', ...args], vectors, env = {}) {
  const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  // A runner that ends early says why itself.
  child.stdin.on('error', () => {});
  child.stdin.end(vectors.map((vector) => `${JSON.stringify(questionOf(vector))}\n`).join(''));
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Problem(`${program} ended with ${code}`);
  const [introduction, ...lines] = output.split('\n').filter((line) => line !== '').map((line) => parsed(line, program));
  for (const field of ['reader', 'version', 'how']) {
    if (typeof introduction?.[field] !== 'string') throw new Problem(`the first line of ${program} must have the text \`${field}\``);
  }
  const answers = new Map(lines.map((answer) => [answer.id, checked(answer, program)]));
  const missing = vectors.find(({ id }) => !answers.has(id));
  if (missing || answers.size !== vectors.length || lines.length !== vectors.length) {
    throw new Problem(`${program} must answer each vector once: ${missing ? `${missing.id} has no answer` : `${lines.length} answers`}`);
  }
  return { introduction, answers };
}

/** @param {string} line @param {string} program */
function parsed(line, program) {
  try {
    return JSON.parse(line);
  } catch {
    throw new Problem(`${program} wrote a line that is not JSON: ${line.slice(0, 200)}`);
  }
}

/** @param {any} answer @param {string} program @returns {Answer} */
function checked(answer, program) {
  const given = OUTCOMES.filter((outcome) => answer[outcome] !== undefined);
  const { endpoints } = answer;
  const isList = endpoints === undefined || Array.isArray(endpoints) && endpoints.every((each) => typeof each === 'string');
  if (given.length !== 1 || !isList) {
    const wanted = `one of ${OUTCOMES.join(', ')}, of which the first is a list of texts`;
    throw new Problem(`an answer of ${program} must have ${wanted}: ${JSON.stringify(answer)}`);
  }
  return endpoints ? { ...answer, endpoints: [...endpoints].sort() } : answer;
}
