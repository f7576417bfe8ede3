/** Plans, and one-off questions. */
import { bind as core } from '../core.js';
import { guard } from '../guard.js';

/**
 * @param {import('../../pkg/glue/full/glue.js').Instance} raw
 * @param {() => boolean} [isReady] whether the module is loaded; always, unless it is loaded explicitly
 */
export function bind(raw, isReady) {
  const { guarded } = guard(isReady);
  return {
    ...core(raw, isReady),
    glance: guarded(raw.glance),
    explain: guarded(raw.explain),
    exported: guarded(raw.exported),
    diff: guarded(raw.diff),
    apply: guarded(raw.apply),
    route: guarded(raw.route),
    traffic: guarded(raw.traffic),
    mirror: guarded(raw.mirror),
    mirrorSnapshot: guarded(raw.mirrorSnapshot),
    kubernetesService: guarded(raw.kubernetesService),
  };
}
