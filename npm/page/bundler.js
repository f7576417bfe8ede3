/** The page's module, for the bundle. It is not published. */
import * as raw from '../../pkg/glue/page/bundler.js';
import { bind } from './core.js';

export const { plan, planSnapshot, glance, look, detect, version, SlicewiseError } = bind(/** @type {any} */ (raw));
