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
  /** The address that is being opened. @type {object | null} */
  #arriving = null;

  /**
   * @param {Store} store
   * @param {(fragment: string, land: (show: () => void) => void) => Promise<unknown>} open opens an address without an entry,
   *   and passes `land` what shows it, which becomes its entry
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

  #follow() {
    if (this.#isLeft()) return;
    const place = placeOf(this.#store);
    if (place !== this.#place) {
      this.#place = place;
      this.#current = this.#next();
      history.pushState({ life: LIFE, entry: this.#current }, '', this.#fragment());
    }
    // A new input survives an immediate reload.
    const isNew = this.#entries.get(this.#current)?.work.id !== this.#store.work.id;
    this.#remember();
    clearTimeout(this.#timer);
    if (isNew || (performance.now() - this.#written > REST && !this.#store.state.slider)) this.#write();
    else this.#timer = window.setTimeout(() => this.#isLeft() || this.#write(), REST);
  }

  /** Whether the browser has gone to another address that is not shown yet, which must not be overwritten. */
  #isLeft() {
    return history.state?.life !== LIFE || history.state.entry !== this.#current;
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
    if (fragment === location.hash && !this.#isLeft()) return;
    this.#written = performance.now();
    history.replaceState({ life: LIFE, entry: this.#current }, '', fragment);
  }

  /** @param {{life?: number, entry?: number} | null} state */
  #moved(state) {
    clearTimeout(this.#timer);
    const number = state?.life === LIFE ? (state.entry ?? -1) : -1;
    const entry = this.#entries.get(number);
    if (!entry) return void this.#arrive();
    this.#land(number, () => {
      const { work } = this.#store;
      if (!isSameInput(work, entry.work)) this.#store.commit('Go to another input', entry.work);
      else if (work.service !== entry.work.service) this.#store.select(entry.work.service);
      else this.#store.stay();
      this.#store.set({ tab: entry.tab });
    });
  }

  /** Opens an address without an entry. What is shown in the end, whatever it is, has that address. */
  async #arrive() {
    const mine = (this.#arriving = {});
    await this.#open(location.hash, (show) => this.#land(this.#next(), show));
    if (this.#place === '' || mine !== this.#arriving) return;
    if (!this.#isLeft()) return this.#follow();
    const place = placeOf(this.#store);
    if (place !== this.#place) [this.#place, this.#current] = [place, this.#next()];
    this.#write();
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
