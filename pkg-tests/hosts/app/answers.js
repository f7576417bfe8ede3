/** What the page and the programs of the tests ask: something of every entry. */

export const cart = {
  metadata: { namespace: 'shop', name: 'cart' },
  spec: { selector: { app: 'cart' }, clusterIP: '10.96.0.7', ipFamilies: ['IPv4'], ports: [{ name: 'http', port: 80 }] },
};

/** @param {typeof import('./entries.js')} entries */
export function answers({ plan, SlicewiseError, policies, createReviewer, Session, Timeline, explain }) {
  const session = new Session();
  session.apply({ type: 'ADDED', object: { kind: 'Service', ...cart } });
  const timeline = new Timeline({ zones: [{ name: 'a', nodes: 1 }], services: [{ service: 'shop/cart', replicas: 2 }] });

  /** @param {() => unknown} call */
  function codeOf(call) {
    try {
      return call();
    } catch (error) {
      return error instanceof SlicewiseError ? error.code : error;
    }
  }

  return {
    plan: plan({ service: cart }).create.length,
    refused: codeOf(() => plan('{}')),
    session: session.services(),
    explain: explain({ kind: 'List', items: [{ kind: 'Service', ...cart }] }, { about: 'service' }).services.length,
    admission: policies().length > 0 && createReviewer().status().kinds.Pod.known,
    simulation: timeline.report().end.isConverged,
  };
}

/** @param {object} told */
export function show(told) {
  const output = globalThis.document?.querySelector('output');
  if (output) output.textContent = JSON.stringify(told);
  else console.log(JSON.stringify(told));
}
