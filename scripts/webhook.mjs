/** `npm run webhook`: builds what the webhook needs and starts it on loopback: the demo, or as configured by the arguments. */
import { NODE_FLAGS } from '../webhook/node-flags.js';
import { preparePackage } from './lib/prepare.mjs';
import { run, script } from './lib/run.mjs';

await script(async () => {
  await preparePackage();
  const given = process.argv.slice(2);
  process.exitCode = await run([process.execPath, ...NODE_FLAGS, 'webhook/main.js', ...(given.length === 0 ? ['--demo'] : given)]);
});
