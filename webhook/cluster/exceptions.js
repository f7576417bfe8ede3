/**
 * Reads the `SliceException` objects of a cluster every few seconds: whoever is on call can let a change pass without a
 * rollout. A cluster that does not have the kind has no exceptions.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { WatchFailure, asFailure, failureOf } from './answers.js';

/** @typedef {NonNullable<import('slicewise/admission').ReviewerConfig['exceptions']>[number]} Exception as the configuration of a reviewer has it */

/** How long an API server may take, in milliseconds. */
const PATIENCE = 10_000;
/** More are refused, and so are more bytes: exceptions are few and small, and the list is held whole. */
const MOST = 500;
const MOST_BYTES = 8 << 20;

/** @type {import('./kinds.js').Watched} */
export const EXCEPTION = {
  kind: 'SliceException',
  path: `/apis/slicewise.dev/v1alpha1/sliceexceptions`,
  group: 'slicewise.dev',
  resource: 'sliceexceptions',
  page: MOST,
};

/**
 * @param {object} parts
 * @param {import('./connection.js').Connection} parts.connection
 * @param {(exceptions: Exception[]) => void} parts.take called when they have changed
 * @param {import('./watch.js').WatchLog} parts.log
 * @param {AbortSignal} parts.signal stops it
 * @param {number} parts.every how often they are read, in milliseconds
 */
export async function followExceptions({ connection, take, log, signal, every }) {
  let told = '';
  let known = '[]';
  while (!signal.aborted) {
    try {
      const read = await list(connection, signal);
      if (told !== '') log.info({}, 'exceptions can be read again');
      told = '';
      const text = JSON.stringify(read);
      if (text !== known) {
        take(read);
        known = text;
      }
    } catch (error) {
      if (signal.aborted) return;
      const reason = asFailure(error, connection.server).message;
      if (reason !== told) log.warn({ reason }, 'exceptions cannot be read; those that are known stay in use');
      told = reason;
    }
    await delay(every, undefined, { signal, ref: false }).catch(() => {});
  }
}

/**
 * @param {import('./connection.js').Connection} connection
 * @param {AbortSignal} signal
 * @returns {Promise<Exception[]>} by name
 */
async function list(connection, signal) {
  const conversation = await connection.open();
  try {
    const response = await conversation.get(`${EXCEPTION.path}?limit=${MOST}`, { silence: PATIENCE, signal });
    if (response.statusCode === 404) {
      response.resume();
      return [];
    }
    if (response.statusCode !== 200) throw await failureOf(response, EXCEPTION, connection.server);
    /** @type {Buffer[]} */
    const chunks = [];
    let size = 0;
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= MOST_BYTES) continue;
      throw new WatchFailure(`the list of ${EXCEPTION.resource} has more than ${MOST_BYTES} bytes; delete those that are over`);
    }
    const { items, metadata: whole } = JSON.parse(Buffer.concat(chunks).toString());
    if (whole?.continue) throw new WatchFailure(`there are more than ${MOST} ${EXCEPTION.resource}; delete those that are over`);
    const named = items.map((/** @type {any} */ { metadata, spec }) => ({ ...spec, name: metadata.name }));
    return named.sort((/** @type {Exception} */ a, /** @type {Exception} */ b) => (a.name < b.name ? -1 : 1));
  } finally {
    conversation.close();
  }
}
