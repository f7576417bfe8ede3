/**
 * `node webhook/deploy/image.mjs FOLDER`: copies only what the webhook needs at run time: its files, the files
 * that they import, and the packages that those import, with their dependencies.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The specifier of an import; type imports in comments do not count. */
const IMPORTED = /(?:^import\s*|^(?:import|export)\b[^'";]*\bfrom\s*|^[^*\n]*\bimport\(\s*)(['"])([^'"]+)\1/gm;
/** Files that are read, or started as workers, by a path relative to the importing file. */
const BESIDE = /\bnew URL\(\s*(['"])([^'"]+)\1\s*,\s*import\.meta\.url/g;
/** Only for the demo, which needs the repository. */
const LEFT_OUT = ['samples/'];

/** The files and folders, relative to the repository. */
export function needed() {
  const open = readdirSync(join(ROOT, 'webhook')).filter((name) => name.endsWith('.js')).map((name) => join(ROOT, 'webhook', name));
  const files = new Set([join(ROOT, 'package.json'), join(ROOT, 'LICENSE')]);
  /** @type {Set<string>} */
  const packages = new Set();
  for (let file = open.pop(); file; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (['.js', '.cjs', '.mjs'].includes(extname(file))) open.push(...namedBy(file, packages));
  }
  return [...files, ...packages].map((path) => relative(ROOT, path)).filter((path) => !LEFT_OUT.some((folder) => path.startsWith(folder))).sort();
}

/** The files of this repository that a file names; packages are added to the list. @param {string} file @param {Set<string>} packages */
function namedBy(file, packages) {
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(IMPORTED)].map(([, , name]) => name);
  for (const name of imported.filter((each) => !/^[.#]|^node:|^slicewise(\/|$)/.test(each))) addPackage(name, file, packages);
  const own = imported.filter((name) => /^slicewise(\/|$)/.test(name)).map((name) => fileURLToPath(import.meta.resolve(name)));
  const beside = [...imported.filter((name) => name.startsWith('.')), ...[...text.matchAll(BESIDE)].map(([, , name]) => name)];
  const paths = beside.map((name) => resolve(dirname(file), name)).filter((path) => existsSync(path) && statSync(path).isFile());
  return [...own, ...paths];
}

/** @param {string} name of a package or of a file in one @param {string} from the file that imports it @param {Set<string>} packages */
function addPackage(name, from, packages) {
  const folder = folderOf(name, from);
  if (folder === null || packages.has(folder)) return;
  packages.add(folder);
  const about = join(folder, 'package.json');
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(about, 'utf8'));
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) addPackage(each, about, packages);
}

/** The location of a package; null if it is not installed, as optional ones may be. @param {string} name @param {string} from */
function folderOf(name, from) {
  const [first, second] = name.split('/');
  const own = first.startsWith('@') ? `${first}/${second}` : first;
  const places = createRequire(from).resolve.paths(own) ?? [];
  return places.map((place) => join(place, own)).find((place) => place.startsWith(ROOT) && existsSync(join(place, 'package.json'))) ?? null;
}

/** @param {string} folder */
export function copyNeeded(folder) {
  for (const path of needed()) {
    const from = join(ROOT, path);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Nested packages are packages of their own, and handled separately.
    const filter = (/** @type {string} */ source) => !relative(from, source).split(sep).includes('node_modules');
    cpSync(from, join(folder, path), { recursive: true, filter });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('name the folder to copy to');
  copyNeeded(resolve(folder));
}
