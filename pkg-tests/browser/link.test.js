/** Links: all versions ever written stay readable, and unreadable links report why. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'fflate';
import { formatLink, formatWholeLink, readLink } from '../../www/store/link.js';

/** @import {Link} from '../../www/store/link.js' */

/** @type {{link: string, means: Link}[]} */
const GOLDEN = JSON.parse(readFileSync(join(import.meta.dirname, 'links.json'), 'utf8'));

/** @type {Link} */
const PLAIN = { example: 'scale-up', own: '', service: '', options: {}, tab: 'picture', views: {} };

/** @param {string} fragment */
async function broken(fragment) {
  const reading = await readLink(fragment);
  return reading && (reading.broken ?? `read: ${JSON.stringify(reading.link)}`);
}

for (const { link, means } of GOLDEN) {
  test(`readable forever: ${link.slice(0, 60)}`, async () => assert.deepEqual(await readLink(link), { link: means }));
}

test('links of an example are readable, and mean the same when read', async () => {
  const flags = { topologyHints: false, preferSameTrafficDistribution: true };
  const options = { maxEndpointsPerSlice: 7, ...flags, managedBy: 'a&b=c', kubernetes: /** @type {const} */ ('1.38') };
  /** @type {Link} */
  const link = { ...PLAIN, service: 'shop/web', options, tab: 'traffic', pods: 12, own: 'k3x9' };
  assert.equal(
    formatLink(link),
    '#v=2&own=k3x9&example=scale-up&service=shop/web&pods=12&tab=traffic&max=7&hints=false&preferSame=true&managedBy=a%26b%3Dc&kubernetes=1.38',
  );
  assert.deepEqual(await readLink(formatLink(link)), { link });
});

test('an input of one’s own, with all that belongs to it, comes back from a packed link', async () => {
  /** @type {Link} */
  const link = {
    ...PLAIN,
    example: '',
    text: 'kind: List # ünï ✓ 𝄞\n'.repeat(500),
    name: 'dump.yaml',
    options: { topologyHints: true },
    views: { compare: { left: [1] } },
  };
  const fragment = await formatWholeLink({ ...link, own: 'stays-here' });
  assert.match(fragment, /^#v=2&all=[\w-]+$/);
  assert.ok(fragment.length < 500, `${fragment.length} characters`);
  assert.deepEqual(await readLink(fragment), { link });
});

test('a packed link that is cut, at any place, is no other input', async () => {
  const whole = await formatWholeLink({
    ...PLAIN,
    example: '',
    text: readFileSync(join(import.meta.dirname, '../../www/samples/scale-up.json'), 'utf8'),
  });
  for (let length = whole.length - 1; length > 8; length -= 13) {
    assert.match((await broken(whole.slice(0, length))) ?? '', /(not complete|damaged).* Nothing was changed\.$/, `cut to ${length}`);
  }
});

test('a packed link with a wrong character is no other input', async () => {
  /** @type {Link} */
  const link = { ...PLAIN, example: '', text: 'kind: Pod\nmetadata: {name: a, namespace: b}\n' };
  const whole = await formatWholeLink(link);
  for (let at = '#v=2&all='.length; at < whole.length - 1; at += 1) {
    const wrong = whole[at] === 'A' ? 'B' : 'A';
    const reading = await readLink(whole.slice(0, at) + wrong + whole.slice(at + 1));
    // The last bits are padding.
    if (reading?.link) assert.deepEqual(reading.link, link, `at ${at}`);
    else assert.match(reading?.broken ?? '', /(not complete|damaged|32 MB)/, `at ${at}`);
  }
});

test('newer, damaged and wrong links say so', async () => {
  assert.match((await broken('#v=3&all=AAAA')) ?? '', /newer version/);
  assert.match((await broken('#v=x')) ?? '', /damaged/);
  assert.match((await broken('#v=2')) ?? '', /not complete/);
  assert.match((await broken('#v=2&all=')) ?? '', /not complete/);
  assert.match((await broken('#v=2&all=%%%')) ?? '', /damaged/);
  assert.match((await broken('#v=2&example=a&max=many')) ?? '', /damaged/);
  assert.match((await broken('#v=2&example=a&max=')) ?? '', /damaged/);
  assert.match((await broken('#v=2&example=a&hints=perhaps')) ?? '', /damaged/);
  assert.match((await broken('#v=2&example=a&pods=1e9')) ?? '', /damaged/);
  assert.match((await broken('#v=2&example=a&tab=nowhere')) ?? '', /damaged/);
  assert.match((await broken(`#v=2&example=a&managedBy=${'x'.repeat(257)}`)) ?? '', /damaged/);
  assert.equal(await broken('#main'), null, 'a place in the page is no link');
  assert.equal(await broken(''), null);
});

/** A packed link with other contents. @param {Uint8Array} deflated @param {number} size @param {number} [sum] */
function packed(deflated, size, sum = 0) {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.writeUInt32BE(sum, 4);
  return `#v=2&all=${Buffer.concat([head, deflated]).toString('base64url')}`;
}

test('a link that unpacks to very much is refused before it does, whatever it says of itself', async () => {
  const bomb = deflateSync(new Uint8Array(64 << 20), { level: 9 });
  assert.match((await broken(packed(bomb, 64 << 20))) ?? '', /32 MB/);
  const before = process.memoryUsage().rss;
  assert.match((await broken(packed(bomb, 1000))) ?? '', /damaged/);
  assert.ok(process.memoryUsage().rss - before < 48 << 20, 'room for what it says, and no more');
  assert.match((await broken(packed(bomb.subarray(0, 100), 0xffffffff))) ?? '', /not complete/);
});

test('what is packed is checked before it is believed', async () => {
  for (const value of [
    [],
    null,
    7,
    { ...PLAIN, views: [] },
    { ...PLAIN, options: { maxEndpointsPerSlice: '5' } },
    { ...PLAIN, text: 5 },
    { ...PLAIN, tab: 'x' },
  ]) {
    const fragment = await formatWholeLink(/** @type {any} */ ({ ...PLAIN, views: { a: 1 }, toJSON: () => value }));
    assert.match((await broken(fragment)) ?? '', /damaged/, JSON.stringify(value));
  }
});
