/** `npm run webhook`: builds what the webhook needs and starts it on loopback: the demo, or as configured by the arguments. */
import { NODE_FLAGS } from '../webhook/node-flags.js';
import { buildEntries, buildModules } from './build.mjs';
import { run, script } from './lib/run.mjs';
import { checkTools, ensurePackages, ensureWasmTargets } from './lib/tools.mjs';

await script(async () => {
  checkTools(['node', 'cargo']);
  await ensureWasmTargets(['wasm32-unknown-unknown']);
  await ensurePackages();
  await buildModules(['full']);
  await buildEntries();
  const given = process.argv.slice(2);
  process.exitCode = await run([process.execPath, ...NODE_FLAGS, 'webhook/main.js', ...(given.length === 0 ? ['--demo'] : given)]);
});
