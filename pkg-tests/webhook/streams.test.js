/** Streaming lists of every size, in every cut: complete, or listed again, and never a fault of the process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reflector } from '../../webhook/cluster/reflector.js';
import { TIMES } from '../../webhook/cluster/times.js';
import { lineOf } from './lib/api-server.js';
import { LIMIT } from './lib/start.js';
import { pod } from './lib/watching.js';

const END = lineOf('BOOKMARK', {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } },
});

/** Like a response: destroying it makes the pending read fail, as Node's streams do. */
class Pieces {
  /** @type {(error: Error) => void} */
  #fail = () => {};

  complete = true;
  statusCode = 200;
  headers = {};

  /** @param {Uint8Array[]} pieces @param {boolean} isEndless whether it stays open after the last one */
  constructor(pieces, isEndless) {
    this.pieces = pieces;
    this.isEndless = isEndless;
  }

  [Symbol.asyncIterator]() {
    let at = 0;
    return {
      next: () => {
        if (at < this.pieces.length) return Promise.resolve({ value: this.pieces[at++], done: false });
        if (!this.isEndless) return Promise.resolve({ value: undefined, done: true });
        return new Promise((_, reject) => (this.#fail = reject));
      },
    };
  }

  destroy() {
    this.#fail(new Error('Premature close'));
  }
}

/** Lists once from these pieces. @param {Uint8Array[]} pieces @param {boolean} isEndless */
async function list(pieces, isEndless) {
  const signal = new AbortController();
  let taken = 0;
  /** @type {string[]} */
  const noted = [];
  const apply = (/** @type {Uint8Array} */ bytes) => {
    const lines = Buffer.from(bytes).toString().split('\n').filter(Boolean).map((line) => JSON.parse(line));
    taken += lines.filter(({ type }) => type === 'ADDED').length;
    const isListed = lines.some(({ type }) => type === 'BOOKMARK');
    return /** @type {any} */ ({ errors: [], ...(isListed ? { listed: ['Pod'], resourceVersions: { Pod: '7' } } : {}) });
  };
  const get = (/** @type {string} */ _path, /** @type {{signal: AbortSignal}} */ { signal: turn }) => {
    turn.throwIfAborted();
    return Promise.resolve(/** @type {any} */ (new Pieces(pieces, isEndless)));
  };
  const conversation = { get, send: () => assert.fail('nothing is written'), close: () => {} };
  const reflector = new Reflector({ kind: 'Pod', path: '/api/v1/pods', group: '', resource: 'pods', page: 500 }, {
    connection: { server: 'https://fake/', open: () => Promise.resolve(conversation), forget: () => {} },
    apply,
    startList: () => assert.fail('no pages'),
    onLeftOut: () => {},
    times: { ...TIMES, firstDelay: 1, mostDelay: 1 },
    note: (what) => {
      noted.push(what);
      if (what === 'listed' || what === 'failed') signal.abort();
    },
  });
  await reflector.run(signal.signal, () => new AbortController().signal);
  return { taken, outcome: noted.at(-1) };
}

/** Fails the test on faults that nobody handles. @param {import('node:test').TestContext} t */
function watchFaults(t) {
  /** @type {unknown[]} */
  const faults = [];
  const note = (/** @type {unknown} */ fault) => void faults.push(fault);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(faults, []);
  };
}

test('a list of any size is complete, however it arrives', LIMIT, async (t) => {
  const check = watchFaults(t);
  const line = Buffer.from(lineOf('ADDED', pod('any', '10.0.0.1')));
  for (let count = 300; count <= 3_000; count += 7) {
    const all = Buffer.concat([...Array.from({ length: count }, () => line), Buffer.from(END)]);
    const size = 16_384 + (count * 131) % 200_000;
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.subarray(at * size, (at + 1) * size));
    assert.deepEqual(await list(pieces, true), { taken: count, outcome: 'listed' }, `${count} objects in pieces of ${size}`);
    await check();
  }
});

test('the end of a list may come first, last, alone, and behind a large batch', LIMIT, async (t) => {
  const check = watchFaults(t);
  const many = Buffer.from(lineOf('ADDED', pod('any', '10.0.0.1')).repeat(2_000));
  const end = Buffer.from(END);
  for (const [name, pieces, taken] of /** @type {[string, Buffer[], number][]} */ ([
    ['alone', [end], 0],
    ['behind everything', [Buffer.concat([many, end])], 2_000],
    ['in a piece of its own', [many, end], 2_000],
    ['before what the watch goes on with', [Buffer.concat([many, end, many])], 4_000],
    ['byte by byte', [many, ...Array.from(end, (byte) => Buffer.of(byte))], 2_000],
  ])) {
    assert.deepEqual(await list(pieces, true), { taken, outcome: 'listed' }, name);
    await check();
  }
});

test('a list that is cut at any byte is listed again, or complete', LIMIT, async (t) => {
  const check = watchFaults(t);
  const all = Buffer.from(`${lineOf('ADDED', pod('any', '10.0.0.1'))}${END}`);
  for (let cut = 0; cut <= all.length; cut += 1) {
    const { outcome } = await list([all.subarray(0, cut)], false);
    assert.equal(outcome, cut === all.length ? 'listed' : 'failed', `cut at ${cut}`);
  }
  await check();
});
