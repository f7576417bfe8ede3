/** An explanation in the requested form: text for people, or JSON for programs. */

/**
 * @param {number} status
 * @param {string} body JSON
 * @param {string | undefined} accept
 * @returns {{type: string, text: string}}
 */
export function explanationOf(status, body, accept = '') {
  if (status !== 200 || accept.includes('application/json')) return { type: 'application/json', text: body };
  return { type: 'text/plain; charset=utf-8', text: `${JSON.parse(body).text}\n` };
}
