/**
 * Keeps one kind of object up to date: lists it, watches it from there, and lists it again if the watch cannot be
 * resumed. Objects are passed on as the bytes received.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { WatchFailure, asFailure, failureOf } from './answers.js';
import { Silence } from './connection.js';
import { wholeLines } from './lines.js';
import { Backoff } from './times.js';

/**
 * @typedef {import('slicewise/admission').Applied} Applied
 * @typedef {import('./connection.js').Conversation} Conversation
 *
 * @typedef {{push: (bytes: Uint8Array) => void, finish: () => Applied | Promise<Applied>, free: () => void}} ListReader
 *
 * @typedef {object} Parts
 * @property {import('./connection.js').Connection} connection
 * @property {(bytes: Uint8Array) => Applied | Promise<Applied>} apply
 * @property {() => ListReader} startList reads a page in pieces
 * @property {(applied: Applied) => void} onLeftOut is told of objects that could not be read
 * @property {import('./states.js').Note} note
 * @property {import('./times.js').Times} times
 */

/** The statuses of servers that do not support streaming lists; pages are requested instead. */
const NO_STREAMS = [400, 422];

/** The statuses with which servers and proxies fail to produce a response of that size. */
const TOO_MUCH = [413, 500, 504];

/** If a server, or a proxy in front of it, never completes a streaming list, pages are used from then on. */
const MOST_BROKEN = 2;

export class Reflector {
  #of;
  #parts;
  #backoff;
  /** The version to resume the watch from; empty if everything must be listed. */
  #version = '';
  #hasStreams = true;
  #broken = 0;

  /** @param {import('./kinds.js').Watched} of @param {Parts} parts */
  constructor(of, parts) {
    this.#of = of;
    this.#parts = parts;
    this.#backoff = new Backoff(parts.times);
  }

  /**
   * Runs until the signal.
   * @param {AbortSignal} signal
   * @param {() => AbortSignal} relisting aborted to list everything again; called again after that
   */
  async run(signal, relisting) {
    while (!signal.aborted) {
      const relist = relisting();
      // A signal of our own: `AbortSignal.any` in every turn would accumulate on long-lived signals.
      const turn = new AbortController();
      const stop = () => turn.abort();
      for (const each of [signal, relist]) each.addEventListener('abort', stop);
      try {
        await this.#turn(turn.signal);
      } catch (error) {
        if (!turn.signal.aborted) await this.#fail(error, turn.signal);
      } finally {
        for (const each of [signal, relist]) each.removeEventListener('abort', stop);
      }
      if (relist.aborted) this.#version = '';
    }
  }

