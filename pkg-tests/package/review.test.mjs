/** `slicewise review`: the webhook's verdicts, from the command. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { ROOT } from './lib/builds.mjs';
import { COMMANDS, invoke } from './lib/commands.mjs';
import { createReviewer } from 'slicewise/admission';
import { brokenReviews, refusedReviews } from '../webhook/lib/hostile.js';
import { handSlice, objectOf, reviewOf } from '../webhook/lib/reviews.js';

const SNAPSHOT = 'samples/cluster-at-rest.json';
const cluster = JSON.parse(readFileSync(join(ROOT, SNAPSHOT), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'slicewise-review-'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {unknown} content */
function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const cart = objectOf(cluster, 'Service', 'shop/cart');
const slip = { ...cart, spec: { ...cart.spec, selector: { app: 'crat' } } };
const labelled = { ...cart, metadata: { ...cart.metadata, labels: { reviewed: 'done' } } };
const DENIED = reviewOf('UPDATE', slip, cart);
const ALLOWED = reviewOf('UPDATE', labelled, cart);
const WARNED = reviewOf('UPDATE', { ...cart, spec: { ...cart.spec, selector: undefined } }, cart);
const NOT_EXAMINED = 'not examined: no policy looks at such objects';

for (const { name, command } of COMMANDS) {
  const review = (/** @type {string[]} */ args, /** @type {string | Uint8Array} */ input = '') => invoke(command, ['review', ...args], input);
  const known = ['--snapshot', SNAPSHOT];

  describe(name, () => {
    it('gives the verdicts of the webhook, byte for byte', async () => {
      const reviewer = createReviewer({ snapshot: readFileSync(join(ROOT, SNAPSHOT)) });
      for (const [each, expected] of /** @type {const} */ ([[DENIED, 1], [ALLOWED, 0], [WARNED, 0]])) {
        const text = JSON.stringify(each);
        const { code, stdout, stderr } = await review(known, text);
        assert.equal(code, expected, stderr);
        assert.equal(stdout.toString(), `${reviewer.review(text)}\n`);
      }
      reviewer.free();
    });

    it('takes several, on lines and in lists', async () => {
      const all = [ALLOWED, DENIED, WARNED];
      const lines = all.map((each) => JSON.stringify(each)).join('\n');
      const one = await review(known, lines);
      assert.equal(one.code, 1);
      assert.equal(one.stdout.toString().trim().split('\n').length, 3);
      for (const list of [all, { kind: 'List', items: all }]) {
        const { code, stdout } = await review(known, JSON.stringify(list));
        assert.deepEqual([code, stdout.toString()], [1, one.stdout.toString()]);
      }
      const broken = await review(known, `${JSON.stringify(ALLOWED)}\n{"kind":"AdmissionReview"}`);
      assert.equal(broken.code, 2);
      const [first, second] = broken.stdout.toString().trim().split('\n').map((line) => JSON.parse(line));
      assert.equal(first.response.allowed, true);
      assert.deepEqual([second.error.code, second.error.line], ['MissingField', 2]);
    });

    it('refuses broken reviews as the webhook does', async () => {
      for (const { name: what, body, code, path } of brokenReviews(DENIED)) {
        const answer = await review(known, body);
        if (what === 'a list') {
          assert.equal(answer.code, 1, 'lists are judged here, one review after the other');
          continue;
        }
        assert.deepEqual([answer.code, answer.stdout.toString()], [2, ''], what);
        const { error } = JSON.parse(answer.stderr);
        // What follows a review is read as the next object.
        assert.equal(error.code, what === 'more behind' ? 'InvalidValue' : code, what);
        if (path) assert.equal(error.path, path, what);
      }
    });

    it('is not misled where the webhook is not', async () => {
      const reviewer = createReviewer({ snapshot: readFileSync(join(ROOT, SNAPSHOT)) });
      const refused = refusedReviews(DENIED, handSlice(cluster));
      const lines = refused.map(({ body }) => body.replace('\ufeff', '')).join('\n');
      const { code, stdout } = await review(known, lines);
      assert.equal(code, 1);
      const answers = stdout.toString().trimEnd().split('\n');
      assert.equal(answers.length, refused.length);
      for (const [index, { name: what, body, rule }] of refused.entries()) {
        assert.equal(answers[index], reviewer.review(body), what);
        assert.ok(JSON.parse(answers[index]).response.status.message.includes(rule), what);
      }
      reviewer.free();
      const marked = await review(known, `\ufeff${JSON.stringify(DENIED)}`);
      assert.equal(marked.code, 1, marked.stderr);
    });

    it('makes reviews of manifests', async () => {
      const [old, changed] = [file('old.json', [cart]), file('new.json', [slip])];
      const from = await review([...known, '--from', old, changed, '-o', 'text']);
      assert.equal(from.code, 1);
      assert.match(
        from.stdout.toString(),
        /^Error from server \(Forbidden\): admission webhook "slicewise" denied the request: Service shop\/cart: .*did you mean app=cart.*\n$/,
      );
      const alone = await review([...known, changed, '-o', 'text']);
      assert.equal(alone.stdout.toString(), from.stdout.toString(), 'the cluster says what was there');
      const gone = await review([...known, '--from', old, file('none.json', []), '-o', 'text']);
      assert.equal(gone.code, 2, 'an empty file is more likely a mistake');
      // As people write it, and as typed lists have it.
      const ports = cart.spec.ports.map((/** @type {any} */ { protocol: _, ...port }) => port);
      const plain = { ...cart, spec: { selector: cart.spec.selector, ports } };
      assert.equal((await review([...known, file('plain.json', plain)])).code, 0);
      const { kind: _, apiVersion: __, ...bare } = cart;
      const listed = file('list.json', { kind: 'ServiceList', apiVersion: 'v1', items: [bare] });
      assert.equal((await review([...known, '--from', listed, changed])).code, 1);
      assert.equal((await review([...known, '--from', file('bom.json', `\ufeff${JSON.stringify(cart)}`), changed])).code, 1);
      const other = file(
        'other.yaml',
        'apiVersion: v1\nkind: Service\nmetadata: {name: other}\nspec: {}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n',
      );
      const deleted = await review([...known, '--from', old, other, '-o', 'text']);
      assert.equal(deleted.code, 1);
      assert.match(
        deleted.stdout.toString(),
        /^Service default\/other: allowed\nDeployment default\/web: allowed\nError from server .*: Service shop\/cart: service-blast-radius\/deleted: its 12 ready endpoints .*\n$/,
      );
    });

    it('puts manifests into the namespace of -n, as kubectl does', async () => {
      const { namespace: _, ...metadata } = cart.metadata;
      const bare = file('bare.json', { ...slip, metadata });
      assert.equal((await review([...known, bare])).code, 0, 'there is no Service default/cart');
      const denied = await review([...known, bare, '-n', 'shop', '-o', 'text']);
      assert.equal(denied.code, 1);
      assert.match(denied.stdout.toString(), /denied the request: Service shop\/cart: service-blast-radius\/emptied/);
      const other = await review([...known, file('there.json', slip), '-n', 'bank']);
      assert.equal(other.code, 2);
      assert.match(other.stderr, /a change is in namespace shop, but -n gives bank/);
    });

    it('fails for what people ask, and not for what is known', async () => {
      const gone = JSON.stringify(WARNED);
      assert.equal((await review(known, gone)).code, 0);
      assert.equal((await review([...known, '--fail-on', 'warn'], gone)).code, 1);
      const strict = await review([...known, '--fail-on', 'warn', '-o', 'junit'], gone);
      assert.match(strict.stdout.toString(), /failures="1"[^]*<failure type="Warning" message="service-blast-radius\/abandoned: /);

      const changed = file('known.json', [slip, { ...slip, metadata: { ...cart.metadata, name: 'till' } }]);
      const first = await review([...known, changed]);
      assert.equal(first.code, 1);
      const baseline = file('baseline.json', first.stdout.toString());
      const again = await review([...known, changed, '--baseline', baseline, '-o', 'text']);
      assert.equal(again.code, 0, again.stdout.toString());
      assert.match(again.stdout.toString(), /^Service shop\/cart: 1 known finding, and no other\n/);
      const ports = cart.spec.ports.map((/** @type {any} */ port) => ({ ...port, targetPort: 'nowhere' }));
      const worse = file('worse.json', { ...slip, spec: { ...cart.spec, ports, externalIPs: ['192.0.2.1'] } });
      assert.equal((await review([...known, worse, '--baseline', baseline])).code, 1, 'another finding is new');
      const sarif = JSON.parse((await review([...known, changed, '--baseline', baseline, '-o', 'sarif'])).stdout.toString());
      assert.deepEqual(new Set(sarif.runs[0].results.map((/** @type {any} */ { baselineState }) => baselineState)), new Set(['unchanged']));
      const wrong = await review([...known, changed, '--baseline', changed]);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /a baseline has the verdicts that `slicewise review -o json` prints/);
    });

    it('plans changes of workloads over the pods that would be', async () => {
      const labels = cart.spec.selector;
      const deployment = (/** @type {string} */ port, /** @type {number} */ replicas) => ({
        apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'cart', namespace: 'shop' },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'cart', ports: [{ name: port, containerPort: 8080 }] }] } },
        },
      });
      const old = deployment('http', 12);
      const snapshot = file('with-workload.json', { ...cluster, items: [...cluster.items, old] });
      const told = /^Warning: workload-traffic\/([a-z-]+): Deployment shop\/cart: .*12 ready endpoints.*\nDeployment shop\/cart: allowed\n$/;
      for (const [rule, changed] of /** @type {[string, object][]} */ ([
        ['port-left', deployment('web', 12)],
        ['scaled-to-zero', deployment('http', 0)],
      ])) {
        const manifest = file(`${rule}.json`, changed);
        const from = await review([...known, '--from', file('workload.json', old), manifest, '-o', 'text']);
        assert.equal(from.code, 0, from.stderr);
        assert.equal(told.exec(from.stdout.toString())?.[1], rule, from.stdout.toString());
        const alone = await review(['--snapshot', snapshot, manifest, '-o', 'text']);
        assert.equal(alone.stdout.toString(), from.stdout.toString(), 'the cluster says what was there');
      }
      const kept = await review([...known, file('new-workload.json', deployment('web', 0)), '-o', 'text']);
      assert.equal(kept.stdout.toString(), 'Deployment shop/cart: allowed\n', 'a new workload takes nothing away');
      const deleted = await review([...known, '--from', file('both.json', [old, cart]), file('service.json', cart), '-o', 'text']);
      assert.match(deleted.stdout.toString(), /Warning: workload-traffic\/scaled-to-zero: Deployment shop\/cart: /);
    });

    it('takes nothing for granted that cannot be read', async () => {
      const [old, changed] = [JSON.stringify(cart), file('changed.json', slip)];
      for (const from of [old.slice(0, -9), `${old}${old}`, '{"apiVersion":"v1","kind":"Service"}']) {
        const { code, stderr } = await review([...known, '--from', file('broken.json', from), changed]);
        assert.equal(code, 2, stderr);
      }
      for (const text of [
        '{"kind":"EndpointSlice","metadata":{"name":"x"}}',
        `${old}\n${old}`,
        `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
        old.replace('"selector":', '"selector":{"app":"other"},"selector":'),
      ]) {
        const { code, stderr } = await review(known, text);
        assert.equal(code, 2, stderr);
      }
      const cut = await review([...known, '--config', file('twice.json', '{"policies":{"slice-shape":{"mode":"enforce","mode":"off"}}}')], old);
      assert.match(cut.stderr, /`mode` appears twice/);
      // Which of several files is meant.
      const whole = JSON.stringify(cluster);
      for (const [args, told] of /** @type {[string[], string][]} */ ([
        [['--snapshot', file('cut.json', whole.slice(0, 999))], 'cut.json: '],
        [['--snapshot', file('cut.yaml', `a: [\n${whole.slice(0, 999)}`)], 'cut.yaml: '],
        [['--snapshot', file('nameless.json', { kind: 'List', items: [{ kind: 'Pod', apiVersion: 'v1', metadata: {} }] })], 'nameless.json: '],
        [[...known, '--from', file('half.json', old.slice(0, 99)), changed], '--from: '],
        [[...known, '--config', file('open.yaml', 'policies: {')], 'open.yaml: '],
      ])) {
        const { code, stderr } = await review(args, JSON.stringify(ALLOWED));
        assert.equal(code, 2);
        assert.ok(JSON.parse(stderr).error.message.includes(told), `${told} in ${stderr}`);
      }
      const other = await review(['--snapshot', file('review.json', DENIED)], JSON.stringify(ALLOWED));
      assert.match(other.stderr, /this is not a cluster/);
    });

    it('judges a set as a whole', async () => {
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'ext', namespace: 'shop' },
        spec: { ports: [{ name: 'sql', port: 5432 }] },
      };
      const slice = {
        apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4',
        metadata: { name: 'ext-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'ext' } },
        endpoints: [{ addresses: ['203.0.113.7'] }], ports: [{ name: 'sql', port: 5432 }],
      };
      const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'migrate-' } };
      const set = file('set.json', [
        slice,
        service,
        job,
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'reader' } },
      ]);
      const config = file('allow.yaml', 'policies: {slice-addresses: {allowedCIDRs: [203.0.113.0/24]}}\n');
      const { code, stdout } = await review([...known, '--config', config, set, '-o', 'text']);
      assert.equal(
        stdout.toString(),
        `EndpointSlice shop/ext-1: allowed\nService shop/ext: allowed\nJob (unnamed): ${NOT_EXAMINED}\nClusterRole reader: ${NOT_EXAMINED}\n`,
      );
      assert.equal(code, 0);
      const wrong = await review([...known, file('types.json', [job, { ...service, spec: { ports: 'wrong' } }])]);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stdout.toString(), /"message":"Service shop\/ext: .*"path":"\/spec\/ports"/);
    });

    it('writes what continuous integration reads', async () => {
      const changed = file('ci.json', [slip, { ...labelled, metadata: { ...labelled.metadata, name: 'cart-2' } }]);
      const junit = (await review([...known, changed, '-o', 'junit'])).stdout.toString();
      assert.match(junit, /<testsuites tests="2" failures="1" errors="0">/);
      assert.match(junit, /<failure type="Forbidden" message="Service shop\/cart: service-blast-radius\/emptied: [^"]*"\/>/);
      const sarif = JSON.parse((await review([...known, changed, '-o', 'sarif'])).stdout.toString());
      const [{ results, tool }] = sarif.runs;
      assert.deepEqual(results.map((/** @type {any} */ { ruleId, level }) => [ruleId, level]), [['service-blast-radius/emptied', 'error']]);
      const about = 'Changes of Services that remove endpoints.';
      assert.deepEqual(tool.driver.rules.map((/** @type {any} */ { id, fullDescription }) => [id, fullDescription.text]), [
        ['service-blast-radius/emptied', about],
      ]);
      assert.equal(results[0].locations[0].physicalLocation.artifactLocation.uri, changed);
    });

    it('names the file of each object there, and none for what is deleted', async () => {
      const rest = { ...labelled, metadata: { ...labelled.metadata, name: 'cart-2' } };
      const first = file('one.json', { kind: 'List', items: [rest, { ...slip, metadata: { ...cart.metadata, name: 'cart-3' } }] });
      const second = file('two.yaml', stringify(slip));
      const old = file('before.json', [cart, { ...cart, metadata: { ...cart.metadata, name: 'cart-4' } }]);
      const args = [...known, '--from', old, '-f', first, '-f', second];
      const junit = (await review([...args, '-o', 'junit'])).stdout.toString();
      const named = [...junit.matchAll(/<testcase classname="([^"]*)" name="Service shop\/([^"]*)"/g)].map(([, from, which]) => [which, from]);
      assert.deepEqual(named, [['cart-2', first], ['cart-3', first], ['cart', second], ['cart-4', '-']]);
      const sarif = JSON.parse((await review([...args, '-o', 'sarif'])).stdout.toString());
      const placed = sarif.runs[0].results.map((/** @type {any} */ { locations: [{ physicalLocation, logicalLocations }] }) => [
        logicalLocations[0].fullyQualifiedName.split(':')[0],
        physicalLocation?.artifactLocation.uri,
      ]);
      assert.deepEqual(Object.fromEntries(placed), {
        'Service shop/cart': second, 'Service shop/cart-3': first, 'Service shop/cart-4': undefined,
      });
      const alone = (await review([...known, '-f', second, '-o', 'sarif'])).stdout.toString();
      assert.equal(JSON.parse(alone).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri, second);
    });

    it('names line and column of a field, in YAML, in JSON and of standard input', async () => {
      const yaml = stringify(slip);
      const text = `# Services\n---\n${yaml}---\n${stringify({ ...slip, metadata: { ...cart.metadata, name: 'cart-9' } })}`;
      const row = yaml.split('\n').findIndex((line) => line === '  selector:') + 1;
      assert.ok(row > 0);
      const wanted = { artifactLocation: { uri: '' }, region: { startLine: row + 2, startColumn: 3 } };
      const regions = async (/** @type {string[]} */ args, stdin = '') => {
        const { stdout, stderr } = await review([...known, ...args, '-o', 'sarif'], stdin);
        assert.equal(stderr, '');
        return JSON.parse(stdout.toString()).runs[0].results.map((/** @type {any} */ { locations: [{ physicalLocation }] }) => physicalLocation);
      };
      const several = file('several.yaml', text);
      const another = { ...labelled, metadata: { ...labelled.metadata, name: 'cart-8' } };
      const more = file('more.yaml', stringify(another));
      for (const [args, stdin, uri] of /** @type {[string[], string, string][]} */ ([
        [['-f', several], '', several],
        [['-f', more, '-f', several], '', several],
        [['-'], text, 'stdin'],
        [[], text, 'stdin'],
      ])) {
        const [first] = await regions(args, stdin);
        assert.deepEqual(first, { ...wanted, artifactLocation: { uri } }, args.join(' '));
      }
      const lines = JSON.stringify({ kind: 'List', items: [another, slip] }, null, 2);
      const line = lines.split('\n').findLastIndex((each) => each.trim() === '"selector": {') + 1;
      const [inJson] = await regions(['-f', file('lines.json', JSON.parse(lines))]);
      assert.equal(inJson.region.startLine, 1);
      const [piped] = await regions([], lines);
      assert.deepEqual(piped.region, { startLine: line, startColumn: lines.split('\n')[line - 1].indexOf('{') + 1 });
    });

    it('obeys nothing that an object says', async () => {
      const evil = { ...slip, spec: { ...slip.spec, selector: { app: '\u001b[2J\u202ecart<&"' } } };
      const changed = file('evil.json', [evil]);
      for (const output of ['text', 'junit']) {
        const { stdout } = await review([...known, changed, '-o', output]);
        for (const obeyed of ['\u001b', '\u202e']) assert.ok(!stdout.toString().includes(obeyed), output);
      }
      assert.match((await review([...known, changed, '-o', 'junit'])).stdout.toString(), /&lt;&amp;&quot;/);
    });

    it('asks one policy, as it is configured', async () => {
      const text = JSON.stringify(DENIED);
      assert.equal((await review([...known, '--policy', 'slice-shape'], text)).code, 0);
      const config = file('config.yaml', 'server: {maxQueue: 3}\npolicies: {service-blast-radius: {mode: warn}}\n');
      assert.equal((await review([...known, '--config', config], text)).code, 0);
      const wrong = await review([...known, '--config', file('wrong.yaml', 'policy: {}\n')], text);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /"code":"UnknownField".*`policy` is not a setting.*"path":"\/policy"/);
      const mode = await review([...known, '--config', file('mode.yaml', 'policies: {slice-shape: {mode: on}}\n')], text);
      assert.match(mode.stderr, /"path":"\/policies\/slice-shape\/mode"/);
      for (const args of [['--policy', 'nonsense'], ['--test', 'x', '--from', 'y']]) assert.equal((await review(args, text)).code, 2);
    });

    it('judges by expressions as the module does, and refuses those that cannot work', async () => {
      const expression = (/** @type {string} */ text) => ({ validations: [{ name: 'rule', expression: text, on: { kinds: ['Service'] } }] });
      const config = {
        policies: { expression: expression("oldObject.spec.selector == object.spec.selector && plan.lost == 0 && request.userInfo.username != ''") },
      };
      const reviewer = createReviewer({ config, snapshot: readFileSync(join(ROOT, SNAPSHOT)) });
      for (const [each, expected] of /** @type {const} */ ([[DENIED, 1], [ALLOWED, 0]])) {
        const text = JSON.stringify(each);
        const { code, stdout, stderr } = await review([...known, '--config', file('expression.json', config)], text);
        assert.equal(code, expected, stderr);
        assert.equal(stdout.toString(), `${reviewer.review(text)}\n`);
        assert.equal(stdout.toString().includes('expression/rule: failed expression: '), expected === 1);
      }
      reviewer.free();
      for (const [text, message] of /** @type {const} */ ([
        ['objekt.spec', 'there is no variable `objekt`'],
        ['1 + 1', 'the expression returns int where bool is needed'],
        ['object.a.all(a, object.b.all(b, object.c.all(c, a + b == c)))', 'more than the 200000 of `costLimit`'],
        ['object.x ==', 'mismatched input'],
      ])) {
        const { code, stderr } = await review(
          [...known, '--config', file('impossible.json', { policies: { expression: expression(text) } })],
          JSON.stringify(ALLOWED),
        );
        assert.equal(code, 2, text);
        const { error } = JSON.parse(stderr);
        assert.deepEqual([error.code, error.path], ['InvalidValue', '/policies/expression/validations/0/expression'], text);
        assert.ok(error.message.includes(message), error.message);
      }
    });

    it('runs tests', async () => {
      const { code, stdout, stderr } = await review(['--test', 'examples/review']);
      assert.equal(code, 0, stderr);
      assert.match(stdout.toString(), /^1\.\.6\nok 1 - examples\/review\/cart\.test\.yaml: a slip in the selector empties the Service\n/);
      file('wrong.test.json', { tests: [{ name: 'never', object: cart, expect: { allowed: false, findings: ['a/b'] } }] });
      const failed = await review(['--test', folder]);
      assert.equal(failed.code, 1);
      assert.match(failed.stdout.toString(), /not ok 1 - .*: never\n {2}expected: denied, is: allowed\n {2}expected findings: \{"a\/b"\}/);
      const printed = async (/** @type {string} */ output) => (await review(['--test', folder, '-o', output])).stdout.toString();
      const results = (await printed('json')).trim().split('\n').map((line) => JSON.parse(line));
      assert.deepEqual(results.map((each) => [each.name, each.passed]), [['never', false]]);
      assert.match(await printed('junit'), /tests="1" failures="1"[^]*name="never">\n {6}<failure message="expected: denied/);
      const { results: failures } = JSON.parse(await printed('sarif')).runs[0];
      assert.deepEqual(failures.map((/** @type {any} */ { ruleId }) => ruleId), ['review/test']);
      const none = await review(['--test', 'samples']);
      assert.equal(none.code, 2, 'no test is no success');
      assert.match(none.stderr, /there is no test in samples; files of tests have names like cart\.test\.yaml/);
    });
  });
}
