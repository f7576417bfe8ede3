/**
 * Everything that can be done on the page, as views call it. None of it holds anything that grows old.
 * @import {Actions} from './types.js'
 * @import {Store} from './store.js'
 */
import { EMPTY_WORK, freshId, sourceOfFile, sourceOfText } from './store.js';

/** @param {Store} store @returns {Actions} */
export function actionsOf(store) {
  const { engine } = store;
  return {
    engine,
    onExample: (id) => void store.open(id),
    onText: (text, { label = 'Edit', name = '', typing = false } = {}) => {
      const source = sourceOfText(text, name);
      if (typing) store.commit(label, { source, slider: null, example: '', id: store.work.id || freshId() }, 'typing');
      else store.commit(label, { ...EMPTY_WORK, id: freshId(), source, options: store.work.options });
    },
    onFile: async (file) => {
      const source = sourceOfFile(new Uint8Array(await file.arrayBuffer()), file.name);
      store.commit(`Open ${file.name}`, { ...EMPTY_WORK, id: freshId(), source, options: store.work.options });
    },
    onEdit: (label, what, group) => store.edit(label, what, group),
    onScale: (pods) => store.scale(pods),
    onOptions: (options) => store.commit('Change the settings', { options }, 'settings'),
    onView: (name, value, label) => {
      const change = { views: { ...store.work.views, [name]: value }, id: store.work.id || freshId() };
      if (label) store.commit(label, change);
      else store.amend(change);
    },
    onUndo: () => store.undo(),
    onRedo: () => store.redo(),
    onSelect: (key) => store.select(key),
    onTab: (tab) => store.set({ tab }),
    onDrawer: (change) => store.prefer({ drawer: { ...store.state.drawer, ...change } }),
    onTheme: (theme) => store.prefer({ theme }),
    onGroupBy: (groupBy) => store.prefer({ groupBy }),
    onSingleKeys: (singleKeys) => store.prefer({ singleKeys }),
    onDialog: (dialog) => store.set({ dialog }),
    onInspect: (inspected) => store.set({ inspected }),
    onNotice: (notice) => store.notify(notice),
    onRead: (key) => engine.planText(key),
    onTraffic: (key, reader) => engine.traffic(key, reader),
    onWhy: (key) => engine.why(key),
    onSave: async () => {
      const bytes = await engine.answer();
      const url = URL.createObjectURL(new Blob([bytes], { type: 'application/json' }));
      const name = store.state.overview?.kind === 'request' ? 'plan.json' : 'plans.json';
      Object.assign(document.createElement('a'), { href: url, download: name }).click();
      URL.revokeObjectURL(url);
    },
  };
}
