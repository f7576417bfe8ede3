/**
 * Panels whose content is asked for once the rest is drawn. An answer belongs to what was asked about: as soon as
 * that changes, it is gone.
 */
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** So long nothing else may have changed: whoever types or walks through a list is not held up by questions that are void at once. */
const REST = 200;

/**
 * @template T
 * @typedef {{about: object, detail: string, value: T | null, failure: string}} Answer
 */

/**
 * @template T
 * @param {() => Promise<T | null>} ask
 * @param {object} about
 * @param {string} [detail]
 * @returns {Answer<T> | null} nothing while it is on its way
 */
export function useAnswer(ask, about, detail = '') {
  const [answer, setAnswer] = useState(/** @type {Answer<T> | null} */ (null));
  useEffect(() => {
    let current = true;
    /** @param {T | null} value @param {string} failure */
    const take = (value, failure) => current && setAnswer({ about, detail, value, failure });
    const timer = setTimeout(() => ask().then((value) => value && take(value, ''), (/** @type {Error} */ error) => take(null, error.message)), REST);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [about, detail]);
  return answer?.about === about && answer.detail === detail ? answer : null;
}

/**
 * While an answer is on its way, the room of the last one is kept, so that nothing below jumps.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.title
 * @param {string} props.waiting what to say meanwhile
 * @param {Answer<any> | null} props.answer
 * @param {import('preact').ComponentChildren} [props.controls]
 * @param {import('preact').ComponentChildren} [props.children] what the answer says
 */
export function AnswerPanel({ id, title, waiting, answer, controls, children }) {
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    if (answer) setRoom(panel.current?.offsetHeight ?? 0);
  }, [answer]);
  return h(
    'section',
    { ref: panel, class: 'panel', 'aria-labelledby': `${id}-title`, 'aria-busy': answer ? 'false' : 'true', style: { minHeight: answer ? '' : `${room}px` } },
    h('h3', { id: `${id}-title` }, title),
    controls,
    !answer && h('p', { class: 'quiet' }, waiting),
    answer?.failure && h('p', { class: 'reason' }, answer.failure),
    answer?.value && children,
  );
}
