'use strict';
// `slicewise/session` in Node, CommonJS, for versions that cannot `require` ESM.
const { full } = require('../full/node.cjs');
const { entry } = require('../../pkg/cjs/instances.js');
const { bind } = require('../../pkg/cjs/session/core.js');

module.exports = entry(bind, full);
