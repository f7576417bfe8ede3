/**
 * The only module that imports `slicewise/tools`: who serves whom, and why things are as they are. It runs in a worker
 * of its own (`tools-worker.js`), and as well in Node.
 * @import {Reader, TrafficModel, WhyTopic} from './types.js'
 * @import {TrafficMaterial, WhyMaterial} from './engine.js'
 * @import {Plan, Slice} from './model/service.js'
 */
import { apply, explain, traffic } from 'slicewise/tools';
import { entryOf } from './model/service.js';
import { isEmpty } from './model/text.js';
import { portsOf } from './model/traffic.js';
import { notProxiedWords } from './model/traffic-text.js';
import { topicsOf } from './model/why.js';

const NO_NODES = 'The input has no nodes, and traffic comes from nodes: get them as well (kubectl get services,pods,nodes,endpointslices).';

/** @param {Uint8Array} material a {@link TrafficMaterial} @param {Reader} reader @returns {TrafficModel} */
export function trafficOf(material, reader) {
  /** @type {TrafficMaterial} */
  const { key, plan, service, slices, nodes, preferSameTrafficDistribution } = JSON.parse(new TextDecoder().decode(material));
  const spec = service.spec ?? {};
  if (nodes.length === 0) return { ports: [], note: NO_NODES };
  const after = isEmpty(entryOf(plan).counts) ? null : slicesAfter(plan, slices);
  const common = { service, nodes, reader, preferSameTrafficDistribution };
  const families = spec.ipFamilies?.length ? spec.ipFamilies : [undefined];
  const ports = families.flatMap((addressType) => {
    const now = ask({ ...common, addressType, slices });
    return portsOf(key, now, after && ask({ ...common, addressType, slices: after }));
  });
  return { ports, note: ports.length === 0 ? notProxiedWords(spec) : '' };
}

// Text goes through the package as it is; objects are searched for what JSON would lose.

/** @param {Plan} plan @param {Slice[]} slices @returns {Slice[]} */
function slicesAfter(plan, slices) {
  return JSON.parse(apply(JSON.stringify(plan), JSON.stringify(slices))).slices;
}

/** @param {object} request @returns {import('./model/traffic.js').Answer} */
function ask(request) {
  return JSON.parse(traffic(JSON.stringify(request)));
}

/** @param {WhyMaterial} material @returns {WhyTopic[]} */
export function whyOf({ input, question }) {
  const { services, cluster } = JSON.parse(new TextDecoder().decode(explain(input, question)));
  return topicsOf([...services.flatMap((/** @type {any} */ each) => each.explanations), ...cluster]);
}
