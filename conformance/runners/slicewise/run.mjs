/**
 * Answers vectors with the command: `slicewise route` for kube-proxy, and `slicewise traffic --reader NAME` for its other models.
 * `SLICEWISE` is the path of the command.
 *
 *     node conformance/runners/slicewise/run.mjs [--reader NAME] < vectors.ndjson
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** @import { Answer, Vector } from '../../lib/vectors.mjs' */

const COMMAND = process.env.SLICEWISE ?? 'slicewise';
const { values: { reader } } = parseArgs({ options: { reader: { type: 'string', default: 'kube-proxy' } } });
const OF_KUBE_PROXY = 'the command `slicewise route`, on the client’s node';
const OF_OTHERS = `the command \`slicewise traffic --reader ${reader}\`, for the client’s node`;

/** @param {string[]} args @param {string} [input] @returns {Promise<string>} */
async function run(args, input = '') {
  const child = spawn(COMMAND, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${COMMAND} ${args.join(' ')} ended with ${code}: ${errors}`);
  return out;
}

/** @param {Vector} vector */
const portOf = ({ service: { metadata }, port: { name, protocol } }) =>
  `${metadata.namespace}/${metadata.name}${name && `:${name}`}/${protocol}`;

/** Of the nodes only the client's: requests come from there. @param {Vector} vector */
const requestOf = ({ service, slices, addressType, nodes, client }) => {
  const [node] = nodes.filter(({ name }) => name === client.node);
  return { node, request: { service, slices, addressType } };
};

/** @param {any[]} notProxied @param {string} port */
const notServed = (notProxied, port) => ({ notServed: notProxied[0]?.message ?? `there is no port ${port}` });

/** @param {Vector} vector */
async function asKubeProxy(vector) {
  const { node, request } = requestOf(vector);
  const { routes, notProxied } = JSON.parse(await run(['route', '-o', 'json'], JSON.stringify({ ...request, node })));
  const port = portOf(vector);
  const route = routes[port];
  if (!route) return notServed(notProxied, port);
  const { internalTrafficPolicy, externalTrafficPolicy } = vector.service.spec;
  const policy = vector.traffic === 'external' ? externalTrafficPolicy : internalTrafficPolicy;
  return { endpoints: [...(policy === 'Local' ? route.local : route.cluster)].sort() };
}

/** @param {Vector} vector */
async function asOther(vector) {
  if (vector.traffic === 'external') return { notAsked: 'only traffic from inside the cluster is modelled' };
  const { node, request } = requestOf(vector);
  const input = JSON.stringify({ ...request, nodes: [node], reader });
  const { ports, notProxied } = JSON.parse(await run(['traffic', '-o', 'json'], input));
  const port = portOf(vector);
  const found = ports.find((/** @type {any} */ each) => each.servicePort === port);
  if (!found) return notServed(notProxied, port);
  const uses = found.groups.flatMap((/** @type {any} */ group) => group.uses);
  return { endpoints: uses.map((/** @type {number} */ index) => found.endpoints[index].endpoint).sort() };
}

/** @param {string} line @returns {Promise<Answer>} */
async function answer(line) {
  const vector = JSON.parse(line);
  return { id: vector.id, ...(await (reader === 'kube-proxy' ? asKubeProxy : asOther)(vector)) };
}

const lines = (await text(process.stdin)).split('\n').filter((line) => line.trim() !== '');
const { version, reference } = JSON.parse(await run(['version', '-o', 'json']));
const how = reader === 'kube-proxy' ? OF_KUBE_PROXY : OF_OTHERS;
const introduction = { reader: reader === 'kube-proxy' ? 'slicewise' : `slicewise --reader ${reader}`, version: `v${version} (${reference})`, how };
console.log(JSON.stringify(introduction));
/** As many at a time as there are processors. */
for (let at = 0; at < lines.length; at += availableParallelism()) {
  const answers = await Promise.all(lines.slice(at, at + availableParallelism()).map(answer));
  for (const each of answers) console.log(JSON.stringify(each));
}
