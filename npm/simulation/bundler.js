/** `slicewise/simulation` for bundlers that follow the ESM integration of WebAssembly. */
import * as raw from '../../pkg/glue/simulation/bundler.js';
import { bind } from './core.js';

export const { Timeline, version, SlicewiseError } = bind(raw);
