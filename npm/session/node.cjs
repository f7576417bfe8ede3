'use strict';
// `slicewise/session` in Node, CommonJS, for versions that cannot `require` ESM.
const raw = require('../../pkg/glue/full/node.cjs');
const { bind } = require('../../pkg/cjs/session/core.js');

module.exports = bind(raw);
