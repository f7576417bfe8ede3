/**
 * Everything about the chosen Service.
 * @import {Overview, ServiceModel} from '../types.js'
 * @import {Actions} from './app.js'
 * @import {Show} from './details.js'
 */
import { h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Details } from './details.js';
import { Hints } from './hints.js';
import { Legend } from './legend.js';
import { Messages } from './messages.js';
import { PlanJson } from './plan-json.js';
import { Slices } from './slices.js';
import { EndpointTable } from './table.js';
import { Tile } from './tile.js';
import { Traffic } from './traffic.js';
import { Why } from './why.js';

const LINGER = 150;

/**
 * @param {object} props
 * @param {ServiceModel} props.model
 * @param {Overview} props.overview
 * @param {Actions} props.actions
 */
export function ServiceView({ model, overview, actions }) {
  const { show, onShow, onHover, close } = useDetails(model);
  // Kept as it is while details come and go; `onShow` holds nothing that grows old.
  const slices = useMemo(() => h(Slices, { key: model.key, model, onShow }), [model]);
  return h(
    'section',
    { class: 'service', 'aria-labelledby': 'service-title' },
    h(Heading, { model }),
    h(Legend, { model }),
    slices,
    h('div', { class: 'panels' }, h(Hints, { model, overview }), h(Messages, { model, overview })),
    h(Traffic, { model, onTraffic: actions.onTraffic }),
    h(Why, { model, onWhy: actions.onWhy }),
    h(EndpointTable, { model }),
    h(PlanJson, { service: model.key, overview, onRead: actions.onRead, onSave: actions.onSave }),
    show && h(Details, { show, zones: model.zones, onClose: close, onHover }),
  );
}

/** @param {{model: ServiceModel}} props */
function Heading({ model }) {
  return h(
    'div',
    { class: 'service-head' },
    h(
      'div',
      null,
      h('h2', { id: 'service-title' }, h('span', { class: 'quiet' }, `${model.namespace}/`), model.name),
      h('p', { class: 'sentence', role: 'status' }, model.sentence),
    ),
    h(
      'ul',
      { class: 'tiles', 'aria-label': 'Figures' },
      h(Tile, { title: 'Endpoints', value: arrow(model.before.endpoints, model.after.endpoints) }),
      h(Tile, { title: 'Slices', value: arrow(model.before.slices, model.after.slices), note: `${model.stats.desiredSlices} would do` }),
      h(Tile, { title: 'Writes', value: String(model.counts.created + model.counts.updated + model.counts.deleted) }),
      h(Tile, { title: 'Hints', value: { on: 'on', off: 'off', none: '–' }[model.hints], note: model.hints === 'none' ? 'not asked for' : modes(model) }),
    ),
  );
}

/** @param {number} before @param {number} after */
function arrow(before, after) {
  return before === after ? String(after) : `${before} → ${after}`;
}

/** @param {ServiceModel} model */
function modes(model) {
  return [...new Set(model.hintDetails.map((hint) => hint.mode))].join(', ');
}

/**
 * Which details are shown. They linger a little after the pointer has left, so that it can reach them, and
 * stay when they were clicked, until something else is chosen or Escape is pressed.
 * @param {ServiceModel} model
 */
function useDetails(model) {
  const [show, setShow] = useState(/** @type {Show | null} */ (null));
  const timer = useRef(0);
  const current = useRef(show);
  current.current = show;
  const close = () => setShow(null);
  useEffect(close, [model]);
  useEffect(() => {
    const escape = (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && close();
    addEventListener('keydown', escape);
    return () => removeEventListener('keydown', escape);
  }, []);
  const leave = () => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => current.current?.pinned || close(), LINGER);
  };
  /** @param {Show | null} next */
  const onShow = (next) => {
    if (!next) return leave();
    clearTimeout(timer.current);
    if (next.pinned || !current.current?.pinned) setShow(next);
  };
  const onHover = (/** @type {boolean} */ inside) => (inside ? clearTimeout(timer.current) : leave());
  return { show, onShow, onHover, close };
}
