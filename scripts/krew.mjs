/**
 * Prints the Krew manifest of a release: `node scripts/krew.mjs URL ARCHIVE…`. The archives are published under the URL, with
 * the names in `deploy/krew.yaml`; platforms without an archive are left out. The homepage is that of `package.json`.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { address } from './lib/address.mjs';
import { Problem, ROOT, script } from './lib/run.mjs';

await script(async () => {
  const [url, ...archives] = process.argv.slice(2);
  if (!url?.startsWith('https://') || archives.length === 0) throw new Problem('usage: node scripts/krew.mjs https://… ARCHIVE…');
  const { homepage } = await address();
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const manifest = parse(await readFile(join(ROOT, 'deploy/krew.yaml'), 'utf8'));
  const { spec } = manifest;
  const known = spec.platforms.map((/** @type {{uri: string}} */ { uri }) => uri);
  const files = new Map(archives.map((file) => [basename(file), file]));
  const unknown = [...files.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Problem(`deploy/krew.yaml has no ${unknown.join(', ')}; it has ${known.join(', ')}`);
  const platforms = spec.platforms.filter((/** @type {{uri: string}} */ { uri }) => files.has(uri));
  for (const platform of platforms) {
    const archive = await readFile(/** @type {string} */ (files.get(platform.uri)));
    platform.sha256 = createHash('sha256').update(archive).digest('hex');
    platform.uri = `${url.replace(/\/$/, '')}/${platform.uri}`;
  }
  manifest.spec = { version: `v${version}`, homepage, ...spec, platforms };
  process.stdout.write(stringify(manifest));
});
