/**
 * When a request ends before its answer: its deadline passes, or its client goes away. One part at a time waits for
 * something on behalf of a request, so one listener is enough; an AbortSignal would cost as much as a small review.
 */
export class Ending {
  hasCome = false;
  /** When, as `performance` counts. */
  at = 0;
  /** @type {(() => void) | null} called once, when it comes */
  onCome = null;

  come() {
    if (this.hasCome) return;
    this.hasCome = true;
    this.at = performance.now();
    this.onCome?.();
  }
}
