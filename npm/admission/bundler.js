/** `slicewise/admission` for bundlers that follow the ESM integration of WebAssembly. */
import * as raw from '../../pkg/glue/admission/bundler.js';
import { bind } from './core.js';

export const { createReviewer, createHandler, policies, version, SlicewiseError } = bind(raw);
