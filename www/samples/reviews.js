/** Reviews to try, one for each policy, and the cluster they are about. `generate-reviews.mjs` writes them. */

export const REVIEWS_URL = new URL('./reviews.json', import.meta.url);
export const REVIEWED_CLUSTER_URL = new URL('../../samples/cluster-at-rest.json', import.meta.url);

/** @typedef {{policy: string, title: string, review: object, config?: object}} SampleReview */

/** @returns {Promise<SampleReview[]>} */
export async function sampleReviews() {
  return (await fetch(REVIEWS_URL)).json();
}
