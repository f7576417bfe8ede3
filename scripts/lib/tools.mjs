/** The required tools, and how to install missing ones. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, ROOT, ask, mustRun, run } from './run.mjs';

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string[]} command prints the version
 * @property {[number, number]} least
 * @property {string} get how to install it
 */

/** @type {Record<'node' | 'cargo' | 'go' | 'python', Tool>} */
const TOOLS = {
  node: { name: 'Node.js', command: [process.execPath, '--version'], least: [20, 19], get: 'https://nodejs.org/' },
  cargo: {
    name: 'Rust (cargo)',
    command: ['cargo', '--version'],
    least: [1, 95],
    get: 'https://rustup.rs/, or `rustup update stable` when it is only too old',
  },
  go: { name: 'Go', command: ['go', 'version'], least: [1, 26], get: 'https://go.dev/dl/' },
  python: { name: 'Python', command: ['python3', '--version'], least: [3, 10], get: 'https://www.python.org/downloads/' },
};

/**
 * Throws one error that names everything missing or too old.
 * @param {(keyof typeof TOOLS)[]} names
 */
export function checkTools(names) {
  const lacks = names.map((name) => lackOf(TOOLS[name])).filter(Boolean);
  if (lacks.length > 0) throw new Problem(`Some tools are missing:\n${lacks.map((lack) => `  - ${lack}`).join('\n')}`);
}

/** @param {Tool} tool */
function lackOf({ name, command, least, get }) {
  const wanted = least.join('.');
  const answer = ask(command);
  if (answer === null) return `${name} ${wanted} or later. Get it from ${get}`;
  const [major, minor] = (/(\d+)\.(\d+)/.exec(answer) ?? []).slice(1).map(Number);
  const recent = major > least[0] || (major === least[0] && minor >= least[1]);
  return recent ? null : `${name} ${wanted} or later; this is ${major}.${minor}. Get it from ${get}`;
}

/**
 * Installs missing WebAssembly targets of the Rust toolchain.
 * @param {string[]} [targets] the modules', and that of the npm command and of the policy for Kubewarden
 */
export async function ensureWasmTargets(targets = ['wasm32-unknown-unknown', 'wasm32-wasip1']) {
  for (const target of targets) await ensureWasmTarget(target);
}

/** @param {string} target */
async function ensureWasmTarget(target) {
  const folder = ask(['rustc', '--print', 'target-libdir', '--target', target]);
  if (folder && existsSync(folder)) return;
  if (ask(['rustup', '--version']) === null) {
    throw new Problem(`Rust lacks the target ${target}. Get rustup from https://rustup.rs/, or the target from where Rust came from.`);
  }
  await mustRun(['rustup', 'target', 'add', target]);
}

/** Installs the npm packages of the lock file, unless the last installation is newer. @param {string} [folder] */
export async function ensurePackages(folder = ROOT) {
  const time = (/** @type {string} */ path) => statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (time('node_modules/.package-lock.json') >= time('package-lock.json')) return;
  await mustRun(['npm', 'ci'], { cwd: folder });
}

/** Chromium without a window, in which the tests take a third less time; and the whole browser. */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The browser for tests, if there is one: $CHROMIUM, or Debian's. */
export function findChromium() {
  const paths = process.env.CHROMIUM ? [process.env.CHROMIUM] : CHROMIUMS;
  return paths.find((path) => existsSync(path));
}

/** The browser for tests, which is installed if permitted: the faster one, even if there is another. */
export async function ensureChromium() {
  const found = findChromium();
  const mayInstall = !process.env.CHROMIUM && process.getuid?.() === 0 && ask(['apt-get', '--version']) !== null;
  if (found === CHROMIUMS[0] || (found && !mayInstall)) return found;
  if (!mayInstall) {
    throw new Problem(
      `There is no Chromium at ${process.env.CHROMIUM ?? CHROMIUMS.join(' or ')}. Install it (Debian: \`apt-get install ` +
        `chromium-headless-shell\`), or set CHROMIUM to its path.`,
    );
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const commands = [['update', '-q', '-o', 'Acquire::http::Timeout=20'], ['install', '-yq', '--no-install-recommends', 'chromium-headless-shell']];
  for (const command of commands) {
    const code = await run(['apt-get', ...command], { env });
    if (code === 0) continue;
    if (!found) throw new Problem('Chromium cannot be installed. Install chromium-headless-shell, or set CHROMIUM to the path of a Chromium.');
    console.error('chromium-headless-shell cannot be installed: the tests of the page take longer');
    return found;
  }
  return CHROMIUMS[0];
}
