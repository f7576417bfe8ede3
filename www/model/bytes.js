/** Concatenates bytes. @param {(string | Uint8Array)[]} parts */
export function joined(parts) {
  const encoder = new TextEncoder();
  const pieces = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of pieces) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}
