/**
 * Files that are reloaded when they change. Secrets and ConfigMaps change by swapping a link, so folders are watched,
 * not files. Invalid files are reported, and the previous ones stay in use.
 */
import { readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';

/** The files of a change arrive one after another. */
const SETTLING = 100;

/** The names of what is reloaded, in logs and metrics. */
export const RELOADED = /** @type {const} */ (['certificate', 'configuration']);

/**
 * @typedef {object} Watched
 * @property {typeof RELOADED[number]} what its name in logs and metrics
 * @property {string[]} files
 * @property {() => void | Promise<void>} take loads them, and throws if they are invalid
 */

/**
 * @param {Watched[]} watched
 * @param {import('./log.js').Log} log
 * @param {import('./metrics.js').Metrics} metrics
 * @returns {() => void} stops it
 */
export function watchFiles(watched, log, metrics) {
  const ends = watched.map((each) => watchOne(each, log, metrics));
  return () => ends.forEach((end) => end());
}

/** @param {Watched} watched @param {import('./log.js').Log} log @param {import('./metrics.js').Metrics} metrics */
function watchOne({ what, files, take }, log, metrics) {
  let known = contents(files);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const look = async () => {
    const now = contents(files);
    if (now === known) return;
    known = now;
    try {
      await take();
      metrics.reloads.inc({ what, result: 'taken' });
      log.info({ what }, 'reloaded');
    } catch (error) {
      metrics.reloads.inc({ what, result: 'refused' });
      log.error({ what, reason: String(error instanceof Error ? error.message : error) }, 'not reloaded; the previous version stays in use');
    }
  };
  const folders = [...new Set(files.map(dirname))];
  const watchers = folders.map((folder) =>
    watch(folder, { persistent: false }, () => {
      clearTimeout(timer);
      timer = setTimeout(look, SETTLING);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** @param {string[]} files */
function contents(files) {
  return files.map(contentOf).join('\0');
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // Removed and not replaced yet.
    return '';
  }
}
