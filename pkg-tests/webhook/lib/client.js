/** A real HTTPS client, and one that sends raw bytes, for requests that no client would send. */
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:tls';

/**
 * @typedef {{status: number, headers: import('node:http').IncomingHttpHeaders, text: string, json: any}} Answer
 * @typedef {{method?: string, headers?: Record<string, string | number>, agent?: Agent | false,
 *   signal?: AbortSignal, ca?: string | string[]}} Options
 */

export class Client {
  /** @param {{url: string, healthUrl: string}} service @param {string} ca */
  constructor(service, ca) {
    this.url = service.url;
    this.healthUrl = service.healthUrl;
    this.ca = ca;
    this.agent = new Agent({ ca, keepAlive: true });
  }

  /**
   * Sends a review.
   * @param {string | Uint8Array} body
   * @param {string} [path]
   * @param {Options} [options]
   * @returns {Promise<Answer>}
   */
  post(body, path = '/validate', { method = 'POST', headers = {}, agent = this.agent, signal, ca = this.ca } = {}) {
    const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    return new Promise((resolve, reject) => {
      const call = request(
        `${this.url}${path}`,
        { method, headers: all, agent: agent || undefined, ca: /** @type {any} */ (ca), signal },
        (response) => resolve(read(response)),
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Reads a page of the plain port. @param {string} path @param {string} [method] @returns {Promise<Answer>} */
  get(path, method = 'GET') {
    return new Promise((resolve, reject) => {
      const call = plainRequest(`${this.healthUrl}${path}`, { method, agent: new PlainAgent() }, (response) => resolve(read(response)));
      call.on('error', reject);
      call.end();
    });
  }

  /**
   * A TLS connection for writing anything.
   * @returns {Promise<import('node:tls').TLSSocket>}
   */
  raw() {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), ca: this.ca, servername: 'localhost' }, () => resolve(socket));
      socket.on('error', reject);
    });
  }

  /** Starts a request and sends only part of its body. @param {string} body @param {number} sent @param {string} [query] */
  async begin(body, sent, query = '') {
    const socket = await this.raw();
    const head = `POST /validate${query} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ` +
      `${Buffer.byteLength(body)}\r\n\r\n`;
    await new Promise((resolve) => socket.write(head + body.slice(0, sent), resolve));
    return socket;
  }

  close() {
    this.agent.destroy();
  }
}

/** Everything a socket receives until it ends. @param {import('node:tls').TLSSocket} socket @returns {Promise<string>} */
export function receiveAll(socket) {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    socket.on('error', () => {}).on('close', () => resolve(text));
  });
}

/** @param {import('node:http').IncomingMessage} response @returns {Promise<Answer>} */
async function read(response) {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  const isJson = response.headers['content-type']?.startsWith('application/json');
  return { status: response.statusCode ?? 0, headers: response.headers, text, json: isJson && text ? JSON.parse(text) : undefined };
}
