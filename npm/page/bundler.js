/** The page's module, for the bundle; not published. */
import { glue } from '../../pkg/glue/page/glue.js';
import { bind } from './core.js';

const page = glue();
await page.init({ module_or_path: new URL('../../pkg/glue/page/slicewise_bg.wasm', import.meta.url) });

export const { glance, legend, look, edit, partners, detect, version, SlicewiseError } = bind(page);
