/// <reference lib="esnext.disposable" />
/**
 * Reviews changes to Services, EndpointSlices, Endpoints and Nodes before they happen: takes an `admission.k8s.io/v1` AdmissionReview and returns the
 * verdict. All entries but the main one share a module and its memory.
 *
 * A reviewer only knows what you give it: a snapshot, or lists and watch events as they arrive. Its verdicts say when
 * something is unknown.
 */
import type { Applied, ReviewerConfig, Snapshot } from '../../pkg/types/envelopes.js';
import type { Given, Json, SlicewiseError, version } from '../index.js';
import type { ObjectList, WatchEvent } from '../session/index.js';

export { SlicewiseError, version } from '../index.js';
export type { ErrorCode, Json } from '../index.js';
export type { Applied, ReviewerConfig, Snapshot } from '../../pkg/types/envelopes.js';
export type { ObjectList, WatchEvent } from '../session/index.js';

/** The policies, in the order in which they run, and the kinds that each checks. */
export function policies(): { name: string; about: string; kinds: string[] }[];

/** Options of a reviewer, all optional. */
export interface ReviewerOptions {
  /** Modes and settings of the policies: `{"policies": {"slice-shape": {"mode": "warn"}}}`. */
  config?: Json<ReviewerConfig> | undefined;
  /** The cluster: objects as `kubectl get services,pods,nodes,endpointslices -A -o json` prints them. */
  snapshot?: Json<Snapshot> | undefined;
  /** Larger inputs are refused; 64 MiB by default. */
  maxInputBytes?: number | undefined;
}

/** Options of a review. */
export interface Asking {
  /** The only policy to run. */
  policy?: string | undefined;
  /** The age of the last update from the cluster; leave it out if the context does not age. */
  contextAgeSeconds?: number | undefined;
  /** What the clock shows (RFC 3339); without it, no exception of the configuration applies. */
  now?: string | undefined;
  /**
   * What was done since a verdict with `awaits`: the caller waited for its watch for `context.catchUpMs`, or asked the API
   * server for the named pods. The message says so.
   */
  caughtUp?: 'waited' | 'asked' | undefined;
}

/** A record of a review for logs: names and verdicts, never the object. */
export interface ReviewRecord {
  verdict: 'allow' | 'warn' | 'deny' | 'error';
  uid?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  /** The user who asks, and the number of groups that the user is in. */
  user?: string;
  groups?: number;
  /** `CREATE`, `UPDATE`, `DELETE` or `CONNECT`; nothing was asked of an object that exists. */
  operation?: string;
  dryRun?: boolean;
  /** The policies with findings. */
  policies: string[];
  /** Human-readable. */
  reason: string;
  /** The code of an error. */
  code?: string;
  /** The pods that a refusal rests on, if they may exist and the watch has not shown them yet. */
  awaits?: { kind: 'Pod'; namespace: string; name?: string; address?: string }[];
}

