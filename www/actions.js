/**
 * All actions of the page, for its views. Their closures never become outdated.
 * @import {Actions} from './types.js'
 * @import {Autosave} from './store/autosave.js'
 * @import {Store} from './store.js'
 */
import { saveFile } from './export/save.js';
import { EMPTY_WORK, freshId } from './store.js';
import { linkOf } from './store/address.js';
import { formatWholeLink } from './store/link.js';
import { sourceOfFile, sourceOfText } from './store/source.js';

/** Loads the part that exports text. */
function exporter() {
  return import(/* webpackChunkName: "export" */ './export/index.js');
}

/**
 * @param {Store} store
 * @param {Autosave | null} [autosave] null if nothing is saved
 * @returns {Actions}
 */
export function actionsOf(store, autosave = null) {
  const { engine } = store;
  return {
    engine,
    onExample: (id) => void store.open(id),
    onText: (text, { label = 'Edit', name = '', typing = false } = {}) => {
      const source = sourceOfText(text, name);
      if (typing) return store.commit(label, { source, slider: null, example: '', id: store.work.id || freshId() }, 'typing');
      store.settle();
      return store.commit(label, { ...EMPTY_WORK, id: freshId(), source, options: store.work.options });
    },
    onFile: (file) => {
      const load = async () => sourceOfFile(new Uint8Array(await file.arrayBuffer()), file.name);
      return store.fetch(load, `${file.name} could not be read. What was there is unchanged.`, (source) => {
        store.commit(`Open ${file.name}`, { ...EMPTY_WORK, id: freshId(), source, options: store.work.options });
      });
    },
    onGenerate: (recipe) =>
      store.fetch(() => engine.generate(recipe), 'The input could not be generated. What was there is unchanged.', (text) => {
        const source = sourceOfText(text, 'generated.json');
        const views = { ...EMPTY_WORK.views, generate: recipe };
        store.commit('Generate an input', { ...EMPTY_WORK, id: freshId(), source, views, options: store.work.options });
      }),
    onDraft: (report) => store.draft(report),
    onEdit: (label, what, group) => store.edit(label, what, group),
    onScale: (pods) => store.scale(pods),
    onOptions: (options) => store.commit('Change the settings', { options }, 'settings'),
    onView: (name, value, label) => {
      const change = { views: { ...store.work.views, [name]: value }, id: store.work.id || freshId() };
      if (label) store.commit(label, change);
      else store.amend(change);
    },
    onRetry: () => store.retry(),
    onUndo: () => store.undo(),
    onRedo: () => store.redo(),
    onSelect: (key) => store.select(key),
    onTriage: (verdicts) => store.triage(verdicts),
    onTab: (tab) => store.set({ tab }),
    onDrawer: (change) => store.prefer({ drawer: { ...store.state.drawer, ...change } }),
    onTheme: (theme) => store.prefer({ theme }),
    onGroupBy: (groupBy) => store.prefer({ groupBy }),
    onSingleKeys: (singleKeys) => store.prefer({ singleKeys }),
    onGuided: () => store.prefer({ guided: true }),
    onDialog: (dialog) => store.set({ dialog }),
    onInspect: (inspected) => store.set({ inspected }),
    onRun: (timeline) => store.set({ timeline }),
    onNotice: (notice) => store.notify(notice),
    onRead: (key) => engine.planText(key),
    onTraffic: (key, reader) => engine.traffic(key, reader),
    onWhy: (key, legend) => engine.why(key, legend),
    ...outActions(store, autosave),
  };
}

/** Actions that export or import work. @param {Store} store @param {Autosave | null} autosave */
function outActions(store, autosave) {
  const { engine } = store;
  /** Shows a notice if it fails. @param {() => Promise<void>} run */
  const attempt = (run) => run().catch((error) => store.notify({ kind: 'error', text: `The export failed: ${error.message}` }));
  return {
    /** @param {{only?: boolean, renamed?: boolean}} [how] */
    link: async (how = {}) => {
      const { work, state } = store;
      const only = how.only && state.model ? await engine.reduced({ key: state.model.key, renamed: how.renamed ?? false }) : null;
      if (only) {
        const { key, text: own } = only;
        return formatWholeLink({ ...linkOf({ ...work, slider: null, example: '', views: {}, service: key }, state.tab), text: own, name: '' });
      }
      const { text, name } = work.slider?.base ?? work.source;
      const link = linkOf(work, state.tab);
      return formatWholeLink(work.example ? link : { ...link, text, name });
    },
    onSave: () =>
      attempt(async () => {
        const name = store.state.overview?.kind === 'request' ? 'plan.json' : 'plans.json';
        saveFile(new Blob([await engine.answer()], { type: 'application/json' }), name);
      }),
    onSaveInput: () => {
      const { text, name, bytes } = store.state.source;
      saveFile(new Blob([/** @type {BlobPart} */ (bytes ?? text)]), name || (/^\s*[[{]/.test(text) ? 'input.json' : 'input.yaml'));
    },
    /** @param {import('./types.js').ExportForm} form */
    onExport: (form) =>
      attempt(async () => {
        const { model } = store.state;
        if (model) await (await exporter()).exportText(engine, model, form);
      }),
    /** @param {'svg' | 'png'} kind @param {import('./types.js').Theme} [theme] */
    onPicture: (kind, theme) =>
      attempt(async () => {
        const { model } = store.state;
        if (model) await (await exporter()).exportPicture(model, kind, theme ?? store.state.theme);
      }),
    saved: () => autosave?.list() ?? Promise.resolve([]),
    /** @param {string} id */
    onOpenSaved: (id) =>
      store.fetch(async () => (await autosave?.load(id)) ?? Promise.reject(new Error(id)), 'This input is no longer saved here.', ({ work, tab }) => {
        store.commit('Open an input again', work);
        store.set({ tab });
      }),
    onForget: async () => {
      await autosave?.clear();
      store.notify({ kind: 'info', text: 'All saved inputs were deleted. The one that is open is saved again when you change it.' });
    },
  };
}
