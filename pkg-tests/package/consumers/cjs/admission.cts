/** A CommonJS program that judges reviews. */
import admission = require('slicewise/admission');

export const text: string = admission.createReviewer().review('{}');
