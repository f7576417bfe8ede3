/** Who reads slices, as choices. @type {[import('../types.js').Reader, string][]} */
export const READERS = [
  ['kube-proxy', 'kube-proxy'],
  ['cilium', 'Cilium, with topology'],
  ['istio', 'Istio (ztunnel)'],
  ['linkerd', 'Linkerd'],
  ['envoy-gateway', 'Envoy Gateway'],
];
