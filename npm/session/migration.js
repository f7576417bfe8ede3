/** Plans for what has no pods: Endpoints that are mirrored, and the API servers' own Service. */
import { open } from '../doors.js';

/**
 * @param {Pick<import('./core.js').Raw, 'mirror' | 'mirrorSnapshot' | 'kubernetesService'>} raw
 * @param {import('../core.js').Run} run
 */
export function migration(raw, run) {
  /** @param {unknown} request */
  function mirror(request) {
    const { bytes, answer } = open(request, 'the request');
    return answer(run(() => raw.mirror(bytes), [bytes]));
  }

  /** @param {unknown} snapshot */
  function mirrorSnapshot(snapshot) {
    const { bytes, answer } = open(snapshot, 'the snapshot');
    return answer(run(() => raw.mirrorSnapshot(bytes), [bytes]));
  }

  /** @param {unknown} request */
  function kubernetesService(request) {
    const { bytes, answer } = open(request, 'the request');
    return answer(run(() => raw.kubernetesService(bytes), [bytes]));
  }

  return { mirror, mirrorSnapshot, kubernetesService };
}
