/** Reusable buffers for input: allocating one costs as much as a small review. */

const USUAL = 64 * 1024;
/** Larger buffers are not kept. */
const LARGEST_KEPT = 1024 * 1024;

export class Memory {
  /** @type {Buffer[]} */
  #free = [];
  #most;

  /** @param {number} most maximum number of buffers to keep */
  constructor(most) {
    this.#most = most;
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
}

/** A growing sequence of bytes in a buffer that must be released. */
export class Body {
  #memory;
  #buffer;
  #length = 0;

  /** @param {Memory} memory @param {number} [size] if known */
  constructor(memory, size = 0) {
    this.#memory = memory;
    this.#buffer = memory.room(size);
  }

  get length() {
    return this.#length;
  }

  /** The bytes added so far. */
  get bytes() {
    return this.#buffer.subarray(0, this.#length);
  }

  /** @param {Uint8Array} chunk */
  add(chunk) {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = this.#memory.room(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#memory.keep(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  /** Returns the buffer; the bytes must not be used any more. */
  release() {
    this.#memory.keep(this.#buffer);
  }
}
