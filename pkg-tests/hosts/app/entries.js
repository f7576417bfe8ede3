/** Every entry, as bundlers and hosts with files take it. */
export { SlicewiseError, plan } from 'slicewise';
export { createReviewer, policies } from 'slicewise/admission';
export { Session } from 'slicewise/session';
export { Timeline } from 'slicewise/simulation';
export { explain } from 'slicewise/tools';
