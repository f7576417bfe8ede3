/** The rendered chart, in the tested variants. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { CHART, render } from '../../../scripts/lib/chart.mjs';
import { TESTED_CLI } from '../../../scripts/lib/paths.mjs';

export const VERIFY = { clients: { mode: 'verify', caConfigMap: 'clients' } };
export const PEERS = [{ ipBlock: { cidr: '10.0.0.1/32' } }];

const FOLDER = join(CHART, 'ci');
/** The values in the chart's `ci`, by the name of the file. @type {Record<string, any>} */
export const VARIANTS = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [basename(file, '-values.yaml'), parse(readFileSync(join(FOLDER, file), 'utf8'))]),
);
// The user of a certificate of one's own also provides its CA.
VARIANTS.secret.certificate.caBundle = authority();

/** As Helm and kubectl read YAML, where 0440 is octal. @param {string} text @returns {any[]} */
export function documents(text) {
  return parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS()).filter(Boolean);
}

/** @param {object} values @param {string[]} [flags] */
export function objects(values, flags) {
  const { 'NOTES.txt': notes, ...files } = render(values, flags);
  assert.match(notes, /kubectl delete validatingwebhookconfiguration/);
  return documents(Object.values(files).join('\n---\n'));
}

/** The findings of `slicewise lint-config`. @param {any[]} all @param {string[]} args */
export function lint(all, ...args) {
  const { status, stdout, stderr } = spawnSync(TESTED_CLI, ['lint-config', '-o', 'json', ...args], {
    input: all.map((each) => JSON.stringify(each)).join('\n'),
    encoding: 'utf8',
  });
  assert.ok(stdout, stderr);
  return { status, findings: JSON.parse(stdout).configurations.flatMap((/** @type {any} */ each) => each.findings) };
}

/** @param {any[]} all @param {string} kind @param {string} [name] */
export function one(all, kind, name) {
  const found = all.filter((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
  assert.equal(found.length, 1, `${found.length} of ${kind}`);
  return found[0];
}

/** A CA certificate, in base64. */
function authority() {
  const { stdout } = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null', '-subj', '/CN=ca', '-days', '2'],
    { encoding: 'utf8' },
  );
  return Buffer.from(stdout).toString('base64');
}

/** @param {any[]} all */
export function parts(all) {
  const deployment = one(all, 'Deployment');
  return {
    deployment,
    container: deployment.spec.template.spec.containers[0],
    service: one(all, 'Service'),
    configuration: one(all, 'ValidatingWebhookConfiguration'),
  };
}
