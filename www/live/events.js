/**
 * Server-sent events from a stream of bytes. The browser's own `EventSource` cannot send a token.
 */

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {number} silence milliseconds after which a silent stream is abandoned
 * @returns {AsyncGenerator<{name: string, data: string}>}
 */
export async function* events(body, silence) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await within(reader.read(), silence);
      if (done) return;
      const whole = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = whole.pop() ?? '';
      for (const block of whole) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param {string} block @returns {{name: string, data: string} | null} null for a comment */
function eventOf(block) {
  const lines = block.split('\n');
  const values = (/** @type {string} */ field) => lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length));
  const [name] = values('event: ');
  return name ? { name, data: values('data: ').join('\n') } : null;
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} limit
 * @returns {Promise<T>}
 */
function within(promise, limit) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('silence')), limit);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
