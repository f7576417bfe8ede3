/**
 * Memory that the thread of the sockets and that of the reviewer both see: a review is read into it once, and judged
 * where it is. Buffers are used again, because making one costs as much as a small review.
 */

const USUAL = 64 * 1024;
/** Larger buffers are given back to the system. */
const LARGEST_KEPT = 1024 * 1024;

export class SharedMemory {
  /** @type {Uint8Array[]} */
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
    return new Uint8Array(new SharedArrayBuffer(Math.ceil(Math.max(size, 1) / USUAL) * USUAL));
  }

  /** @param {Uint8Array} buffer */
  keep(buffer) {
    if (this.#free.length < this.#most && buffer.length <= LARGEST_KEPT) this.#free.push(buffer);
  }
}

/** Bytes that grow, until whoever holds them has let go. */
export class Body {
  #memory;
  #buffer;
  #length = 0;
  #holders = 1;

  /** @param {SharedMemory} memory @param {number} [size] as far as it is known */
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

  /** One more needs it. */
  hold() {
    this.#holders += 1;
    return this;
  }

  /** One less does. The last one gives the memory back. */
  release() {
    this.#holders -= 1;
    if (this.#holders === 0) this.#memory.keep(this.#buffer);
  }
}
