/** The store without a browser: the single path to the engine, edits, and late answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionsOf } from '../../www/actions.js';
import { EngineClient } from '../../www/engine-client.js';
import { PLAIN } from '../../www/input/generator.js';
import { blobOf, decoded, encoded, isLong } from '../../www/model/pieces.js';
import { opener } from '../../www/open.js';
import { EMPTY_WORK, Store } from '../../www/store.js';
import { Planner } from '../../www/store/planner.js';
import { preferences } from '../../www/store/prefs.js';
import { sourceOfFile, sourceOfText } from '../../www/store/source.js';
import { WorkerClient, WorkerDied } from '../../www/worker-client.js';

/** Lets pending callbacks run. */
function idle() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** A planner whose answers the test controls. */
function planned() {
  /** @type {{question: string, resolve: (answer: string) => void, reject: (error: Error) => void}[]} */
  const asked = [];
  /** @type {string[]} */
  const seen = [];
  const planner = new Planner(
    (/** @type {string} */ question) =>
      new Promise((resolve, reject) => {
        asked.push({ question, resolve, reject });
      }),
    {
      answer: (answer, _, newest) => seen.push(newest ? answer : `${answer}…`),
      failure: (error) => seen.push(`failed: ${/** @type {Error} */ (error).message}`),
      restart: () => seen.push('restarted'),
    },
  );
  return { planner, asked, seen };
}

test('one question is on its way; of those that wait the newest is asked, and older answers and failures are dropped', async () => {
  const { planner, asked, seen } = planned();
  for (const question of ['a', 'b', 'c']) planner.want(question);
  assert.deepEqual(asked.map((each) => each.question), ['a']);
  asked[0]?.resolve('A');
  await idle();
  assert.deepEqual(asked.map((each) => each.question), ['a', 'c']);
  planner.want('d');
  asked[1]?.reject(new Error('late'));
  await idle();
  asked[2]?.resolve('D');
  await idle();
  assert.deepEqual(seen, ['D']);
  planner.want('e');
  asked[3]?.reject(new Error('now'));
  await idle();
  assert.deepEqual(seen, ['D', 'failed: now']);
});

test('within a gesture answers on the way are shown; what was forgotten is not', async () => {
  const { planner, asked, seen } = planned();
  planner.want('1', 'slider');
  planner.want('2', 'slider');
  asked[0]?.resolve('one');
  await idle();
  asked[1]?.resolve('two');
  await idle();
  planner.want('3', 'slider');
  planner.forget();
  asked[2]?.resolve('three');
  await idle();
  assert.deepEqual(seen, ['one…', 'two']);
});

test('a dead engine is asked once more, and that is said; the second time it is a failure', async () => {
  const { planner, asked, seen } = planned();
  planner.want('a');
  asked[0]?.reject(new WorkerDied('gone'));
  await idle();
  asked[1]?.resolve('A');
  await idle();
  planner.want('b');
  asked[2]?.reject(new WorkerDied('gone'));
  await idle();
  asked[3]?.reject(new WorkerDied('gone'));
  await idle();
  assert.deepEqual(seen, ['restarted', 'A', 'restarted', 'failed: gone']);
});

test('a worker that dies fails what waits, and the next question starts another one', async () => {
  /** @type {any[]} */
  const workers = [];
  const client = new WorkerClient(() => {
    /** @type {any[]} */
    const sent = [];
    const worker = Object.assign(new EventTarget(), { sent, postMessage: (/** @type {any} */ message) => sent.push(message), terminate() {} });
    workers.push(worker);
    return /** @type {any} */ (worker);
  }, 'unloadable');
  const first = client.ask({ call: 'a' });
  workers[0].dispatchEvent(new Event('error'));
  await assert.rejects(first, (error) => error instanceof WorkerDied && error.message === 'unloadable');
  const second = client.ask({ call: 'b' });
  const [{ id }] = workers[1].sent;
  workers[1].dispatchEvent(new MessageEvent('message', { data: { id, value: 'answer' } }));
  assert.equal(await second, 'answer');
  const third = client.ask({ call: 'c' });
  workers[1].dispatchEvent(new MessageEvent('message', { data: { id: id + 1, error: 'unreachable', dead: true } }));
  await assert.rejects(third, /unreachable/);
  assert.equal(workers.length, 2);
});

/** @param {string} text */
function example(text) {
  return { text, name: 'an example' };
}

/**
 * A store with an engine that answers immediately, and the requests it received.
 * @param {(id: string) => Promise<{text: string, name: string}>} [loadExample]
 */
