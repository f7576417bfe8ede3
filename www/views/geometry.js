/**
 * The layout of a slice's cells. Pure arithmetic, so that it can be tested and reused for other outputs.
 */

/**
 * @typedef {object} Density
 * @property {number} width of a cell
 * @property {number} height of a cell
 * @property {number} gap between cells
 */

const PLAIN = { width: 22, height: 22, gap: 4 };
const HINTED = { width: 40, height: 22, gap: 4 };
/** Slices up to this size get at most ten columns, which leaves room for another slice beside them. */
const SMALL = 50;
const TEN = 10;

/** Cells that show a hint beside their letter are wider. @param {boolean} hinted @returns {Density} */
export function densityFor(hinted) {
  return hinted ? HINTED : PLAIN;
}

/**
 * As many columns as fit, in multiples of five from ten on: fives are easy to count.
 * @param {number} available width
 * @param {Density} density
 * @param {number} most cells in the largest slice
 */
export function columnsFor(available, { width, gap }, most) {
  const fit = Math.max(1, Math.floor((available + gap) / (width + gap)));
  if (most <= SMALL) return Math.min(fit, TEN);
  return fit < TEN ? fit : fit - (fit % 5);
}

/**
 * @typedef {object} Layout
 * @property {number} columns
 * @property {number} rows
 * @property {number} slots slots to draw: the endpoints, and free ones in the last row
 * @property {number} width
 * @property {number} height
 */

/**
 * @param {number} count endpoints
 * @param {number} max the capacity of the slice
 * @param {number} columns
 * @param {Density} density
 * @returns {Layout}
 */
export function layoutOf(count, max, columns, { width, height, gap }) {
  const used = Math.min(columns, Math.max(count, max));
  const rows = Math.max(1, Math.ceil(count / used));
  const slots = Math.max(count, Math.min(max, rows * used));
  return { columns: used, rows, slots, width: used * (width + gap) - gap, height: rows * (height + gap) - gap };
}

/**
 * @param {number} index
 * @param {number} columns
 * @param {Density} density
 */
export function positionOf(index, columns, { width, height, gap }) {
  return { x: (index % columns) * (width + gap), y: Math.floor(index / columns) * (height + gap) };
}

/**
 * The target of an arrow key.
 * @param {string} key
 * @param {number} index
 * @param {number} count
 * @param {number} columns
 * @returns {number | null} null if the key is not handled
 */
export function nextCell(key, index, count, columns) {
  const row = index - (index % columns);
  /** @type {Record<string, number>} */
  const targets = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: row,
    End: row + columns - 1,
    PageUp: index % columns,
    PageDown: count - 1,
  };
  const target = targets[key];
  if (target === undefined) return null;
  if (key === 'End') return Math.min(count - 1, target);
  return target < 0 || target >= count ? index : target;
}
