/** `slicewise/tools/web`, whose module is loaded explicitly: `await init()` first. */
import { full, init } from '../full/web.js';
import { entry } from '../instances.js';
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
  createInstance,
} = entry(bind, full);
