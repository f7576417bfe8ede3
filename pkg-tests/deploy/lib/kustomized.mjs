/** The built kustomizations. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KUSTOMIZE, deploy } from '../../../scripts/lib/chart.mjs';
import { ROOT } from '../../../scripts/lib/run.mjs';
import { documents } from './rendered.mjs';

/** What `kustomize build` makes of a folder, checked as strictly as an API server does. @param {string} folder */
export function built(folder) {
  const text = deploy(['kustomize', folder]);
  deploy(['check'], text);
  return documents(text);
}

/** A copy, to make files in. @param {import('node:test').TestContext} t */
export function copy(t) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-kustomize-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(KUSTOMIZE, folder, { recursive: true });
  return folder;
}

/** The folder of the overlay that docs/deploy.md shows for arming. @param {import('node:test').TestContext} t */
export function armed(t) {
  const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
  const example = /```yaml\n# kustomization\.yaml\n([^]*?)```/.exec(page)?.[1];
  assert.ok(example, 'docs/deploy.md shows an overlay');
  const folder = join(copy(t), 'mine');
  mkdirSync(folder);
  writeFileSync(join(folder, 'kustomization.yaml'), example.replaceAll('webhook/deploy/kustomize/', '../'));
  return folder;
}