function storeWith(loadExample = (id) => Promise.resolve(example(`text of ${id}`))) {
  const open = (/** @type {string} */ text, /** @type {object} */ options, /** @type {string} */ service) =>
    Promise.resolve({ ok: true, overview: { text, options }, model: { key: service || 'shop/web', release() {} } });
  const engine = {
    open,
    scale: async (/** @type {string} */ base, /** @type {object} */ options, /** @type {any} */ { pods }, /** @type {string} */ service) => {
      const text = `${base} ×${pods}`;
      return { text, refused: '', answer: await open(text, options, service) };
    },
    edit: (/** @type {string} */ text, /** @type {object} */ _, /** @type {any} */ { pods }) =>
      Promise.resolve({ ok: true, changes: [{ from: text.length, to: text.length, insert: ` ×${pods}` }] }),
  };
  const store = new Store({ engine: /** @type {any} */ (engine), loadExample, prefs: preferences(null), embed: false });
  return { store, actions: actionsOf(store) };
}

test('undo leads through examples, texts, settings, sliders and fixes, and redo back', async () => {
  const { store, actions } = storeWith();
  await store.open('first', true);
  await idle();
  assert.equal(store.state.canUndo, false);
  actions.onOptions({ maxEndpointsPerSlice: 5 });
  await store.open('second');
  actions.onText('own', { typing: true });
  actions.onText('own text', { typing: true });
  await idle();
  actions.onScale(3);
  actions.onScale(4);
  await idle();
  assert.equal(store.state.source.text, 'own text ×4', 'a slider starts from what was there before it');
  await actions.onEdit('Use 12', { pods: 12 });
  await idle();
  assert.deepEqual([store.state.source.text, store.state.slider], ['own text ×4 ×12', null]);
  const texts = [];
  while (store.state.canUndo) {
    actions.onUndo();
    await idle();
    texts.push(`${store.state.example}|${store.state.source.text}|${store.state.options.maxEndpointsPerSlice ?? '-'}`);
  }
  assert.deepEqual(texts, ['|own text ×4|-', '|own text|-', 'second|text of second|-', 'first|text of first|5', 'first|text of first|-']);
  while (store.state.canRedo) actions.onRedo();
  await idle();
  assert.equal(/** @type {any} */ (store.state.overview).text, 'own text ×4 ×12', 'what is drawn is what was redone');
  assert.deepEqual([store.state.busy, store.state.stale], [false, false]);
});

/** A field that reports typing after a pause, and what types into it. @param {import('../../www/types.js').Actions} actions */
function fieldOf(actions) {
  let typed = '';
  actions.onDraft(() => {
    if (typed) actions.onText(typed, { typing: true });
    typed = '';
  });
  return (/** @type {string} */ text) => void (typed = text);
}

test('what is typed becomes part of the work before anything else changes it', async () => {
  let letGo = () => {};
  const { store, actions } = storeWith((id) => new Promise((resolve) => (letGo = () => resolve(example(`text of ${id}`)))));
  actions.onText('pasted');
  await idle();
  const type = fieldOf(actions);
  const text = () => store.state.source.text;
  type('typed');
  actions.onUndo();
  assert.deepEqual([text(), store.state.redoLabel], ['pasted', 'Edit']);
  type('typed more');
  actions.onScale(3);
  await idle();
  assert.equal(text(), 'typed more ×3');
  type('own');
  await actions.onEdit('Use 12', { pods: 12 });
  assert.equal(text(), 'own ×12');
  const edited = actions.onEdit('Use 13', { pods: 13 });
  type('during an edit');
  await edited;
  assert.equal(text(), 'during an edit');
  const opened = store.open('first');
  type('while it loads');
  letGo();
  await opened;
  assert.equal(text(), 'while it loads');
  type('before it is replaced');
  actions.onText('pasted again');
  assert.equal(text(), 'pasted again');
  actions.onUndo();
  assert.equal(text(), 'before it is replaced');
});

test('an edit is busy until its plan is there, and one that fails leaves all as it was', async () => {
  const { store, actions } = storeWith();
  actions.onText('pasted');
  await idle();
  const edited = actions.onEdit('Use 12', { pods: 12 });
  assert.equal(store.state.busy, true);
  await edited;
  assert.equal(store.state.busy, true);
  await idle();
  assert.deepEqual([store.state.busy, store.state.source.text], [false, 'pasted ×12']);
  store.engine.edit = () => Promise.reject(new Error('no memory'));
  await actions.onEdit('Use 13', { pods: 13 });
  await idle();
  assert.deepEqual([store.state.busy, store.state.source.text, store.state.undoLabel], [false, 'pasted ×12', 'Use 12']);
  assert.equal(store.state.notice?.text, 'The edit failed: no memory');
  // An example that is on its way still arrives.
  const [refused, opened] = [actions.onEdit('Use 13', { pods: 13 }), store.open('first')];
  await refused;
  assert.equal(store.state.busy, true);
  await opened;
  await idle();
  assert.deepEqual([store.state.busy, store.state.source.text], [false, 'text of first']);
});

