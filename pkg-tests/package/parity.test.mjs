/** Every build and both commands give the same bytes for the same input, and the same errors. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BUILDS } from './lib/builds.mjs';
import { COMMANDS, NATIVE, invoke, stream } from './lib/commands.mjs';
import { BAD, SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';

const REQUESTS = requests();
const SNAPSHOTS = snapshots();
const BAD_LINES = BAD.map(({ text, ...rest }) => ({ ...rest, bytes: typeof text === 'string' ? bytesOf(text) : text }));
/** Harmless, and common where editors write it. */
const MARKED = { name: 'a byte order mark', bytes: bytesOf(`\ufeff${JSON.stringify(SMALL)}`) };
const LINES = [...REQUESTS, MARKED, ...BAD_LINES];
/** Whatever does not begin like JSON the native command also tries as YAML, which the npm one does not know. */
const LIKE_JSON = [REQUESTS[0], SNAPSHOTS[0], MARKED, ...BAD_LINES.filter(({ bytes }) => '{['.includes(String.fromCharCode(bytes[0])))];

/** @type {Map<string, string>} what the native command answers, by input */
const expected = new Map();

before(async () => {
  const answers = await stream(NATIVE, LINES.map(({ bytes }) => bytes));
  assert.equal(answers.length, LINES.length, 'one answer per line');
  LINES.forEach(({ name }, index) => expected.set(name, answers[index]));
  for (const { name, bytes } of SNAPSHOTS) {
    const { code, stdout, stderr } = await invoke(NATIVE, ['plan', '-o', 'json'], bytes);
    assert.equal(code, 0, stderr);
    expected.set(name, stdout.toString().trimEnd());
  }
});

describe('the native command', () => {
  it('has something to compare with', () => {
    assert.ok(REQUESTS.length > 0 && SNAPSHOTS.length > 0);
  });

  for (const { name, code, path } of BAD) {
    it(`refuses ${name}`, () => {
      const { error } = JSON.parse(expected.get(name) ?? '');
      assert.ok(error, `accepted: ${expected.get(name)?.slice(0, 200)}`);
      assert.ok(error.message.length > 10, error.message);
      if (code) assert.equal(error.code, code, error.message);
      if (path) assert.equal(error.path, path, error.message);
    });
  }
});

for (const { name, load } of BUILDS) {
  describe(name, () => {
    /** @type {import('./lib/builds.mjs').Api} */
    let api;
    before(async () => {
      api = await load();
    });

    /** @param {() => Uint8Array} call */
    function answerOf(call) {
      try {
        return new TextDecoder().decode(call());
      } catch (error) {
        assert.ok(error instanceof api.SlicewiseError, String(error));
        return JSON.stringify(error);
      }
    }

    for (const input of LINES) {
      it(`plans ${input.name}`, () => {
        assert.equal(answerOf(() => api.plan(input.bytes)), expected.get(input.name));
      });
    }

    for (const input of SNAPSHOTS) {
      it(`plans the snapshot ${input.name}`, () => {
        assert.equal(api.detect(input.bytes), 'snapshot');
        assert.equal(answerOf(() => api.planSnapshot(input.bytes)), expected.get(input.name));
      });
    }
  });
}

describe('the npm command', () => {
  const { command } = COMMANDS[1];

  it('answers a stream with the same lines', async () => {
    const answers = await stream(command, LINES.map(({ bytes }) => bytes));
    assert.deepEqual(answers, LINES.map(({ name }) => expected.get(name)));
  });

  for (const input of LIKE_JSON) {
    it(`does with ${input.name} what the native command does`, async () => {
      const [native, npm] = await Promise.all(COMMANDS.map((each) => invoke(each.command, ['plan', '-o', 'json'], input.bytes)));
      assert.equal(npm.code, native.code);
      assert.equal(npm.stdout.toString(), native.stdout.toString());
      assert.equal(npm.stderr, native.stderr);
    });
  }
});
