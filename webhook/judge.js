/**
 * Bytes → review → bytes. No HTTP and no sockets: a reviewer goes in, so that tests need no WebAssembly, and what
 * should be logged and counted comes out with the answer.
 */
import { createReviewer } from 'slicewise/admission';
import { answerTo } from '../npm/admission/answer.js';

/**
 * @typedef {object} Judging
 * @property {(bytes: Uint8Array, policy?: string) => {answer: Uint8Array, record: import('slicewise/admission').ReviewRecord}} judge
 *   throws an error with a `code` for a broken review
 * @property {() => void} [reset] called after a bug showed, so that the next review starts afresh
 */

/**
 * What keeps the context up to date.
 * @typedef {object} Following
 * @property {() => number} ageSeconds since the last news of the cluster
 * @property {() => void} relist tells everything anew
 */

/** With a body in text, because Node sends short text and headers in one piece, but bytes in two. */
/** @typedef {import('../npm/admission/answer.js').Answer & {body: string}} Answer */

const decoder = new TextDecoder();

/** The core's own. */
const MAX_AGE = 60;

/**
 * @param {Judging} judging
 * @returns {(bytes: Uint8Array, policy?: string) => Answer}
 */
export function createJudge(judging) {
  return (bytes, policy) => {
    const answer = answerTo(() => judging.judge(bytes, policy));
    if (answer.status === 500) judging.reset?.();
    return { ...answer, body: typeof answer.body === 'string' ? answer.body : decoder.decode(answer.body) };
  };
}

/** A reviewer that can be made anew. @implements {Judging} */
export class Reviewing {
  /** @type {import('slicewise/admission').Reviewer | null} */
  #reviewer = null;
  /** @type {Following | null} */
  #following = null;
  #options;

  /**
   * @param {Uint8Array} snapshot may be empty
   * @param {import('./config.js').ReviewerSettings} settings as configured; checked by the core
   */
  constructor(snapshot, settings) {
    this.#options = { config: settings, snapshot: snapshot.length === 0 ? undefined : snapshot };
    this.#made();
  }

  /** @param {Uint8Array} bytes @param {string} [policy] the only one to ask */
  judge(bytes, policy) {
    return this.#made().judge(bytes, { policy, contextAgeSeconds: this.#following?.ageSeconds() });
  }

  /** @param {Following} following */
  follow(following) {
    this.#following = following;
  }

  /** Older context counts as not known. */
  maxAgeSeconds() {
    const { maxAgeSeconds } = /** @type {{maxAgeSeconds?: number}} */ (this.#options.config.context ?? {});
    return maxAgeSeconds ?? MAX_AGE;
  }

  /**
   * Takes lists and events.
   * @param {Uint8Array} bytes
   * @returns {import('slicewise/admission').Applied}
   */
  apply(bytes) {
    return JSON.parse(decoder.decode(this.#made().apply(bytes)));
  }

  /**
   * Takes other settings; those that cannot be used change nothing.
   * @param {import('./config.js').ReviewerSettings} settings
   */
  configure(settings) {
    this.#made().configure(settings);
    this.#options = { ...this.#options, config: settings };
  }

  /** Forgets the reviewer, so that the next review gets a new one. */
  reset() {
    try {
      this.#reviewer?.free();
    } catch {
      // After a trap even this can fail; the memory is lost then.
    }
    this.#reviewer = null;
    this.#following?.relist();
  }

  #made() {
    return (this.#reviewer ??= createReviewer(this.#options));
  }
}
