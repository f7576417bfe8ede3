/** @param {Blob} content @param {string} name of the file */
export function saveFile(content, name) {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  // Once the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
