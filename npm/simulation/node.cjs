'use strict';
// `slicewise/simulation` in Node, CommonJS, for versions that cannot `require` ESM.
const { full } = require('../full/node.cjs');
const { entry } = require('../../pkg/cjs/instances.js');
const { bind } = require('../../pkg/cjs/simulation/core.js');

module.exports = entry(bind, full);
