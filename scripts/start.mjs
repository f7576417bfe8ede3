/**
 * `npm start`: from a bare clone to the page in the browser. With `--once`, it requests its own page once and exits.
 */
import { relative } from 'node:path';
import { bundlePage, servePage } from './lib/page.mjs';
import { CLI } from './lib/paths.mjs';
import { buildCli, preparePackage, step } from './lib/prepare.mjs';
import { Problem, ROOT, script } from './lib/run.mjs';

const PORT = Number(process.env.PORT ?? 8080);

await script(async () => {
  await preparePackage();
  step('the native command');
  await buildCli();
  step('the page');
  console.log((await bundlePage()) ? 'dist written' : 'dist is up to date');
  const { url, close } = await servePage(PORT);
  console.log(`
The page:     ${url}
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
