/** The two APIs of reports, with the fields that their published schemas have; what is not among them is dropped, as there. */

/** @typedef {import('./api.js').Api} Api */
/** @typedef {import('./api.js').Kind} Kind */

const text = { type: 'string' };
const whole = { type: 'integer' };
/** @param {Record<string, object>} properties @param {string[]} [required] */
const object = (properties, required) => ({ type: 'object', properties, ...(required && { required }) });
/** @param {object} items */
const list = (items) => ({ type: 'array', items });
/** @param {string[]} names */
const oneOf = (...names) => ({ type: 'string', enum: names });
const texts = { type: 'object', additionalProperties: text };
const reference = object({ apiVersion: text, fieldPath: text, kind: text, name: text, namespace: text, resourceVersion: text, uid: text });
const requirement = object({ key: text, operator: text, values: list(text) }, ['key', 'operator']);
const selector = object({ matchLabels: texts, matchExpressions: list(requirement) });
const counts = object({ pass: whole, fail: whole, warn: whole, error: whole, skip: whole });
const result = object(
  {
    source: text, policy: text, rule: text, category: text, message: text, properties: texts, resources: list(reference), resourceSelector: selector,
    severity: oneOf('critical', 'high', 'low', 'medium', 'info'),
    result: oneOf('pass', 'fail', 'warn', 'error', 'skip'),
    scored: { type: 'boolean' },
    timestamp: object({ seconds: { ...whole, format: 'int64' }, nanos: { ...whole, format: 'int32' } }, ['nanos', 'seconds']),
  },
  ['policy'],
);
const head = { apiVersion: text, kind: text, metadata: { type: 'object' } };
const shared = { ...head, scope: reference, scopeSelector: selector, summary: counts, results: list(result) };

/** Each API: its group and version, the kinds of its reports, and the fields of these. */
export const APIS = /** @type {const} */ ({
  openreports: { group: 'openreports.io', version: 'v1alpha1', kinds: ['Report', 'ClusterReport'], more: { source: text } },
  policyreports: { group: 'wgpolicyk8s.io', version: 'v1alpha2', kinds: ['PolicyReport', 'ClusterPolicyReport'], more: {} },
});

/**
 * Installs an API, and waits until it is served.
 * @param {Api} api @param {keyof typeof APIS} name
 */
export async function install(api, name) {
  const { group, version, kinds, more } = APIS[name];
  for (const kind of kinds) {
    const [singular, plural] = [kind.toLowerCase(), `${kind.toLowerCase()}s`];
    const schema = { openAPIV3Schema: object({ ...shared, ...more }) };
    await api.create({
      apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `${plural}.${group}` },
      spec: {
        group, scope: kind.startsWith('Cluster') ? 'Cluster' : 'Namespaced', names: { kind, listKind: `${kind}List`, singular, plural },
        versions: [{ name: version, served: true, storage: true, schema }],
      },
    });
  }
  for (const kind of kinds) await until(() => api.list(kind).then(() => true, () => false), `${kind} is served`);
}

/** @param {() => unknown} is @param {string | (() => string)} what */
export async function until(is, what) {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    if (await is()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not within 120 s: ${typeof what === 'string' ? what : what()}`);
}
