/**
 * Packs a release archive: `node scripts/archive.mjs COMMAND ARCHIVE`, with a name from `deploy/krew.yaml`. It contains the
 * command, the page that `slicewise serve` serves, as bundled by `npm start`, and the license.
 */
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { Problem, ROOT, mustRun, script } from './lib/run.mjs';

await script(async () => {
  const [command, archive] = process.argv.slice(2);
  if (!command || !archive) throw new Problem('usage: node scripts/archive.mjs COMMAND ARCHIVE');
  const { spec } = parse(await readFile(join(ROOT, 'deploy/krew.yaml'), 'utf8'));
  const platform = spec.platforms.find((/** @type {{uri: string}} */ { uri }) => uri === basename(archive));
  const known = spec.platforms.map((/** @type {{uri: string}} */ { uri }) => uri);
  if (!platform) throw new Problem(`deploy/krew.yaml has no ${basename(archive)}; it has ${known.join(', ')}`);
  const page = join(ROOT, 'dist');
  if (!existsSync(join(page, 'index.html'))) throw new Problem('the page is not built; `npm start` builds it into dist');
  const folder = await mkdtemp(join(tmpdir(), 'slicewise-archive-'));
  try {
    await copyFile(command, join(folder, platform.bin));
    await chmod(join(folder, platform.bin), 0o755);
    await copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    await cp(page, join(folder, 'page'), { recursive: true });
    const content = [platform.bin, 'LICENSE', 'page'];
    const out = resolve(archive);
    await rm(out, { force: true });
    const pack = out.endsWith('.zip') ? ['zip', '-qr', out] : ['tar', '--owner=0', '--group=0', '-czf', out];
    await mustRun([...pack, ...content], { cwd: folder });
  } finally {
    await rm(folder, { recursive: true });
  }
});
