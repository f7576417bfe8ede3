'use strict';
// The module that all entries but the main one share, in Node, CommonJS.
const { readFileSync } = require('node:fs');
const { glue } = require('../../pkg/glue/full/glue.cjs');
const { loaded } = require('../../pkg/cjs/instances.js');

exports.full = loaded(glue, () => readFileSync(require.resolve('../../pkg/glue/full/slicewise_bg.wasm')));
