/** An ESM program that reads answers in full depth, without a cast. */
import { SlicewiseError, plan, planSnapshot } from 'slicewise';
import type { Endpoint, EndpointHints, EndpointSlice, ObjectReference, Options, OwnerReference, PlanRequest, Question, WriteReason } from 'slicewise';
import { createReviewer } from 'slicewise/admission';
import { Controller, Proxier, Session } from 'slicewise/session';
import { Timeline } from 'slicewise/simulation';
import { apply, diff, explain, kubernetesService, mirror, plan as planWithPatches, route, traffic } from 'slicewise/tools';

declare const request: PlanRequest;
declare const maybe: number | undefined;

const planned = plan(request);
export const slice: EndpointSlice | undefined = planned.create[0];
export const endpoints: Endpoint[] = planned.create[0]?.endpoints ?? [];
export const address: string | undefined = planned.create[0]?.endpoints[0]?.addresses[0];
export const isReady: boolean = endpoints.some(({ conditions }) => conditions.ready ?? true);
export const hints: EndpointHints | undefined = endpoints[0]?.hints;
export const zones: string[] = hints?.forZones?.map(({ name }) => name) ?? [];
export const target: ObjectReference | undefined = endpoints[0]?.targetRef;
export const owners: OwnerReference[] = planned.update[0]?.metadata.ownerReferences ?? [];
export const label: string | undefined = planned.update[0]?.metadata.labels?.['kubernetes.io/service-name'];
export const port: number | undefined = planned.create[0]?.ports[0]?.port;
export const reasons: WriteReason[] = planned.reasons['create/0'] ?? [];
export const gone: [string, string][] = planned.delete.map(({ name, uid }) => [name, uid]);
export const allocated: (number | null)[] = planned.hints.flatMap(({ zones: each }) => each.map((zone) => zone.allocated));
export const again: PlanRequest = { ...request, slices: planned.create, state: planned.state };
export const warnings: string[] = planSnapshot([], { maxEndpointsPerSlice: maybe }).warnings.map(({ message }) => message);

const question: Question = { about: 'hints', service: 'shop/cart', options: { packing: 'compact' } };
const { services, cluster } = explain([], question);
export const told: string[] = [...cluster, ...services.flatMap(({ explanations }) => explanations)].map(({ code, what, fixes = [] }) => `${code} ${what} ${fixes[0]?.change ?? ''}`);
export const patched: string[] = Object.values(planWithPatches({ ...request, options: { patches: ['json'] } }).patches ?? {}).flatMap(({ json = [] }) => json.map(({ path }) => path));
export const after: EndpointSlice[] = apply(planned, planned.create).slices;
export const changed = diff(after, []).services.flatMap(({ changes }) => changes.map(({ targetRef }) => targetRef?.name));
export const mirrored: Endpoint[] = mirror({ namespace: 'shop', name: 'cart' }).create.flatMap((each) => each.endpoints);
export const written: string[] = kubernetesService({ address: '10.0.0.1', ports: [] }).writes.map(({ object }) => object?.kind ?? 'none');
export const used: string[] = Object.values(route({ service: {}, node: { name: 'a' } }).routes).flatMap(({ rules }) => rules.map(({ rule }) => rule));
export const shares: number[] = traffic({ service: {} }).ports.flatMap(({ zones: from }) => from.flatMap(({ to }) => to.map(({ share }) => share)));

const session = new Session();
export const synced: Endpoint[] = session.sync('shop/cart')?.create.flatMap((each) => each.endpoints) ?? [];
export const version: string | undefined = session.apply([]).resourceVersions?.['Pod'];
const actions = new Controller().due(1000);
export const plans: EndpointSlice[] = actions.flatMap((action) => ('sync' in action ? (action.plan?.update ?? []) : []));
export const events: string[] = actions.flatMap((action) => ('event' in action ? [action.event.message] : []));
export const buckets = new Controller().metrics().flatMap(({ metrics }) => metrics.map((metric) => ('buckets' in metric ? metric.sum : metric.value)));
export const reached: string[] = Object.values(new Proxier({ node: 'a' }).feed({ sync: true })?.routes ?? {}).flatMap(({ reachable }) => reachable);
export const drawn: string[] = new Timeline('{}').next(1).flatMap(({ slices = [] }) => slices.flatMap(({ put = [] }) => put.map(([, state]) => state)));
export const denied: string | undefined = createReviewer().review({}).response.status.details.causes?.[0]?.field;

export const place = (error: SlicewiseError): [number | undefined, string] => [error.line, error.toJSON().error.message];

// @ts-expect-error a slice has no field of that name
export const none = planned.create[0]?.endpoint;
// @ts-expect-error addresses are texts
export const wrongAddress: number | undefined = planned.create[0]?.endpoints[0]?.addresses[0];
// @ts-expect-error hints may be missing
export const sure: string = endpoints[0].hints.forZones[0].name;
// @ts-expect-error there is no such topic
export const topic: Question = { about: 'everything' };
// @ts-expect-error there is no such packing
export const packing: Options = { packing: 'dense' };
// @ts-expect-error there is no such reason
export const reason: WriteReason = 'Whim';
// @ts-expect-error a line holds an event or a question
new Proxier({ node: 'a' }).feed({ type: 'ADDED' });
// @ts-expect-error an answer has no request
createReviewer().review({}).request;
