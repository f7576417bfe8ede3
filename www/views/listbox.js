/**
 * A grouped list to choose from: one tab stop; arrow keys or a click choose.
 */
import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * @typedef {{id: string, label: import('preact').ComponentChildren}} Option
 * @typedef {{title: string, head?: import('preact').ComponentChildren, options: Option[]}} OptionGroup
 */

/**
 * @param {object} props
 * @param {string} props.name of the list; ids begin with it
 * @param {string} props.label
 * @param {OptionGroup[]} props.groups
 * @param {string} props.selected
 * @param {(id: string) => void} props.onSelect
 */
export function Listbox({ name, label, groups, selected, onSelect }) {
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  const ids = groups.flatMap(({ options }) => options.map(({ id }) => id));
  const at = ids.indexOf(selected);
  useEffect(() => showWithin(list.current), [selected]);
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const next = nextPlace(event.key, at, ids.length);
    const id = next === null ? undefined : ids[next];
    if (id === undefined) return;
    event.preventDefault();
    onSelect(id);
  };
  const active = at >= 0 ? `${name}-${at}` : undefined;
  let place = -1;
  return h(
    'div',
    { ref: list, class: 'listbox', role: 'listbox', tabindex: 0, 'aria-label': label, 'aria-activedescendant': active, onKeyDown: pressed },
    groups.map(({ title, head, options }) =>
      h(
        'div',
        { key: title, role: 'group', 'aria-label': title },
        h('p', { class: 'listbox-head', 'aria-hidden': 'true' }, head ?? title),
        options.map((option) => {
          place += 1;
          const is = { id: `${name}-${place}`, role: 'option', 'aria-selected': option.id === selected ? 'true' : 'false' };
          return h('div', { key: option.id, ...is, onClick: () => onSelect(option.id) }, option.label);
        }),
      ),
    ),
  );
}

/** Scrolls the list, but not the page. @param {HTMLElement | null} list */
function showWithin(list) {
  const option = list?.querySelector('[aria-selected=true]');
  if (!list || !(option instanceof HTMLElement)) return;
  const [box, its] = [list.getBoundingClientRect(), option.getBoundingClientRect()];
  if (its.top < box.top) list.scrollTop -= box.top - its.top + 4;
  else if (its.bottom > box.bottom) list.scrollTop += its.bottom - box.bottom + 4;
}

/** @param {string} key @param {number} at @param {number} length */
function nextPlace(key, at, length) {
  /** @type {Record<string, number>} */
  const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: length - 1, PageDown: at + 10, PageUp: at - 10 };
  const place = places[key];
  return place === undefined || length === 0 ? null : Math.min(length - 1, Math.max(0, place));
}
