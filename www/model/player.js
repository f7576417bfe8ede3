/**
 * Plays a recording: maps the clock's time to the run's, at the chosen speed. Long stretches in which nothing happens are
 * played faster. The view is notified of every move, at most once per frame.
 * @import {Recording} from './recording.js'
 */

/** The longest quiet stretch while playing. */
const LONGEST_QUIET = 600;
/** The longest time that counts for a frame; a hidden page has longer ones. */
const LONGEST_FRAME = 100;

/** @typedef {(player: Player) => void} Listener */

export class Player {
  /** Milliseconds since the start of the run. */
  at = 0;
  /** The last step up to that time. */
  place = 0;
  playing = false;
  speed = 10;
  #recording;
  /** Whether all steps are loaded. */
  complete = false;
  /** @type {Set<Listener>} */
  #listeners = new Set();
  #frame = 0;
  #last = 0;
  /** Whether it is still at its initial position. */
  #isUntouched = true;

  /** @param {Recording} recording */
  constructor(recording) {
    this.#recording = recording;
  }

  get recording() {
    return this.#recording;
  }

  /** @param {Listener} listener @returns {() => void} */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** More steps have been loaded, or all of them. @param {boolean} complete */
  extended(complete) {
    this.complete = complete;
    if (this.#isUntouched) this.#open();
    this.#tell();
  }

  /** The initial position: everything is set up, and the first phase is about to begin. Without phases, the first endpoints. */
  #open() {
    const { steps, phaseStarts: [, first], series } = this.#recording;
    this.place = Math.max(0, first ? first - 1 : steps.findIndex(({ gauges }) => (gauges.endpoints ?? 0) > 0));
    this.at = series.at[this.place] ?? 0;
  }

  /** @param {number} at */
  seek(at) {
    this.#isUntouched = false;
    this.at = Math.min(Math.max(0, at), this.#recording.end);
    this.place = this.#recording.placeAt(this.at);
    this.#tell();
  }

  /** To a step. @param {number} place */
  go(place) {
    this.#isUntouched = false;
    const last = Math.max(0, this.#recording.length - 1);
    this.place = Math.min(last, Math.max(0, place));
    this.at = this.#recording.series.at[this.place] ?? 0;
    this.#tell();
  }

  play() {
    if (this.playing) return;
    this.#isUntouched = false;
    if (this.complete && this.place >= this.#recording.length - 1) this.seek(0);
    this.playing = true;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#tick);
    this.#tell();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.#frame);
    this.#tell();
  }

  #tick = (/** @type {number} */ now) => {
    const passed = Math.min(LONGEST_FRAME, Math.max(0, now - this.#last));
    this.#last = now;
    this.#advance(passed);
    if (this.playing) this.#frame = requestAnimationFrame(this.#tick);
  };

  /** @param {number} passed milliseconds of the clock */
  #advance(passed) {
    const times = this.#recording.series.at;
    let left = passed;
    while (left > 0 && this.place < times.length - 1) {
      const [before, next] = [times[this.place] ?? 0, times[this.place + 1] ?? 0];
      const rate = Math.max(this.speed, (next - before) / LONGEST_QUIET);
      const needed = (next - this.at) / rate;
      if (needed > left) {
        this.at += left * rate;
        break;
      }
      left -= Math.max(0, needed);
      this.at = next;
      this.place += 1;
    }
    if (this.complete && this.place >= times.length - 1) this.playing = false;
    this.#tell();
  }

  #tell() {
    for (const listener of this.#listeners) listener(this);
  }
}
