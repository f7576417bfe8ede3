/**
 * The wiring: state, engine, link and page. Everything that happens goes through one of the actions below.
 * @import {Actions, AppState} from './types.js'
 */
import { h, render } from 'preact';
import { EngineClient } from './engine-client.js';
import { EXAMPLES, exampleById } from './samples/index.js';
import { formatState, parseState } from './state.js';
import { App } from './views/app.js';
import './styles/page.css';

const EDITABLE = 512 * 1024;
const TYPING_PAUSE = 150;

const engine = new EngineClient();
const root = /** @type {HTMLElement} */ (document.getElementById('app'));

/** @type {AppState} */
let state = {
  example: '',
  source: { text: '', name: '', size: 0 },
  options: {},
  overview: null,
  problem: null,
  model: null,
  glance: null,
  busy: true,
  tab: 'picture',
  drawer: { open: false, pane: 'text', width: 420 },
  dialog: '',
  theme: 'system',
  groupBy: 'slice',
  inspected: null,
  embed: new URLSearchParams(location.search).get('embed') === '1',
  canUndo: false,
  canRedo: false,
  undoLabel: '',
  notice: null,
  views: {},
};
/** What the engine was given last: the editor's text as bytes, or a file too large for the editor. */
let raw = new Uint8Array();
let wanted = '';
let turn = 0;
let typing = 0;

/** @param {Partial<AppState>} change */
function update(change) {
  state = { ...state, ...change };
  render(h(App, { state, actions }), root);
}

/** Plans the input as it is now; an answer that comes after a newer question is dropped. */
async function replan() {
  turn += 1;
  const mine = turn;
  try {
    const answer = await engine.open(raw, state.options);
    if (mine !== turn) return;
    if (!answer.ok) return update({ problem: answer.problem, busy: false });
    const { overview } = answer;
    const key = overview.services.some((entry) => entry.key === wanted) ? wanted : firstOfInterest(overview.services);
    const model = key ? await engine.service(key) : null;
    if (mine !== turn) return;
    update({ overview, model, problem: null, busy: false });
    writeLink();
  } catch (error) {
    update({ busy: false, problem: { code: 'Internal', message: error instanceof Error ? error.message : String(error) } });
  }
}

/** @param {import('./types.js').ServiceEntry[]} services */
function firstOfInterest(services) {
  const busy = services.find(({ counts }) => counts.created + counts.updated + counts.deleted > 0);
  return (busy ?? services[0])?.key ?? '';
}

function writeLink() {
  const service = wanted && state.model?.key === wanted ? wanted : '';
  const link = formatState({ example: state.example, service, options: state.options });
  if (link !== location.hash) history.replaceState(null, '', link);
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} name */
function take(bytes, name) {
  raw = bytes;
  const text = bytes.length > EDITABLE ? null : new TextDecoder().decode(bytes);
  update({ busy: true, source: { text, name, size: bytes.length } });
  return replan();
}

/** @param {string} id */
async function openExample(id) {
  const example = exampleById(id) ?? EXAMPLES[0];
  if (!example) return;
  turn += 1;
  const mine = turn;
  update({ busy: true, example: example.id });
  const response = await fetch(example.url);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (mine === turn) await take(bytes, `${example.id}.json`);
}

/** @type {Actions} */
const actions = {
  onExample: (id) => {
    wanted = '';
    state = { ...state, options: {} };
    void openExample(id);
  },
  onText: (text) => {
    const bytes = new TextEncoder().encode(text);
    wanted = state.example ? '' : wanted;
    if (bytes.length > EDITABLE || state.source.text === null) {
      state = { ...state, example: '' };
      void take(bytes, bytes.length > EDITABLE ? 'Pasted text' : '');
      return;
    }
    raw = bytes;
    turn += 1;
    update({ busy: true, example: '', source: { text, name: '', size: bytes.length } });
    clearTimeout(typing);
    typing = window.setTimeout(replan, TYPING_PAUSE);
  },
  onFile: async (file) => {
    state = { ...state, example: '' };
    wanted = '';
    await take(new Uint8Array(await file.arrayBuffer()), file.name);
  },
  onOptions: (options) => {
    update({ busy: true, options });
    void replan();
  },
  onTab: (tab) => update({ tab }),
  onDrawer: (change) => update({ drawer: { ...state.drawer, ...change } }),
  onDialog: (dialog) => update({ dialog }),
  onTheme: (theme) => {
    document.documentElement.dataset.theme = theme;
    update({ theme });
  },
  onGroupBy: (groupBy) => update({ groupBy }),
  onInspect: (inspected) => update({ inspected }),
  onNotice: (notice) => update({ notice }),
  onView: (name, value) => update({ views: { ...state.views, [name]: value } }),
  engine,
  onUndo: () => {},
  onRedo: () => {},
  onScale: () => {},
  onFix: () => {},
  onSelect: async (key) => {
    wanted = key;
    const model = await engine.service(key);
    if (wanted !== key || !model) return;
    update({ model });
    writeLink();
  },
  onRead: (key) => engine.planText(key),
  onTraffic: (key, reader) => engine.traffic(key, reader),
  onWhy: (key) => engine.why(key),
  onSave: async () => {
    const bytes = await engine.answer();
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/json' }));
    const name = state.overview?.kind === 'request' ? 'plan.json' : 'plans.json';
    Object.assign(document.createElement('a'), { href: url, download: name }).click();
    URL.revokeObjectURL(url);
  },
};

/** Text pasted anywhere outside a field is an input; so is very much text pasted into the editor. */
addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const field = /** @type {Element} */ (event.target).closest?.('input, textarea');
  const large = text.length > EDITABLE && field?.id === 'input';
  if (text === '' || (field && !large)) return;
  event.preventDefault();
  actions.onText(text);
});

function readLink() {
  const link = parseState(location.hash);
  wanted = link.service;
  state = { ...state, options: link.options };
  void openExample(link.example);
}

addEventListener('hashchange', readLink);
readLink();
