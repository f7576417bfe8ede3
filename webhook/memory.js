/**
 * The memory for input: one budget for everything that has arrived and not been judged, and reusable buffers, because
 * allocating one costs as much as a small review.
 */

const USUAL = 64 * 1024;
/** Larger buffers are not kept. */
const LARGEST_KEPT = 1024 * 1024;
/** Smaller pieces are put together: each costs a few hundred bytes besides its own. */
const PIECE = 4 * 1024;

/**
 * Bodies up to 64 KiB are always taken, so a limited number of connections bounds them. Larger ones share the budget; above
 * it, the one is given up that has been arriving for longest. What a sender announces does not count.
 */
export class Memory {
  /** @type {Buffer[]} */
  #free = [];
  /** Those that arrive, oldest first. @type {Set<Body>} */
  #arriving = new Set();
  #held = 0;
  #most;
  #budget;

  /** @param {{buffers: number, budget: number}} most buffers to keep; bytes to hold */
  constructor({ buffers, budget }) {
    this.#most = buffers;
    this.#budget = budget;
  }

  /** The bytes held for bodies. */
  get held() {
    return this.#held;
  }

  /** The bodies that have not arrived completely. */
  get arriving() {
    return this.#arriving.size;
  }

  /** A buffer of at least this size. @param {number} size */
  room(size) {
    const found = this.#free.findLastIndex(({ length }) => length >= size);
    if (found !== -1) return this.#free.splice(found, 1)[0];
    return Buffer.allocUnsafeSlow(Math.ceil(Math.max(size, 1) / USUAL) * USUAL);
  }

  /** @param {Buffer} buffer */
  keep(buffer) {
    if (this.#free.length < this.#most && buffer.length <= LARGEST_KEPT) this.#free.push(buffer);
  }

  /** @param {Body} body */
  begin(body) {
    this.#arriving.add(body);
  }

  /** @param {Body} body */
  end(body) {
    this.#arriving.delete(body);
  }

  /** @param {number} change bytes held more, or fewer, than before */
  count(change) {
    this.#held += change;
  }

  /** Keeps the budget after a body has grown. @param {Body} body */
  fit(body) {
    if (this.#held <= this.#budget) return;
    for (const each of this.#arriving) {
      if (each.held > USUAL) each.giveUp();
      if (this.#held <= this.#budget) return;
    }
    // Those that have arrived are about to be judged.
    if (body.held > USUAL) body.giveUp();
  }
}

/**
 * @typedef {object} Sieve drops what nobody reads from a review while it arrives
 * @property {(bytes: Uint8Array) => void} push
 * @property {() => Uint8Array} finish
 * @property {() => void} free
 */

/** A growing sequence of bytes that must be released. */
export class Body {
  #memory;
  #onGivenUp;
  /** @type {Uint8Array[]} */
  #pieces = [];
  /** Where small pieces are put together: the last of the pieces is its beginning. @type {Buffer | null} */
  #tail = null;
  /** The buffer of `bytes`, if it is to be kept. @type {Buffer | null} */
  #buffer = null;
  /** @type {Sieve | null} */
  #sieve = null;
  #length = 0;
  #held = 0;
  #isOver = false;
  /** Whether there was no room for it; it is empty then. */
  isGivenUp = false;

  /** @param {Memory} memory @param {() => void} [onGivenUp] called if it is given up */
  constructor(memory, onGivenUp = () => {}) {
    this.#memory = memory;
    this.#onGivenUp = onGivenUp;
    memory.begin(this);
  }

  /** The number of bytes added. */
  get length() {
    return this.#length;
  }

  /** The bytes of memory that it takes, or may take in a sieve. */
  get held() {
    return this.#held;
  }

  /** @param {Uint8Array} chunk */
  add(chunk) {
    if (this.#isOver) return;
    this.#length += chunk.length;
    if (this.#sieve) {
      this.#sieve.push(chunk);
      this.#hold(chunk.length);
    } else if (chunk.length >= PIECE || this.#length === chunk.length) {
      this.#tail = null;
      this.#pieces.push(chunk);
      this.#hold(chunk.length);
    } else {
      this.#append(chunk);
    }
    this.#memory.fit(this);
  }

  /** @param {Uint8Array} chunk */
  #append(chunk) {
    const last = this.#tail && /** @type {Uint8Array} */ (this.#pieces.pop());
    let used = last?.length ?? 0;
    if (!this.#tail || used + chunk.length > this.#tail.length) {
      if (last) this.#pieces.push(last);
      used = 0;
      // As large as what has arrived, so that there are few.
      this.#tail = Buffer.allocUnsafeSlow(Math.min(USUAL, Math.max(PIECE, this.#length)));
      this.#hold(this.#tail.length);
    }
    this.#tail.set(chunk, used);
    this.#pieces.push(this.#tail.subarray(0, used + chunk.length));
  }

  /** Passes the bytes added so far, and all later ones, through a sieve. @param {Sieve} sieve */
  pass(sieve) {
    this.#sieve = sieve;
    for (const piece of this.#pieces.splice(0)) sieve.push(piece);
    this.#tail = null;
  }

  /** The body has arrived. */
  finish() {
    this.#memory.end(this);
    if (!this.#sieve) return;
    const kept = this.#sieve.finish();
    this.#drop();
    this.#pieces = [kept];
    this.#hold(kept.length);
  }

  /** The bytes to judge, in one piece. */
  get bytes() {
    const { length } = this.#pieces;
    if (length > 1) this.#join();
    return this.#pieces.length === 0 ? new Uint8Array(0) : this.#pieces[0];
  }

  #join() {
    const pieces = this.#pieces;
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    const buffer = this.#memory.room(size);
    let at = 0;
    for (const piece of pieces) {
      buffer.set(piece, at);
      at += piece.length;
    }
    this.#drop();
    this.#buffer = buffer;
    this.#pieces = [buffer.subarray(0, size)];
    this.#hold(buffer.length);
  }

  /** @param {number} bytes */
  #hold(bytes) {
    this.#held += bytes;
    this.#memory.count(bytes);
  }

  #drop() {
    this.#sieve?.free();
    this.#sieve = null;
    this.#pieces = [];
    this.#tail = null;
    this.#memory.count(-this.#held);
    this.#held = 0;
  }

  giveUp() {
    this.release();
    this.isGivenUp = true;
    this.#onGivenUp();
  }

  /** Returns the memory; the bytes must not be used any more. */
  release() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#memory.end(this);
    this.#drop();
    if (this.#buffer) this.#memory.keep(this.#buffer);
    this.#buffer = null;
  }
}
