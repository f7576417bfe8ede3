/**
 * Writes the example inputs beside this file: `node www/samples/generate.mjs`. Every example is a story about
 * a Service as it was (its slices) and as it is (its pods and nodes). The same run gives the same bytes.
 */
import { writeFileSync } from 'node:fs';
import * as hints from './stories/hints.mjs';
import * as near from './stories/near.mjs';
import * as owners from './stories/owners.mjs';
import * as packing from './stories/packing.mjs';
import * as pods from './stories/pods.mjs';
import * as ports from './stories/ports.mjs';

/** @type {Record<string, () => object>} */
const STORIES = { ...hints, ...near, ...owners, ...packing, ...pods, ...ports };

/** Every example as it is written, by file name. */
export function sampleFiles() {
  return Object.entries(STORIES).map(([name, make]) => ({ file: `${dashed(name)}.json`, text: `${JSON.stringify(make(), null, 2)}\n` }));
}

/** @param {string} name */
function dashed(name) {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const { file, text } of sampleFiles()) writeFileSync(new URL(file, import.meta.url), text);
}
