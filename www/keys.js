/** Keys, wherever on the page they are pressed. */

const FIELDS = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select, [contenteditable], .code-editor';

/** Whether something happens in a field, where text belongs. @param {Event} event */
export function isField(event) {
  // The editor is a world of its own; from outside, all of it is one element.
  const [target] = event.composedPath();
  return target instanceof Element && (target.closest(FIELDS) !== null || /** @type {Element} */ (event.target).closest?.(FIELDS) !== null);
}