test('a change of a view is a step, and nothing is planned anew for it', async () => {
  const { store, actions } = storeWith();
  await store.open('first', true);
  await idle();
  const { overview, model } = store.state;
  actions.onView('compare', { reader: 'istio' }, 'Change the reader');
  await idle();
  assert.deepEqual([store.state.views.compare, store.state.busy, store.state.undoLabel], [{ reader: 'istio' }, false, 'Change the reader']);
  actions.onUndo();
  await idle();
  assert.equal(store.state.views.compare, undefined);
  assert.ok(store.state.overview === overview && store.state.model === model);
  actions.onOptions({ maxEndpointsPerSlice: 5 });
  actions.onView('compare', { reader: 'istio' }, 'Change the reader');
  await idle();
  assert.deepEqual(/** @type {any} */ (store.state.overview).options, { maxEndpointsPerSlice: 5 });
});

test('an example that cannot be fetched leaves all as it was, and nothing busy', async () => {
  let isOffline = false;
  const { store } = storeWith((id) => (isOffline ? Promise.reject(new Error('offline')) : Promise.resolve(example(id))));
  await store.open('first', true);
  isOffline = true;
  await store.open('second');
  await idle();
  assert.deepEqual([store.state.example, store.state.busy, store.state.canUndo], ['first', false, false]);
  assert.match(store.state.notice?.text ?? '', /could not be loaded.*unchanged/);
});

test('an example that comes late does not take the place of what was done meanwhile', async () => {
  /** @type {(input: {text: string, name: string}) => void} */
  let arrive = () => {};
  const { store, actions } = storeWith(() => new Promise((resolve) => (arrive = resolve)));
  const opening = store.open('slow');
  actions.onText('typed meanwhile', { typing: true });
  arrive(example('late'));
  await opening;
  await idle();
  assert.equal(store.state.source.text, 'typed meanwhile');
});

test('an example that is still being fetched is not wanted by those who went back, and nothing stays busy', async () => {
  /** @type {(input: {text: string, name: string}) => void} */
  let arrive = () => {};
  const { store } = storeWith(() => new Promise((resolve) => (arrive = resolve)));
  const first = store.open('first', true);
  arrive(example('first'));
  await first;
  await idle();
  store.stay();
  assert.equal(store.state.busy, false, 'nothing is fetched: nothing is planned again');
  const opening = store.open('slow');
  store.stay();
  arrive(example('late'));
  assert.equal(await opening, true);
  await idle();
  assert.deepEqual([store.state.source.text, store.state.busy], ['first', false]);
});

test('a link that takes its time does not take the place of what was done meanwhile, nor of a newer one', async () => {
  const { store, actions } = storeWith();
  /** @type {(value?: unknown) => void} */
  let arrive = () => {};
  const late = new Promise((resolve) => (arrive = resolve));
  const saved = { tab: 'traffic', work: { ...EMPTY_WORK, id: 'kept', source: sourceOfText('saved') } };
  const load = (/** @type {string} */ id) => (id === 'slow' ? late.then(() => saved) : Promise.resolve(null));
  const open = opener(store, /** @type {any} */ ({ load }));
  const opening = open('#v=2&own=slow');
  actions.onText('typed meanwhile', { typing: true });
  const again = open('#v=2&own=slow');
  assert.equal(await open('#v=2&own=none'), false, 'it is told, and the address is put back');
  assert.match(store.state.notice?.text ?? '', /never left the browser/);
  arrive();
  assert.deepEqual([await opening, await again], [true, true]);
  await idle();
  assert.deepEqual([store.state.source.text, store.state.tab, store.state.busy], ['typed meanwhile', 'picture', false]);
  assert.equal(await open('#v=2&own=slow&tab=traffic'), true);
  assert.deepEqual([store.state.source.text, store.state.tab], ['saved', 'traffic']);
  assert.equal(await open('#main'), false, 'a place in the page is no link');
});

/** @param {string} text @param {Promise<unknown>} until */
function slowFile(text, until) {
  const arrayBuffer = () => until.then(() => new TextEncoder().encode(text).buffer);
  return /** @type {File} */ (/** @type {unknown} */ ({ name: 'slow.json', arrayBuffer }));
}

