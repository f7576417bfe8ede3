/** `slicewise/tools` for bundlers that follow the ESM integration of WebAssembly. */
import * as raw from '../../pkg/glue/tools/bundler.js';
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
