/** The tools worker's answer when asked about an input that it no longer has. */
export const LOST = 'lost';
