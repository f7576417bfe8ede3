/** The plain port: probes, metrics, version. Nothing on it has side effects or reveals objects. */

/**
 * @typedef {object} Sources
 * @property {() => Promise<string | null>} whyNotReady null when ready
 * @property {() => string | null} note a remark of a service that is ready
 * @property {() => boolean} isStarted
 * @property {{render: () => Promise<string>, contentType: string}} metrics
 * @property {Record<string, unknown>} version
 */

/** @typedef {{status: number, type: string, body: string}} Page */

const TEXT = 'text/plain; charset=utf-8';

/** @param {Sources} sources */
export function createHealthRoute(sources) {
  /** @type {Record<string, () => Page | Promise<Page>>} */
  const pages = {
    '/livez': () => text(200, 'ok'),
    '/startupz': () => (sources.isStarted() ? text(200, 'ok') : text(503, 'starting')),
    '/readyz': async () => {
      const reason = await sources.whyNotReady();
      return reason === null ? text(200, okAnd(sources.note())) : text(503, reason);
    },
    '/metrics': async () => ({ status: 200, type: sources.metrics.contentType, body: await sources.metrics.render() }),
    '/version': () => ({ status: 200, type: 'application/json', body: `${JSON.stringify(sources.version)}\n` }),
  };
  return async (/** @type {import('node:http').IncomingMessage} */ request, /** @type {import('node:http').ServerResponse} */ response) => {
    const { status, type, body } = await pageOf(pages, request);
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

/** @param {Record<string, () => Page | Promise<Page>>} pages @param {import('node:http').IncomingMessage} request */
function pageOf(pages, { url = '', method }) {
  const [path] = url.split('?', 1);
  const page = Object.hasOwn(pages, path) ? pages[path] : null;
  if (!page) return text(404, `no such page; the pages are ${Object.keys(pages).join(', ')}`);
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'pages are read with GET');
  return page();
}

/** @param {string | null} note */
function okAnd(note) {
  return note === null ? 'ok' : `ok: ${note}`;
}

/** @param {number} status @param {string} line @returns {Page} */
function text(status, line) {
  return { status, type: TEXT, body: `${line}\n` };
}
