/**
 * Saves the user's own inputs in the browser, so that a reload or a closed tab loses nothing. Each piece of work has its
 * own record; a lock marks the tab that works on it, and another tab that opens it gets a copy. If the browser
 * cannot save, the page says so once, and everything else works.
 * @import {Source, Tab, Work} from '../types.js'
 * @import {Store} from '../store.js'
 */
import { blobOf, isLong } from '../model/pieces.js';
import { freshId } from '../store.js';
import { sourceOf } from './source.js';

const NAME = 'slicewise';
const REST = 400;
const SOON = 100;
/** A reloading tab releases its locks a moment later. */
const LOCK_WAIT = 400;
const KEPT = 20;

/**
 * @typedef {{id: string, when: number, name: string, size: number}} Entry
 * @typedef {{id: string, tab: Tab, work: Work}} Saved
 */

export class Autosave {
  #store;
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null;
  /** Work that this tab may write. @type {Set<string>} */
  #mine = new Set();
  /** @type {Work | null} */
  #written = null;
  /** @type {Tab | ''} */
  #writtenTab = '';
  #timer = 0;
  #last = -REST;
  #hasComplained = false;
  /** Very long inputs of the present work, in the form that is saved. @type {Map<Source, Blob>} */
  #blobs = new Map();
  #isPreparing = false;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** Starts saving the user's own inputs. */
  start() {
    this.#store.subscribe(() => this.#changed());
    addEventListener('pagehide', () => this.#flush(true));
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.#flush());
  }

  /**
   * Work that was saved under a name; under another one if a tab still works on it.
   * @param {string} id @returns {Promise<Saved | null>}
   */
  async load(id) {
    try {
      const found = /** @type {Saved | undefined} */ (await this.#ask('readonly', (work) => work.get(id)));
      if (!found) return null;
      const saved = { ...found, work: await savedWork(found.work) };
      if (await this.#hold(id)) return saved;
      return { ...saved, work: { ...saved.work, id: freshId() } };
    } catch (error) {
      this.#complain(error);
      return null;
    }
  }

  /** The inputs that can be opened, newest first. @returns {Promise<Entry[]>} */
  async list() {
    try {
      const entries = /** @type {Entry[]} */ (await this.#ask('readonly', (_, list) => list.getAll()));
      return entries.sort((one, other) => other.when - one.when);
    } catch (error) {
      this.#complain(error);
      return [];
    }
  }

  /** Deletes everything saved by any tab. */
  async clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    await this.#ask('readwrite', (work, list) => {
      work.clear();
      return list.clear();
    });
  }

  #changed() {
    const { work, state } = this.#store;
    if (work.id === '' || (work === this.#written && state.tab === this.#writtenTab)) return;
    // A new input is saved at once, so it survives an immediate reload.
    if (!this.#mine.has(work.id)) return this.#flush();
    // Large inputs take longer to save, and rendering comes first.
    const due = this.#last + REST * (1 + work.source.size / 1e6) - performance.now();
    this.#timer ||= window.setTimeout(() => this.#flush(), Math.max(SOON, due));
  }

  /** @param {boolean} [isLeaving] there is no time left to save a long input without blocking */
  #flush(isLeaving = false) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { work, state } = this.#store;
    if (work.id === '' || (work === this.#written && state.tab === this.#writtenTab)) return;
    for (const source of this.#blobs.keys()) if (!sourcesOf(work).includes(source)) this.#blobs.delete(source);
    if (!isLeaving && this.#unreadySource()) return void this.#prepare();
    [this.#written, this.#writtenTab, this.#last] = [work, state.tab, performance.now()];
    if (!this.#mine.has(work.id)) void this.#hold(work.id);
    const entry = { id: work.id, when: Date.now(), name: work.source.name, size: work.source.size };
    const saved = { id: work.id, tab: state.tab, work: plainWork(work, this.#blobs) };
    this.#ask('readwrite', (works, list) => {
      works.put(saved);
      list.put(entry);
      return this.#prune(works, list);
    }).catch((error) => this.#complain(error));
  }

  /** Makes long inputs ready to be saved, and then saves them. */
  async #prepare() {
    if (this.#isPreparing) return;
    this.#isPreparing = true;
    try {
      for (let source = this.#unreadySource(); source; source = this.#unreadySource()) this.#blobs.set(source, await blobOf(source.text));
      this.#flush();
    } catch (error) {
      this.#complain(error);
    }
    this.#isPreparing = false;
  }

  /** An input that is too long to be saved as it is. */
  #unreadySource() {
    return sourcesOf(this.#store.work).find((source) => isLong(source.text) && !this.#blobs.has(source));
  }

  /** Deletes the oldest ones. @param {IDBObjectStore} works @param {IDBObjectStore} list */
  #prune(works, list) {
    const all = list.getAll();
    all.addEventListener('success', () => {
      const entries = /** @type {Entry[]} */ (all.result).sort((one, other) => other.when - one.when);
      for (const { id } of entries.slice(KEPT).filter((each) => !this.#mine.has(each.id))) {
        works.delete(id);
        list.delete(id);
      }
    });
    return all;
  }

  /** Whether this tab may write it: no other one does. @param {string} id @returns {Promise<boolean>} */
  #hold(id) {
    if (this.#mine.has(id)) return Promise.resolve(true);
    if (!navigator.locks) return Promise.resolve(false);
    return new Promise((resolve) => {
      const held = () => {
        this.#mine.add(id);
        resolve(true);
        // Held for the lifetime of the page.
        return new Promise(() => {});
      };
      navigator.locks.request(`${NAME}.work.${id}`, { signal: AbortSignal.timeout(LOCK_WAIT) }, held).catch(() => resolve(false));
    });
  }

  /**
   * One transaction.
   * @param {IDBTransactionMode} mode
   * @param {(work: IDBObjectStore, list: IDBObjectStore) => IDBRequest} body
   * @returns {Promise<unknown>} the result of the last request
   */
  async #ask(mode, body) {
    const database = await (this.#opening ??= open());
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(['work', 'list'], mode);
      const request = body(transaction.objectStore('work'), transaction.objectStore('list'));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
  }

  /** @param {unknown} error */
  #complain(error) {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    const why = isFull ? 'its storage for this page is full' : 'it does not let this page keep anything';
    this.#store.notify({
      kind: 'warning',
      text: `This browser does not save your input: ${why}. Everything else works; save the input as a file before you leave.`,
    });
  }
}

/** @param {Work} work */
function sourcesOf({ source, slider }) {
  return slider ? [source, slider.base] : [source];
}

/** In a form that the browser can store. @param {Work} work @param {Map<Source, Blob>} blobs */
function plainWork(work, blobs) {
  return withSources(work, (source) => {
    const text = blobs.get(source);
    return /** @type {Source} */ (text ? { ...source.plain(), text } : source.plain());
  });
}

/** What was stored, with its inputs. @param {Work} stored */
async function savedWork(stored) {
  /** @type {Map<Source, string>} */
  const texts = new Map();
  for (const source of sourcesOf(stored)) {
    const text = /** @type {string | Blob} */ (source.text);
    texts.set(source, typeof text === 'string' ? text : await text.text());
  }
  return withSources(stored, (source) => sourceOf({ ...source, text: texts.get(source) ?? '' }));
}

/** The work with its inputs recreated, each once. @param {Work} work @param {(source: Source) => Source} make @returns {Work} */
function withSources({ source, slider, ...rest }, make) {
  const made = make(source);
  return { ...rest, source: made, slider: slider && { ...slider, base: slider.base === source ? made : make(slider.base) } };
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('work', { keyPath: 'id' });
      request.result.createObjectStore('list', { keyPath: 'id' });
    });
    request.addEventListener('success', () => {
      // A newer version of the page in another tab must not wait for this one.
      request.result.addEventListener('versionchange', () => request.result.close());
      resolve(request.result);
    });
    request.addEventListener('error', () => reject(request.error));
  });
}
