/** `slicewise/session/web`, whose module is loaded explicitly: `await init()` first. */
import { init, isReady, raw } from '../full.js';
import { bind } from './core.js';

export { init, init as default };
export const {
  plan,
  planSnapshot,
  detect,
  version,
  SlicewiseError,
  Session,
  Controller,
  Proxier,
} = bind(raw, isReady);
