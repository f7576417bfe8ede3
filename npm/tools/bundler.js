/** `slicewise/tools` for bundlers: the module is where they put it, and is loaded before the importing code runs. */
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
} from './web.js';
