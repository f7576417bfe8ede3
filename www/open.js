/**
 * Opens what an address refers to: an example, an input contained in a link, or one saved in this browser. An address
 * that cannot be opened shows why and changes nothing.
 * @import {Store} from './store.js'
 * @import {Autosave} from './store/autosave.js'
 * @import {Link} from './store/link.js'
 * @import {Work} from './types.js'
 */
import { findExample } from './samples/find.js';
import { EXAMPLES } from './samples/index.js';
import { EMPTY_WORK, EXAMPLE_MISSING, CannotOpen, freshId } from './store.js';
import { isLink, readLink } from './store/link.js';
import { sourceOfText } from './store/source.js';

const NOT_HERE =
  'This is the address of an input that never left the browser in which it was made, and this browser does not have it. Ask for a link made with ' +
    'Share.';

/** The target of the link that skips the bar. */
const MAIN = '#main';

/** @param {string} fragment */
function unknown(fragment) {
  return `This address ends in ${fragment.slice(0, 40)}, which is not a link of this page. Copy the link again, or make one with Share.`;
}

/** If the list of questions is not available, fetching the input will report that. @param {string} id */
function isExample(id) {
  return findExample(id).then((found) => found !== null, () => true);
}

/**
 * @param {Store} store
 * @param {Autosave | null} autosave
 * @returns {(fragment: string, how?: {first?: boolean, land?: (show: () => void) => void}) => Promise<boolean>} whether the
 *   address is, or will be, that of what is shown
 */
export function opener(store, autosave) {
  const [welcome] = EXAMPLES;

  /** @param {Link} link @returns {Promise<[string, Work]>} */
  async function follow(link) {
    const saved = link.own ? await autosave?.load(link.own) : null;
    if (saved) return ['Open a link', saved.work];
    const { text, name = '', example, options, service, pods, views } = link;
    if (text !== undefined) {
      const source = sourceOfText(text, name);
      const slider = pods === undefined ? null : { service, pods, base: source };
      return ['Open a link', { ...EMPTY_WORK, id: freshId(), source, options, service, views, slider }];
    }
    if (example === '' && link.own) throw new CannotOpen(NOT_HERE);
    const id = example || (welcome?.id ?? '');
    if (await isExample(id)) return ['Open the example', await store.example(id, { options, service, pods, views })];
    throw new CannotOpen(`This link is about an example, ${JSON.stringify(id.slice(0, 40))}, that does not exist. Nothing was changed.`);
  }

  /** @param {string} fragment */
  async function read(fragment) {
    const { link, broken } = (await readLink(fragment)) ?? {};
    if (!link) throw new CannotOpen(broken);
    const [label, work] = await follow(link);
    return { label, work, tab: link.tab };
  }

  return async (fragment, { first = false, land } = {}) => {
    /** @param {Awaited<ReturnType<typeof read>>} found */
    const show = ({ label, work, tab }) => {
      if (first) store.begin(work);
      else store.commit(label, work);
      store.set({ tab });
    };
    /** @param {Parameters<typeof show>[0]} found */
    const take = (found) => (land ? land(() => show(found)) : show(found));
    if (!isLink(fragment) && !['', '#', MAIN].includes(fragment)) store.notify({ kind: 'error', text: unknown(fragment) });
    const opened = isLink(fragment) && (await store.fetch(() => read(fragment), EXAMPLE_MISSING, take));
    return opened || (first && welcome ? store.open(welcome.id, true) : false);
  };
}
