/** The webhook as deployed: processes with certificates, called by the API server. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makePair } from '../../../webhook/pair.js';

/** @typedef {import('./api.js').Api} Api */
/** @typedef {import('./cluster.js').Cluster} Cluster */

const MAIN = fileURLToPath(new URL('../../../webhook/main.js', import.meta.url));
/** In milliseconds. */
const LIMITS = { line: 240_000, end: 240_000, effect: 240_000 };
/** The webhook's Service, if the configuration of the hook names one. */
export const SERVICE = { namespace: 'slicewise', name: 'webhook' };
const HOSTS = ['127.0.0.1', 'localhost', `${SERVICE.name}.${SERVICE.namespace}.svc`];

/**
 * The certificates of both sides: one for the webhook, which can be replaced, and one for the API server, with the
 * API server's file that names it.
 */
export class Credentials {
  #secret;

  /** @param {import('node:test').TestContext} t */
  constructor(t) {
    this.folder = mkdtempSync(join(tmpdir(), 'slicewise-webhook-test-'));
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
    /** PEM of all of the webhook's certificates so far. @type {string[]} */
    this.authorities = [];
    this.#secret = join(this.folder, 'secret');
    this.prepare()();
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(`..data/${name}`, join(this.#secret, name));
    const caller = makePair(['kube-apiserver']);
    this.clientCA = this.#write('client-ca.crt', caller.cert);
    const user = { 'client-certificate': this.clientCA, 'client-key': this.#write('client.key', caller.key) };
    const kubeConfigFile = this.#write('hooks.json', JSON.stringify({ apiVersion: 'v1', kind: 'Config', users: [{ name: '*', user }] }));
    const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile };
    const plugins = [{ name: 'ValidatingAdmissionWebhook', configuration }];
    this.admissionConfig = this.#write(
      'admission.json',
      JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
    );
  }

  /**
   * Makes another certificate for the webhook. Its CA is trusted at once; the pair itself is used once the returned
   * function is called, which replaces the old pair by swapping a link, as in a mounted Secret.
   * @returns {() => void}
   */
  prepare() {
    const { cert, key } = makePair(HOSTS);
    this.authorities.push(cert);
    const version = `..${this.authorities.length}`;
    mkdirSync(join(this.#secret, version), { recursive: true });
    this.#write(join('secret', version, 'tls.crt'), cert);
    this.#write(join('secret', version, 'tls.key'), key);
    return () => {
      const link = join(this.#secret, '..next');
      symlinkSync(version, link);
      renameSync(link, join(this.#secret, '..data'));
    };
  }

  get tls() {
    return { cert: join(this.#secret, 'tls.crt'), key: join(this.#secret, 'tls.key'), clientCA: this.clientCA };
  }

  /** For `clientConfig`. */
  get caBundle() {
    return Buffer.from(this.authorities.join('')).toString('base64');
  }

  /** @param {string} name @param {string} text */
  #write(name, text) {
    const file = join(this.folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }
}

/** A process of the webhook. */
export class Webhook {
  /**
   * Starts one and waits until it is ready; killed after the test if it still runs.
   * @param {import('node:test').TestContext} t
   * @param {Pick<Credentials, 'folder' | 'tls'>} credentials
   * @param {{kubeconfig?: string, config?: Record<string, any>}} [options] without a kubeconfig, nothing is known of the cluster
   */
  static async start(t, credentials, { kubeconfig, config = {} } = {}) {
    const { server, ...rest } = config;
    const all = { tls: credentials.tls, ...rest, server: { listen: '127.0.0.1:0', health: '127.0.0.1:0', drainDelay: '300ms', ...server } };
    const file = join(credentials.folder, `webhook-${(made += 1)}.json`);
    writeFileSync(file, JSON.stringify(all));
    const started = new Webhook(['--config', file, ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig])]);
    t.after(() => started.kill());
    await started.ready();
    return started;
  }

  /** @type {any[]} */
  log = [];
  #errors = '';
  /** @type {number | string | null} */
  outcome = null;

  /** @param {string[]} args */
  constructor(args) {
    this.child = spawn(process.execPath, [MAIN, ...args]);
    const kill = () => this.child.kill('SIGKILL');
    process.once('exit', kill);
    /** @type {Promise<number | string | null>} */
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        process.off('exit', kill);
        this.outcome = code ?? signal;
        resolve(this.outcome);
      });
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.log.push(JSON.parse(line)));
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.#errors += text));
  }

  /** Its reviews, by verdict. @param {string} verdict @returns {any[]} */
  reviews(verdict) {
    return this.log.filter((line) => line.message === 'review' && line.verdict === verdict);
  }

  /** Resolves once it reports readiness. */
  async ready() {
    const end = Date.now() + LIMITS.line;
    const listening = () => this.log.find(({ message }) => message === 'listening');
    for (;;) {
      const told = listening();
      const { status = 0, text = '' } = told ? await ask(`${told.health}/readyz`) : {};
      if (status === 200) break;
      if (this.outcome !== null || Date.now() > end) {
        throw new Error(`the webhook is not ready: ${this.outcome ?? ''} ${text} ${this.#errors} ${JSON.stringify(this.log.slice(-5))}`);
      }
      await sleep(20);
    }
    const { reviews, health } = listening();
    this.port = Number(new URL(reviews).port);
    this.healthUrl = health;
  }

  isReady() {
    return ask(`${this.healthUrl}/readyz`).then(({ status }) => status === 200, () => false);
  }

  /** Suspends it, like a process starved of CPU: connections are accepted but not answered. */
  freeze() {
    this.child.kill('SIGSTOP');
  }

  thaw() {
    this.child.kill('SIGCONT');
  }

  /** Stops it as Kubernetes does; resolves with its exit code. */
  async terminate() {
    this.child.kill('SIGTERM');
    const outcome = await Promise.race([this.ended, sleep(LIMITS.end, 'still running', { ref: false })]);
    if (outcome === 'still running') throw new Error('the webhook runs on after SIGTERM');
    return outcome;
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

let made = 0;

/** @param {string} url @returns {Promise<{status: number, text: string}>} */
function ask(url) {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent: false, timeout: LIMITS.line }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
  });
}

/** Stands in for kube-proxy: new connections go to ready backends in turn; old ones stay. */
export class Balancer {
  /** @param {import('node:test').TestContext} t @param {Webhook[]} backends */
  static async start(t, backends) {
    const balancer = new Balancer(backends);
    await new Promise((resolve) => balancer.server.listen(0, '127.0.0.1', () => resolve(null)));
    t.after(() => balancer.end());
    return balancer;
  }

  #turn = 0;
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set();

  /** @param {Webhook[]} backends the backends of new connections; change it like an EndpointSlice */
  constructor(backends) {
    this.backends = backends;
    this.server = createServer((near) => {
      const backend = this.backends[(this.#turn += 1) % this.backends.length];
      const far = connect({ host: '127.0.0.1', port: backend.port ?? 0 });
      for (const [from, to] of [[near, far], [far, near]]) {
        this.#sockets.add(from);
        from.on('error', () => {}).on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }

  get port() {
    return /** @type {import('node:net').AddressInfo} */ (this.server.address()).port;
  }

  end() {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** The rules of the webhook. */
const RULES = [
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: ['services', 'services/status', 'endpoints', 'nodes'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
  },
  { apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], resources: ['endpointslices'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
  { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments', 'deployments/scale'], operations: ['UPDATE', 'DELETE'] },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['pods/eviction'], operations: ['CREATE'] },
];
export const HOOK = 'traffic.slicewise.dev';

/**
 * Registers the webhook, and waits until the API server calls it; removed after the test.
 * @param {import('node:test').TestContext} t
 * @param {Api} api
 * @param {object} clientConfig
 * @param {Record<string, any>} [more] fields of the hook
 */
export async function register(t, api, clientConfig, more = {}) {
  const name = 'slicewise';
  const hook = {
    name: HOOK,
    clientConfig,
    rules: RULES,
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: 5,
    admissionReviewVersions: ['v1'],
    ...more,
  };
  await api.create({ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name }, webhooks: [hook] });
  t.after(() => api.delete('ValidatingWebhookConfiguration', name).catch(() => {}));
}

/**
 * Waits until an attempt gives the expected answer: a hook takes effect some milliseconds after it is written.
 * @param {() => Promise<boolean>} attempt
 */
export async function inEffect(attempt) {
  for (const end = Date.now() + LIMITS.effect; !(await attempt()); ) {
    if (Date.now() > end) throw new Error('the hook is not in effect');
    await sleep(20);
  }
}
