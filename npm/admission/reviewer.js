/** Answers admission reviews, based on what it knows of a cluster. */
import { decode, open, openOptional } from '../doors.js';
import { SlicewiseError } from '../error.js';
import { readers } from '../fields.js';
import { Handle, mostBytes } from '../handle.js';
import { known } from './known.js';
import { listReader, reviewReader } from './pieces.js';

/** @typedef {{policy?: string, contextAgeSeconds?: number, caughtUp?: 'waited' | 'asked'}} Asking */
/** @typedef {{config?: unknown, snapshot?: unknown, maxInputBytes?: number}} Options */

/**
 * The record of a review for logs: names and verdicts, never the object.
 * @typedef {object} ReviewRecord
 * @property {'allow' | 'warn' | 'deny' | 'error'} verdict
 * @property {string} [uid]
 * @property {string} [kind]
 * @property {string} [namespace]
 * @property {string} [name]
 * @property {string[]} policies those with findings
 * @property {string} reason human-readable
 * @property {string} [code] of an error
 * @property {{kind: 'Pod', namespace: string, name?: string, address?: string}[]} [awaits] the pods that a refusal rests on, if they may
 *   exist: when the watch has shown them, the verdict may be another
 */

const OPTIONS = ['config', 'snapshot', 'maxInputBytes'];
const ASKING = ['policy', 'contextAgeSeconds', 'caughtUp'];
const CAUGHT_UP = ['', 'waited', 'asked'];
const NEWLINE = 0x0a;

/**
 * @param {import('./core.js').Raw} raw
 * @param {import('../core.js').Run} run
 */
export function reviewers(raw, run) {
  const reader = readers(raw.fields);
  const [ofReview, ofEvents, ofSnapshot] = [reader('review'), reader('events'), reader('snapshot')];

  class Reviewer {
    /** @type {Handle<InstanceType<import('./core.js').Raw['Reviewer']>>} */
    #handle;
    /** Whether expressions read complete objects. */
    #readsAll = false;
    /** The maximum length of an input. */
    #most;

    /** @param {Options} options */
    constructor({ config, snapshot, maxInputBytes }) {
      const most = mostBytes({ maxInputBytes }, run(() => raw.maxInputBytes()));
      this.#most = most;
      const settings = openOptional(config, 'the configuration');
      this.#handle = new Handle(run, 'reviewer', most, [settings], () => new raw.Reviewer(settings.bytes, most));
      this.#readsAll = this.#handle.use((handle) => handle.readsWholeObjects());
      if (snapshot === undefined || snapshot === null) return;
      try {
        this.load(snapshot);
      } catch (error) {
        this.free();
        throw error;
      }
    }

    /** @param {unknown} config */
    configure(config) {
      const settings = openOptional(config, 'the configuration');
      this.#handle.use((handle) => handle.configure(settings.bytes), [settings]);
      this.#readsAll = this.#handle.use((handle) => handle.readsWholeObjects());
    }

    /** @param {unknown} review */
    #open(review) {
      return open(review, 'the review', this.#readsAll ? undefined : ofReview);
    }

    /** @param {unknown} snapshot */
    load(snapshot) {
      const cluster = open(snapshot, 'the snapshot', ofSnapshot);
      return JSON.parse(decode(this.#handle.use((handle) => handle.load(cluster.bytes), [cluster])));
    }

    /** @param {unknown} events */
    apply(events) {
      const input = open(events, 'the events', ofEvents);
      return input.answer(this.#handle.use((handle) => handle.apply(input.bytes), [input]));
    }

    /** A page of a list, given piece by piece. */
    startList() {
      return listReader(raw, run, this.#handle, this.#most);
    }

    /** @param {unknown} review @param {Asking} [asking] */
    review(review, asking) {
      const { policy, age } = asked(asking);
      const input = this.#open(review);
      return input.answer(this.#handle.use((handle) => handle.review(input.bytes, policy, age), [input]));
    }

    /** @param {object} review @param {Asking} [asking] */
    reviewObject(review, asking) {
      return this.review(review, asking);
    }

    /**
     * The answer as bytes, and its record for logs, without parsing the answer.
     * @param {Uint8Array} review
     * @param {Asking} [asking]
     * @returns {{answer: Uint8Array, record: ReviewRecord}}
     */
    judge(review, asking) {
      const { policy, age, caughtUp } = asked(asking);
      const input = this.#open(review);
      return told(this.#handle.use((handle) => handle.judge(input.bytes, policy, age, caughtUp), [input]));
    }

    /**
     * Like `judge`, for a review or for an existing object.
     * @param {Uint8Array} given
     * @param {Asking} [asking]
     * @returns {{answer: Uint8Array, record: ReviewRecord}}
     */
    audit(given, asking) {
      const { policy, age } = asked(asking);
      const input = open(given, 'the object');
      return told(this.#handle.use((handle) => handle.audit(input.bytes, policy, age), [input]));
    }

    /** @param {unknown} given @param {Asking} [asking] */
    explain(given, asking) {
      const { policy, age } = asked(asking);
      const input = open(given, 'the object');
      return input.answer(this.#handle.use((handle) => handle.explain(input.bytes, policy, age), [input]));
    }

    /** A large review that arrives piece by piece; null if it is needed whole. */
    startReview() {
      return reviewReader(raw, run, this.#handle);
    }

    status() {
      return JSON.parse(decode(this.#handle.use((handle) => handle.status())));
    }

    free() {
      this.#handle.free();
    }

    // Defined explicitly where the host has no `Symbol.dispose` yet, as the glue does.
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      this.free();
    }
  }

  return function createReviewer(/** @type {Options | undefined} */ options) {
    return new Reviewer(known(options ?? {}, OPTIONS, 'createReviewer'));
  };
}

/** @typedef {ReturnType<ReturnType<typeof reviewers>>} Reviewer */

/**
 * Splits the line with the record from the answer.
 * @param {Uint8Array} bytes
 * @returns {{answer: Uint8Array, record: ReviewRecord}}
 */
function told(bytes) {
  const end = bytes.indexOf(NEWLINE);
  return { answer: bytes.subarray(end + 1), record: JSON.parse(decode(bytes.subarray(0, end))) };
}

/** @param {Asking | undefined} asking */
function asked(asking) {
  if (asking === undefined) return { policy: '', age: -1, caughtUp: '' };
  const { policy = '', contextAgeSeconds, caughtUp = '' } = known(asking, ASKING, 'a review');
  const isAge = typeof contextAgeSeconds === 'number' && contextAgeSeconds >= 0;
  if (contextAgeSeconds !== undefined && !isAge) {
    throw new SlicewiseError({ code: 'InvalidValue', message: `contextAgeSeconds must be a number from 0, got ${String(contextAgeSeconds)}` });
  }
  if (typeof policy !== 'string') throw new SlicewiseError({ code: 'InvalidType', message: 'policy must be the name of one' });
  if (!CAUGHT_UP.includes(caughtUp)) throw new SlicewiseError({ code: 'InvalidValue', message: "caughtUp must be 'waited' or 'asked'" });
  return { policy, age: contextAgeSeconds ?? -1, caughtUp };
}
