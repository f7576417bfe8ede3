/** `slicewise/tools` in Node, ESM (and `require` of it, where Node allows that). */
import { full } from '../full/node.js';
import { entry } from '../instances.js';
import { bind } from './core.js';

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
