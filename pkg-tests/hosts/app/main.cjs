'use strict';
// The same for `require`.
const { answers, show } = require('./answers.js');
const { SlicewiseError, plan } = require('slicewise');
const { createReviewer, policies } = require('slicewise/admission');
const { Session } = require('slicewise/session');
const { Timeline } = require('slicewise/simulation');
const { explain } = require('slicewise/tools');

show(answers({ SlicewiseError, plan, createReviewer, policies, Session, Timeline, explain }));
