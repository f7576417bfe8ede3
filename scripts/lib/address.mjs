/** Where the project can be found: `repository` and `homepage` in `package.json`, from which everything that prints links takes it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem, ROOT } from './run.mjs';

/**
 * @typedef {object} Address
 * @property {string} repository
 * @property {string} homepage
 */

/** A whole address: npm would also take `owner/name`, but Cargo and Krew would not. @param {unknown} url */
const isAddress = (url) => typeof url === 'string' && /^(git\+)?https:\/\/[^\s/]+\/\S+$/.test(url);

/**
 * The addresses of a project. A release without them would show no links, which nobody notices in time.
 * @param {string} [root] the folder of the project
 * @returns {Promise<Address>}
 */
export async function address(root = ROOT) {
  const { repository, homepage } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const url = repository?.url ?? repository;
  if (!isAddress(url) || !isAddress(homepage)) {
    throw new Problem('package.json has no repository or no homepage, so npm, Cargo and Krew would show no links: run '
      + '`npm pkg set repository.type=git repository.url=git+https://HOST/OWNER/NAME.git` and `npm pkg set homepage=https://HOST/OWNER/NAME`; '
      + '`node scripts/krew.mjs` copies the homepage to the Krew manifest');
  }
  return { repository: url.replace(/^git\+/, ''), homepage };
}

/**
 * Checks that Cargo names the same repository, which it can only read from `Cargo.toml`.
 * @param {string} [root]
 */
export async function checkAddress(root = ROOT) {
  const { repository } = await address(root);
  const manifest = await readFile(join(root, 'Cargo.toml'), 'utf8');
  const section = /^\[package\]\n((?:.+\n)*)/m.exec(manifest)?.[1] ?? '';
  const named = /^repository = "(.*)"$/m.exec(section)?.[1];
  const expected = repository.replace(/\.git$/, '');
  if (named === expected) return;
  throw new Problem(
    `Cargo.toml names ${named ? `the repository ${named}` : 'no repository'}: set \`repository = "${expected}"\` in [package], as in package.json`,
  );
}
