/** `slicewise/tools/web`, whose module is loaded explicitly: `await init()` first. */
import { init, isReady, raw } from '../full.js';
import { bind } from './core.js';

export { init, init as default };
export const {
  plan,
  planSnapshot,
  glance,
  detect,
  version,
  SlicewiseError,
  explain,
  exported,
  diff,
  apply,
  route,
  traffic,
  mirror,
  mirrorSnapshot,
  kubernetesService,
} = bind(raw, isReady);
