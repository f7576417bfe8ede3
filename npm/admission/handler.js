/**
 * A handler for other servers: Node's `(request, response)`, Fastify's `(request, reply)`, and the web's `Request` →
 * `Response`. It judges one review at a time and never redirects; deadlines, TLS and access control are up to the server.
 */
import { SlicewiseError } from '../error.js';
import { NOT_PROCESSED, Refusal, answerTo, checkRequest, errorBody, tooLarge } from './answer.js';

/** @typedef {import('slicewise/admission').HandlerOptions} HandlerOptions */
/** @typedef {import('slicewise/admission').Reviewer} Reviewer */
/** @typedef {{status: number, body: Uint8Array | string, headers: Record<string, string>}} Reply */
/** @typedef {import('node:http').IncomingMessage & {body?: unknown}} NodeRequest */
/** @typedef {{raw: NodeRequest, body: unknown}} FastifyRequest */

const HEADERS = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
const encoder = new TextEncoder();

const OPTIONS = ['policy', 'contextAgeSeconds', 'maxBytes', 'onReview'];

/** @param {() => number} maxReviewBytes */
export function handlers(maxReviewBytes) {
  /** @param {Reviewer} reviewer @param {HandlerOptions} [options] */
  return (reviewer, options = {}) => {
    try {
      return createHandler(reviewer, maxReviewBytes, options);
    } catch (cause) {
      if (cause instanceof SlicewiseError) throw cause;
      const message = 'createHandler cannot read what it is given: a getter of it throws';
      throw new SlicewiseError({ code: 'InvalidType', message }, { cause });
    }
  };
}

/** @param {Reviewer} reviewer @param {() => number} maxReviewBytes @param {HandlerOptions} options */
function createHandler(reviewer, maxReviewBytes, options) {
  checkNames(options);
  const { policy, contextAgeSeconds, maxBytes = maxReviewBytes(), onReview } = options;
  check(typeof reviewer?.judge === 'function', 'createHandler takes a reviewer, which createReviewer makes');
  check(Number.isInteger(maxBytes) && maxBytes > 0, 'maxBytes must be a whole number from 1');
  for (const ask of [contextAgeSeconds, onReview]) {
    check(ask === undefined || typeof ask === 'function', 'contextAgeSeconds and onReview must be functions');
  }

  /** @param {Uint8Array} bytes @returns {Reply} */
  function judge(bytes) {
    const { status, body, record } = answerTo(() => {
      const asking = { policy, contextAgeSeconds: ageOf(contextAgeSeconds), now: new Date().toISOString() };
      return reviewer.judge(bytes, asking);
    });
    try {
      onReview?.(record, status);
    } catch (error) {
      // whatever happens to the log, the verdict stands.
      console.error(error);
    }
    return { status, body, headers: HEADERS };
  }

  /** @param {Request} request */
  async function ofWeb(request) {
    const { status, body, headers } = await guarded(async () => {
      checkRequest(request.method, (name) => request.headers.get(name), { maxBytes });
      return judge(await whole(readAll(request.body ?? [], maxBytes)));
    });
    return new Response(/** @type {BodyInit} */ (body), { status, headers });
  }

  /** @param {NodeRequest} request @param {unknown} body what a parser made of it, if one has read it */
  function replyTo(request, body) {
    return guarded(async () => {
      checkRequest(request.method, (name) => /** @type {string | undefined} */ (request.headers[name]), { maxBytes });
      return judge(body === undefined ? await whole(bodyOf(request, maxBytes)) : bytesOf(body, maxBytes));
    });
  }

  /** @param {NodeRequest} request @param {import('node:http').ServerResponse} response */
  async function ofNode(request, response) {
    const { status, body, headers } = await replyTo(request, request.body);
    if (response.destroyed) return;
    response.writeHead(status, { ...headers, 'content-length': String(typeof body === 'string' ? encoder.encode(body).length : body.length) });
    response.end(body);
  }

  /** @param {FastifyRequest} request @param {import('slicewise/admission').FastifyReply} reply */
  async function ofFastify(request, reply) {
    const { status, body, headers } = await replyTo(request.raw, request.body);
    return reply.code(status).headers(headers).send(body);
  }

  /** @param {any} request @param {any} [response] */
  function handle(request, response) {
    if (response === undefined) return ofWeb(request);
    return request.raw === undefined ? ofNode(request, response) : ofFastify(request, response);
  }
  return handle;
}

/** A misspelt name must not silently drop a setting. @param {unknown} given */
function checkNames(given) {
  const names = OPTIONS.join(', ');
  if (typeof given !== 'object' || given === null) {
    throw new SlicewiseError({ code: 'InvalidType', message: `createHandler takes an object with ${names}` });
  }
  const unknown = Object.keys(given).find((name) => !OPTIONS.includes(name));
  if (unknown === undefined) return;
  const message = `createHandler does not take \`${unknown}\`; it takes ${names}`;
  throw new SlicewiseError({ code: 'UnknownField', message, path: `/${unknown}` });
}

/** @param {() => Promise<Reply>} work @returns {Promise<Reply>} */
async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    const refusal = error instanceof Refusal ? error : new Refusal(500, 'Internal', NOT_PROCESSED);
    const { status, code, message, headers } = refusal;
    return { status, body: errorBody({ code, message }), headers: { ...HEADERS, ...headers } };
  }
}

/** An interrupted body is the caller's error. @param {Promise<Uint8Array>} body */
async function whole(body) {
  try {
    return await body;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'InvalidJson', 'the review was cut off');
  }
}

/** An invalid age is a bug of the host, not an error of the caller. @param {(() => number | undefined) | undefined} ask */
function ageOf(ask) {
  const age = ask?.();
  if (age === undefined || (typeof age === 'number' && age >= 0)) return age;
  throw new Error(`contextAgeSeconds must give a number from 0, and gave ${String(age)}`);
}

/** @param {boolean} holds @param {string} message */
function check(holds, message) {
  if (!holds) throw new SlicewiseError({ code: 'InvalidValue', message });
}

/**
 * What a parser has read, as bytes.
 * @param {unknown} body
 * @param {number} maxBytes
 */
function bytesOf(body, maxBytes) {
  const bytes = body instanceof Uint8Array ? body : encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
  if (bytes.length > maxBytes) throw tooLarge('reviews', maxBytes);
  return bytes;
}

/**
 * The body, which nobody has read yet.
 * @param {NodeRequest} request
 * @param {number} maxBytes
 */
async function bodyOf(request, maxBytes) {
  if (request.readableDidRead) {
    throw new Refusal(500, 'Internal', 'something has read the review before and left nothing in `body`; mount the handler before it');
  }
  const bytes = await readAll(request, maxBytes);
  // A client that disconnects can look like one that has finished.
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
    if (size > maxBytes) throw tooLarge('reviews', maxBytes);
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
