/** Every build and both commands give the same bytes for the same input, and the same errors. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BUILDS } from './lib/builds.mjs';
import { COMMANDS, NATIVE, invoke, stream } from './lib/commands.mjs';
import { BAD, DEEP_UNREAD, SMALL, bytesOf, requests, snapshots } from './lib/inputs.mjs';

const REQUESTS = requests();
const SNAPSHOTS = snapshots();
const BAD_LINES = BAD.map(({ text, ...rest }) => ({ ...rest, bytes: typeof text === 'string' ? bytesOf(text) : text }));
/** Harmless, and added by some editors. */
const MARKED = { name: 'a byte order mark', bytes: bytesOf(`\ufeff${JSON.stringify(SMALL)}`) };
const LINES = [...REQUESTS, MARKED, DEEP_UNREAD, ...BAD_LINES];
/** Inputs that are not a line of a stream, or have a meaning of their own when alone. */
const ALONE = [
  ['nothing', ''],
  ['white space', ' \n\t\n'],
  ['only a mark', '\ufeff'],
  ['only comments', '# a\n# b\n'],
  ['only a divider', '---\n'],
  ['a page', '<html lang="a: b">\n<title>502: Bad Gateway</title>\n'],
  ['a sentence', 'The connection to the server was refused'],
  ['a long line of no ASCII', `${'ä'.repeat(60)}\n`],
  ['a marked word', '\ufeffhello'],
  ['a minus', '-5'],
  ['a Status', '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods is forbidden","code":403}'],
  ['a Status among others', '{"kind":"List","items":[{"kind":"Status"}]}'],
  ['an empty list', '{"kind":"List","items":[]}'],
  ['JSON over lines', '\n{\n  "service": 7\n}\n'],
].map(([name, text]) => ({ name, bytes: bytesOf(text) }));
const WHOLE = [REQUESTS[0], SNAPSHOTS[0], MARKED, DEEP_UNREAD, ...BAD_LINES, ...ALONE];

/** @type {Map<string, string>} the native command's answers, by input */
const expected = new Map();

/** @type {string[]} its answers to all lines in one stream */
let streamed;

/**
 * Converts an answer in a stream to the answer to the same input alone: an error in a stream has a line number, which
 * alone it only has together with a column.
 * @param {string} answer
 * @param {number} line
 */
function alone(answer, line) {
  if (!answer.startsWith('{"error":')) return answer;
  const { error } = JSON.parse(answer);
  assert.equal(error.line, line, answer);
  error.line = error.column && 1;
  return JSON.stringify({ error });
}

before(async () => {
  const answers = await stream(NATIVE, LINES.map(({ bytes }) => bytes));
  assert.equal(answers.length, LINES.length, 'one answer per line');
  streamed = answers;
  LINES.forEach(({ name }, index) => expected.set(name, alone(answers[index], index + 1)));
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

  it('does not mind depth where nothing is read', () => {
    assert.equal(expected.get(DEEP_UNREAD.name), expected.get(MARKED.name));
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
    assert.deepEqual(answers, streamed);
  });

  for (const input of WHOLE) {
    it(`does with ${input.name} what the native command does`, async () => {
      const [native, npm] = await Promise.all(COMMANDS.map((each) => invoke(each.command, ['plan', '-o', 'json'], input.bytes)));
      assert.equal(npm.code, native.code);
      assert.equal(npm.stdout.toString(), native.stdout.toString());
      assert.equal(npm.stderr, native.stderr);
    });
  }
});
