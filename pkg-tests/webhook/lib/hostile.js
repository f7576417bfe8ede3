/**
 * Reviews that decoders read differently, or not at all: every entry point gives the same answer, an error with a position or
 * a denial. None is ever allowed.
 */

/** @typedef {{name: string, body: string | Uint8Array, code: string, path?: string}} Broken `code` and `path` of the error */
/** @typedef {{name: string, body: string, rule: string}} Refused `rule` is that of the denial */

/**
 * @param {import('./reviews.js').Json} review an update of `Service shop/cart` that is denied: its selector is `app=crat`
 * @returns {Broken[]}
 */
export function brokenReviews(review) {
  const text = JSON.stringify(review);
  const deep = (/** @type {number} */ depth) => text.replace('"dryRun":false', `"dryRun":false,"more":${'['.repeat(depth)}${']'.repeat(depth)}`);
  const bytes = (/** @type {string} */ where, /** @type {number[]} */ put) => {
    const at = text.indexOf(where);
    return Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(put), Buffer.from(text.slice(at))]);
  };
  /** @type {[string, string | Uint8Array, string, string?][]} */
  const cases = [
    ['empty', '', 'InvalidJson'],
    ['no JSON', 'review', 'InvalidJson'],
    ['cut off', text.slice(0, -1), 'InvalidJson'],
    ['more behind', `${text}{}`, 'InvalidJson'],
    ['a list', `[${text}]`, 'InvalidType'],
    ['key twice', text.replace('"operation":', '"operation":"CONNECT","operation":'), 'InvalidJson', '/request/operation'],
    ['key twice in an object', text.replace('"app":"crat"', '"app":"crat","app":"cart"'), 'InvalidJson'],
    ['key twice, spelt otherwise', text.replace('"app":"crat"', '"app":"crat","\\u0061pp":"cart"'), 'InvalidJson'],
    ['key twice where nobody looks', text.replace('"dryRun":false', '"dryRun":false,"x":{"y":1,"y":2}'), 'InvalidJson'],
    ['no UTF-8', bytes('crat', [0xff]), 'InvalidJson'],
    ['overlong UTF-8', bytes('crat', [0xc0, 0xaf]), 'InvalidJson'],
    ['surrogate as UTF-8', bytes('crat', [0xed, 0xa0, 0x80]), 'InvalidJson'],
    ['half a surrogate pair', text.replace('crat', '\\ud800'), 'InvalidJson'],
    ['half a surrogate pair where nobody looks', text.replace('system:authenticated', '\\udfff'), 'InvalidJson'],
    ['deep and closed by the wrong bracket', deep(200).replace(']]', ']}'), 'InvalidJson'],
    ['deep, with a key twice', deep(200).replace('[]', '{"x":1,"x":2}'), 'InvalidJson'],
    ['abyss', '['.repeat(1_000_000), 'InvalidType'],
    ['abyss where nobody looks', text.replace('"dryRun":false', `"more":${'['.repeat(1_000_000)}`), 'InvalidJson'],
    ['no request', '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}', 'MissingField', '/request'],
    ['request of another case', text.replace('"request":', '"Request":'), 'MissingField', '/request'],
    ['old version', text.replace('admission.k8s.io/v1', 'admission.k8s.io/v1beta1'), 'Unsupported', '/apiVersion'],
    ['no object', JSON.stringify({ ...review, request: { ...review.request, object: null } }), 'MissingField', '/request/object'],
    ['operation', text.replace('UPDATE', 'PATCH'), 'InvalidValue', '/request/operation'],
    ['wrong type', text.replace('{"app":"crat"}', '["app"]'), 'InvalidType', '/request/object/spec/selector'],
    ['huge number', text.replace('"targetPort":"http"', '"targetPort":1e400'), 'InvalidValue', '/request/object/spec/ports/0/targetPort'],
    ['another namespace', text.replace('"namespace":"shop"', '"namespace":"edge"'), 'InvalidValue', '/request/object/metadata/namespace'],
  ];
  return cases.map(([name, body, code, path]) => ({ name, body, code, path }));
}

/**
 * Valid JSON that is still hostile: names with a meaning in JavaScript, and addresses that consumers
 * read differently.
 * @param {import('./reviews.js').Json} review an update of `Service shop/cart` that is denied
 * @param {import('./reviews.js').Json} creation of an EndpointSlice of a Service of the cluster, which is allowed
 * @returns {Refused[]}
 */
export function refusedReviews(review, creation) {
  const text = JSON.stringify(review);
  const poison = '"__proto__":{"allowed":true,"operation":"CONNECT"},"constructor":{"prototype":{"allowed":true}}';
  const poisoned = ['"dryRun":false', '"apiVersion":"admission.k8s.io/v1"', '"operation":"UPDATE"'].map((place) => {
    return { name: `poison beside ${place}`, body: text.replace(place, `${place},${poison}`), rule: 'service-blast-radius/emptied' };
  });
  const marked = { name: 'a byte order mark', body: `\ufeff${text}`, rule: 'service-blast-radius/emptied' };
  const cased = [
    ['"selector":', '"Selector":{"app":"cart"},"selector":'],
    ['"operation":', '"Operation":"CONNECT","operation":'],
    ['"object":', '"Object":null,"object":'],
  ].map(([place, put]) => ({ name: `${put} of another case`, body: text.replaceAll(place, put), rule: 'service-blast-radius/emptied' }));
  const selector = {
    name: 'a selector of that name',
    body: text.replace('{"app":"crat"}', '{"__proto__":"x"}'),
    rule: 'service-blast-radius/emptied',
  };
  const addresses = [
    '::ffff:10.0.0.1',
    '010.0.0.1',
    'fe80::1%eth0',
    '10.0.0.1%lo',
    '127.1',
    '0x7f.0.0.1',
    '169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '１０.0.0.1',
    '10.0.0.1 ',
  ].map((address) => {
    const copy = structuredClone(creation);
    copy.request.object.endpoints[0].addresses = [address];
    return { name: `the address ${address}`, body: JSON.stringify(copy), rule: 'slice-addresses/' };
  });
  return [...poisoned, ...cased, marked, selector, ...addresses];
}
