/** `node scripts/chart.mjs`: regenerates the derived files of `webhook/deploy`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { derived } from './lib/chart.mjs';
import { buildDeploy } from './lib/prepare.mjs';
import { script } from './lib/run.mjs';

await script(async () => {
  await buildDeploy();
  for (const [file, text] of Object.entries(derived())) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
});
