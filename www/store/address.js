/**
 * The page's address and history. Another example, Service or tab is a history entry, and so is the
 * step from an example to the user's own input; settings are not. An entry refers to its work for the lifetime of the
 * page; after that, the address decides.
 * @import {AppState, Tab, Work} from '../types.js'
 * @import {Store} from '../store.js'
 */
import { formatLink } from './link.js';

/** Browsers throttle frequent address changes, such as while a slider is dragged. */
const REST = 300;
/** Entries from before a reload have numbers, too. */
const LIFE = performance.timeOrigin;

export class Address {
  #store;
  #open;
  /** @type {Map<number, {work: Work, tab: Tab}>} */
  #entries = new Map();
  #current = 0;
  #place = '';
  #isMoving = false;
  #timer = 0;
  #written = 0;

  /**
   * @param {Store} store
   * @param {(fragment: string, land: (show: () => void) => void) => void} open opens an address without an entry, and passes
   *   `land` what shows it, which becomes its entry
   */
  constructor(store, open) {
    this.#store = store;
    this.#open = open;
    addEventListener('popstate', (event) => this.#moved(event.state));
  }

  /** Starts following what is shown. */
  start() {
    this.#place = placeOf(this.#store);
    this.#write();
    this.#store.subscribe(() => this.#isMoving || this.#follow());
  }

  /** Restores the address of what is shown. */
  restore() {
    this.#write();
  }

  #follow() {
    const place = placeOf(this.#store);
    if (place !== this.#place) {
      this.#place = place;
      this.#current = this.#next();
      history.pushState({ life: LIFE, entry: this.#current }, '', this.#fragment());
    }
    this.#remember();
    clearTimeout(this.#timer);
    if (performance.now() - this.#written > REST && !this.#store.state.slider) this.#write();
    else this.#timer = window.setTimeout(() => this.#write(), REST);
  }

  #next() {
    return Math.max(this.#current, ...this.#entries.keys()) + 1;
  }

  #fragment() {
    const { work, state } = this.#store;
    return formatLink(linkOf(work, state.tab));
  }

  /** The address may be written later; another step may come first. */
  #remember() {
    const { work, state } = this.#store;
    this.#entries.set(this.#current, { work, tab: state.tab });
  }

  #write() {
    this.#remember();
    const fragment = this.#fragment();
    if (fragment === location.hash && history.state?.life === LIFE && history.state.entry === this.#current) return;
    this.#written = performance.now();
    history.replaceState({ life: LIFE, entry: this.#current }, '', fragment);
  }

  /** @param {{life?: number, entry?: number} | null} state */
  #moved(state) {
    clearTimeout(this.#timer);
    const number = state?.life === LIFE ? (state.entry ?? -1) : -1;
    const entry = this.#entries.get(number);
    if (!entry) return this.#open(location.hash, (show) => this.#land(this.#next(), show));
    this.#land(number, () => {
      const { work } = this.#store;
      if (!isSameInput(work, entry.work)) this.#store.commit('Go to another input', entry.work);
      else if (work.service !== entry.work.service) this.#store.select(entry.work.service);
      else this.#store.stay();
      this.#store.set({ tab: entry.tab });
    });
  }

  /** Shows the content of an entry that the browser went to. @param {number} number @param {() => void} show */
  #land(number, show) {
    this.#isMoving = true;
    this.#current = number;
    show();
    this.#place = placeOf(this.#store);
    this.#isMoving = false;
    this.#write();
  }
}

/** The link to the work, without the user's own input. @param {Work} work @param {Tab} tab @returns {import('./link.js').Link} */
export function linkOf({ id, example, service, options, slider, views }, tab) {
  return { example, own: id, service: slider?.service ?? service, options, tab, ...(slider && { pods: slider.pods }), views };
}

/** @param {Store} store */
function placeOf({ work: { example, service }, state: { tab } }) {
  return JSON.stringify([example, service, tab]);
}

/** @param {Work} one @param {Work} other */
function isSameInput(one, other) {
  return one.example === other.example && (one.example !== '' || one.source === other.source);
}
