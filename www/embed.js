/**
 * The page as a frame of another page: it tells that page how high its content is, and takes an input from it if the address
 * asks for one.
 * @import {Store} from './store.js'
 */
import { EMPTY_WORK, freshId } from './store.js';
import { readLink } from './store/link.js';
import { sourceOfText } from './store/source.js';

/** Tells the height, which says nothing about the input. @param {HTMLElement} root */
export function tellHeight(root) {
  const tell = () => parent.postMessage({ slicewise: 'height', height: Math.ceil(root.getBoundingClientRect().bottom + scrollY) }, '*');
  new ResizeObserver(tell).observe(root);
}

/** Whether the input comes from the other page. */
export function isHanded() {
  return parent !== window && new URLSearchParams(location.search).get('input') === 'message';
}

/** Opens what the other page hands over, in the tab and with the Service of the address. @param {Store} store */
export function takeInputs(store) {
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.slicewise !== 'input' || typeof data.text !== 'string') return;
    void readLink(location.hash).then((reading) => {
      const { service = '', tab = /** @type {const} */ ('picture') } = reading?.link ?? {};
      store.commit('Open an input', { ...EMPTY_WORK, id: freshId(), source: sourceOfText(data.text, ''), service });
      store.set({ tab });
    });
  });
  parent.postMessage({ slicewise: 'ready' }, '*');
}
