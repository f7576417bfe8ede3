/** The main module, as the tests of the page have it in Node. */
import { readFileSync } from 'node:fs';
import { loaded } from '../../npm/instances.js';
import { glue } from '../../pkg/glue/glue.js';
import { bind } from './bind.js';

const { shared } = loaded(glue, () => readFileSync(new URL('../../pkg/glue/slicewise_bg.wasm', import.meta.url)));

export const { glance, legend, look, edit, partners, detect, version, SlicewiseError } = bind(shared);
