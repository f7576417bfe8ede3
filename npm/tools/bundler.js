/** `slicewise/tools` for bundlers: they place the module, and load it before the importing code runs. */
import { init } from './web.js';

await init();

export {
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
} from './web.js';
