/** A page that uses every entry, directly and in a worker, as documented. */
import { SlicewiseError, plan } from 'slicewise';
import { createReviewer, policies } from 'slicewise/admission';
import { Session } from 'slicewise/session';
import { Timeline } from 'slicewise/simulation';
import { explain } from 'slicewise/tools';

const cart = {
  metadata: { namespace: 'shop', name: 'cart' },
  spec: { selector: { app: 'cart' }, clusterIP: '10.96.0.7', ipFamilies: ['IPv4'], ports: [{ name: 'http', port: 80 }] },
};

const session = new Session();
session.apply({ type: 'ADDED', object: { kind: 'Service', ...cart } });
const timeline = new Timeline({ zones: [{ name: 'a', nodes: 1 }], services: [{ service: 'shop/cart', replicas: 2 }] });
const reviewer = createReviewer();

/** @returns {Promise<unknown>} the worker's plan */
function askWorker() {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ service: cart });
  });
}

/** @param {() => unknown} call */
function codeOf(call) {
  try {
    return call();
  } catch (error) {
    return error instanceof SlicewiseError ? error.code : error;
  }
}

const answers = {
  plan: plan({ service: cart }).create.length,
  refused: codeOf(() => plan('{}')),
  session: session.services(),
  explain: explain({ kind: 'List', items: [{ kind: 'Service', ...cart }] }, { about: 'service' }).services.length,
  admission: policies().length > 0 && reviewer.status().kinds.Pod.known,
  simulation: timeline.report().end.isConverged,
  worker: await askWorker(),
};
/** @type {HTMLOutputElement} */ (document.querySelector('output')).textContent = JSON.stringify(answers);
