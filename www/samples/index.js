/**
 * The gallery: what each example teaches, in one sentence, and where it comes from. The inputs are next to
 * this file and fetched on demand; `generate.mjs` writes them, except for the snapshot of a real cluster.
 */

/**
 * @typedef {object} Example
 * @property {string} id
 * @property {string} theme
 * @property {string} title
 * @property {string} teaches
 * @property {{label: string, url: string}} source
 * @property {URL} url
 */

/** @param {string} reference `owner/repository#number` */
function issue(reference) {
  return { label: reference, url: `https://github.com/${reference.replace('#', '/issues/')}` };
}

/** @param {number} number */
function kep(number) {
  return { label: `KEP-${number}`, url: `https://github.com/kubernetes/enhancements/issues/${number}` };
}

const K8S = 'kubernetes/kubernetes';

/** @type {Example[]} */
export const EXAMPLES = [
  {
    id: 'eleven-endpoints',
    theme: 'Hints',
    title: 'Eleven endpoints in three zones: hints vanish',
    teaches: 'One pod of twelve goes, and all hints with it: each zone must get at least four, and four times three is more than eleven.',
    source: issue(`${K8S}#122437`),
    url: new URL('./eleven-endpoints.json', import.meta.url),
  },
  {
    id: 'unlabelled-node',
    theme: 'Hints',
    title: 'One node without a zone turns hints off',
    teaches:
      'A single node without a zone label takes the hints from every Service of the cluster that asked for them in mode Auto, even if none of its ' +
        'pods runs there.',
    source: issue(`${K8S}#119990`),
    url: new URL('./unlabelled-node.json', import.meta.url),
  },
  {
    id: 'node-without-cpu',
    theme: 'Hints',
    title: 'A node that does not report its CPU',
    teaches: 'All zones are labelled, and hints still go: mode Auto shares out by CPU, and one node does not say how much it has.',
    source: issue(`${K8S}#124699`),
    url: new URL('./node-without-cpu.json', import.meta.url),
  },
  {
    id: 'too-few-endpoints',
    theme: 'Hints',
    title: 'Two replicas in three zones',
    teaches: 'With fewer ready endpoints than zones, mode Auto gives no hints at all.',
    source: issue(`${K8S}#103888`),
    url: new URL('./too-few-endpoints.json', import.meta.url),
  },
  {
    id: 'one-one-two',
    theme: 'Hints',
    title: 'One, one and two: too few for three zones',
    teaches: 'Four endpoints over three equal zones would overload one of them by too much, while three or six fit.',
    source: issue('kubernetes/enhancements#4003'),
    url: new URL('./one-one-two.json', import.meta.url),
  },
  {
    id: 'rounding-trap',
    theme: 'Hints',
    title: 'Six endpoints, five zones, and a rounding trap',
    teaches:
      'By exact arithmetic six endpoints fit into five equal zones; in binary fractions a fifth of six is a little more than 1.2, and hints stay ' +
        'off.',
    source: issue(`${K8S}#122437`),
    url: new URL('./rounding-trap.json', import.meta.url),
  },
  {
    id: 'zone-not-ready',
    theme: 'Hints',
    title: 'Two zones go down, and hints with them',
    teaches: 'Only nodes that are ready count, so with one zone left there is nothing to distribute, and clients use any ready endpoint.',
    source: issue(`${K8S}#114215`),
    url: new URL('./zone-not-ready.json', import.meta.url),
  },
  {
    id: 'control-plane-zone',
    theme: 'Hints',
    title: 'A zone with control-plane nodes only',
    teaches: 'Nodes of the control plane do not count in mode Auto, so a second zone that has no other nodes does not count as a zone.',
    source: issue(`${K8S}#116098`),
    url: new URL('./control-plane-zone.json', import.meta.url),
  },
  {
    id: 'borrowed-endpoints',
    theme: 'Hints',
    title: 'A hint can name another zone',
    teaches: 'Zone A has half of the CPU but a third of the pods, so endpoints that run in B or C carry a hint that names A.',
    source: issue(`${K8S}#132481`),
    url: new URL('./borrowed-endpoints.json', import.meta.url),
  },
  {
    id: 'hints-removed',
    theme: 'Hints',
    title: 'The annotation goes, and every slice is written',
    teaches: 'Hints are part of each endpoint, so removing them rewrites all slices of the Service and sends them to every node.',
    source: issue(`${K8S}#114215`),
    url: new URL('./hints-removed.json', import.meta.url),
  },
  {
    id: 'lopsided-zones',
    theme: 'Near traffic',
    title: 'PreferSameZone does not count endpoints',
    teaches: 'Seven pods in zone A and one in C all get the hint of their own zone, so the single pod takes all the traffic of its zone.',
    source: issue('istio/istio#50727'),
    url: new URL('./lopsided-zones.json', import.meta.url),
  },
  {
    id: 'empty-zone',
    theme: 'Near traffic',
    title: 'A zone without a pod crosses zones',
    teaches: 'PreferSameZone is a preference: clients in a zone that has no endpoint use the endpoints of all others.',
    source: issue('envoyproxy/gateway#3588'),
    url: new URL('./empty-zone.json', import.meta.url),
  },
  {
    id: 'same-node',
    theme: 'Near traffic',
    title: 'PreferSameNode adds hints for nodes',
    teaches: 'A DNS pod on every node is asked by its own node first, with a hint for the zone as a fallback.',
    source: issue(`${K8S}#113731`),
    url: new URL('./same-node.json', import.meta.url),
  },
  {
    id: 'annotation-wins',
    theme: 'Near traffic',
    title: 'The annotation beats the field',
    teaches: 'With topology-mode: Auto and trafficDistribution both set, Auto decides, and five endpoints in three zones are too few for it.',
    source: issue('kubernetes/website#49943'),
    url: new URL('./annotation-wins.json', import.meta.url),
  },
  {
    id: 'nothing-asks',
    theme: 'Near traffic',
    title: 'Nothing asks, so traffic goes everywhere',
    teaches: 'Well spread pods alone keep no traffic in its zone: without a request for hints two thirds of it cross zones.',
    source: kep(2433),
    url: new URL('./nothing-asks.json', import.meta.url),
  },
  {
    id: 'one-without-hint',
    theme: 'Near traffic',
    title: 'One endpoint without a hint undoes them all',
    teaches: 'As long as one ready endpoint has no hint, kube-proxy ignores the hints of all others; the plan fixes that with one write.',
    source: issue(`${K8S}#106507`),
    url: new URL('./one-without-hint.json', import.meta.url),
  },
  {
    id: 'scale-up',
    theme: 'Packing',
    title: 'Scaling up opens a slice before it fills one',
    teaches:
      'Of twelve new endpoints ten get a slice of their own and two top up one that has room, because few writes count for more than full slices.',
    source: issue(`${K8S}#119020`),
    url: new URL('./scale-up.json', import.meta.url),
  },
  {
    id: 'scale-down',
    theme: 'Packing',
    title: 'Scaling down leaves slices half empty',
    teaches: 'Eighteen of thirty pods go and nothing is packed together: three slices stay where two would do.',
    source: issue(`${K8S}#81048`),
    url: new URL('./scale-down.json', import.meta.url),
  },
  {
    id: 'scaled-to-zero',
    theme: 'Packing',
    title: 'Scaled to zero, one empty slice stays',
    teaches: 'A Service without endpoints keeps a single slice as a placeholder; the others are deleted.',
    source: issue('kubernetes/enhancements#1086'),
    url: new URL('./scaled-to-zero.json', import.meta.url),
  },
  {
    id: 'maximum-lowered',
    theme: 'Packing',
    title: 'A lower maximum changes nothing by itself',
    teaches: 'A slice that already holds more than the maximum stays unchanged until something else about it changes.',
    source: issue(`${K8S}#119020`),
    url: new URL('./maximum-lowered.json', import.meta.url),
  },
  {
    id: 'duplicates',
    theme: 'Packing',
    title: 'The same address in two slices',
    teaches: 'An endpoint may be in two slices for a while, and the next plan takes the second copy out.',
    source: issue(`${K8S}#93374`),
    url: new URL('./duplicates.json', import.meta.url),
  },
  {
    id: 'cost-of-a-change',
    theme: 'Packing',
    title: 'What one unready pod costs',
    teaches: 'A single condition changes, and the whole slice of sixty endpoints is written and sent to every node.',
    source: issue(`${K8S}#24553`),
    url: new URL('./cost-of-a-change.json', import.meta.url),
  },
  {
    id: 'rolling-update',
    theme: 'Pods',
    title: 'In the middle of a rolling update',
    teaches:
      'Old pods that drain and new ones that are not ready are all endpoints, each with its own conditions, and the places of those gone are ' +
        'filled first.',
    source: issue(`${K8S}#114215`),
    url: new URL('./rolling-update.json', import.meta.url),
  },
  {
    id: 'drain',
    theme: 'Pods',
    title: 'A node is drained',
    teaches: 'Pods that end stay endpoints, marked as terminating but still serving, until they are gone.',
    source: issue(`${K8S}#85643`),
    url: new URL('./drain.json', import.meta.url),
  },
  {
    id: 'crash-loop',
    theme: 'Pods',
    title: 'Every pod crashes, and the addresses stay',
    teaches: 'Pods that are not ready remain in the slice, so a full slice may have no endpoint that answers.',
    source: issue(`${K8S}#78290`),
    url: new URL('./crash-loop.json', import.meta.url),
  },
  {
    id: 'readiness-gate',
    theme: 'Pods',
    title: 'All containers are ready, the pod is not',
    teaches: 'A readiness gate that a load balancer has not confirmed keeps a pod from being a ready endpoint.',
    source: issue('kubernetes-sigs/aws-load-balancer-controller#1205'),
    url: new URL('./readiness-gate.json', import.meta.url),
  },
  {
    id: 'evicted',
    theme: 'Pods',
    title: 'Evicted pods still show an address',
    teaches: 'A failed pod is not an endpoint, whatever address its status still shows.',
    source: issue(`${K8S}#109414`),
    url: new URL('./evicted.json', import.meta.url),
  },
  {
    id: 'unknown-node',
    theme: 'Pods',
    title: 'A pod on an unknown node',
    teaches: 'The pod whose node is not known yet is left out, the rest of the plan is made, and the Service is retried.',
    source: issue(`${K8S}#107927`),
    url: new URL('./unknown-node.json', import.meta.url),
  },
  {
    id: 'named-port',
    theme: 'Ports and families',
    title: 'One port name, two numbers',
    teaches: 'Endpoints with different port numbers cannot share a slice, so a rollout that moves a named port has two groups until it is over.',
    source: issue(`${K8S}#83145`),
    url: new URL('./named-port.json', import.meta.url),
  },
  {
    id: 'port-not-found',
    theme: 'Ports and families',
    title: 'A port name some pods do not have',
    teaches: 'Pods without the named port that the Service targets get a slice without ports, and cannot be reached.',
    source: issue(`${K8S}#109627`),
    url: new URL('./port-not-found.json', import.meta.url),
  },
  {
    id: 'dual-stack',
    theme: 'Ports and families',
    title: 'A headless Service gets a second family',
    teaches: 'Slices hold one address family each, so the IPv6 addresses get separate slices and the IPv4 slice stays unchanged.',
    source: kep(563),
    url: new URL('./dual-stack.json', import.meta.url),
  },
  {
    id: 'family-removed',
    theme: 'Ports and families',
    title: 'IPv6 is taken out of a Service',
    teaches: 'The slices of a family that the Service no longer has are deleted, and the others are not touched.',
    source: issue(`${K8S}#94505`),
    url: new URL('./family-removed.json', import.meta.url),
  },
  {
    id: 'no-hostname',
    theme: 'Ports and families',
    title: 'A member without a name of its own',
    teaches: 'A pod of a headless Service gets a DNS name of its own only if its subdomain is the name of the Service.',
    source: issue(`${K8S}#74950`),
    url: new URL('./no-hostname.json', import.meta.url),
  },
  {
    id: 'selector-typo',
    theme: 'Who owns what',
    title: 'A typo in a selector empties a Service',
    teaches: 'The selector says order and the pods say orders, so no pod matches and a single slice without endpoints stays.',
    source: issue(`${K8S}#47711`),
    url: new URL('./selector-typo.json', import.meta.url),
  },
  {
    id: 'other-namespace',
    theme: 'Who owns what',
    title: 'The labels match, the namespace does not',
    teaches: 'A selector only finds pods in its own namespace.',
    source: issue(`${K8S}#7341`),
    url: new URL('./other-namespace.json', import.meta.url),
  },
  {
    id: 'no-selector',
    theme: 'Who owns what',
    title: 'Without a selector, slices are not managed',
    teaches: 'When the selector is removed, the slices stay unchanged and go stale, because the controller no longer manages them.',
    source: issue(`${K8S}#118376`),
    url: new URL('./no-selector.json', import.meta.url),
  },
  {
    id: 'external-name',
    theme: 'Who owns what',
    title: 'An ExternalName Service with a selector',
    teaches: 'A Service of type ExternalName gets no slices, even if its selector finds pods.',
    source: issue(`${K8S}#105986`),
    url: new URL('./external-name.json', import.meta.url),
  },
  {
    id: 'other-manager',
    theme: 'Who owns what',
    title: 'Slices of another manager are left alone',
    teaches: 'The label managed-by says whose slice it is, and the plan neither fills nor deletes those of others.',
    source: kep(3685),
    url: new URL('./other-manager.json', import.meta.url),
  },
  {
    id: 'label-by-hand',
    theme: 'Who owns what',
    title: 'A label put on a slice by hand',
    teaches: 'The labels of a slice follow its Service, so one that somebody adds is gone with the next plan.',
    source: issue(`${K8S}#85353`),
    url: new URL('./label-by-hand.json', import.meta.url),
  },
  {
    id: 'cluster-at-rest',
    theme: 'Who owns what',
    title: 'A real cluster at rest',
    teaches: 'Eight Services, 168 pods and 13 nodes as kubectl printed them after a controller had settled: every plan is empty.',
    source: { label: 'Kubernetes v1.36.3', url: 'https://github.com/kubernetes/kubernetes/releases/tag/v1.36.3' },
    url: new URL('../../samples/cluster-at-rest.json', import.meta.url),
  },
];

/** @param {string} id */
export function exampleById(id) {
  return EXAMPLES.find((example) => example.id === id);
}
