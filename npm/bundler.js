/** Bundlers that follow the ESM integration of WebAssembly (webpack: `experiments.asyncWebAssembly`). */
import * as raw from '../pkg/glue/bundler.js';
import { bind } from './core.js';

export const { plan, planSnapshot, detect, version, SlicewiseError } = bind(raw);
