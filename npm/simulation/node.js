/** `slicewise/simulation` in Node, ESM (and `require` of it, where Node allows that). */
import * as raw from '../../pkg/glue/full/node.js';
import { bind } from './core.js';

export const { Timeline, version, SlicewiseError } = bind(raw);
