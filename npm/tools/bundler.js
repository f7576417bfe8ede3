/** `slicewise/tools` for bundlers: the module lies where they put it, and is loaded before whoever imports this runs. */
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
