/** The page's module, in Node, where its tests run. It is not published. */
import * as raw from '../../pkg/glue/page/node.js';
import { bind } from './core.js';

export const { plan, planSnapshot, glance, legend, look, edit, partners, detect, version, SlicewiseError } = bind(/** @type {any} */ (raw));
