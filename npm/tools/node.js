/** `slicewise/tools` in Node, ESM (and `require` of it, where Node allows that). */
import * as raw from '../../pkg/glue/full/node.js';
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
} = bind(raw);
