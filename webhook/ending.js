/**
 * The end of a request before its response: its deadline passes, or its client disconnects. Only one part at a time waits
 * on behalf of a request, so one listener suffices; an AbortSignal would cost as much as a small review.
 */
export class Ending {
  hasCome = false;
  /** The deadline, on the clock of `performance`. */
  at = 0;
  /** @type {(() => void) | null} called once, when the request ends */
  onCome = null;

  come() {
    if (this.hasCome) return;
    this.hasCome = true;
    this.at = performance.now();
    this.onCome?.();
  }
}
