/**
 * `npm start`: from a bare clone to the page in the browser. It builds what the page needs, serves it, and goes on to build the
 * command while the page is already open. With `--once`, it requests its own page once and exits.
 */
import { join, relative } from 'node:path';
import { buildModules } from './build.mjs';
import { Log } from './lib/log.mjs';
import { PAGE_MODULES, bundlePage, servePage } from './lib/page.mjs';
import { CLI, TARGET } from './lib/paths.mjs';
import { buildCli } from './lib/prepare.mjs';
import { Progress } from './lib/progress.mjs';
import { Problem, ROOT, logTo, script } from './lib/run.mjs';
import { checkTools, ensurePackages, ensureWasmTargets } from './lib/tools.mjs';

const PORT = Number(process.env.PORT ?? 8080);

await script(async () => {
  checkTools(['node', 'cargo']);
  const log = new Log(join(TARGET, 'start.log'));
  logTo(log);
  const progress = new Progress(['the npm packages', 'the modules of the page', 'the page', 'the command'], log);
  await progress.next(async () => {
    await ensureWasmTargets(['wasm32-unknown-unknown']);
    await ensurePackages();
  });
  await progress.next(() => buildModules(PAGE_MODULES));
  await progress.next(bundlePage);
  const { url, close } = await servePage(PORT);
  console.log(`\nThe page:     ${url}\n`);
  try {
    await progress.next(buildCli);
  } catch (error) {
    if (process.argv.includes('--once')) close();
    throw error;
  }
  console.log(`
The command:  ${relative(ROOT, CLI)} plan www/samples/rolling-update.json -o summary
              kubectl get services,pods,nodes,endpointslices -A -o json | ${relative(ROOT, CLI)} plan -o summary
The webhook:  npm run webhook
`);
  if (process.argv.includes('--once')) {
    const response = await fetch(url);
    close();
    if (!response.ok || !(await response.text()).includes('<script')) throw new Problem(`the page at ${url} is not there`);
    return;
  }
  console.log('Ctrl+C ends it.');
});
