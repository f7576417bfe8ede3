/**
 * An input of columns that are compared: what is the same in all of them is found once. The objects stay as they were written.
 * @import {Legend, Options} from '../types.js'
 * @import {Range} from '../input/scan.js'
 * @import {Kube} from './objects.js'
 */
import { detect } from 'slicewise/tools';
import { OPTIONS, memberAt, placesIn, valueAt } from '../input/scan.js';
import { joined } from './bytes.js';
import { keyOf, placed, serviceAsked } from './objects.js';
import { byKind, metadataAt, piece, shortNode, slicesByService } from './opened.js';

const encoder = new TextEncoder();

/**
 * @typedef {object} About a Service of the input
 * @property {Kube} service
 * @property {Uint8Array} slices its slices, as a list in JSON
 * @property {Uint8Array} common what its requests have in common: the beginning of an object in JSON
 */

export class ColumnInput {
  /** What a request says of its options. @type {Options} */
  options;
  nodes;
  #bytes;
  #form;
  #legend;
  #objects;
  /** The Service that was asked about last. @type {{key: string, about: About} | null} */
  #last = null;

  /** @param {Uint8Array} bytes JSON that can be read @param {Legend} legend */
  constructor(bytes, legend) {
    this.#bytes = bytes;
    this.#legend = legend;
    this.#form = /** @type {'request' | 'snapshot'} */ (detect(bytes));
    const places = placesIn(bytes, this.#form);
    const own = places.findLast(({ kind }) => kind === OPTIONS);
    this.options = (own && valueAt(bytes, own)) ?? {};
    this.#objects = byKind(places);
    this.nodes = this.#objects.Node.map((node) => shortNode(bytes, node));
  }

  /** A Service, or the only one there is. @param {string} key @returns {About} */
  about(key) {
    if (this.#last?.key !== key) this.#last = { key, about: this.#find(key) };
    return this.#last.about;
  }

  /** A plan request for it. @param {string} key @param {Kube} service @param {Options} options */
  request(key, service, options) {
    return joined([this.about(key).common, `,"service":${JSON.stringify(service)},"options":${JSON.stringify(options)}}`]);
  }

  /** @param {string} key @returns {About} */
  #find(key) {
    const { Service: services, Pod: pods, Node: nodes, EndpointSlice: all } = this.#objects;
    const [bytes, form] = [this.#bytes, this.#form];
    const service = this.#placed(serviceAsked(services, key, (place) => metadataAt(bytes, place, form)));
    const own = slicesByService(bytes, all, form, this.#legend).get(keyOf(service.metadata)) ?? [];
    // Written again, as the core writes those after a plan: the same endpoints have the same text.
    const slices = encoder.encode(JSON.stringify(own.map((each) => this.#placed(each))));
    const common = joined([
      ...['{"pods":', ...listOf(this.#podsBeside(service, pods))],
      ...[',"nodes":', ...listOf(nodes.map((node) => piece(bytes, node)))],
      ...[',"slices":', slices],
    ]);
    return { service, slices, common };
  }

  /** The pods of the Service's namespace, each with that namespace. @param {Kube} service @param {Range[]} pods */
  #podsBeside(service, pods) {
    if (this.#form === 'request') return pods.map((pod) => piece(this.#bytes, pod));
    return pods.flatMap((pod) => {
      const stated = memberAt(this.#bytes, pod, ['metadata', 'namespace']);
      const own = stated && valueAt(this.#bytes, stated);
      if (placed('', { namespace: own }).namespace !== service.metadata.namespace) return [];
      return own ? piece(this.#bytes, pod) : JSON.stringify(this.#placed(pod));
    });
  }

  /** @param {Range} place @returns {Kube} */
  #placed(place) {
    const object = valueAt(this.#bytes, place);
    return this.#form === 'request' ? object : { ...object, metadata: placed('', object.metadata) };
  }
}

/** @param {(string | Uint8Array)[]} objects in JSON */
function listOf(objects) {
  return ['[', ...objects.flatMap((object, index) => (index === 0 ? [object] : [',', object])), ']'];
}
