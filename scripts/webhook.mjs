/** `npm run webhook`: builds what the webhook needs and starts it on loopback; arguments are passed on. */
import { preparePackage } from './lib/prepare.mjs';
import { run, script } from './lib/run.mjs';

await script(async () => {
  await preparePackage();
  process.exitCode = await run([process.execPath, 'webhook/main.js', ...process.argv.slice(2)]);
});
