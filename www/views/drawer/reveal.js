/**
 * Jumps from an object to its lines: any view can request it, and the text shows them as soon as it can.
 * @import {Actions} from '../../types.js'
 */

/** The requested line while no text is shown; `NaN` is the one that has the cursor. */
let wanted = 0;
/** @type {((line: number) => void) | null} */
let reader = null;

/** @param {Actions} actions @param {{kind: string, namespace?: string, name: string}} object */
export async function showInText(actions, object) {
  const place = await actions.engine.place(object);
  if (!place) return;
  show(actions, place.line);
}

/** Shows the text with the cursor in it. @param {Actions} actions */
export function editText(actions) {
  show(actions, Number.NaN);
}

/** @param {Actions} actions @param {number} line */
function show(actions, line) {
  actions.onDrawer({ open: true, pane: 'text' });
  if (reader) reader(line);
  else wanted = line;
}

/** The text is shown, or with `null` no longer. @param {((line: number) => void) | null} reveal */
export function readLines(reveal) {
  reader = reveal;
  if (!reveal || wanted === 0) return;
  reveal(wanted);
  wanted = 0;
}
