'use strict';
// Node, CommonJS, for versions that cannot `require` ESM.
const { readFileSync } = require('node:fs');
const { glue } = require('../pkg/glue/glue.cjs');
const { bind } = require('../pkg/cjs/core.js');
const { entry, loaded } = require('../pkg/cjs/instances.js');

module.exports = entry(bind, loaded(glue, () => readFileSync(require.resolve('../pkg/glue/slicewise_bg.wasm'))));
