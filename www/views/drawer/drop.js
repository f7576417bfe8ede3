/** Handles drops of files and text. */

/**
 * @param {(dragging: boolean) => void} setDragging
 * @param {(file: File) => void} onFile
 * @param {(text: string) => void} onText
 */
export function dropHandlers(setDragging, onFile, onText) {
  return {
    onDragOver: (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      setDragging(true);
    },
    onDragLeave: () => setDragging(false),
    onDrop: (/** @type {DragEvent} */ event) => {
      const taken = event.defaultPrevented;
      event.preventDefault();
      setDragging(false);
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData('text/plain');
      if (file) onFile(file);
      // What the editor has inserted at its cursor must not replace the whole input.
      else if (text && !taken) onText(text);
    },
  };
}
