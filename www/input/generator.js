/**
 * Generates an input from a few figures: zones × nodes × pods. The same figures and the same seed give the same text, which
 * is an ordinary input.
 */
import { node, pod, service } from './build.js';

/**
 * @typedef {object} Recipe
 * @property {number} zones
 * @property {number} nodes in each zone
 * @property {number} pods
 * @property {number} skew the percentage of pods that the first zone has beyond its share, from 0 to 100
 * @property {string} cpu of the nodes, zone by zone: `4, 4, 8`; the last figure applies to all further zones
 * @property {number} ports
 * @property {boolean} dualStack
 * @property {number} ready the percentage of ready pods
 * @property {'' | 'Auto' | 'PreferSameZone' | 'PreferSameNode'} hints
 * @property {number} seed
 */

/** @type {Recipe} */
export const PLAIN = { zones: 3, nodes: 2, pods: 12, skew: 0, cpu: '4', ports: 1, dualStack: false, ready: 100, hints: 'Auto', seed: 1 };

/** The minimum and maximum of each figure. @type {Record<'zones' | 'nodes' | 'pods' | 'skew' | 'ports' | 'ready' | 'seed', [number, number]>} */
export const LIMITS = { zones: [1, 8], nodes: [1, 500], pods: [0, 20_000], skew: [0, 100], ports: [1, 10], ready: [0, 100], seed: [1, 999_999] };

const REGION = 'europe-west4';
const FIRST_PORT = 8080;

/**
 * One object per line: compact enough to skim, whatever the figures.
 * @param {Recipe} wanted
 * @param {(service: object, hints: string) => object} asking makes a Service request hints
 * @returns {string}
 */
export function generate(wanted, asking) {
  const recipe = within(wanted);
  const nodes = nodesOf(recipe);
  const plain = serviceOf(recipe);
  const objects = [recipe.hints ? asking(plain, recipe.hints) : plain, ...nodes.flat(), ...podsOf(recipe, nodes)];
  return `{"apiVersion": "v1", "kind": "List", "items": [\n  ${objects.map((each) => JSON.stringify(each)).join(',\n  ')}\n]}\n`;
}

/** @param {Recipe} recipe @returns {Recipe} */
function within(recipe) {
  const figures = Object.entries(LIMITS).map(([name, [least, most]]) => {
    const figure = Math.round(Number(recipe[/** @type {keyof typeof LIMITS} */ (name)]));
    return [name, Number.isFinite(figure) ? Math.min(most, Math.max(least, figure)) : least];
  });
  return { ...recipe, ...Object.fromEntries(figures) };
}

/** @param {Recipe} recipe */
function serviceOf({ ports, dualStack }) {
  const numbers = Array.from({ length: ports }, (_, index) => FIRST_PORT + index);
  const spec = {
    ...(dualStack && { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack', clusterIPs: ['10.96.0.10', 'fd00:96::10'] }),
    ports: numbers.map((targetPort, index) => ({ name: index ? `p${targetPort}` : 'http', protocol: 'TCP', port: 80 + index, targetPort })),
  };
  return service('web', spec);
}

/** By zone. @param {Recipe} recipe */
function nodesOf({ zones, nodes, cpu }) {
  const cpus = cpu.split(/[\s,;]+/).filter((figure) => /^\d+(\.\d+)?m?$/.test(figure));
  return Array.from({ length: zones }, (_, index) => {
    const letter = String.fromCharCode(97 + index);
    const figure = cpus[index] ?? cpus.at(-1) ?? '4';
    return Array.from({ length: nodes }, (_unused, at) => node({ name: `node-${letter}${at + 1}`, zone: `${REGION}-${letter}`, cpu: figure }));
  });
}

/** @param {Recipe} recipe @param {ReturnType<typeof nodesOf>} nodes */
function podsOf({ pods, skew, ports, dualStack, ready, seed }, nodes) {
  const counts = share(pods, nodes.length, skew / 100);
  const numbers = Array.from({ length: ports }, (_, index) => FIRST_PORT + index);
  const isUnready = chosen(pods, Math.round((pods * (100 - ready)) / 100), seed);
  const width = String(pods).length;
  const placed = counts.flatMap((count, zone) => Array.from({ length: count }, (_, at) => ({ zone, at })));
  // The zones alternate, so that removing pods from the end removes them from all zones.
  placed.sort((a, b) => a.at - b.at || a.zone - b.zone);
  return placed.map(({ zone, at }, index) =>
    pod({
      name: `web-${String(index + 1).padStart(width, '0')}`,
      labels: { app: 'web' },
      on: nodes[zone][at % nodes[zone].length].metadata.name,
      ips: addressesOf(index + 1, dualStack),
      ready: !isUnready.has(index),
      ports: numbers,
    }),
  );
}

/** The number per zone; the first zones get the remainder. @param {number} pods @param {number} zones @param {number} skew */
function share(pods, zones, skew) {
  const first = Math.round(pods * (1 / zones + (1 - 1 / zones) * skew));
  if (zones === 1) return [pods];
  const atFirst = skew === 0 ? Math.ceil(pods / zones) : first;
  const rest = pods - atFirst;
  return [atFirst, ...Array.from({ length: zones - 1 }, (_, index) => Math.floor(rest / (zones - 1)) + (index < rest % (zones - 1) ? 1 : 0))];
}

/** A number of random positions, determined by the seed. @param {number} all @param {number} count @param {number} seed */
function chosen(all, count, seed) {
  const places = Array.from({ length: all }, (_, index) => index);
  let state = seed >>> 0;
  for (let index = 0; index < count; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = index + (Math.floor((state / 2 ** 32) * (all - index)));
    [places[index], places[other]] = [places[other], places[index]];
  }
  return new Set(places.slice(0, count));
}

/** @param {number} number @param {boolean} dualStack */
function addressesOf(number, dualStack) {
  const [high, low] = [Math.floor(number / 250), (number % 250) + 2];
  return [`10.8.${high}.${low}`, ...(dualStack ? [`fd00:8::${(number + 1).toString(16)}`] : [])];
}
