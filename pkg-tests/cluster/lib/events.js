/** `slicewise serve` under test: a page of one file, and the event stream. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './controller.js';
import { Following } from './following.js';

/** A folder with a page, removed after the test. @param {import('node:test').TestContext} t */
export function pageOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'slicewise-page-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'index.html'), '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">');
  return folder;
}

/** Starts it on a free port. @param {import('node:test').TestContext} t @param {string[]} args */
export async function startServe(t, args) {
  const serve = Following.start(t, ['serve', ...args, '--port', '0']);
  const url = new URL(await serve.next('the address', (line) => String(line).startsWith('http://')));
  const token = url.hash.replace('#live=', '');
  return { serve, token, port: Number(url.port), auth: { authorization: `Bearer ${token}` } };
}

/** The data of the first event with this name. @param {string} text @param {string} name */
export function data(text, name) {
  const block = text.split('\n\n').find((each) => each.startsWith(`event: ${name}\n`)) ?? '';
  return JSON.parse(block.split('\n').slice(1).map((line) => line.slice('data: '.length)).join('\n'));
}

/** Events as they arrive. @param {number} port @param {string} path @param {Record<string, string>} headers */
export function stream(port, path, headers) {
  let text = '';
  /** @type {{name: string, data: any}[]} */
  const events = [];
  let seen = 0;
  const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
    response.setEncoding('utf8').on('error', () => {}).on('data', (chunk) => {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.filter((each) => each.startsWith('event: '))) {
        const name = block.slice('event: '.length, block.indexOf('\n'));
        events.push({ name, data: data(`${block}\n\n`, name) });
      }
    });
  });
  asked.on('error', () => {});
  asked.end();
  return {
    end: () => asked.destroy(),
    /** @param {string} name @param {(data: any) => boolean} is @returns {Promise<any>} */
    until: (name, is) => eventually(`an event ${name}`, () => {
      while (seen < events.length) {
        const event = events[seen++];
        if (event?.name === name && is(event.data)) return event.data;
      }
      throw new Error(`told: ${events.map((event) => event.name).join(' ')}`);
    }),
  };
}
