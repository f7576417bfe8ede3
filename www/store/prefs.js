/**
 * How the page is arranged, kept in the browser. Where nothing may be kept, or something else was, it is as on a first visit.
 * @import {Prefs} from '../types.js'
 */

const KEY = 'slicewise.prefs';

/** @type {Prefs} */
const FIRST = { theme: 'system', drawer: { open: false, pane: 'text', width: 420 }, groupBy: 'slice', singleKeys: true };

/** What a value may be: whatever was kept by another version is not trusted. @type {{[K in keyof Prefs]: (value: any) => boolean}} */
const VALID = {
  theme: (value) => ['system', 'light', 'dark', 'contrast'].includes(value),
  drawer: (value) =>
    typeof value?.open === 'boolean' && ['objects', 'text', 'generate'].includes(value.pane) && Number.isInteger(value.width) && value.width >= 200 && value.width <= 2000,
  groupBy: (value) => ['slice', 'zone', 'node'].includes(value),
  singleKeys: (value) => typeof value === 'boolean',
};

/** @param {Pick<Storage, 'getItem' | 'setItem'> | null} storage nothing where nothing is to be kept */
export function preferences(storage) {
  let values = { ...FIRST, ...kept(storage) };
  return {
    get values() {
      return values;
    },
    /** @param {Partial<Prefs>} change */
    change(change) {
      values = { ...values, ...change };
      try {
        storage?.setItem(KEY, JSON.stringify(values));
      } catch {
        // The arrangement lasts as long as the page, then.
      }
      return values;
    },
  };
}

/** @param {Pick<Storage, 'getItem'> | null} storage @returns {Partial<Prefs>} */
function kept(storage) {
  try {
    const found = JSON.parse(storage?.getItem(KEY) ?? '{}');
    return Object.fromEntries(Object.entries(VALID).flatMap(([name, valid]) => (valid(found[name]) ? [[name, found[name]]] : [])));
  } catch {
    return {};
  }
}

/** The storage of the browser, if the page may use it. @returns {Storage | null} */
export function browserStorage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
