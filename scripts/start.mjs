/**
 * `npm start`: from a bare clone to the page in the browser. It builds what the page needs, serves it, and goes on to build the
 * command while the page is already open. `--page` leaves out the command; with `--once`, it requests its own page once and exits.
 */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildForPage } from './build.mjs';
import { Log } from './lib/log.mjs';
import { bundlePage, servePage } from './lib/page.mjs';
import { CLI, TARGET } from './lib/paths.mjs';
import { buildCli } from './lib/prepare.mjs';
import { Progress } from './lib/progress.mjs';
import { Problem, ROOT, logTo, script } from './lib/run.mjs';
import { checkTools, ensurePackages, ensureWasmTargets } from './lib/tools.mjs';

const PORT = Number(process.env.PORT ?? 8080);
const OPTIONS = { page: { type: /** @type {const} */ ('boolean') }, once: { type: /** @type {const} */ ('boolean') } };

await script(async () => {
  const { page, once } = parseArgs({ options: OPTIONS }).values;
  checkTools(['node', 'cargo']);
  const log = new Log(join(TARGET, 'start.log'));
  logTo(log);
  const progress = new Progress(['the npm packages', 'the modules of the page', 'the page', ...(page ? [] : ['the command'])], log);
  await progress.next(async () => {
    await ensureWasmTargets(['wasm32-unknown-unknown']);
    await ensurePackages();
  });
  await progress.next(buildForPage);
  await progress.next(bundlePage);
  const { url, close } = await servePage(PORT);
  console.log(`\nThe page:     ${url}\n`);
  try {
    if (!page) await buildCommand(progress);
    if (once) await check(url);
  } finally {
    if (once) close();
  }
  if (!once) console.log('Ctrl+C ends it.');
});

/** @param {Progress} progress */
async function buildCommand(progress) {
  await progress.next(buildCli);
  console.log(`
The command:  ${relative(ROOT, CLI)} plan www/samples/rolling-update.json -o summary
              kubectl get services,pods,nodes,endpointslices -A -o json | ${relative(ROOT, CLI)} plan -o summary
The webhook:  npm run webhook
`);
}

/** @param {string} url */
async function check(url) {
  const response = await fetch(url);
  if (!response.ok || !(await response.text()).includes('<script')) throw new Problem(`the page at ${url} is not there`);
}
