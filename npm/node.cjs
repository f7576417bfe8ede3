'use strict';
// Node, CommonJS, for versions that cannot `require` ESM.
const raw = require('../pkg/glue/node.cjs');
const { bind } = require('../pkg/cjs/core.js');

module.exports = bind(raw);
