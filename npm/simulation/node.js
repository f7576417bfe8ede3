/** `slicewise/simulation` in Node, ESM (and `require` of it, where Node allows that). */
import { full } from '../full/node.js';
import { entry } from '../instances.js';
import { bind } from './core.js';

export const { Timeline, version, SlicewiseError, createInstance } = entry(bind, full);
