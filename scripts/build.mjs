/** `npm run build`: the module, its glue, the schemas, the types. Quick when nothing changed. */
import { pathToFileURL } from 'node:url';
import { unlessFresh } from './lib/fresh.mjs';
import { mustRun, script } from './lib/run.mjs';
import { describeModule } from './lib/size.mjs';
import { writeDerived } from './lib/types.mjs';

/** Builds `pkg/`. */
export async function build() {
  await mustRun(['cargo', 'run', '--quiet', '--locked', '-p', 'xtask', '--', 'wasm', 'command', 'schema']);
  const module = { inputs: ['pkg/glue/slicewise_bg.wasm'], outputs: [] };
  await unlessFresh('size', module, async () => console.log(await describeModule()));
  const inputs = ['pkg/schema', 'npm', 'scripts/lib/types.mjs', 'scripts/lib/merge-schemas.mjs', 'tsconfig.json', 'package-lock.json'];
  const outputs = ['pkg/types/envelopes.d.ts', 'pkg/types/envelopes.d.cts', 'pkg/types/index.d.cts', 'pkg/cjs/core.js', 'pkg/cjs/package.json'];
  const ran = await unlessFresh('types', { inputs, outputs }, writeDerived);
  console.log(ran ? 'types: pkg/types and pkg/cjs written' : 'types: pkg/types and pkg/cjs are up to date');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await script(build);
