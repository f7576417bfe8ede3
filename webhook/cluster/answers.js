/** Responses of an API server other than events, and the errors of lists and watches. */

/** A failure; the message says what went wrong and, if known, how to fix it. */
export class WatchFailure extends Error {
  /**
   * @param {string} message
   * @param {object} [about]
   * @param {number} [about.status] HTTP status
   * @param {number} [about.wait] the delay that the server asks for, in milliseconds
   * @param {boolean} [about.isLost] the watch cannot be resumed, so everything is listed again
   */
  constructor(message, { status, wait = 0, isLost = false } = {}) {
    super(message);
    this.status = status;
    this.wait = wait;
    this.isLost = isLost;
  }
}

/** The maximum length of a quoted server message, which may contain anything. */
const MOST = 500;

/**
 * The failure for a response other than 200.
 * @param {import('node:http').IncomingMessage} response
 * @param {import('./kinds.js').Watched} of
 * @param {string} server
 */
export async function failureOf(response, of, server) {
  const status = response.statusCode ?? 0;
  const seconds = Number(response.headers['retry-after']);
  const said = messageOf(await beginning(response));
  const message = `${mendOf(status, of, server)} (${status}${said ? `: ${said}` : ''})`;
  return new WatchFailure(message, { status, wait: seconds > 0 ? Math.min(seconds, 60) * 1000 : 0, isLost: status === 410 });
}

/** @param {number} status @param {import('./kinds.js').Watched} of @param {string} server */
function mendOf(status, { kind, group, resource }, server) {
  if (status === 401) return `${server} does not accept the credentials; check the user in the kubeconfig, or the token of the service account`;
  if (status === 403) {
    const rule = `apiGroups: ["${group}"], resources: [${resource}], verbs: [get, list, watch]`;
    return `${kind}s cannot be listed and watched; a ClusterRole with the rule {${rule}} must be bound to this user`;
  }
  if (status === 404) return `${server} has no ${resource}${group && ` of ${group}/v1`}; is this the URL of an API server?`;
  if (status === 410) return `the version to resume from is gone; listing ${resource} again`;
  if (status === 429) return `${server} is busy`;
  if (status >= 300 && status < 400) return `${server} redirects, and redirects are not followed; give the URL of the API server itself`;
  return `${server} does not answer for ${resource}`;
}

/** @param {import('node:http').IncomingMessage} response */
async function beginning(response) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > 64 << 10) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The message of a Status; empty for other responses, such as a proxy's error page. @param {string} text */
function messageOf(text) {
  try {
    const { message } = JSON.parse(text);
    return typeof message === 'string' ? message.slice(0, MOST) : '';
  } catch {
    return '';
  }
}

/**
 * Converts any error to a failure of the watch.
 * @param {any} error
 * @param {string} server
 */
export function asFailure(error, server) {
  if (error instanceof WatchFailure) return error;
  // An unreadable object is missing from now on, until everything is listed again.
  if (error?.name === 'SlicewiseError') return new WatchFailure(`what ${server} has sent cannot be read: ${error.message}`, { isLost: true });
  if (error instanceof RangeError) return new WatchFailure(error.message, { isLost: true });
  const hint = /CERT|SELF_SIGNED|ISSUER/.test(error?.code ?? '') ? '; put its certificate-authority into the kubeconfig' : '';
  return new WatchFailure(`${server} cannot be reached: ${error?.message || error?.code || error}${hint}`);
}
