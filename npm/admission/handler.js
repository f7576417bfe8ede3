/**
 * A handler for others' servers: Node's `(request, response)`, and the web's `Request` → `Response`. It judges one
 * review at a time and never redirects; deadlines, TLS and who may call are the server's.
 */
import { MAX_REVIEW_BYTES, Refusal, answerTo, checkRequest, errorBody, tooLarge } from './answer.js';

/**
 * @typedef {object} HandlerOptions
 * @property {string} [policy] the only one to ask
 * @property {() => number | undefined} [contextAgeSeconds] asked for each review
 * @property {number} [maxBytes] of a review; 9 MiB when left out
 * @property {(record: import('./reviewer.js').ReviewRecord, status: number) => void} [onReview] for logs and metrics
 */

/** @typedef {{status: number, body: Uint8Array | string, headers: Record<string, string>}} Reply */
/** @typedef {import('node:http').IncomingMessage & {body?: unknown}} NodeRequest */

const HEADERS = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
const encoder = new TextEncoder();

/**
 * @param {import('./reviewer.js').Reviewer} reviewer
 * @param {HandlerOptions} [options]
 */
export function createHandler(reviewer, options = {}) {
  const { policy, contextAgeSeconds, maxBytes = MAX_REVIEW_BYTES, onReview } = options;

  /** @param {Uint8Array} bytes @returns {Reply} */
  function reply(bytes) {
    const asking = { policy, contextAgeSeconds: contextAgeSeconds?.() };
    const { status, body, record } = answerTo(() => reviewer.judge(bytes, asking));
    onReview?.(record, status);
    return { status, body, headers: HEADERS };
  }

  /** @param {Request} request */
  async function ofWeb(request) {
    const { status, body, headers } = await guarded(async () => {
      checkRequest(request.method, (name) => request.headers.get(name), maxBytes);
      return reply(await readAll(request.body ?? [], maxBytes));
    });
    return new Response(/** @type {BodyInit} */ (body), { status, headers });
  }

  /** @param {NodeRequest} request @param {import('node:http').ServerResponse} response */
  async function ofNode(request, response) {
    const { status, body, headers } = await guarded(async () => {
      checkRequest(request.method, (name) => /** @type {string | undefined} */ (request.headers[name]), maxBytes);
      return reply(await bodyOf(request, maxBytes));
    });
    if (response.destroyed) return;
    response.writeHead(status, { ...headers, 'content-length': String(typeof body === 'string' ? encoder.encode(body).length : body.length) });
    response.end(body);
  }

  /** @param {any} request @param {any} [response] */
  function handle(request, response) {
    return response === undefined ? ofWeb(request) : ofNode(request, response);
  }
  return handle;
}

/** @param {() => Promise<Reply>} work @returns {Promise<Reply>} */
async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    const { status, code, message, headers } = error instanceof Refusal ? error : new Refusal(400, 'InvalidJson', 'the review was cut off');
    return { status, body: errorBody({ code, message }), headers: { ...HEADERS, ...headers } };
  }
}

/**
 * The body, which a parser before us may have read already.
 * @param {NodeRequest} request
 * @param {number} maxBytes
 */
async function bodyOf(request, maxBytes) {
  const { body } = request;
  if (body instanceof Uint8Array) return body;
  if (body !== undefined) {
    throw new Refusal(500, 'Internal', 'a parser has read the review before; give this path the bytes, as express.raw({type: "application/json"}) does');
  }
  const bytes = await readAll(request, maxBytes);
  // A client that goes away can look like one that has finished.
  if (!request.complete) throw new Refusal(400, 'InvalidJson', 'the review was cut off');
  return bytes;
}

/**
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks
 * @param {number} maxBytes
 */
async function readAll(chunks, maxBytes) {
  /** @type {Uint8Array[]} */
  const read = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    read.push(chunk);
  }
  if (read.length === 1) return read[0];
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of read) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
