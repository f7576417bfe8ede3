/**
 * The gallery: what each example teaches and where in the real world it comes from. The inputs lie beside
 * this file; `generate.mjs` writes them, except for the snapshot of a real cluster, which is the project's.
 */

/**
 * @typedef {object} Example
 * @property {string} id
 * @property {string} title
 * @property {string} teaches
 * @property {{label: string, url: string}} source
 * @property {URL} url
 */

/** @param {string} repository @param {number} number */
function issue(repository, number) {
  return { label: `${repository}#${number}`, url: `https://github.com/${repository}/issues/${number}` };
}

/** @type {Example[]} */
export const EXAMPLES = [
  {
    id: 'scale-up',
    title: 'Scaling up opens a slice before it fills one',
    teaches:
      'Twelve pods join a Service whose slices hold ten endpoints at most. Ten of them get a slice of their own, and only the last two top up the slice that has room. A changed slice goes to every node, so few writes count for more than full slices.',
    source: issue('kubernetes/kubernetes', 119020),
    url: new URL('./scale-up.json', import.meta.url),
  },
  {
    id: 'scale-down',
    title: 'Scaling down leaves slices half empty',
    teaches:
      'Eighteen of thirty pods go. Each slice loses some, none is empty, and nothing is packed together: three slices stay where two would do, because every slice that changes goes to every node.',
    source: issue('kubernetes/kubernetes', 81048),
    url: new URL('./scale-down.json', import.meta.url),
  },
  {
    id: 'rolling-update',
    title: 'In the middle of a rolling update',
    teaches:
      'Old pods drain: some still serve while they terminate, some no longer do. New pods come, not all of them ready. All are endpoints, each with its own conditions, and the places of those gone are filled first.',
    source: issue('kubernetes/kubernetes', 114215),
    url: new URL('./rolling-update.json', import.meta.url),
  },
  {
    id: 'eleven-endpoints',
    title: 'Eleven endpoints in three zones: hints vanish',
    teaches:
      'With twelve pods, four in each zone, every endpoint had a hint. One pod goes, and all hints with it: each zone must get at least four, and four times three is more than eleven.',
    source: issue('kubernetes/kubernetes', 122437),
    url: new URL('./eleven-endpoints.json', import.meta.url),
  },
  {
    id: 'unlabelled-node',
    title: 'One node without a zone turns hints off',
    teaches:
      'A new node has no zone label. No pod of this Service runs there, yet the shares of the zones can no longer be known, so hints go away for every Service of the cluster that asked for them.',
    source: issue('kubernetes/kubernetes', 119990),
    url: new URL('./unlabelled-node.json', import.meta.url),
  },
  {
    id: 'borrowed-endpoints',
    title: 'A hint can name another zone',
    teaches:
      'Zone A has half of the CPU but a third of the pods. In mode Auto, endpoints of the other zones are lent to it: their hint names A although they run in B or C.',
    source: issue('kubernetes/kubernetes', 132481),
    url: new URL('./borrowed-endpoints.json', import.meta.url),
  },
  {
    id: 'lopsided-zones',
    title: 'PreferSameZone does not count endpoints',
    teaches:
      'Seven pods in zone A, two in B, one in C, and every one gets the hint of its own zone. The single pod in C takes all the traffic of its zone; nothing guards against overload here.',
    source: issue('istio/istio', 50727),
    url: new URL('./lopsided-zones.json', import.meta.url),
  },
  {
    id: 'same-node',
    title: 'PreferSameNode adds hints for nodes',
    teaches:
      'A DNS pod on every node, to be asked by its own node first. Endpoints carry a hint for the node and, as a fallback, one for the zone.',
    source: issue('kubernetes/kubernetes', 113731),
    url: new URL('./same-node.json', import.meta.url),
  },
  {
    id: 'dual-stack',
    title: 'A headless Service gets a second family',
    teaches:
      'Slices hold one address family each, so the IPv6 addresses need slices of their own; the IPv4 slice stays as it is. One member is not ready and is published all the same, because the Service asks for that.',
    source: { label: 'KEP-563', url: 'https://github.com/kubernetes/enhancements/issues/563' },
    url: new URL('./dual-stack.json', import.meta.url),
  },
  {
    id: 'named-port',
    title: 'One port name, two numbers',
    teaches:
      'The new version listens on 9090, the old one on 8080, both under the name http. Endpoints with different ports cannot share a slice, so the Service has two groups until the rollout is over.',
    source: issue('kubernetes/kubernetes', 83145),
    url: new URL('./named-port.json', import.meta.url),
  },
  {
    id: 'unknown-node',
    title: 'A pod on a node nobody knows',
    teaches:
      'The node of one pod is not in the cache yet. The pod is left out, the rest of the plan stands, and the Service has to be tried again.',
    source: issue('kubernetes/kubernetes', 107927),
    url: new URL('./unknown-node.json', import.meta.url),
  },
  {
    id: 'selector-typo',
    title: 'A typo in a selector empties a Service',
    teaches:
      'The selector says order, the pods say orders. No pod matches, and what stays is a single slice without endpoints, the placeholder: the Service answers nothing from now on.',
    source: issue('kubernetes/kubernetes', 47711),
    url: new URL('./selector-typo.json', import.meta.url),
  },
  {
    id: 'other-manager',
    title: 'Slices of another manager are left alone',
    teaches:
      'A mesh adds endpoints of a remote cluster in a slice of its own. The label managed-by says whose slice it is; the plan neither fills nor deletes it.',
    source: { label: 'KEP-3685', url: 'https://github.com/kubernetes/enhancements/issues/3685' },
    url: new URL('./other-manager.json', import.meta.url),
  },
  {
    id: 'cluster-at-rest',
    title: 'A real cluster at rest',
    teaches:
      'Eight Services, 168 pods and 13 nodes as kubectl printed them, after the controller of a real cluster had settled. Every plan is empty: nothing is left to do, hints included.',
    source: { label: 'Kubernetes v1.36.3', url: 'https://github.com/kubernetes/kubernetes/releases/tag/v1.36.3' },
    url: new URL('../../samples/cluster-at-rest.json', import.meta.url),
  },
];

/** @param {string} id */
export function exampleById(id) {
  return EXAMPLES.find((example) => example.id === id);
}
