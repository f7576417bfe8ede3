/** The module that all entries but the main one share, in Node. */
import { readFileSync } from 'node:fs';
import { glue } from '../../pkg/glue/full/glue.js';
import { loaded } from '../instances.js';

export const full = loaded(glue, () => readFileSync(new URL('../../pkg/glue/full/slicewise_bg.wasm', import.meta.url)));
