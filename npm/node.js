/** Node, ESM (and `require` of it, where Node allows that): the module is loaded while this file is evaluated. */
import * as raw from '../pkg/glue/node.js';
import { bind } from './core.js';

export const { plan, planSnapshot, detect, version, SlicewiseError } = bind(raw);
