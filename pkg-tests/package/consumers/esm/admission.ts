/** An ESM program that judges reviews: every overload, and what must not compile. */
import { createHandler, createReviewer, policies } from 'slicewise/admission';
import type { ReviewRecord } from 'slicewise/admission';

using reviewer = createReviewer({ config: { policies: {} }, snapshot: { kind: 'List', items: [] } });

export const bytes: Uint8Array = reviewer.review(new Uint8Array(), { policy: 'slice-shape', contextAgeSeconds: 3 });
export const text: string = reviewer.review('{}');
export const value: boolean = reviewer.reviewObject({ request: {} }).response.allowed;
export const taken: number = reviewer.apply([]).taken;
export const isKnown: boolean = reviewer.status().kinds.Pod.known;
export const names: string[] = policies().map(({ name }) => name);
export const records: ReviewRecord[] = [reviewer.judge(new Uint8Array()).record];
export const handler = createHandler(reviewer, { onReview: (record) => records.push(record) });

// @ts-expect-error what goes in comes out
export const wrong: string = reviewer.review(new Uint8Array());
// @ts-expect-error an option that does not exist
createReviewer({ cluster: [] });
