/** A readable uid that depends on the name alone. @param {string} kind @param {string} name */
export function uidOf(kind, name) {
  let hash = 2166136261;
  for (const char of `${kind.toLowerCase()}/${name}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
  const hex = hash.toString(16).padStart(8, '0');
  return `${hex}-${hex.slice(0, 4)}-4${hex.slice(1, 4)}-a${hex.slice(4, 7)}-${hex}${hex.slice(0, 4)}`;
}
