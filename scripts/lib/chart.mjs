/** The derived files of `webhook/deploy`: the schema of the chart's values, and the kustomizations, rendered from the chart. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../webhook/config.js';
import { DEPLOY } from './paths.mjs';
import { Problem, ROOT } from './run.mjs';

const FOLDER = join(ROOT, 'webhook/deploy');
export const CHART = join(FOLDER, 'helm/slicewise-webhook');
export const KUSTOMIZE = join(FOLDER, 'kustomize');

/** The first line of a generated file. */
const MADE = '# Generated from the chart by `node scripts/chart.mjs`.\n';

/**
 * Runs the Go program of `pkg-tests/deploy`.
 * @param {string[]} args @param {string} [input]
 */
export function deploy(args, input = '') {
  const { status, stdout, stderr, error } = spawnSync(DEPLOY, args, { input, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (error) throw new Problem(`cannot run ${DEPLOY} (${error.message}); \`npm test -- --only deploy\` builds it`);
  if (status !== 0) throw new Problem(stderr.trim());
  return stdout;
}

/**
 * The chart's manifests by template.
 * @param {object} values @param {string[]} [flags]
 * @returns {Record<string, string>}
 */
export function render(values, flags = []) {
  return JSON.parse(deploy(['render', ...flags, CHART], JSON.stringify(values)));
}

/** The derived files, with their content. @returns {Record<string, string>} */
export function derived() {
  const schema = { [join(CHART, 'values.schema.json')]: `${JSON.stringify(valuesSchema(), null, 2)}\n` };
  return { ...schema, ...kustomizations() };
}

/** A Go duration. */
const DURATION = '^([0-9]+([.][0-9]+)?(ms|s|m|h))+$';

/** The schema of the chart's values: written by hand, except the settings of the core and the service, which provide their own schemas. */
function valuesSchema() {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const values = read('webhook/deploy/helm/values.schema.base.json');
  const { $defs, properties } = read('pkg/schema/reviewer-config.json');
  const config = values.properties.config.properties;
  const limits = Object.entries(LIMITS).map(([name, [reads, least, most]]) => [
    name,
    reads.name === 'duration' ? { type: 'string', pattern: DURATION } : { type: 'integer', minimum: least, maximum: most },
  ]);
  Object.assign(config.server.properties, Object.fromEntries(limits));
  Object.assign(config, properties);
  return { ...values, $defs };
}

/** With `secret`, the certificate is the user's; both variants start from that. */
const BASE = {
  certificate: { mode: 'secret', secretName: 'slicewise-webhook-tls' },
  clients: { mode: 'verify', caConfigMap: 'slicewise-webhook-clients' },
};
/** The manifests of variants that the base lacks. */
const ISSUED = { ...BASE, certificate: { mode: 'cert-manager' } };
const ARMED = { ...BASE, arm: { enabled: true } };

/** @returns {Record<string, string>} */
function kustomizations() {
  const flags = ['-managed-by', 'kustomize'];
  const base = render(BASE, flags);
  const armed = render(ARMED, flags);
  const names = Object.keys(base).filter((name) => name !== 'NOTES.txt' && !name.startsWith('tests/')).sort();
  const files = Object.fromEntries(names.map((name) => [`base/${name}`, base[name]]));
  files['base/sliceexceptions.yaml'] = readFileSync(join(CHART, 'crds/sliceexceptions.yaml'), 'utf8');
  const list = [...names, 'sliceexceptions.yaml'].sort().map((name) => `  - ${name}\n`).join('');
  files['base/kustomization.yaml'] =
    `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: slicewise\nresources:\n  - namespace.yaml\n${list}`;
  files['base/namespace.yaml'] = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: slicewise\n';
  files['cert-manager/certificate.yaml'] = render(ISSUED, flags)['certificate.yaml'];
  for (const name of ['arm.yaml', 'configmap.yaml']) files[`arm/${name}`] = armed[name];
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [join(KUSTOMIZE, name), MADE + tidy(text)]));
}

/** Removes the empty lines that template directives leave. @param {string} text */
function tidy(text) {
  return text.split('\n').filter((line) => line.trim() !== '').join('\n').replace(/^---\n/, '').concat('\n');
}
