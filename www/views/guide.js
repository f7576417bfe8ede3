/**
 * A path through the picture in a minute: from pods to endpoints, slices and hints. It covers nothing that it is about, and gives the
 * focus back to where it was.
 * @import {Actions, AppState} from '../types.js'
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import '../styles/guide.css';

/** Each with the parts of the picture that it is about, the first one that is there. @type {{title: string, text: string, at: string[]}[]} */
const STEPS = [
  {
    title: 'Pods',
    text: 'A Service selects pods by their labels. Here is how many of them are ready; − and + change that, and everything below follows.',
    at: ['.stepper', '.hero-head'],
  },
  {
    title: 'Endpoints',
    text: 'Each pod of the Service is an endpoint: an address with conditions. Its letter and colour are the zone of its node.',
    at: ['.lanes'],
  },
  {
    title: 'Slices',
    text: 'The controller writes endpoints into EndpointSlices, up to 100 in each: on the left as they are, on the right as it will write them.',
    at: ['.strip', '.slice'],
  },
  {
    title: 'Hints',
    text: 'A hint, such as ›A, is for clients in zone A. With too few endpoints for a zone, all hints go; below, Why has what to do about it.',
    at: ['.arithmetic', '.lane-cell', '.rule'],
  },
];

/** @param {{state: AppState, actions: Actions}} props */
export function Guide({ actions }) {
  const [at, setAt] = useState(0);
  const head = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  const { title, text, at: parts } = STEPS[at] ?? STEPS[0];
  const close = () => actions.onDialog('');
  useReturn();
  // Within an effect, rerendering the page would run the effect again.
  useEffect(() => queueMicrotask(() => actions.onGuided()), []);
  useLayoutEffect(() => {
    head.current?.focus();
    const part = parts.map((selector) => document.querySelector(selector)).find((found) => found !== null);
    part?.setAttribute('data-guided', '');
    part?.scrollIntoView({ block: 'center' });
    return () => part?.removeAttribute('data-guided');
  }, [at]);
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  const isLast = at === STEPS.length - 1;
  return h(
    'section',
    { class: 'guide', role: 'dialog', 'aria-labelledby': 'guide-title', onKeyDown: pressed },
    h('h2', { id: 'guide-title', ref: head, tabindex: -1 }, `${at + 1} of ${STEPS.length}: ${title}`),
    h('p', null, text),
    h(
      'div',
      { class: 'buttons' },
      !isLast && h('button', { type: 'button', onClick: close }, 'Skip'),
      at > 0 && h('button', { type: 'button', onClick: () => setAt(at - 1) }, 'Back'),
      h('button', { type: 'button', class: 'primary', onClick: () => (isLast ? close() : setAt(at + 1)) }, isLast ? 'Done' : 'Next'),
    ),
  );
}

/** Gives the focus back at the end, or to the picture if what had it is gone. */
function useReturn() {
  useLayoutEffect(() => {
    const from = document.activeElement;
    return () => {
      const target = from instanceof HTMLElement && from.isConnected && from !== document.body ? from : document.getElementById('main');
      target?.focus();
    };
  }, []);
}
