/** The page's module for tests in Node; not published. */
import * as raw from '../../pkg/glue/page/node.js';
import { bind } from './core.js';

export const { glance, legend, look, edit, partners, detect, version, SlicewiseError } = bind(/** @type {any} */ (raw));
