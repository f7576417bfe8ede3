/** Tells of objects that could not be read: each once, and again when its error changes. */

/** Objects that are remembered as told; after that, they may be told again. */
const MOST = 10_000;

/**
 * @param {import('./watch.js').WatchLog} log
 * @param {(kind: string, count: number) => void} count
 * @returns {(applied: import('slicewise/admission').Applied) => void}
 */
export function createLeftOut(log, count) {
  /** @type {Map<string, string>} */
  const told = new Map();
  return ({ leftOut = [], moreLeftOut = 0 }) => {
    for (const { kind, namespace, name, error } of leftOut) {
      count(kind, 1);
      const key = `${kind} ${namespace ?? ''}/${name}`;
      const { code, path, message } = error;
      const reason = `${path ?? ''} ${message}`;
      if (told.get(key) === reason) continue;
      if (told.size >= MOST) told.clear();
      told.set(key, reason);
      log.warn({ kind, namespace, name, code, path, reason: message }, 'an object cannot be read and is left out');
    }
    if (moreLeftOut > 0) {
      count(leftOut[0].kind, moreLeftOut);
      log.warn({ more: moreLeftOut }, 'further objects cannot be read and are left out');
    }
  };
}
