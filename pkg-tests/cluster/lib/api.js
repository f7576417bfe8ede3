/** A minimal Kubernetes client for the tests: JSON in and out, over one pool of connections. */
import { Agent, request } from 'node:https';

/** The time limit of a request, in milliseconds. */
const LIMIT = 240_000;

/** The API paths of kinds. */
const KINDS = /** @type {const} */ ({
  Namespace: { group: '/api/v1', plural: 'namespaces', namespaced: false },
  Node: { group: '/api/v1', plural: 'nodes', namespaced: false },
  Endpoints: { group: '/api/v1', plural: 'endpoints', namespaced: true },
  Service: { group: '/api/v1', plural: 'services', namespaced: true },
  Pod: { group: '/api/v1', plural: 'pods', namespaced: true },
  ServiceAccount: { group: '/api/v1', plural: 'serviceaccounts', namespaced: true },
  ClusterRole: { group: '/apis/rbac.authorization.k8s.io/v1', plural: 'clusterroles', namespaced: false },
  ClusterRoleBinding: { group: '/apis/rbac.authorization.k8s.io/v1', plural: 'clusterrolebindings', namespaced: false },
  Role: { group: '/apis/rbac.authorization.k8s.io/v1', plural: 'roles', namespaced: true },
  RoleBinding: { group: '/apis/rbac.authorization.k8s.io/v1', plural: 'rolebindings', namespaced: true },
  ResourceQuota: { group: '/api/v1', plural: 'resourcequotas', namespaced: true },
  CustomResourceDefinition: { group: '/apis/apiextensions.k8s.io/v1', plural: 'customresourcedefinitions', namespaced: false },
  SliceException: { group: '/apis/slicewise.dev/v1alpha1', plural: 'sliceexceptions', namespaced: false },
  Report: { group: '/apis/openreports.io/v1alpha1', plural: 'reports', namespaced: true },
  ClusterReport: { group: '/apis/openreports.io/v1alpha1', plural: 'clusterreports', namespaced: false },
  PolicyReport: { group: '/apis/wgpolicyk8s.io/v1alpha2', plural: 'policyreports', namespaced: true },
  ClusterPolicyReport: { group: '/apis/wgpolicyk8s.io/v1alpha2', plural: 'clusterpolicyreports', namespaced: false },
  Issuer: { group: '/apis/cert-manager.io/v1', plural: 'issuers', namespaced: true },
  Certificate: { group: '/apis/cert-manager.io/v1', plural: 'certificates', namespaced: true },
  Deployment: { group: '/apis/apps/v1', plural: 'deployments', namespaced: true },
  StatefulSet: { group: '/apis/apps/v1', plural: 'statefulsets', namespaced: true },
  DaemonSet: { group: '/apis/apps/v1', plural: 'daemonsets', namespaced: true },
  ReplicaSet: { group: '/apis/apps/v1', plural: 'replicasets', namespaced: true },
  CronJob: { group: '/apis/batch/v1', plural: 'cronjobs', namespaced: true },
  ConfigMap: { group: '/api/v1', plural: 'configmaps', namespaced: true },
  Secret: { group: '/api/v1', plural: 'secrets', namespaced: true },
  PodDisruptionBudget: { group: '/apis/policy/v1', plural: 'poddisruptionbudgets', namespaced: true },
  HorizontalPodAutoscaler: { group: '/apis/autoscaling/v2', plural: 'horizontalpodautoscalers', namespaced: true },
  NetworkPolicy: { group: '/apis/networking.k8s.io/v1', plural: 'networkpolicies', namespaced: true },
  ValidatingAdmissionPolicy: { group: '/apis/admissionregistration.k8s.io/v1', plural: 'validatingadmissionpolicies', namespaced: false },
  ValidatingAdmissionPolicyBinding: {
    group: '/apis/admissionregistration.k8s.io/v1',
    plural: 'validatingadmissionpolicybindings',
    namespaced: false,
  },
  Lease: { group: '/apis/coordination.k8s.io/v1', plural: 'leases', namespaced: true },
  /** The same Events, as `kubectl get events` shows them. */
  CoreEvent: { group: '/api/v1', plural: 'events', namespaced: true },
  Event: { group: '/apis/events.k8s.io/v1', plural: 'events', namespaced: true },
  ValidatingWebhookConfiguration: { group: '/apis/admissionregistration.k8s.io/v1', plural: 'validatingwebhookconfigurations', namespaced: false },
  EndpointSlice: { group: '/apis/discovery.k8s.io/v1', plural: 'endpointslices', namespaced: true },
});

/** @typedef {keyof typeof KINDS} Kind */

export class Api {
  /** Impersonation headers. @type {string[]} */
  identity = [];

  /** @param {string} url @param {string} token @param {string | Agent} ca PEM, or connections to share */
  constructor(url, token, ca) {
    this.url = url;
    this.token = token;
    this.agent = ca instanceof Agent ? ca : new Agent({ ca, keepAlive: true, maxSockets: 8 });
  }

  /** @param {any} object with its apiVersion and kind @param {{dryRun?: boolean}} [options] */
  create(object, { dryRun = false } = {}) {
    const query = dryRun ? '?dryRun=All&fieldValidation=Strict' : '';
    return this.call('POST', folder(object.kind, object.metadata.namespace) + query, object);
  }

  /** Replaces an object, if its resourceVersion is still current. @param {any} object */
  replace(object) {
    return this.call('PUT', place(object.kind, object.metadata), object);
  }

