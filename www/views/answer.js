/**
 * Panels whose content is asked for once the rest is drawn. An answer belongs to what was asked about: as soon as
 * that changes, it is stale, and marked as such until the next one is there.
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Prose } from './prose.js';

/** Questions are asked after this time without changes, so that typing and stepping through a list stay fast. */
const REST = 200;

/**
 * @template T
 * @typedef {{about: unknown, detail: string, value: T | null, failure: string, stale: boolean}} Answer
 */

/**
 * @template T
 * @param {() => Promise<T | null>} ask
 * @param {unknown} about nothing is asked while there is nothing to ask about
 * @param {string} [detail]
 * @param {{active?: boolean, rest?: number}} [how] whether it is to be asked at all for now, and after which rest
 * @returns {Answer<T> | null} nothing while the first one is on its way
 */
export function useAnswer(ask, about, detail = '', { active = true, rest = REST } = {}) {
  const [answer, setAnswer] = useState(/** @type {Omit<Answer<T>, 'stale'> | null} */ (null));
  const stale = answer === null || answer.about !== about || answer.detail !== detail;
  useEffect(() => {
    if (!active || !stale || !about) return undefined;
    let current = true;
    /** @param {T | null} value @param {string} failure */
    const take = (value, failure) => current && setAnswer({ about, detail, value, failure });
    const timer = setTimeout(() => ask().then((value) => value && take(value, ''), (/** @type {Error} */ error) => take(null, error.message)), rest);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [about, detail, active]);
  return answer && { ...answer, stale };
}

/**
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.title
 * @param {'h2' | 'h3'} [props.heading] its level
 * @param {string} props.waiting what to say before the first answer
 * @param {Answer<any> | null} props.answer
 * @param {import('preact').ComponentChildren} [props.controls]
 * @param {import('preact').ComponentChildren} [props.children] what the answer says
 */
export function AnswerPanel({ id, title, heading = 'h3', waiting, answer, controls, children }) {
  const busy = !answer || answer.stale;
  return h(
    'section',
    { class: busy ? 'panel outdated' : 'panel', 'aria-labelledby': `${id}-title`, 'aria-busy': busy ? 'true' : 'false' },
    h(heading, { id: `${id}-title` }, title),
    controls,
    !answer && h('p', { class: 'quiet' }, waiting),
    answer?.failure && h('p', { class: 'reason' }, h(Prose, { text: answer.failure })),
    answer?.value && h('div', { class: 'answer' }, children),
  );
}