test('a file, a generated input and saved work that come late do not, either', async () => {
  /** @type {(value?: unknown) => void} */
  let arrive = () => {};
  const late = new Promise((resolve) => (arrive = resolve));
  const { store } = storeWith();
  const saved = { id: 'kept', tab: /** @type {const} */ ('traffic'), work: { ...EMPTY_WORK, id: 'kept', source: sourceOfText('saved') } };
  const autosave = /** @type {any} */ ({ load: () => late.then(() => saved) });
  /** @type {any} */ (store.engine).generate = () => late.then(() => 'generated');
  const actions = actionsOf(store, autosave);
  const coming = [actions.onFile(slowFile('file', late)), actions.onGenerate(PLAIN), actions.onOpenSaved('kept')];
  assert.equal(store.state.busy, true);
  actions.onText('typed meanwhile', { typing: true });
  arrive();
  await Promise.all(coming);
  await idle();
  assert.deepEqual([store.state.source.text, store.state.tab, store.state.busy], ['typed meanwhile', 'picture', false]);
  await actions.onOpenSaved('kept');
  assert.deepEqual([store.state.source.text, store.state.tab], ['saved', 'traffic']);
});

test('of two files the one that was opened last is shown, and one that cannot be read changes nothing', async () => {
  const { store, actions } = storeWith();
  /** @type {(value?: unknown) => void} */
  let arrive = () => {};
  const first = actions.onFile(slowFile('first', new Promise((resolve) => (arrive = resolve))));
  await actions.onFile(slowFile('second', Promise.resolve()));
  arrive();
  await first;
  await actions.onFile(slowFile('', Promise.reject(new Error('it is a folder'))));
  await idle();
  assert.deepEqual([store.state.source.text, store.state.busy], ['second', false]);
  assert.equal(store.state.notice?.text, 'slow.json could not be read. What was there is unchanged.');
});

test('of two clusters for admission the one that was asked for last is loaded', async () => {
  /** @type {Record<string, any[]>} */
  const sent = { engine: [], admission: [] };
  class FakeWorker extends EventTarget {
    /** @param {URL} _ @param {{name: string}} options */
    constructor(_, { name }) {
      super();
      this.name = name;
    }
    /** @param {any} question */
    postMessage(question) {
      sent[this.name]?.push(question);
      const answer = (/** @type {any} */ value) => this.dispatchEvent(new MessageEvent('message', { data: { id: question.id, value } }));
      this.name === 'engine' ? answers.push(() => answer(new Uint8Array([1]))) : answer(null);
    }
  }
  /** @type {(() => void)[]} */
  const answers = [];
  const before = globalThis.Worker;
  globalThis.Worker = /** @type {any} */ (FakeWorker);
  try {
    const client = new EngineClient();
    const loaded = client.judgeLoaded(false);
    await client.judgeCluster(new Uint8Array([2]), false);
    for (const answer of answers) answer();
    await loaded;
  } finally {
    globalThis.Worker = before;
  }
  assert.deepEqual(sent.admission?.map(({ call, input }) => [call, ...input]), [['load', 2]]);
});

test('a very long text is the same in pieces, whole characters in each', async () => {
  const text = `\uFEFFa${'🦀'.repeat(10_500_000)}`;
  assert.deepEqual([isLong(text), isLong('a')], [true, false]);
  const pieces = await encoded(text);
  assert.ok(pieces.length > 5);
  assert.equal(decoded(pieces) === text, true);
  assert.equal(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await (await blobOf(text)).arrayBuffer()) === text, true);
  const file = await sourceOfFile(new TextEncoder().encode(text), 'a.json');
  assert.deepEqual([file.text === text.slice(1), file.bytes], [true, undefined]);
  const faulty = await sourceOfFile(Uint8Array.of(0x61, 0xff), 'b.json');
  assert.deepEqual([faulty.text, faulty.bytes], ['a\uFFFD', Uint8Array.of(0x61, 0xff)]);
});

test('preferences: what another version kept is not trusted, and a storage that refuses is no harm', () => {
  const storage = { getItem: () => '{"theme":"dark","drawer":{"open":true,"pane":"x","width":1},"groupBy":7}', setItem: () => assert.fail('full') };
  const prefs = preferences(storage);
  assert.deepEqual([prefs.values.theme, prefs.values.drawer.open, prefs.values.groupBy], ['dark', false, 'slice']);
  assert.equal(prefs.change({ groupBy: 'zone' }).groupBy, 'zone');
  assert.equal(preferences({ getItem: () => '}', setItem() {} }).values.theme, 'system');
});
