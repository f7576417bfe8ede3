/** Node, ESM (and `require` of it, where Node allows that): the module is loaded while this file is evaluated. */
import { readFileSync } from 'node:fs';
import { glue } from '../pkg/glue/glue.js';
import { bind } from './core.js';
import { entry, loaded } from './instances.js';

const read = () => readFileSync(new URL('../pkg/glue/slicewise_bg.wasm', import.meta.url));

export const { plan, planSnapshot, detect, version, SlicewiseError, createInstance } = entry(bind, loaded(glue, read));
