/**
 * Arming: the ValidatingWebhookConfiguration starts with `failurePolicy: Ignore`, and gets the chosen policy only once
 * the API server has refused a write that this webhook must refuse. Failing closed therefore requires proof that the
 * webhook answers. The write is a dry run, into a namespace that should be empty.
 */
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {'Ignore' | 'Fail'} Policy
 *
 * @typedef {object} ArmSettings
 * @property {string} configuration name of the ValidatingWebhookConfiguration
 * @property {string} webhook name of the webhook in it
 * @property {Policy} failurePolicy the policy to set
 * @property {string} namespace the namespace of the check
 * @property {number} interval milliseconds between checks
 * @property {boolean} fallback set Ignore if checks fail again, and when the last replica exits
 *
 * @typedef {object} Refusal an error response of the API server
 * @property {number} code 0 if there was no response
 * @property {string} message
 *
 * @typedef {object} Configuration
 * @property {{resourceVersion?: string, annotations?: Record<string, string>}} [metadata]
 * @property {{name: string, failurePolicy?: string}[]} [webhooks]
 *
 * @typedef {object} Cluster
 * @property {() => Promise<Configuration>} read the configuration
 * @property {(slice: object) => Promise<unknown>} tryWrite writes an EndpointSlice as a dry run
 * @property {(resourceVersion: string, policy: Policy) => Promise<unknown>} setPolicy
 * @property {(service: string) => Promise<string[]>} ready addresses of a Service's ready endpoints; given as NAMESPACE/NAME
 *   Each throws a `Refusal`.
 *
 * @typedef {(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void} Tell
 */

/** Set on the configuration by users who turn enforcement off, so that it stays off. */
export const HOLD = 'webhook.slicewise/hold';
/** The maximum interval between checks, in milliseconds, until one succeeds. */
const SOON = 10_000;
/** How long shutdown waits for an API server, in milliseconds. */
const LAST_WORD = 5_000;
/** How long an answer may take, in milliseconds: as long as an API server gives itself. */
const SILENCE = 60_000;
/** The address of a cloud's metadata service: valid for the API server, but the policy does not accept it as a pod's. */
const BAD_ADDRESS = 'fd00:ec2::254';
/** The rule that refuses it. */
const RULE = 'slice-addresses/reserved-address';
/** The number of consecutive failed checks before it falls back. */
const PATIENCE = 3;

/** @typedef {'armed' | 'held' | 'set' | 'not refused' | 'unreachable' | 'refused by another' | 'cannot check' | 'fell back'} State */

export class Arming {
  #failures = 0;
  /** @type {State | null} */
  #state = null;

  /** @param {ArmSettings} settings @param {Cluster} cluster @param {Tell} tell */
  constructor(settings, cluster, tell) {
    this.settings = settings;
    this.cluster = cluster;
    this.tell = tell;
  }

  /** Makes one check and acts on the result. @returns {Promise<State>} */
  async check() {
    const { settings, cluster } = this;
    let before;
    try {
      // Read before the check: if the configuration changes meanwhile, the update will conflict.
      before = await cluster.read();
    } catch (error) {
      return this.#become('cannot check', this.#whyNotRead(/** @type {Refusal} */ (error)));
    }
    const webhook = before.webhooks?.find(({ name }) => name === settings.webhook);
    if (!webhook) return this.#become('cannot check', `the configuration has no webhook ${settings.webhook}; name one in arm.webhook`);
    if (before.metadata?.annotations?.[HOLD] === 'true') {
      return this.#become('held', `the annotation ${HOLD} says to leave the policy as it is; take it away to arm again`);
    }
    const { state, why } = await this.#try();
    if (state !== 'armed') return this.#fail(state, why, before, webhook);
    this.#failures = 0;
    if (webhook.failurePolicy === settings.failurePolicy) return this.#become('armed', why);
    const refusal = await this.#set(before, settings.failurePolicy);
    return refusal ? this.#become('cannot check', refusal) : this.#become('set', why);
  }

  /** Called before this process exits, in case no replica is left to answer. @param {string} service NAMESPACE/NAME */
  async end(service) {
    if (!this.settings.fallback) return;
    try {
      const own = new Set(Object.values(networkInterfaces()).flatMap((each) => each ?? []).map(({ address }) => address));
      const others = (await this.cluster.ready(service)).filter((address) => !own.has(address));
      if (others.length > 0) return;
      const before = await this.cluster.read();
      const webhook = before.webhooks?.find(({ name }) => name === this.settings.webhook);
      if (webhook?.failurePolicy !== 'Fail') return;
      const refusal = await this.#set(before, 'Ignore');
      this.#become(refusal ? 'cannot check' : 'fell back', refusal ?? 'the last replica ends');
    } catch (error) {
      this.#become('cannot check', /** @type {Refusal} */ (error).message);
    }
  }

  /** Writes an object that this webhook must refuse. @returns {Promise<{state: State, why: string}>} */
  async #try() {
    const { namespace, webhook } = this.settings;
    try {
      await this.cluster.tryWrite(badSlice(namespace));
      return {
        state: 'not refused',
        why: `${BAD_ADDRESS} was let pass: the API server did not reach the webhook, its rules or namespaceSelector leave ${namespace} out, or ` +
          'slice-addresses does not enforce there',
      };
    } catch (error) {
      const { code, message } = /** @type {Refusal} */ (error);
      if (message.startsWith(`admission webhook "${webhook}" denied the request: `) && message.includes(RULE)) {
        return { state: 'armed', why: `${RULE} refused ${BAD_ADDRESS}` };
      }
      if (message.includes(`failed calling webhook "${webhook}"`)) return { state: 'unreachable', why: message };
      if (code === 404) return { state: 'cannot check', why: `${message}; make the namespace, empty, or name another in arm.namespace` };
      if (code === 403 && message.includes('cannot create resource')) {
        return { state: 'cannot check', why: `${message}; grant \`create\` on endpointslices in namespace ${namespace}` };
      }
      if (code === 0) return { state: 'cannot check', why: `the API server does not answer: ${message}` };
      return { state: 'refused by another', why: message };
    }
  }

  /** @param {State} state @param {string} why @param {Configuration} before @param {{failurePolicy?: string}} webhook */
  async #fail(state, why, before, webhook) {
    const { fallback } = this.settings;
    // A check that could not be made says nothing about the webhook.
    if (state === 'cannot check' || webhook.failurePolicy !== 'Fail') return this.#become(state, why);
    this.#failures += 1;
    if (!fallback || this.#failures < PATIENCE) return this.#become(state, why);
    const refusal = await this.#set(before, 'Ignore');
    return refusal ? this.#become('cannot check', refusal) : this.#become('fell back', why);
  }

  /** @param {Configuration} before @param {Policy} policy @returns {Promise<string | null>} why it could not be set */
  async #set(before, policy) {
    const { configuration } = this.settings;
    try {
      await this.cluster.setPolicy(before.metadata?.resourceVersion ?? '', policy);
      return null;
    } catch (error) {
      const { code, message } = /** @type {Refusal} */ (error);
      if (code === 409) return 'the configuration was changed in the meantime; checking again';
      if (code === 403) return `${message}; grant \`patch\` on validatingwebhookconfigurations with resourceNames: [${configuration}]`;
      return message;
    }
  }

  /** @param {Refusal} refusal */
  #whyNotRead({ code, message }) {
    const { configuration } = this.settings;
    if (code === 404) return `${message}; apply it, or name another in arm.configuration`;
    if (code === 403) return `${message}; grant \`get\` on validatingwebhookconfigurations with resourceNames: [${configuration}]`;
    return message;
  }

  /** Logs changes of state. @param {State} state @param {string} why @returns {State} */
  #become(state, why) {
    const { configuration, webhook, failurePolicy } = this.settings;
    const isGood = state === 'armed' || state === 'set';
    // Staying armed after arming is not news.
    const isNew = state !== this.#state && !(state === 'armed' && this.#state === 'set');
    if (isNew) {
      const message = {
        set: `armed: failurePolicy is ${failurePolicy} now`,
        armed: `armed: failurePolicy is ${failurePolicy}`,
        'fell back': 'no longer armed: failurePolicy is Ignore now',
      }[/** @type {string} */ (state)];
      this.tell(isGood || state === 'held' ? 'info' : 'warn', message ?? 'not armed', { state, configuration, webhook, why });
    }
    this.#state = state;
    return state;
  }
}

