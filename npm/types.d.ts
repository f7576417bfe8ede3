/** What JavaScript alone gives and takes. The build adds this to what the module's functions declare; see scripts/lib/declarations.mjs. */
import type { Applied, ControllerLine, CoreErrorCode, JudgedRecord, ProxyLine, ProxyUpdate, ReviewAnswer, TimelineStep } from '../pkg/types/envelopes.cjs';
import type { Asking, ControllerAction, ReviewerOptions } from '../pkg/types/module.cjs';

/** The stable codes: those of the core, and those of the package around it. */
export type ErrorCode = CoreErrorCode | 'NotReady' | 'LoadFailed' | 'Closed' | 'Internal';

/** The contents of an error. */
export interface ErrorParts {
  code: ErrorCode;
  message: string;
  /** The position, as a JSON pointer into the input. */
  path?: string | undefined;
  /** Line in the input, from 1; absent for objects. */
  line?: number | undefined;
  /** Column in that line, in bytes, from 1; absent for objects. */
  column?: number | undefined;
}

/** Bad input: what is wrong, where, and how to fix it. */
export class SlicewiseError extends Error {
  constructor(details: ErrorParts, options?: { cause?: unknown });
  readonly name: 'SlicewiseError';
  readonly code: ErrorCode;
  /** The position, as a JSON pointer into the input. */
  readonly path: string | undefined;
  /** Line in the input, from 1; absent for objects. */
  readonly line: number | undefined;
  /** Column in that line, in bytes, from 1; absent for objects. */
  readonly column: number | undefined;
  toJSON(): { error: ErrorParts };
}

export interface Controller {
  /** Lets time pass to whatever is due next, until there is nothing to wait for. */
  [Symbol.iterator](): IterableIterator<ControllerAction>;
  /** Feeds lines one by one, as their answers are taken; answers to text are lines of text. */
  answers(lines: Iterable<ControllerLine>): IterableIterator<ControllerAction>;
  answers(lines: Iterable<string>): IterableIterator<string>;
}

export interface Proxier {
  /** Feeds lines one by one, as their answers are taken; answers to text are lines of text. */
  answers(lines: Iterable<ProxyLine>): IterableIterator<ProxyUpdate>;
  answers(lines: Iterable<string>): IterableIterator<string>;
}

export interface Timeline {
  /** The steps that are left, in order. */
  [Symbol.iterator](): IterableIterator<TimelineStep>;
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

export interface Reviewer {
  /**
   * Reads one page of a list piece by piece, and applies each object as soon as it is complete: memory grows with the largest object, not with the
   * page. The kind must be being listed, so `LISTING` comes first. Several lists can be open at the same time.
   */
  startList(): ListPieces;
  /**
   * Starts a large review that arrives piece by piece, of which only what policies read is kept. Null if rules look at
   * whole objects: the review is needed whole then.
   */
  startReview(): ReviewSieve | null;
  /** `review` for an object. */
  reviewObject(review: object, asking?: Asking): ReviewAnswer;
}

/** A reviewer that knows what its options hold. */
export function createReviewer(options?: ReviewerOptions): Reviewer;

/** A record of a review for logs: names and verdicts, never the object. Of a review that failed, little is known. */
export interface ReviewRecord extends Partial<Omit<JudgedRecord, 'verdict'>> {
  verdict: JudgedRecord['verdict'] | 'error';
  policies: JudgedRecord['policies'];
  reason: string;
  /** The code of the error. */
  code?: string;
}

/** Options of {@link createHandler}. */
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
