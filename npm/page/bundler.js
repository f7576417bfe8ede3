/** The page's module, for the bundle; not published. */
import init, * as raw from '../../pkg/glue/page/web.js';
import { bind } from './core.js';

await init({ module_or_path: new URL('../../pkg/glue/page/slicewise_bg.wasm', import.meta.url) });

export const { glance, legend, look, edit, partners, detect, version, SlicewiseError } = bind(/** @type {any} */ (raw));
