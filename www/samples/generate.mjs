/**
 * Writes the example inputs beside this file: `node www/samples/generate.mjs`. Every example is a story about
 * a Service as it was (its slices) and as it is (its pods and nodes). Repeated runs give the same bytes. It also lists
 * the questions of `samples/questions`.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import * as hints from './stories/hints.mjs';
import * as near from './stories/near.mjs';
import * as owners from './stories/owners.mjs';
import * as packing from './stories/packing.mjs';
import * as pods from './stories/pods.mjs';
import * as ports from './stories/ports.mjs';

/** @type {Record<string, () => object>} */
const STORIES = { ...hints, ...near, ...owners, ...packing, ...pods, ...ports };

const QUESTIONS = new URL('../../samples/questions/', import.meta.url);

/** The contents of every file, by name. */
export function sampleFiles() {
  const examples = Object.entries(STORIES).map(([name, make]) => ({ file: `${dashed(name)}.json`, text: `${JSON.stringify(make(), null, 2)}\n` }));
  return [...examples, { file: 'questions.js', text: questions() }];
}

function questions() {
  const names = readdirSync(QUESTIONS).filter((name) => name.endsWith('.json')).toSorted();
  const lines = names.map((name) => {
    const { question } = JSON.parse(readFileSync(new URL(name, QUESTIONS), 'utf8'));
    const title = question.includes("'") ? JSON.stringify(question) : `'${question}'`;
    const url = `new URL('../../samples/questions/${name}', import.meta.url)`;
    return `  { id: '${name.replace('.json', '')}', title: ${title}, url: ${url} },\n`;
  });
  return `/**
 * Questions that users have asked, as inputs: those the tests hold the core's explanations to. Written by \`generate.mjs\`. It
 * loads with the palette; an input is fetched when it is opened.
 * @type {{id: string, title: string, url: URL}[]}
 */
export const QUESTIONS = [
${lines.join('')}];
`;
}

/** @param {string} name */
function dashed(name) {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const { file, text } of sampleFiles()) writeFileSync(new URL(file, import.meta.url), text);
}
