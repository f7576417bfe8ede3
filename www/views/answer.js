/**
 * Panels whose content is requested after the rest is drawn. An answer belongs to its question: if that
 * changes, the answer is stale, and marked as such until the next one arrives.
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Prose } from './prose.js';

/** Questions are sent after this time without changes, so that typing and stepping through a list stay fast. */
const REST = 200;

/** Whether a plan is being made: it comes first, and may change what is asked. */
let isPlanning = false;

/** @param {{busy: boolean}} state */
export function planFirst({ busy }) {
  isPlanning = busy;
}

/**
 * @template T
 * @typedef {{about: unknown, detail: string, value: T | null, failure: string, stale: boolean, retry: () => void}} Answer
 */

/**
 * @template T
 * @param {() => Promise<T | null>} ask null if a newer question has taken its place
 * @param {unknown} about null sends no question
 * @param {string} [detail]
 * @param {{active?: boolean, rest?: number}} [how] whether to send questions for now, and after which delay
 * @returns {Answer<T> | null} null until the first answer
 */
export function useAnswer(ask, about, detail = '', { active = true, rest = REST } = {}) {
  const [answer, setAnswer] = useState(/** @type {Omit<Answer<T>, 'stale' | 'retry'> | null} */ (null));
  const stale = answer === null || answer.about !== about || answer.detail !== detail;
  useEffect(() => {
    if (!active || !stale || !about) return undefined;
    let current = true;
    /** @param {T | null} value @param {string} failure */
    const take = (value, failure) => current && setAnswer({ about, detail, value, failure });
    const timer = setInterval(() => {
      if (isPlanning) return;
      clearInterval(timer);
      ask().then((value) => value && take(value, ''), (/** @type {Error} */ error) => take(null, error.message));
    }, rest);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [about, detail, active, answer === null]);
  return answer && { ...answer, stale, retry: () => setAnswer(null) };
}

/** Why there is no answer, and another try. @param {{answer: Answer<any> | null}} props */
export function Failure({ answer }) {
  if (!answer?.failure || answer.stale) return null;
  return h(
    'p',
    { class: 'reason', role: 'alert' },
    h(Prose, { text: answer.failure }),
    ' ',
    h('button', { type: 'button', onClick: answer.retry }, 'Retry'),
  );
}

/**
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.title
 * @param {'h2' | 'h3'} [props.heading] its level
 * @param {string} props.waiting the text before the first answer
 * @param {Answer<any> | null} props.answer
 * @param {import('preact').ComponentChildren} [props.controls]
 * @param {import('preact').ComponentChildren} [props.children] the content of the answer
 */
export function AnswerPanel({ id, title, heading = 'h3', waiting, answer, controls, children }) {
  const busy = !answer || answer.stale;
  return h(
    'section',
    { class: busy ? 'panel outdated' : 'panel', 'aria-labelledby': `${id}-title`, 'aria-busy': busy ? 'true' : 'false' },
    h(heading, { id: `${id}-title` }, title),
    controls,
    !answer && h('p', { class: 'quiet' }, waiting),
    h(Failure, { answer }),
    answer?.value && h('div', { class: 'answer' }, children),
  );
}
