/** The main module, as the page has it. */
import { glue } from '../../pkg/glue/glue.js';
import { bind } from './bind.js';

const core = glue();
await core.init({ module_or_path: new URL('../../pkg/glue/slicewise_bg.wasm', import.meta.url) });

export const { glance, legend, look, edit, partners, detect, version, SlicewiseError } = bind(core);
