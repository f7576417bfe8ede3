/** The terms of the picture, each explained at a press: what a pointer shows by hovering, a finger cannot. */
import { h } from 'preact';
import { useMemo } from 'preact/hooks';

/** @type {[string, string][]} */
const TERMS = [
  ['Endpoint', 'An address that requests go to, with its conditions: ready, serving, terminating. A pod is one in each of its families.'],
  ['EndpointSlice', 'Up to 100 endpoints of one Service, family and set of ports. If one of them changes, all of it is sent to every node.'],
  ['Zone', 'Where a node is, by its label topology.kubernetes.io/zone. Traffic between zones costs money and time.'],
  ['Hint', 'The zones or nodes whose clients an endpoint is for. kube-proxy follows hints only if all ready endpoints have one.'],
  ['Plan', 'What the controller would write now: the slices to create, update and delete, with the pods and nodes as they are.'],
];

/** A line of terms. They are drawn once: comparing them takes as long. */
export function Terms() {
  return useMemo(() => h('ul', { class: 'terms', 'aria-label': 'Terms' }, TERMS.map(termOf)), []);
}

/** @param {[string, string]} entry */
function termOf([term, text]) {
  const id = `term-${term.toLowerCase()}`;
  return h(
    'li',
    { key: term },
    h('button', { type: 'button', class: 'term', 'aria-label': `${term}: what it is`, popovertarget: id }, term),
    h('div', { id, class: 'term-text', popover: 'auto' }, h('strong', null, term), h('p', null, text)),
  );
}