  /** Lists if necessary, and watches once. @param {AbortSignal} signal */
  async #turn(signal) {
    const conversation = await this.#parts.connection.open();
    try {
      if (this.#version === '') {
        this.#parts.note('listing');
        this.#version = await this.#list(conversation, signal);
        signal.throwIfAborted();
        this.#parts.note('listed');
      }
      await this.#watch(conversation, signal);
    } finally {
      conversation.close();
    }
  }

  /** @param {any} error @param {AbortSignal} signal */
  async #fail(error, signal) {
    const { connection, note, times } = this.#parts;
    const failure = asFailure(error, connection.server);
    if (failure.isLost) this.#version = '';
    if (failure.status === 401) connection.forget();
    const wait = this.#backoff.next(performance.now(), Math.min(failure.wait, times.mostDelay * 2));
    note('failed', failure.message);
    await delay(wait, undefined, { signal }).catch(() => {});
  }

  /**
   * @param {Conversation} conversation
   * @param {AbortSignal} signal
   * @returns {Promise<string>} the version to watch from
   */
  async #list(conversation, signal) {
    if (this.#hasStreams) {
      try {
        return await this.#listByStream(conversation, signal);
      } catch (error) {
        if (!(error instanceof WatchFailure) || !NO_STREAMS.includes(error.status ?? 0)) throw error;
        this.#hasStreams = false;
      }
    }
    return this.#listByPages(conversation, signal);
  }

  /** Lists with one request: all objects as events, followed by a bookmark. @param {Conversation} conversation @param {AbortSignal} signal */
  async #listByStream(conversation, signal) {
    const { silence, streamSeconds } = this.#parts.times;
    const query = `watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=${streamSeconds}`;
    const response = await this.#get(conversation, query, silence, signal);
    await this.#begin();
    try {
      for await (const bytes of wholeLines(response)) {
        const version = this.#endOf(await this.#take(bytes));
        if (version !== null) {
          // The watch is a separate, shorter request, so that silence is noticed.
          response.destroy();
          return version;
        }
      }
    } catch (error) {
      this.#noteBroken();
      throw error;
    }
    this.#noteBroken();
    throw new WatchFailure(`the list of ${this.#of.resource} was cut off`);
  }

  #noteBroken() {
    this.#broken += 1;
    if (this.#broken >= MOST_BROKEN) this.#hasStreams = false;
  }

  /** @param {Conversation} conversation @param {AbortSignal} signal */
  async #listByPages(conversation, signal) {
    await this.#begin();
    let limit = this.#of.page;
    for (let token = ''; ; ) {
      let applied;
      try {
        applied = await this.#readPage(conversation, `limit=${limit}${token && `&continue=${encodeURIComponent(token)}`}`, signal);
      } catch (error) {
        // The same place again with fewer objects. What has been read of the page is replaced by what comes.
        if (signal.aborted || limit === 1 || !isTooMuch(error)) throw error;
        limit >>= 1;
        continue;
      }
      limit = Math.min(this.#of.page, limit * 2);
      const version = this.#endOf(applied);
      if (version !== null) return version;
      token = applied.continue ?? '';
      if (token === '') throw new WatchFailure(`what came for ${this.#of.resource} is no list of them`);
    }
  }

  /** Reads a page as it arrives, object by object. @param {Conversation} conversation @param {string} query @param {AbortSignal} signal */
  async #readPage(conversation, query, signal) {
    const response = await this.#get(conversation, query, this.#parts.times.silence, signal);
    const page = this.#parts.startList();
    try {
      for await (const chunk of response) page.push(chunk);
      if (!response.complete) throw new WatchFailure(`the list of ${this.#of.resource} was cut off`);
      return this.#check(await page.finish());
    } finally {
      page.free();
    }
  }

  #begin() {
    return this.#parts.apply(Buffer.from(`{"type":"LISTING","object":{"kind":"${this.#of.kind}"}}\n`));
  }

  /** The version to watch from after a complete list. @param {Applied} applied */
  #endOf({ listed, resourceVersions }) {
    const { kind, resource } = this.#of;
    if (!listed?.includes(kind)) return null;
    const version = resourceVersions?.[kind];
    if (version === undefined) throw new WatchFailure(`the list of ${resource} has no resourceVersion to watch from`);
    return version;
  }

  /** @param {Conversation} conversation @param {AbortSignal} signal */
  async #watch(conversation, signal) {
    const { times, note } = this.#parts;
    const [least, most] = times.watchSeconds;
    const seconds = Math.round(least + Math.random() * (most - least));
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(this.#version)}&timeoutSeconds=${seconds}`;
    const response = await this.#get(conversation, query, seconds * 1000 + times.silence, signal);
    note('watching');
    let isNew = false;
    for await (const bytes of wholeLines(response)) {
      const { resourceVersions } = await this.#take(bytes);
      this.#version = resourceVersions?.[this.#of.kind] ?? this.#version;
      isNew = true;
      note('news');
    }
    if (!response.complete) throw new WatchFailure(`the watch of ${this.#of.resource} was cut off`);
    // Watches end regularly when their time is up; one that ends at once would loop.
    if (!isNew) await delay(Math.min(1_000, times.firstDelay), undefined, { signal });
    note('news');
  }

  /** Passes on received bytes. @param {Uint8Array} bytes @returns {Promise<Applied>} */
  async #take(bytes) {
    return this.#check(await this.#parts.apply(bytes));
  }

  /** @param {Applied} applied @returns {Applied} */
  #check(applied) {
    const { errors, ended, leftOut } = applied;
    if (leftOut) this.#parts.onLeftOut(applied);
    if (errors.length > 0) throw new WatchFailure(`what the API server has sent cannot be read: ${errors[0].error.message}`, { isLost: true });
    if (!ended) return applied;
    const isLost = ended.code === 410 || ended.reason === 'Expired' || ended.reason === 'Gone';
    throw new WatchFailure(`the watch of ${this.#of.resource} has ended: ${ended.reason || 'an error'}${ended.message && `: ${ended.message}`}`, {
      isLost,
    });
  }

  /** @param {Conversation} conversation @param {string} query @param {number} silence @param {AbortSignal} signal */
  async #get(conversation, query, silence, signal) {
    const response = await conversation.get(`${this.#of.path}?${query}`, { silence, signal });
    if (response.statusCode !== 200) throw await failureOf(response, this.#of, this.#parts.connection.server);
    return response;
  }
}

/**
 * Whether fewer objects may get through: a refusal of the size, or a page that did not arrive whole or in time.
 * @param {any} error
 */
function isTooMuch(error) {
  if (error instanceof WatchFailure) return error.status === undefined || TOO_MUCH.includes(error.status);
  return error?.code === 'TooLarge' || error?.code === 'ECONNRESET' || error instanceof Silence;
}
