/**
 * Parts of the page that load when they are first shown. Until one is there its room says so, and if it is not available
 * the page says that; everything else continues.
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * @template P
 * @param {() => Promise<import('preact').FunctionComponent<P>>} load
 * @param {string} what what is loading, as a reader would call it
 * @returns {import('preact').FunctionComponent<P>}
 */
export function lazy(load, what) {
  /** @type {import('preact').FunctionComponent<P> | null} */
  let loaded = null;
  return function Lazy(props) {
    const [failed, setFailed] = useState(false);
    const [, redraw] = useState(0);
    useEffect(() => {
      let current = true;
      if (loaded) return undefined;
      load().then(
        (component) => {
          loaded = component;
          if (current) redraw(1);
        },
        () => current && setFailed(true),
      );
      return () => {
        current = false;
      };
    }, []);
    if (loaded) return h(/** @type {import('preact').FunctionComponent<any>} */ (loaded), props);
    if (failed) return h('p', { class: 'notice', role: 'alert' }, `${what} could not be loaded. Reload the page to try again.`);
    return h('p', { class: 'quiet loading', 'aria-busy': 'true' }, `${what} …`);
  };
}
