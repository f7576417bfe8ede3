/**
 * Judges changes of Services, EndpointSlices, Endpoints and Nodes before they happen: an `admission.k8s.io/v1`
 * AdmissionReview in, the verdict out. It is a module of its own, with its own memory.
 *
 * A reviewer knows of a cluster what it was given: a snapshot, or lists and watch events as they come. What it does not
 * know it says.
 */
import type { Applied, Snapshot } from '../../pkg/types/envelopes.js';
import type { Json } from '../index.js';

export { SlicewiseError, version } from '../index.js';
export type { ErrorCode, Json } from '../index.js';
export type { Applied } from '../../pkg/types/envelopes.js';

/** The policies, in the order in which they are asked. */
export function policies(): { name: string; about: string }[];

/** What a reviewer is made of. Everything may be left out. */
export interface ReviewerOptions {
  /** Modes and settings of the policies: `{"policies": {"slice-shape": {"mode": "warn"}}}`. */
  config?: Json<object>;
  /** What is known of the cluster: objects as `kubectl get services,pods,nodes,endpointslices -A -o json` prints them. */
  snapshot?: Json<Snapshot>;
  /** Larger inputs are refused; 64 MiB when left out. */
  maxInputBytes?: number;
}

/** What is asked beside the review itself. */
export interface Asking {
  /** The only policy to ask. */
  policy?: string;
  /** How long ago the last news of the cluster came; left out where the context does not age. */
  contextAgeSeconds?: number;
}

/** What may be told of a review: names and verdicts, never the object. */
export interface ReviewRecord {
  verdict: 'allow' | 'warn' | 'deny' | 'error';
  uid?: string;
  kind?: string;
  name?: string;
  /** Those that had something to say. */
  policies: string[];
  /** For people. */
  reason: string;
  /** Of an error. */
  code?: string;
}

/** What a reviewer knows of the cluster. */
export interface ReviewerStatus {
  /** By kind of object: how many there are, and whether all of them have been told. */
  kinds: Record<'Service' | 'Pod' | 'Node' | 'EndpointSlice', { known: boolean; objects: number }>;
}

/** Answers admission reviews. */
export interface Reviewer {
  /** Takes another configuration, which counts from now on; one that cannot be used changes nothing. */
  configure(config?: Json<object>): void;
  /** Takes a snapshot for all that is known of the cluster. */
  load(snapshot: Json<Snapshot>): void;
  /**
   * Takes a watch event, an array of them, a list of all there is of a kind, or several of these, each on its own line.
   * All of a kind is known once it was listed, or a bookmark has ended its initial events.
   *
   * A list may come in pieces: `{"type": "LISTING", "object": {"kind": "Pod"}}`, then either its pages, the last of which
   * has no `continue`, or the events of a watch with `sendInitialEvents`, up to the bookmark that ends them. What was
   * known and is in no piece is forgotten with the last one. A listing that breaks off is begun again.
   */
  apply(events: Uint8Array): Uint8Array;
  apply(events: string): string;
  apply(events: object): Applied;
  /** AdmissionReview with a request in, AdmissionReview with a response out. */
  review(review: Uint8Array, asking?: Asking): Uint8Array;
  review(review: string, asking?: Asking): string;
  review<Review extends object>(review: Review, asking?: Asking): Review;
  /** The same for an object. */
  reviewObject<Review extends object>(review: Review, asking?: Asking): Review;
  /** The answer in bytes, and what may be logged of it. */
  judge(review: Uint8Array, asking?: Asking): { answer: Uint8Array; record: ReviewRecord };
  status(): ReviewerStatus;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}

export function createReviewer(options?: ReviewerOptions): Reviewer;

export interface HandlerOptions {
  /** The only policy to ask. */
  policy?: string;
  /** Asked for each review; see {@link Asking}. */
  contextAgeSeconds?: () => number | undefined;
  /** Larger reviews get a 413; 9 MiB when left out. */
  maxBytes?: number;
  /** For logs and metrics. */
  onReview?: (record: ReviewRecord, status: number) => void;
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
