/**
 * A live cluster: follows the events of `slicewise serve` and passes each state of the chosen Service to the store, as its
 * input. If the connection is lost, the last state stays and is marked; if someone changes the input, following
 * pauses until they resume it.
 * @import {LiveChange, LiveState} from './types.js'
 * @import {Store} from './store.js'
 */
import { EMPTY_WORK } from './store.js';
import { sourceOfText } from './store/source.js';
import { events } from './live/events.js';
import { remember } from './live/token.js';

/** In milliseconds: the first and the longest delay before reconnecting, and the longest silence. */
const WAITS = { first: 500, longest: 10_000, silence: 40_000 };

/** @typedef {{services: string[], more: number, connection: {connected: boolean, since: string, message: string}}} All */

/** Retrying cannot help. */
class Refused extends Error {}

export class Live {
  #store;
  #token;
  /** Stops reading the current stream. */
  #reading = new AbortController();
  /** The state last passed to the store, and the newest one. @type {{service: string, text: string} | null} */
  #newest = null;
  /** @type {import('./types.js').Source | null} */
  #given = null;
  /** @type {LiveState} */
  #state;

  /** @param {Store} store @param {{token: string, service: string}} from */
  constructor(store, { token, service }) {
    this.#store = store;
    this.#token = token;
    this.#state = {
      ...{ services: [], more: 0, service, changes: [], absent: '', connected: true, since: '', message: '', resting: false, ended: false },
      choose: (chosen) => this.choose(chosen),
      goOn: () => this.#goOn(),
    };
  }

  /** Follows for the lifetime of the page. */
  start() {
    this.#set({});
    this.#store.subscribe(({ source }) => {
      if (this.#given && !this.#state.resting && source !== this.#given) this.#set({ resting: true });
    });
    void this.#run();
  }

  /** @param {string} service */
  choose(service) {
    remember({ token: this.#token, service });
    this.#newest = null;
    this.#set({ service, changes: [], absent: '', resting: false });
    this.#reading.abort();
  }

  async #run() {
    let wait = WAITS.first;
    while (!this.#state.ended) {
      const reading = new AbortController();
      this.#reading = reading;
      try {
        await this.#read(reading);
        wait = WAITS.first;
      } catch (error) {
        if (reading.signal.aborted && !(error instanceof Refused)) continue;
        const message = error instanceof Refused ? error.message : 'slicewise serve does not answer; it is asked again';
        const since = this.#state.connected ? new Date().toISOString() : this.#state.since;
        this.#set({ connected: false, since, message, ended: error instanceof Refused });
        if (!this.#given) this.#store.set({ busy: false });
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 2, WAITS.longest);
      }
    }
  }

  /** @param {AbortController} reading */
  async #read(reading) {
    const { service } = this.#state;
    const query = service ? `?service=${service}` : '';
    const response = await fetch(`live${query}`, { headers: { authorization: `Bearer ${this.#token}` }, cache: 'no-store', signal: reading.signal });
    if (response.status >= 400 && response.status < 500) throw new Refused((await response.text()).trim());
    if (!response.ok || !response.body) throw new Error(String(response.status));
    for await (const { name, data } of events(response.body, WAITS.silence)) {
      if (reading.signal.aborted) return;
      this.#take(name, data, service);
    }
    throw new Error('the end');
  }

  /** @param {string} name @param {string} data @param {string} service */
  #take(name, data, service) {
    if (name === 'all') this.#takeAll(JSON.parse(data));
    if (name === 'changes') {
      /** @type {{changes: LiveChange[]}} */
      const { changes } = JSON.parse(data);
      this.#set({ changes, absent: '' });
    }
    if (name === 'absent') this.#set({ absent: JSON.parse(data).message });
    if (name === 'objects') {
      this.#newest = { service, text: data };
      this.#hand();
    }
  }

  /** @param {All} all */
  #takeAll({ services, more, connection: { connected, since, message } }) {
    this.#set({ services, more, connected, since, message });
    const [first] = services;
    if (this.#state.service === '' && first) this.choose(first);
    else if (!first) this.#store.set({ busy: false });
  }

  /** Passes the newest state to the store, unless something was typed into the input. */
  #hand() {
    if (!this.#state.resting) this.#store.settle();
    if (!this.#newest || this.#state.resting) return;
    const { service, text } = this.#newest;
    const isFirst = this.#given === null;
    const { options, views } = this.#store.work;
    const source = sourceOfText(text, service);
    this.#given = source;
    const work = { ...EMPTY_WORK, options, views, source, service };
    if (isFirst) this.#store.begin(work);
    else this.#store.follow(work);
  }

  #goOn() {
    // What is there now is no reason to pause again.
    this.#given = this.#store.state.source;
    this.#set({ resting: false });
    this.#hand();
  }

  /** @param {Partial<LiveState>} change */
  #set(change) {
    this.#state = { ...this.#state, ...change };
    this.#store.set({ live: this.#state });
  }
}