/** Whether the change is allowed, and messages for the user. */
export interface ReviewResponse {
  /** The uid of the request. */
  uid: string;
  allowed: boolean;
  /** The reason; the API server passes it on if the change is denied. */
  status: {
    /** An HTTP status: 200 or 403. */
    code: number;
    /** `Forbidden` if the change is denied. */
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

/** A verdict and its explanation. */
export interface ReviewExplanation {
  /** The whole explanation in words. */
  text: string;
  /** The change and the verdict. */
  headline: string;
  /** What is known of the cluster. */
  known: string;
  /** What the policies did, in the order in which they ran. */
  steps: {
    policy: string;
    about: string;
    /** The kinds that it checks. */
    kinds: string[];
    /** Whether it ran, or why not. */
    standing: 'asked' | 'otherKind' | 'notChosen' | 'off' | 'exempt' | 'unchanged' | 'apiServers' | 'nobodyWrites';
    mode: 'enforce' | 'warn' | 'audit' | 'off';
    /** The kinds of known objects that it looked at. */
    lookedAt: string[];
    findings: { rule: string; effect: 'deny' | 'warn' | 'note'; field: string; message: string }[];
    /** Whether it found something, or why it did not run, in a sentence. */
    said: string;
  }[];
  contextAgeSeconds: number | null;
  /** As in the answer to a review. */
  response: ReviewResponse;
}

/** What a reviewer knows of the cluster. */
export interface ReviewerStatus {
  /** By kind: the number of known objects, whether they are complete, and the number of objects that exist but cannot be read. */
  kinds: Record<'Service' | 'Pod' | 'Node' | 'EndpointSlice', { known: boolean; objects: number; leftOut: number }>;
}

/** A page of a list that is given piece by piece. After an error it is freed, and the listing must start again. */
export interface ListPieces {
  /** Takes the next bytes, cut anywhere. */
  push(bytes: Uint8Array): void;
  /** Ends the page: the answer is that of `apply` for the whole page. Throws if it is cut off, or no list. */
  finish(): Applied;
  /** Drops it; what was applied stays until the kind is listed again. */
  free(): void;
}

/** A large review while it arrives. */
export interface ReviewSieve {
  /** Takes the next bytes. */
  push(bytes: Uint8Array): void;
  /**
   * The review without what no policy reads: `judge` gives the same verdict on it, or the same error but for its line
   * and column. The sieve is freed. Throws if the review is too large.
   */
  finish(): Uint8Array;
  /** Gives the memory back if the review is not finished. */
  free(): void;
}

/** Answers admission reviews. */
export interface Reviewer {
  /** Replaces the configuration from now on; an invalid one changes nothing. */
  configure(config?: Json<ReviewerConfig>): void;
  /** Replaces everything known about the cluster with a snapshot. Objects that cannot be read are left out, and named in `leftOut`. */
  load(snapshot: Json<Snapshot>): Applied;
  /**
   * Applies a watch event, an array of them, a complete list of a kind, or several of these, one per line. A kind is complete once it has been
   * listed, or once a bookmark has ended its initial events.
   *
   * A list may come in pieces: `{"type": "LISTING", "object": {"kind": "Pod"}}`, then either its pages, the last of which has no `continue`, or the
   * events of a watch with `sendInitialEvents`, up to the bookmark that ends them. With the last piece, known objects that are in none of the pieces
   * are removed. An interrupted listing is restarted with another `LISTING`.
   */
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
  apply(events: Uint8Array): Uint8Array;
  apply(events: string): string;
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
  /**
   * Reads one page of a list piece by piece, and applies each object as soon as it is complete: memory grows with the largest object, not with the
   * page. The kind must be being listed, so `LISTING` comes first. Several lists can be open at the same time.
   */
  startList(): ListPieces;
  /** Takes an AdmissionReview with a request, and returns one with a response. */
  review(review: Given<object | Record<string, unknown>>, asking?: Asking): ReviewAnswer;
  review(review: Uint8Array, asking?: Asking): Uint8Array;
  review(review: string, asking?: Asking): string;
  review(review: Given<object | Record<string, unknown>>, asking?: Asking): ReviewAnswer;
  /** The same for an object. */
  reviewObject(review: object, asking?: Asking): ReviewAnswer;
  /** The answer in bytes, and its record for the log. */
  judge(review: Uint8Array, asking?: Asking): { answer: Uint8Array; record: ReviewRecord };
  /**
   * Like `judge`, for a review or for an existing object, which is checked as if it were created now. Its author is
   * unknown and not checked.
   */
  audit(given: Uint8Array, asking?: Asking): { answer: Uint8Array; record: ReviewRecord };
  /** Explains the verdict on any input of `audit`. */
  explain(given: Given<object | Record<string, unknown>>, asking?: Asking): ReviewExplanation;
  explain(given: Uint8Array, asking?: Asking): Uint8Array;
  explain(given: string, asking?: Asking): string;
  explain(given: Given<object | Record<string, unknown>>, asking?: Asking): ReviewExplanation;
  /**
   * Starts a large review that arrives piece by piece, of which only what policies read is kept. Null if rules look at
   * whole objects: the review is needed whole then.
   */
  startReview(): ReviewSieve | null;
  status(): ReviewerStatus;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}

export function createReviewer(options?: ReviewerOptions): Reviewer;

/** The largest review that is judged, in bytes: what the largest legal objects take as an API server sends them. */
export function maxReviewBytes(): number;

export interface HandlerOptions {
  /** The only policy to run. */
  policy?: string | undefined;
  /** Called for each review; see {@link Asking}. */
  contextAgeSeconds?: (() => number | undefined) | undefined;
  /** Larger reviews get a 413; {@link maxReviewBytes} by default. */
  maxBytes?: number | undefined;
  /** For logs and metrics. */
  onReview?: ((record: ReviewRecord, status: number) => void) | undefined;
}

/** The parts of a web `Request` that are used. */
export interface WebRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
}

/** The host's own `Response`. */
export type WebResponse = typeof globalThis extends { Response: { new (...given: never): infer Made } } ? Made : unknown;

/** The parts of Node's `IncomingMessage` that are used; `body` is what a parser has made of the review: an object, text or bytes. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly complete: boolean;
  readonly readableDidRead?: boolean | undefined;
  readonly body?: unknown;
}

/** The parts of Node's `ServerResponse` that are used. */
export interface NodeResponse {
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: Uint8Array | string): unknown;
}

/** The parts of Fastify's request that are used. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly body: unknown;
}

/** The parts of Fastify's reply that are used. */
export interface FastifyReply {
  code(status: number): FastifyReply;
  headers(values: Record<string, string>): FastifyReply;
  send(body: Uint8Array | string): unknown;
}

/** The web's `Request` → `Response`, Node's `(request, response)`, and Fastify's `(request, reply)`. */
export interface Handler {
  (request: WebRequest): Promise<WebResponse>;
  (request: NodeRequest, response: NodeResponse): Promise<void>;
  (request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/** A handler for other servers: it reads the review and answers it. */
export function createHandler(reviewer: Reviewer, options?: HandlerOptions): Handler;

/** What {@link createInstance} makes. */
export interface Instance {
  createReviewer: typeof createReviewer;
  createHandler: typeof createHandler;
  maxReviewBytes: typeof maxReviewBytes;
  policies: typeof policies;
  version: typeof version;
  SlicewiseError: typeof SlicewiseError;
}

/** This entry over an instance of the module that shares no memory with any other: losing one does not affect others. */
export function createInstance(): Instance;
