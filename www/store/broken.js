/** What is said of links that cannot be read. */

export const CUT = 'This link is not complete: its end is missing. Copy it again from where it came from. Nothing was changed.';
export const GARBLED = 'This link is damaged and cannot be read. Copy it again from where it came from. Nothing was changed.';

/** A link that cannot be read; the message says why. */
export class Broken extends Error {}
