/**
 * Animates redrawn elements from their old position to the new one. Elements are identified by `data-move`; nothing moves
 * if the user prefers reduced motion, or if too much moves at once.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';

const DURATION = 200;
const FOLLOWED = 300;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * @param {import('preact').RefObject<HTMLElement | null>} box
 * @param {unknown} about when this changes, elements may have moved
 * @param {string} scene positions in other scenes are ignored
 */
export function useMoves(box, about, scene) {
  const last = useRef({ scene: '', places: /** @type {Map<string, DOMRect>} */ (new Map()) });
  useLayoutEffect(() => {
    const elements = box.current?.querySelectorAll('[data-move]');
    if (!elements || still.matches || elements.length > FOLLOWED) {
      last.current = { scene: '', places: new Map() };
      return;
    }
    const origin = /** @type {HTMLElement} */ (box.current).getBoundingClientRect();
    const before = last.current;
    /** @type {Map<string, DOMRect>} */
    const places = new Map();
    /** @type {[Element, DOMRect][]} */
    const measured = [...elements].map((element) => [element, element.getBoundingClientRect()]);
    for (const [element, { x, y, width, height }] of measured) {
      const place = new DOMRect(x - origin.x, y - origin.y, width, height);
      const id = element.getAttribute('data-move') ?? '';
      places.set(id, place);
      if (before.scene === scene) slide(element, before.places.get(id), place);
    }
    last.current = { scene, places };
  }, [about]);
}

/** @param {Element} element @param {DOMRect | undefined} from @param {DOMRect} to */
function slide(element, from, to) {
  if (!from) {
    element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: DURATION, easing: 'ease-out' });
  } else if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) > 1) {
    element.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: 'translate(0, 0)' }], {
      duration: DURATION,
      easing: 'ease-out',
      composite: 'add',
    });
  }
}
