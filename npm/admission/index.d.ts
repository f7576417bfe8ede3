/// <reference lib="esnext.disposable" />
/**
 * Judges changes of Services, EndpointSlices, Endpoints and Nodes before they happen: an `admission.k8s.io/v1`
 * AdmissionReview in, the verdict out. It is a module of its own, with its own memory.
 *
 * A reviewer knows of a cluster what it was given: a snapshot, or lists and watch events as they come. What it does not
 * know it says.
 */
import type { Applied, ReviewerConfig, Snapshot } from '../../pkg/types/envelopes.js';
import type { Given, Json } from '../index.js';
import type { ObjectList, WatchEvent } from '../session/index.js';

export { SlicewiseError, version } from '../index.js';
export type { ErrorCode, Json } from '../index.js';
export type { Applied, ReviewerConfig, Snapshot } from '../../pkg/types/envelopes.js';
export type { ObjectList, WatchEvent } from '../session/index.js';

/** The policies, in the order in which they are asked. */
export function policies(): { name: string; about: string }[];

/** What a reviewer is made of. Everything may be left out. */
export interface ReviewerOptions {
  /** Modes and settings of the policies: `{"policies": {"slice-shape": {"mode": "warn"}}}`. */
  config?: Json<ReviewerConfig> | undefined;
  /** What is known of the cluster: objects as `kubectl get services,pods,nodes,endpointslices -A -o json` prints them. */
  snapshot?: Json<Snapshot> | undefined;
  /** Larger inputs are refused; 64 MiB when left out. */
  maxInputBytes?: number | undefined;
}

/** What is asked beside the review itself. */
export interface Asking {
  /** The only policy to ask. */
  policy?: string | undefined;
  /** How long ago the last news of the cluster came; left out where the context does not age. */
  contextAgeSeconds?: number | undefined;
}

/** What may be told of a review: names and verdicts, never the object. */
export interface ReviewRecord {
  verdict: 'allow' | 'warn' | 'deny' | 'error';
  uid?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** Those that had something to say. */
  policies: string[];
  /** For people. */
  reason: string;
  /** Of an error. */
  code?: string;
}

/** May the change be made, and what should people know? */
export interface ReviewResponse {
  /** That of the request. */
  uid: string;
  allowed: boolean;
  /** Why; the API server passes it on when the change is refused. */
  status: {
    /** An HTTP status: 200 or 403. */
    code: number;
    /** `Forbidden` when the change is refused. */
    reason?: string;
    message: string;
    details: { name?: string; group?: string; kind: string; causes?: { reason: string; message: string; field: string }[] };
  };
  /** Shown to the user by `kubectl`. */
  warnings?: string[];
  /** What each policy said, by its name, for the audit log. */
  auditAnnotations?: Record<string, string>;
}

/** An AdmissionReview with a response. */
export interface ReviewAnswer {
  apiVersion: 'admission.k8s.io/v1';
  kind: 'AdmissionReview';
  response: ReviewResponse;
}

/** A verdict, and how it came about. */
export interface ReviewExplanation {
  /** The whole in words, for people. */
  text: string;
  /** What the policies did, in the order in which they were asked. */
  steps: {
    policy: string;
    about: string;
    /** The kinds that it judges. */
    kinds: string[];
    /** Whether it was asked, and why not. */
    standing: 'asked' | 'otherKind' | 'notChosen' | 'off' | 'exempt' | 'nobodyWrites';
    mode: 'enforce' | 'warn' | 'audit' | 'off';
    /** The kinds of which it looked at what is known of the cluster. */
    lookedAt: string[];
    findings: { rule: string; effect: 'deny' | 'warn' | 'note'; field: string; message: string }[];
  }[];
  contextAgeSeconds: number | null;
  /** As in the answer to a review. */
  response: ReviewResponse;
}

/** What a reviewer knows of the cluster. */
export interface ReviewerStatus {
  /** By kind of object: how many there are, and whether all of them have been told. */
  kinds: Record<'Service' | 'Pod' | 'Node' | 'EndpointSlice', { known: boolean; objects: number }>;
}

/** Answers admission reviews. */
export interface Reviewer {
  /** Takes another configuration, which counts from now on; one that cannot be used changes nothing. */
  configure(config?: Json<ReviewerConfig>): void;
  /** Takes a snapshot for all that is known of the cluster. */
  load(snapshot: Json<Snapshot>): void;
  /**
   * Takes a watch event, an array of them, a list of everything of a kind, or several of these, each on its own line.
   * All of a kind is known once it was listed, or a bookmark has ended its initial events.
   *
   * A list may come in pieces: `{"type": "LISTING", "object": {"kind": "Pod"}}`, then either its pages, the last of which
   * has no `continue`, or the events of a watch with `sendInitialEvents`, up to the bookmark that ends them. What was
   * known and is in no piece is forgotten with the last one. A listing that breaks off is begun again.
   */
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
  apply(events: Uint8Array): Uint8Array;
  apply(events: string): string;
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
  /** AdmissionReview with a request in, AdmissionReview with a response out. */
  review(review: Given<object>, asking?: Asking): ReviewAnswer;
  review(review: Uint8Array, asking?: Asking): Uint8Array;
  review(review: string, asking?: Asking): string;
  review(review: Given<object>, asking?: Asking): ReviewAnswer;
  /** The same for an object. */
  reviewObject(review: object, asking?: Asking): ReviewAnswer;
  /** The answer in bytes, and what may be logged of it. */
  judge(review: Uint8Array, asking?: Asking): { answer: Uint8Array; record: ReviewRecord };
  /**
   * As `judge`, of a review, or of an existing object: what would be said of it if it came now. Who
   * wrote it is not known then, and is not judged.
   */
  audit(given: Uint8Array, asking?: Asking): { answer: Uint8Array; record: ReviewRecord };
  /** Why the verdict is what it is, of what `audit` takes. */
  explain(given: Given<object>, asking?: Asking): ReviewExplanation;
  explain(given: Uint8Array, asking?: Asking): Uint8Array;
  explain(given: string, asking?: Asking): string;
  explain(given: Given<object>, asking?: Asking): ReviewExplanation;
  status(): ReviewerStatus;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}

export function createReviewer(options?: ReviewerOptions): Reviewer;

export interface HandlerOptions {
  /** The only policy to ask. */
  policy?: string | undefined;
  /** Asked for each review; see {@link Asking}. */
  contextAgeSeconds?: (() => number | undefined) | undefined;
  /** Larger reviews get a 413; 9 MiB when left out. */
  maxBytes?: number | undefined;
  /** For logs and metrics. */
  onReview?: ((record: ReviewRecord, status: number) => void) | undefined;
}

/** A request as the web has it, as far as it is looked at. */
export interface WebRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
}

/** The host's own `Response`. */
export type WebResponse = typeof globalThis extends { Response: { new (...given: never): infer Made } } ? Made : unknown;

/** Node's `IncomingMessage`, as far as it is looked at; `body` is what a parser of bytes has left. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly complete: boolean;
  readonly body?: unknown;
}

/** Node's `ServerResponse`, as far as it is used. */
export interface NodeResponse {
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: Uint8Array | string): unknown;
}

/** The web's `Request` → `Response`, and Node's `(request, response)`. */
export interface Handler {
  (request: WebRequest): Promise<WebResponse>;
  (request: NodeRequest, response: NodeResponse): Promise<void>;
}

/** A handler for others' servers: it reads the review, and answers it. */
export function createHandler(reviewer: Reviewer, options?: HandlerOptions): Handler;
