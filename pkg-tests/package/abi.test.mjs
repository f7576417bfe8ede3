/** `slicewise.wasm`, the module for any host, answers the calls of all bindings, and has the functions of the npm package. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as tools from 'slicewise/tools';
import { ROOT } from './lib/builds.mjs';

/** What no host without JavaScript needs. */
const OTHERS = ['SlicewiseError', 'createInstance'];
const module = new WebAssembly.Module(readFileSync(join(ROOT, 'pkg/abi/slicewise.wasm')));
/** @type {{name: string, calls: {function: string, input: string, answer: string}[]}[]} */
const cases = JSON.parse(readFileSync(join(ROOT, 'bindings/conformance.json'), 'utf8'));

/** An instance as `docs/abi.md` describes it. @returns {(name: string, input: string) => string} */
function instance() {
  const { memory, alloc, free, call } = /** @type {any} */ (new WebAssembly.Instance(module).exports);
  /** @param {string} text */
  const put = (text) => {
    const bytes = new TextEncoder().encode(text);
    const pointer = alloc(bytes.length) >>> 0;
    assert.notEqual(pointer, 0);
    new Uint8Array(memory.buffer, pointer, bytes.length).set(bytes);
    return [pointer, bytes.length];
  };
  return (name, input) => {
    const [functionName, given] = [put(name), put(input)];
    const packed = BigInt.asUintN(64, call(...functionName, ...given));
    const [pointer, length] = [Number(packed >> 32n), Number(packed & 0xffff_ffffn)];
    const answer = new TextDecoder().decode(new Uint8Array(memory.buffer, pointer, length));
    for (const buffer of [functionName[0], given[0], pointer]) free(buffer);
    return answer;
  };
}

describe('slicewise.wasm', () => {
  it('needs nothing of its host, and exports the contract', () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.deepEqual(['memory', 'abi_version', 'alloc', 'free', 'call'].filter((name) => !names.includes(name)), []);
  });

  for (const { name, calls } of cases) {
    it(name, () => {
      const ask = instance();
      for (const each of calls) assert.equal(ask(each.function, each.input), each.answer, each.function);
    });
  }

  it('has every function of the npm package that answers questions', () => {
    const functions = Object.entries(tools).filter(([name, value]) => typeof value === 'function' && !OTHERS.includes(name)).map(([name]) => name);
    const named = new Set(cases.flatMap(({ calls }) => calls.map((each) => each.function)));
    assert.ok(functions.includes('plan'));
    assert.deepEqual(functions.filter((name) => !named.has(name)), []);
  });

  it('uses no memory that grows from call to call', () => {
    const { memory, alloc, free } = /** @type {any} */ (new WebAssembly.Instance(module).exports);
    for (let round = 0; round < 1000; round += 1) free(alloc(1 << 20));
    assert.ok(memory.buffer.byteLength < 8 << 20, `${memory.buffer.byteLength} bytes`);
  });
});
