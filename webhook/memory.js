/** Buffers for what comes in, used again: making one costs as much as a small review. */

const USUAL = 64 * 1024;
/** Larger buffers are given back to the system. */
const LARGEST_KEPT = 1024 * 1024;

export class Memory {
  /** @type {Buffer[]} */
  #free = [];
  #most;

  /** @param {number} most buffers that are kept */
  constructor(most) {
    this.#most = most;
  }

  /** Room for so many bytes at least. @param {number} size */
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

/** Bytes that grow, in memory that is to be released. */
export class Body {
  #memory;
  #buffer;
  #length = 0;

  /** @param {Memory} memory @param {number} [size] as far as it is known */
  constructor(memory, size = 0) {
    this.#memory = memory;
    this.#buffer = memory.room(size);
  }

  get length() {
    return this.#length;
  }

  /** What was added so far. */
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

  /** It is no longer used. */
  release() {
    this.#memory.keep(this.#buffer);
  }
}
