/** The page's module for tests in Node; not published. */
import { readFileSync } from 'node:fs';
import { glue } from '../../pkg/glue/page/glue.js';
import { loaded } from '../instances.js';
import { bind } from './core.js';

const { shared } = loaded(glue, () => readFileSync(new URL('../../pkg/glue/page/slicewise_bg.wasm', import.meta.url)));

export const { glance, legend, look, edit, partners, detect, version, SlicewiseError } = bind(shared);
