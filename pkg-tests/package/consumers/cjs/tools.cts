/** A CommonJS program with tools. */
import tools = require('slicewise/tools');
import { apply } from 'slicewise/tools';

export const differing: tools.Diff = tools.diff([], []);
export const text: string = apply('{}', []);
