/**
 * The wiring: engine, store, address, autosave and page.
 */
import { h, render } from 'preact';
import { actionsOf } from './actions.js';
import { EngineClient } from './engine-client.js';
import { isField, listenForKeys } from './keys.js';
import { liveToken } from './live/token.js';
import { forgetOffline, keepOffline } from './offline.js';
import { isLong } from './model/pieces.js';
import { opener } from './open.js';
import { findExample } from './samples/find.js';
import { exampleById } from './samples/index.js';
import { Store } from './store.js';
import { Address } from './store/address.js';
import { Autosave } from './store/autosave.js';
import { browserStorage, preferences } from './store/prefs.js';
import { planFirst } from './views/answer.js';
import { App } from './views/app.js';
import './styles/page.css';

const FETCH_LIMIT = 30_000;

const embed = new URLSearchParams(location.search).get('embed') === '1';
const root = /** @type {HTMLElement} */ (document.getElementById('app'));

/** @param {string} id */
async function loadExample(id) {
  const example = await findExample(id);
  if (!example) throw new Error(`no example ${id}`);
  const response = await fetch(example.url, { signal: AbortSignal.timeout(FETCH_LIMIT) });
  if (!response.ok) throw new Error(`${response.status}`);
  return { text: await response.text(), name: example.name };
}

const store = new Store({ engine: new EngineClient(), loadExample, prefs: preferences(embed ? null : browserStorage()), embed });
const autosave = embed ? null : new Autosave(store);
const actions = actionsOf(store, autosave);
const open = opener(store, autosave);
const address = new Address(store, (fragment, land) => open(fragment, { land }));

/** What is open. @param {import('./types.js').AppState} state */
function titleOf({ model, example, source }) {
  const input = exampleById(example)?.title ?? source.name;
  return [model?.key, input, 'slicewise'].filter(Boolean).join(' · ');
}

/** Renders the current state. */
function draw() {
  const { state } = store;
  planFirst(state);
  if (state.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = state.theme;
  document.title = titleOf(state);
  render(h(App, { state, actions }), root);
}

/** Text pasted outside a field becomes the input. */
addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (text === '' || isField(event)) return;
  event.preventDefault();
  const take = () => actions.onText(text, { label: 'Paste' });
  // Reading a very long text has blocked the page; let it draw.
  if (isLong(text)) setTimeout(take);
  else take();
});

store.subscribe(draw);
draw();
const followed = embed ? null : liveToken();
const frame = embed ? await import(/* webpackChunkName: "embed" */ './embed.js') : null;
if (followed) {
  const { Live } = await import(/* webpackChunkName: "live" */ './live.js');
  new Live(store, followed).start();
  void forgetOffline();
} else if (frame?.isHanded()) {
  frame.takeInputs(store);
} else {
  await open(location.hash, { first: true });
}
if (frame) frame.tellHeight(root);
else {
  autosave?.start();
  listenForKeys(store, actions);
}
if (!embed && !followed) {
  address.start();
  keepOffline(store);
}
