/**
 * Parts of the page that load when first shown. Until then a placeholder says so, and if a part cannot be loaded,
 * the page reports it; everything else continues to work.
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * @template P
 * @param {() => Promise<import('preact').FunctionComponent<P>>} load
 * @param {string} what what is loading, in the user's terms
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
      if (loaded || failed) return undefined;
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
    }, [failed]);
    if (loaded) return h(/** @type {import('preact').FunctionComponent<any>} */ (loaded), props);
    if (failed) {
      return h(
        'div',
        { class: 'notice', role: 'alert' },
        h('p', null, `${what} could not be loaded. Check the connection.`),
        h('button', { type: 'button', onClick: () => setFailed(false) }, 'Retry'),
      );
    }
    return h('p', { class: 'quiet loading', 'aria-busy': 'true' }, `${what} …`);
  };
}
