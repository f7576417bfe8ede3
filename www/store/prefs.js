/**
 * The layout of the page, saved in the browser. If nothing can be saved, or the saved value is invalid, the defaults apply.
 * @import {Prefs} from '../types.js'
 */

const KEY = 'slicewise.prefs';

/** @type {Prefs} */
const FIRST = { theme: 'system', drawer: { open: false, pane: 'text', width: 420 }, groupBy: 'slice', singleKeys: true, guided: false };

/** The checks of values: those saved by another version are not trusted. @type {{[K in keyof Prefs]: (value: any) => boolean}} */
const VALID = {
  theme: (value) => ['system', 'light', 'dark', 'contrast'].includes(value),
  drawer: (value) =>
    typeof value?.open === 'boolean' &&
      ['objects', 'text', 'generate'].includes(value.pane) &&
      Number.isInteger(value.width) &&
      value.width >= 200 &&
      value.width <= 2000,
  groupBy: (value) => ['slice', 'zone', 'node'].includes(value),
  singleKeys: (value) => typeof value === 'boolean',
  guided: (value) => typeof value === 'boolean',
};

/** @param {Pick<Storage, 'getItem' | 'setItem'> | null} storage null if nothing is to be saved */
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
        // The layout then lasts only as long as the page.
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
