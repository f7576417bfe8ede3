/**
 * The only module that imports `slicewise/admission`: the webhook's verdict on a change. It keeps one cluster. It
 * runs in its own worker (`admission-worker.js`), and also in Node.
 * @import {JudgeAnswer} from './types.js'
 * @import {ReviewExplanation} from 'slicewise/admission'
 */
import { SlicewiseError, createReviewer, policies } from 'slicewise/admission';
import { readInput } from './input/read.js';
import { UnreadableInput } from './input/unreadable.js';
import { objectsOf } from './input/walk.js';
import { keyOf, placed } from './model/objects.js';
import { reviewOf } from '../webhook/review.js';

/** Written to a part of another object, by whose text they cannot be told. */
const PARTS = ['Scale', 'Eviction'];
/** Kinds of objects that policies check. */
const JUDGED = [...new Set(policies().flatMap(({ kinds }) => kinds))].filter((kind) => !PARTS.includes(kind));
const LISTED = 500;

/**
 * @typedef {object} Change an object and the change to make
 * @property {'CREATE' | 'UPDATE' | 'DELETE'} operation
 * @property {string} kind
 * @property {string} key of the object in the cluster, or '' for none
 * @property {string} text the new object, as JSON or YAML
 * @property {string} user who asks
 *
 * @typedef {{review: string} | {change: Change}} Question
 */

/** A cluster, and a reviewer that knows it. */
export class Judge {
  #reviewer = createReviewer();
  #config = '';
  /** @type {any[]} */
  #objects = [];

  /**
   * @param {Uint8Array} input as JSON
   * @param {boolean} isRequest whether it is a plan request
   * @returns {string[]} kinds of which objects can be changed
   */
  load(input, isRequest) {
    const root = JSON.parse(new TextDecoder().decode(input));
    const given = isRequest ? listOf(root) : root;
    this.#reviewer.load(JSON.stringify(given));
    const judged = objectsOf(given, 'snapshot').filter(({ kind, value }) => JUDGED.includes(kind) && value.metadata);
    this.#objects = judged.map(({ kind, value }) => ({ kind, ...value, metadata: placed(kind, value.metadata) }));
    return JUDGED;
  }

  /**
   * Objects of one kind that can be changed, up to a maximum.
   * @param {string} kind
   * @param {string} find
   * @returns {{names: string[], count: number}}
   */
  objects(kind, find) {
    const found = this.#objects.filter((object) => object.kind === kind && keyOf(object.metadata).includes(find));
    const names = found.slice(0, LISTED).map(({ metadata }) => keyOf(metadata));
    return { names: names.sort(), count: found.length };
  }

  /** One of them as text. @param {string} kind @param {string} key */
  text(kind, key) {
    const found = this.#find(kind, key);
    return found ? JSON.stringify(found, null, 2) : '';
  }

  /** @param {string} kind @param {string} key */
  #find(kind, key) {
    return this.#objects.find((object) => object.kind === kind && keyOf(object.metadata) === key);
  }

  /**
   * @param {Question} question
   * @param {string} config of the policies, as JSON or YAML
   * @returns {Promise<JudgeAnswer>}
   */
  async judge(question, config) {
    /** @type {'config' | 'question'} */
    let reading = 'config';
    try {
      await this.#configure(config);
      reading = 'question';
      const review = 'review' in question ? (await readInput(question.review)).bytes : await this.#reviewOf(question.change);
      /** @type {ReviewExplanation} */
      const explanation = JSON.parse(new TextDecoder().decode(this.#reviewer.explain(review)));
      const review_ = JSON.parse(new TextDecoder().decode(review));
      const answer =
        review_.kind === 'AdmissionReview' ? new TextDecoder().decode(this.#reviewer.review(review)) : JSON.stringify(explanation.response);
      return { ok: true, explanation, answer, review: JSON.stringify(review_, null, 2) };
    } catch (error) {
      return { ok: false, of: reading, problem: problemOf(error) };
    }
  }

  /** @param {string} config */
  async #configure(config) {
    if (config === this.#config) return;
    if (config.trim() === '') this.#reviewer.configure({});
    else this.#reviewer.configure((await readInput(config, { isOwn: true })).bytes);
    this.#config = config;
  }

  /** @param {Change} change */
  async #reviewOf({ operation, kind, key, text, user }) {
    const old = operation === 'CREATE' ? null : (this.#find(kind, key) ?? null);
    const object = operation === 'DELETE' ? null : JSON.parse(new TextDecoder().decode((await readInput(text)).bytes));
    return encode(JSON.stringify(reviewOf(operation, object, old, user)));
  }
}

/** The objects of a plan request, each with its kind. @param {any} request */
function listOf({ service, pods, nodes, slices }) {
  /** @param {any[] | null | undefined} list @param {string} apiVersion @param {string} kind */
  const typed = (list, apiVersion, kind) => (list ?? []).map((object) => ({ apiVersion, kind, ...object }));
  const core = [...typed([service], 'v1', 'Service'), ...typed(pods, 'v1', 'Pod'), ...typed(nodes, 'v1', 'Node')];
  return { apiVersion: 'v1', kind: 'List', items: [...core, ...typed(slices, 'discovery.k8s.io/v1', 'EndpointSlice')] };
}

/** @param {unknown} error */
function problemOf(error) {
  if (error instanceof SlicewiseError || error instanceof UnreadableInput) {
    const { code, message, line, column } = error;
    return { code, message, path: error instanceof SlicewiseError ? error.path : undefined, line, column };
  }
  return { code: 'Internal', message: error instanceof Error ? error.message : String(error) };
}

/** @param {string} text */
function encode(text) {
  return new TextEncoder().encode(text);
}
