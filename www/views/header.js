/**
 * The head of the page, and the story that goes with what is shown.
 * @import {Example} from '../samples/index.js'
 * @import {Overview, Problem} from '../types.js'
 */
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { counted, listed, sentence } from '../model/text.js';
import { EXAMPLES } from '../samples/index.js';

export function Header() {
  return h(
    'header',
    { class: 'masthead' },
    h('h1', null, h(Mark, null), 'slicewise'),
    h(
      'p',
      null,
      'How Kubernetes packs your Services into EndpointSlices, what its controller would change next, and why. ',
      h('span', { class: 'quiet' }, 'Nothing you paste leaves this browser.'),
    ),
  );
}

/** Three slices, the last one partly full. */
function Mark() {
  const rows = [4, 4, 2];
  const cells = rows.flatMap((count, y) =>
    [0, 1, 2, 3].map((x) => h('rect', { x: x * 6, y: y * 8, width: 5, height: 6, rx: 1.5, class: x < count ? `z${x % 3}` : 'gap' })),
  );
  return h('svg', { class: 'mark', viewBox: '0 0 23 22', width: 28, height: 27, 'aria-hidden': 'true' }, cells);
}

/**
 * @param {object} props
 * @param {Example | undefined} props.example
 * @param {Overview | null} props.overview
 * @param {Problem | null} props.problem
 * @param {boolean} props.stale whether an older plan is shown in spite of the problem
 * @param {string} props.name
 * @param {(id: string) => void} props.onExample
 */
export function Story({ example, overview, problem, stale, name, onExample }) {
  const [open, setOpen] = useState(false);
  const index = example ? EXAMPLES.indexOf(example) : -1;
  const eyebrow = example ? `Example ${index + 1} of ${EXAMPLES.length}` : name || 'Your input';
  /** @param {string} id */
  const choose = (id) => {
    setOpen(false);
    onExample(id);
  };
  const toggle = { type: 'button', 'aria-expanded': open ? 'true' : 'false', 'aria-controls': 'gallery', onClick: () => setOpen(!open) };
  return h(
    'section',
    { class: 'story', 'aria-labelledby': 'story-title' },
    h(
      'div',
      { class: 'story-head' },
      h('p', { class: 'eyebrow' }, eyebrow),
      h(
        'div',
        { class: 'buttons' },
        h('button', toggle, open ? 'Close the gallery' : `All ${EXAMPLES.length} examples`),
        example && h(Step, { index: index - 1, label: 'Previous example', sign: '←', onExample: choose }),
        example && h(Step, { index: index + 1, label: 'Next example', sign: '→', onExample: choose }),
      ),
    ),
    problem && h(ProblemStory, { problem, stale }),
    !problem && (example ? h(ExampleStory, { example }) : h(OwnStory, { overview })),
    h('ul', { id: 'gallery', class: 'gallery', hidden: !open }, open && EXAMPLES.map((each) => h(Card, { key: each.id, example: each, active: each === example, onExample: choose }))),
  );
}

/** @param {{example: Example}} props */
function ExampleStory({ example }) {
  return h(
    'div',
    { class: 'lesson' },
    h('h2', { id: 'story-title' }, example.title),
    h('p', null, example.teaches, ' ', h(SourceLink, { source: example.source })),
  );
}

/** @param {{index: number, label: string, sign: string, onExample: (id: string) => void}} props */
function Step({ index, label, sign, onExample }) {
  const target = EXAMPLES.at(index % EXAMPLES.length);
  return h('button', { type: 'button', 'aria-label': label, title: target?.title, onClick: () => target && onExample(target.id) }, sign);
}

/** @param {{source: Example['source']}} props */
function SourceLink({ source }) {
  return h('a', { class: 'source', href: source.url, rel: 'noreferrer', target: '_blank' }, `From ${source.label}`);
}

/** @param {{problem: Problem, stale: boolean}} props */
function ProblemStory({ problem, stale }) {
  const input = problem.line ? `line ${problem.line} of the input` : 'the input';
  const place = problem.setting ? 'the settings' : input;
  return h(
    'div',
    { class: 'lesson' },
    h('h2', { id: 'story-title' }, problem.code === 'Empty' ? 'There is no input yet' : `There is a mistake in ${place}`),
    h('p', null, problem.code === 'Empty' ? 'Paste one, drop a file, or choose an example.' : sentence(problem.message), stale && ' Below is the last plan that could be made.'),
  );
}

/** @param {{overview: Overview | null}} props */
function OwnStory({ overview }) {
  return h(
    'div',
    { class: 'lesson' },
    h('h2', { id: 'story-title' }, overview ? summaryOf(overview) : 'Reading …'),
    h('p', null, overview && detailsOf(overview)),
  );
}

/** @param {Overview} overview */
function summaryOf({ services }) {
  const busy = services.filter(({ counts }) => counts.created + counts.updated + counts.deleted > 0).length;
  const total = counted(services.length, 'Service');
  return busy === 0 ? `${total}, nothing to do` : `${total}, ${busy} with changes`;
}

/** @param {Overview} overview */
function detailsOf({ kind, objects, ignored, milliseconds }) {
  const names = { Service: 'Service', Pod: 'pod', Node: 'node', EndpointSlice: 'EndpointSlice' };
  const parts = Object.entries(names).map(([key, name]) => counted(objects[key] ?? 0, name));
  const others = Object.entries(ignored).map(([key, count]) => `${count} × ${key}`);
  const what = kind === 'request' ? 'A request' : 'A snapshot';
  const rest = others.length > 0 ? ` Not used: ${listed(others)}.` : '';
  return `${what} of ${listed(parts)}, planned in ${milliseconds.toFixed(1)} ms.${rest}`;
}

/** @param {{example: Example, active: boolean, onExample: (id: string) => void}} props */
function Card({ example, active, onExample }) {
  return h(
    'li',
    { class: active ? 'card active' : 'card' },
    h('button', { type: 'button', 'aria-current': active ? 'true' : undefined, onClick: () => onExample(example.id) }, example.title),
    h('p', null, example.teaches),
    h(SourceLink, { source: example.source }),
  );
}
