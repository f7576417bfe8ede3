/** A program for the browser that judges reviews, with and without a bundler. */
import { createReviewer as bundled } from 'slicewise/admission';
import init, { createReviewer } from 'slicewise/admission/web';

export async function main(review: object): Promise<object[]> {
  await init(new URL('https://example.com/admission.wasm'));
  return [createReviewer().review(review), bundled().review(review)];
}
