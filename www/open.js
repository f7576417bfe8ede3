/**
 * Opens what an address refers to: an example, an input contained in a link, or one saved in this browser. An address
 * that cannot be opened shows why and changes nothing.
 * @import {Store} from './store.js'
 * @import {Autosave} from './store/autosave.js'
 * @import {Link} from './store/link.js'
 */
import { findExample } from './samples/find.js';
import { EXAMPLES } from './samples/index.js';
import { EMPTY_WORK, freshId } from './store.js';
import { readLink } from './store/link.js';
import { sourceOfText } from './store/source.js';

const NOT_HERE = 'This is the address of an input that never left the browser in which it was made, and this browser does not have it. Ask for a link made with Share.';

/** If the list of questions is not available, fetching the input will report that. @param {string} id */
function isExample(id) {
  return findExample(id).then((found) => found !== null, () => true);
}

/**
 * @param {Store} store
 * @param {Autosave | null} autosave
 * @returns {(fragment: string, how?: {first?: boolean, isWanted?: () => boolean}) => Promise<boolean>} whether there is
 *   something to be opened; nothing is opened that is no longer wanted when it is there
 */
export function opener(store, autosave) {
  const [welcome] = EXAMPLES;

  /** @param {Link} link @param {boolean} first @param {() => boolean} isWanted @returns {Promise<string>} why not, if not */
  async function follow(link, first, isWanted) {
    const saved = link.own ? await autosave?.load(link.own) : null;
    if (!isWanted()) return '';
    if (saved) {
      start(saved.work, first);
      store.set({ tab: link.tab });
      return '';
    }
    const { text, name = '', example, options, service, pods, views } = link;
    if (text === undefined && example === '' && link.own) return NOT_HERE;
    if (text === undefined) return openExample(example || (welcome?.id ?? ''), link, first, isWanted);
    const source = sourceOfText(text, name);
    const slider = pods === undefined ? null : { service, pods, base: source };
    start({ ...EMPTY_WORK, id: freshId(), source, options, service, views, slider }, first);
    store.set({ tab: link.tab });
    return '';
  }

  /** @param {import('./types.js').Work} work @param {boolean} first */
  function start(work, first) {
    if (first) store.begin(work);
    else store.commit('Open a link', work);
  }

  /** @param {string} id @param {Link} link @param {boolean} first @param {() => boolean} isWanted */
  async function openExample(id, { options, service, pods, views, tab }, first, isWanted) {
    const exists = await isExample(id);
    if (!isWanted()) return '';
    if (!exists) return `This link is about an example, ${JSON.stringify(id.slice(0, 40))}, that does not exist. Nothing was changed.`;
    store.set({ tab });
    await store.open(id, { options, service, pods, views }, first);
    return '';
  }

  return async (fragment, { first = false, isWanted: isStillThere = () => true } = {}) => {
    const { turn } = store;
    const isWanted = () => isStillThere() && store.turn === turn;
    const reading = await readLink(fragment);
    const trouble = reading && (reading.broken ?? (await follow(/** @type {Link} */ (reading.link), first, isWanted)));
    if (trouble) store.notify({ kind: 'error', text: trouble });
    const opened = reading !== null && !trouble;
    if (!opened && first && welcome) await store.open(welcome.id, {}, true);
    return opened;
  };
}