  /**
   * A merge patch of an object, or of its status.
   * @param {Kind} kind @param {string} name NAMESPACE/NAME, or NAME @param {object} change @param {string} [part]
   */
  patch(kind, name, change, part = '') {
    return this.call('PATCH', place(kind, split(name)) + part, change, 'application/merge-patch+json');
  }

  /**
   * A JSON Patch of an object.
   * @param {Kind} kind @param {string} name NAMESPACE/NAME, or NAME @param {object[]} operations
   */
  jsonPatch(kind, name, operations) {
    return this.call('PATCH', place(kind, split(name)), operations, 'application/json-patch+json');
  }

  /**
   * Server-side apply.
   * @param {any} body with its apiVersion and kind @param {{fieldManager: string, force: boolean}} options
   */
  serverSideApply(body, { fieldManager, force }) {
    const query = new URLSearchParams({ fieldManager, force: String(force) });
    return this.call('PATCH', `${place(body.kind, body.metadata)}?${query}`, body, 'application/apply-patch+yaml');
  }

  /** @param {Kind} kind @param {string} name @param {object} status */
  patchStatus(kind, name, status) {
    return this.patch(kind, name, { status }, '/status');
  }

  /** @param {Kind} kind @param {string} name @param {object} [options] a DeleteOptions */
  delete(kind, name, options) {
    return this.call('DELETE', place(kind, split(name)), options);
  }

  /** All objects of a kind, each with its apiVersion and kind. @param {Kind} kind @returns {Promise<any[]>} */
  async list(kind) {
    const { apiVersion, items } = await this.call('GET', folder(kind));
    return items.map((/** @type {any} */ item) => ({ apiVersion, kind, ...item }));
  }

  /** @param {Kind} kind @param {string} name @returns {Promise<any>} */
  get(kind, name) {
    return this.call('GET', place(kind, split(name)));
  }

  /** A token of a ServiceAccount. @param {string} name NAMESPACE/NAME @returns {Promise<string>} */
  async tokenOf(name) {
    const wanted = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
    const { status } = await this.call('POST', `${place('ServiceAccount', split(name))}/token`, wanted);
    return status.token;
  }

  /** The same client, impersonating a user. @param {string} user @param {string[]} groups */
  as(user, groups) {
    const other = new Api(this.url, this.token, this.agent);
    // Each group is a header of its own.
    other.identity = ['impersonate-user', user, ...groups.flatMap((group) => ['impersonate-group', group])];
    return other;
  }

  /** A page that is not JSON. @param {string} path @returns {Promise<string>} */
  text(path) {
    return this.call('GET', path, undefined, undefined, (answer) => answer);
  }

  /**
   * @param {string} method @param {string} path @param {object} [body] @param {string} [type]
   * @param {(answer: string) => any} [read]
   * @returns {Promise<any>}
   */
  async call(method, path, body, type, read = JSON.parse) {
    const { status, text } = await this.ask(method, path, body, type);
    if (status >= 200 && status < 300) return read(text);
    throw new Error(`${method} ${path}: ${status} ${messageOf(text)}`);
  }

  /**
   * The response, whatever its status.
   * @param {string} method @param {string} path @param {object} [body] @param {string} [type]
   * @returns {Promise<{status: number, text: string, warnings: string[]}>} warnings as `kubectl` shows them
   */
  ask(method, path, body, type = 'application/json') {
    const content = body ? JSON.stringify(body) : '';
    // Node would send the body of a DELETE without a length.
    const length = String(Buffer.byteLength(content));
    const headers = [
      'host',
      new URL(this.url).host,
      'authorization',
      `Bearer ${this.token}`,
      'accept',
      'application/json, text/plain',
      'content-type',
      type,
      'content-length',
      length,
    ];
    const options = { method, headers: [...headers, ...this.identity], agent: this.agent, signal: AbortSignal.timeout(LIMIT) };
    return new Promise((resolve, reject) => {
      const fail = (/** @type {any} */ reason) => reject(new Error(`${method} ${path}: ${reason}`));
      const sent = request(this.url + path, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('error', fail);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, warnings: warningsOf(response.rawHeaders) }));
      });
      sent.on('error', fail);
      sent.end(content);
    });
  }

  /** @param {string} operation @param {any} object @returns {[method: string, path: string]} the request that writes it */
  static placeOf(operation, object) {
    if (operation === 'CREATE') return ['POST', folder(object.kind, object.metadata.namespace)];
    return [operation === 'DELETE' ? 'DELETE' : 'PUT', place(object.kind, object.metadata)];
  }

  close() {
    this.agent.destroy();
  }
}

/** @param {Kind} kind @param {string} [namespace] */
function folder(kind, namespace) {
  const { group, plural, namespaced } = KINDS[kind];
  return namespaced && namespace ? `${group}/namespaces/${namespace}/${plural}` : `${group}/${plural}`;
}

/** @param {Kind} kind @param {{namespace?: string, name: string}} of */
function place(kind, { namespace, name }) {
  return `${folder(kind, namespace)}/${name}`;
}

/** @param {string} name */
function split(name) {
  const [namespace, rest] = name.split('/');
  return rest ? { namespace, name: rest } : { name };
}

/** Their texts, unquoted: `299 - "text"`, in UTF-8, which Node does not decode. @param {string[]} headers alternating names and values */
function warningsOf(headers) {
  const values = headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'warning');
  return values.map((value) => JSON.parse(Buffer.from(value.slice(value.indexOf('"')), 'latin1').toString()));
}

/** The message of a Status, with which the server reports errors. @param {string} text */
function messageOf(text) {
  try {
    return JSON.parse(text).message ?? text;
  } catch {
    return text;
  }
}
