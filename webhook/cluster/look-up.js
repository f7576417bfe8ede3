/** Asks the API server for one pod, ahead of the watch. */
import { failureOf } from './answers.js';
import { KINDS } from './kinds.js';

/** Requests at once: reviews must not turn into load for the API server. */
const MOST = 4;
/** How long the API server may take, in milliseconds: a change waits for the answer. */
const PATIENCE = 1_000;

const [POD] = KINDS.filter(({ kind }) => kind === 'Pod');

/**
 * @param {object} parts
 * @param {import('./connection.js').Connection} parts.connection
 * @param {(events: Uint8Array) => unknown} parts.apply
 * @param {import('./watch.js').WatchLog} parts.log
 * @returns {(namespace: string, name: string) => Promise<boolean>} whether the API server has answered
 */
export function createLookUp({ connection, apply, log }) {
  let active = 0;
  let told = '';

  /** @param {string} namespace @param {string} name */
  async function ask(namespace, name) {
    const conversation = await connection.open();
    try {
      const [path, signal] = [`/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`, AbortSignal.timeout(PATIENCE)];
      const response = await conversation.get(path, { silence: PATIENCE, signal });
      if (response.statusCode === 404) return response.resume();
      if (response.statusCode !== 200) throw await failureOf(response, POD, connection.server);
      /** @type {Buffer[]} */
      const chunks = [Buffer.from('{"type":"ADDED","object":')];
      for await (const chunk of response) chunks.push(chunk);
      if (!response.complete) throw new Error('the answer was cut off');
      apply(Buffer.concat([...chunks, Buffer.from('}\n')]));
    } finally {
      conversation.close();
    }
  }

  return async (namespace, name) => {
    if (active >= MOST) return false;
    active += 1;
    try {
      await ask(namespace, name);
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== told) log.warn({ namespace, name, reason }, 'the API server could not be asked for a pod');
      told = reason;
      return false;
    } finally {
      active -= 1;
    }
  };
}