/** An EndpointSlice without a Service whose address is the cloud's metadata service. @param {string} namespace */
function badSlice(namespace) {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `slicewise-check-${randomBytes(4).toString('hex')}`, namespace },
    addressType: 'IPv6',
    endpoints: [{ addresses: [BAD_ADDRESS] }],
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
  };
}

/**
 * The cluster that is watched, with the credentials of its watches.
 * @param {ArmSettings} settings
 * @param {import('./cluster/connection.js').Connection} connection
 * @param {AbortSignal} [signal] ends requests that are under way
 * @returns {Cluster}
 */
export function clusterOf({ configuration, webhook }, connection, signal = new AbortController().signal) {
  const place = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${encodeURIComponent(configuration)}`;
  const slices = (/** @type {string} */ namespace) => `/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/endpointslices`;
  const ask = (/** @type {string} */ path) => answered(connection, (conversation) => conversation.get(path, { silence: SILENCE, signal }));
  const send = (/** @type {string} */ method, /** @type {string} */ path, /** @type {string} */ type, /** @type {object} */ value) =>
    answered(connection, (conversation) => conversation.send(method, path, { type, value }, { silence: SILENCE, signal }));
  return {
    read: () => ask(place),
    tryWrite: (slice) => send('POST', `${slices(/** @type {any} */ (slice).metadata.namespace)}?dryRun=All`, 'application/json', slice),
    setPolicy: (resourceVersion, failurePolicy) => {
      const change = { metadata: { resourceVersion }, webhooks: [{ name: webhook, failurePolicy }] };
      return send('PATCH', place, 'application/strategic-merge-patch+json', change);
    },
    ready: async (service) => {
      const [namespace, name] = service.split('/');
      const { items } = await ask(`${slices(namespace)}?labelSelector=${encodeURIComponent(`kubernetes.io/service-name=${name}`)}`);
      /** @type {{addresses: string[], conditions?: {ready?: boolean}}[]} */
      const endpoints = items.flatMap((/** @type {any} */ slice) => slice.endpoints ?? []);
      return endpoints.filter(({ conditions }) => conditions?.ready !== false).flatMap(({ addresses }) => addresses);
    },
  };
}

/**
 * The API server's response, or its refusal in its own words.
 * @param {import('./cluster/connection.js').Connection} connection
 * @param {(conversation: import('./cluster/connection.js').Conversation) => Promise<import('node:http').IncomingMessage>} ask
 * @returns {Promise<any>}
 */
async function answered(connection, ask) {
  const { status, text } = await exchanged(connection, ask);
  if (status >= 200 && status < 300) return JSON.parse(text);
  if (status === 401) connection.forget();
  /** @type {Refusal} */
  const refusal = { code: status, message: statusMessage(text) ?? `status ${status}` };
  throw refusal;
}

/** @type {(...asked: Parameters<typeof answered>) => Promise<{status: number, text: string}>} */
async function exchanged(connection, ask) {
  try {
    const conversation = await connection.open();
    try {
      const response = await ask(conversation);
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      return { status: response.statusCode ?? 0, text };
    } finally {
      conversation.close();
    }
  } catch (error) {
    const { message, code } = /** @type {any} */ (error);
    /** @type {Refusal} */
    const refusal = { code: 0, message: message || code };
    throw refusal;
  }
}

/** The message of a Status; otherwise the text itself. @param {string} text @returns {string | undefined} */
function statusMessage(text) {
  try {
    return JSON.parse(text).message;
  } catch {
    return text || undefined;
  }
}

/**
 * Checks periodically.
 * @param {ArmSettings} settings
 * @param {import('./cluster/connection.js').Connection} connection to the cluster that is watched
 * @param {Tell} tell
 * @param {string} [service] the webhook's own, as NAMESPACE/NAME
 * @returns {() => Promise<void>} ends it
 */
export function startArming(settings, connection, tell, service) {
  const [end, cut] = [new AbortController(), new AbortController()];
  const arming = new Arming(settings, clusterOf(settings, connection, cut.signal), tell);
  const turns = (async () => {
    while (!end.signal.aborted) {
      const state = await arming.check();
      const pause = state === 'armed' || state === 'set' ? settings.interval : Math.min(settings.interval, SOON);
      await delay(pause, undefined, { signal: end.signal, ref: false }).catch(() => {});
    }
  })();
  return async () => {
    end.abort();
    const last = turns.then(() => (service === undefined ? undefined : arming.end(service)));
    await Promise.race([last, delay(LAST_WORD, undefined, { ref: false })]);
    cut.abort();
  };
}
