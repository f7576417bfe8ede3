/** The width that an element has on the page. */
import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * The width of an element in CSS pixels, kept up to date. It is measured before the first frame as well: what is drawn
 * to this width would otherwise be missing from it.
 * @param {import('preact').RefObject<HTMLElement | null>} box
 */
export function useWidth(box) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}
