/** Reviewers over one snapshot: one that asks all policies, and one for each policy that is asked alone. */
import { Reviewer } from 'slicewise';
import { POLICIES } from './policies.js';

/** @typedef {Record<string, {mode?: string} & Record<string, unknown>>} PolicySettings */

export class Reviewers {
  /** @type {Map<string | undefined, Reviewer>} */
  #made = new Map();
  #snapshot;
  #policies;

  /**
   * @param {Uint8Array} snapshot may be empty
   * @param {PolicySettings} policies as configured; checked by the core
   */
  constructor(snapshot, policies) {
    this.#snapshot = snapshot;
    this.#policies = policies;
    this.#reviewer(undefined);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {string} [policy] the only one to ask; it must be one of {@link POLICIES}
   */
  review(bytes, policy) {
    return this.#reviewer(policy).review(bytes);
  }

  /** Forgets all reviewers, so that the next review gets a new one. */
  reset() {
    for (const reviewer of this.#made.values()) {
      try {
        reviewer.free();
      } catch {
        // After a trap even this can fail; the memory is lost then.
      }
    }
    this.#made.clear();
  }

  /** @param {string | undefined} policy */
  #reviewer(policy) {
    let reviewer = this.#made.get(policy);
    if (!reviewer) {
      const others = POLICIES.filter((name) => policy !== undefined && name !== policy);
      const policies = { ...this.#policies, ...Object.fromEntries(others.map((name) => [name, { mode: 'off' }])) };
      reviewer = new Reviewer(this.#snapshot, JSON.stringify({ policies }));
      this.#made.set(policy, reviewer);
    }
    return reviewer;
  }
}
