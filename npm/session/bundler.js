/** `slicewise/session` for bundlers that follow the ESM integration of WebAssembly. */
import * as raw from '../../pkg/glue/session/bundler.js';
import { bind } from './core.js';

export const {
  plan,
  planSnapshot,
  detect,
  version,
  SlicewiseError,
  Session,
  Controller,
  Proxier,
} = bind(raw);
