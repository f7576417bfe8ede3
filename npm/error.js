/**
 * The error class of the package.
 * @typedef {{code: string, message: string, path?: string, line?: number, column?: number}} Details
 */

/** Errors of all copies of this file, of which CommonJS has its own, are `instanceof` each. */
const IS_ERROR = Symbol.for('slicewise.error');

/** Bad input: what is wrong, where, and how to fix it. `code` is stable. */
export class SlicewiseError extends Error {
  /**
   * @param {Details} details
   * @param {ErrorOptions} [options]
   */
  constructor(details, options) {
    super(details.message, options);
    this.code = details.code;
    this.path = details.path;
    this.line = details.line;
    this.column = details.column;
  }

  /**
   * The error that the module throws.
   * @param {string} code
   * @param {string} message
   * @param {string} [path]
   * @param {number} [line]
   * @param {number} [column]
   */
  static of(code, message, path, line, column) {
    return new SlicewiseError({ code, message, path, line, column });
  }

  /** @override @param {any} thrown */
  static [Symbol.hasInstance](thrown) {
    return thrown?.[IS_ERROR] === true;
  }

  /** The same format as on the command line; fields without a value are omitted. */
  toJSON() {
    const { code, message, path, line, column } = this;
    return { error: { code, message, path, line, column } };
  }
}

// On the prototype, as for built-in errors, so that it is not an own property of each one.
Object.defineProperty(SlicewiseError.prototype, IS_ERROR, { value: true });
Object.defineProperty(SlicewiseError.prototype, 'name', { value: 'SlicewiseError', configurable: true, writable: true });
