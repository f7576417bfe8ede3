/** Instances of a caller's own, of every entry and build. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ADMISSION_BUILDS, BUILDS, SESSION_BUILDS, SIMULATION_BUILDS, TOOLS_BUILDS } from './lib/builds.mjs';
import { SMALL } from './lib/inputs.mjs';

/** @type {[string, {name: string, load: () => Promise<any>}[]][]} */
const ENTRIES = [
  ['slicewise', BUILDS],
  ['slicewise/session', SESSION_BUILDS],
  ['slicewise/tools', TOOLS_BUILDS],
  ['slicewise/admission', ADMISSION_BUILDS],
  ['slicewise/simulation', SIMULATION_BUILDS],
];
/** What belongs to the package rather than to an instance. */
const PACKAGE = ['createInstance', 'init', 'default'];

/** The memories of the instances that a call makes. @param {() => unknown} call */
function memoriesOf(call) {
  /** @type {WebAssembly.ExportValue[]} */
  const memories = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class extends Instance {
    /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} [imports] */
    constructor(module, imports) {
      super(module, imports);
      memories.push(this.exports.memory);
    }
  };
  try {
    call();
  } finally {
    WebAssembly.Instance = Instance;
  }
  return memories;
}

for (const [entry, builds] of ENTRIES) {
  for (const { name, load } of builds) {
    describe(`${entry}, ${name}`, () => {
      it('is all there once more, in a memory of its own', async () => {
        const api = await load();
        /** @type {any[]} */
        const made = [];
        const memories = memoriesOf(() => made.push(api.createInstance(), api.createInstance()));
        assert.equal(new Set(memories).size, 2);
        const names = Object.keys(api).filter((each) => !PACKAGE.includes(each));
        for (const instance of made) {
          assert.deepEqual(Object.keys(instance).sort(), names.sort());
          assert.equal(instance.SlicewiseError, api.SlicewiseError);
          assert.equal(instance.version(), api.version());
        }
      });
    });
  }
}

it('an instance plans as the shared one does', async () => {
  for (const { load } of BUILDS) {
    const { createInstance, plan } = /** @type {any} */ (await load());
    assert.deepEqual(createInstance().plan(SMALL), plan(SMALL));
  }
});

it('there is none before the module is loaded', async () => {
  const { instances } = await import(`../../pkg/entries/modules/main.web.js?${'unloaded'}`);
  assert.throws(instances.create, { code: 'NotReady' });
});
