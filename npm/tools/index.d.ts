/**
 * Everything the main entry has, and questions that are asked once: why things are as they are ({@link explain}), what
 * differs ({@link diff}), the result of a plan ({@link apply}), who serves whom ({@link route}, {@link traffic}), and
 * plans for what has no pods. It is a module of its own, with its own memory; load what you need. Plans may be explained
 * and come with patches here (`options.explain`, `options.patches`).
 */
import type {
  AppliedPlan,
  Diff,
  Explained,
  ExportQuestion,
  Glance,
  GlanceQuestion,
  KubernetesServicePlan,
  KubernetesServiceRequest,
  MirrorPlan,
  MirrorPlans,
  MirrorRequest,
  Plan,
  PlanRequest,
  Question,
  RouteAnswer,
  RouteRequest,
  Snapshot,
  SnapshotPlans,
  TrafficAnswer,
  TrafficRequest,
} from '../../pkg/types/envelopes.js';
import type { Given, Json } from '../index.js';

export * from '../index.js';

/**
 * Tells why: why a pod gets no traffic, why there are no hints, why slices are as they are, what writes cost, and what
 * would change it. Takes a plan request or a snapshot.
 */
export function explain(input: Given<PlanRequest | Snapshot>, question?: Json<Question>): Explained;
export function explain(input: Uint8Array, question?: Json<Question>): Uint8Array;
export function explain(input: string, question?: Json<Question>): string;
export function explain(input: Given<PlanRequest | Snapshot>, question?: Json<Question>): Explained;

/**
 * A Service of a plan request or a snapshot at a glance: a question and its answer, the arithmetic of hints, which counts of
 * endpoints work, and changes of the input that would help, each tried before it is offered, and how much of the traffic
 * crosses zones.
 */
export function glance(input: Given<PlanRequest | Snapshot>, question?: Json<GlanceQuestion>): Glance;
export function glance(input: Uint8Array, question?: Json<GlanceQuestion>): Uint8Array;
export function glance(input: string, question?: Json<GlanceQuestion>): string;
export function glance(input: Given<PlanRequest | Snapshot>, question?: Json<GlanceQuestion>): Glance;

/**
 * Plans a request or a snapshot, and gives the plans as a text: `json` or `yaml`, `patches` (a list of the writes of each
 * plan, updates as patches), `kubectl` (a shell script), or `report` (Markdown).
 */
export function exported(input: Json<PlanRequest | Snapshot>, question: Json<ExportQuestion>): string;

/** EndpointSlices: an array of them, or objects as `kubectl get endpointslices -A -o json` prints them. */
export type Slices = readonly object[] | Snapshot;

/** Compares slices, endpoint by endpoint: what came, went, changed or moved. Objects of other kinds are not compared. */
export function diff(before: Given<Slices>, after: Json<Slices>): Diff;
export function diff(before: Uint8Array, after: Json<Slices>): Uint8Array;
export function diff(before: string, after: Json<Slices>): string;
export function diff(before: Given<Slices>, after: Json<Slices>): Diff;

/**
 * What an API server would have made of a plan, or of all plans of a snapshot: the slices there are then. `slices` are
 * those the plan was made from; a write is refused where the API server would refuse it, and the answer says so.
 */
export function apply(plan: Plan | MirrorPlan | SnapshotPlans | MirrorPlans, slices: Json<Slices>): AppliedPlan;
export function apply(plan: Uint8Array, slices: Json<Slices>): Uint8Array;
export function apply(plan: string, slices: Json<Slices>): string;
export function apply(plan: Plan | MirrorPlan | SnapshotPlans | MirrorPlans, slices: Json<Slices>): AppliedPlan;

/** Tells which endpoints of a Service a node uses, and why. Objects as `kubectl` prints them do not say whose view is wanted. */
export function route(request: RouteRequest): RouteAnswer;
export function route(request: Uint8Array): Uint8Array;
export function route(request: string): string;
export function route(request: RouteRequest): RouteAnswer;

/** Plans the slices that mirror an Endpoints object, as the EndpointSliceMirroring controller keeps them. */
export function mirror(request: MirrorRequest): MirrorPlan;
export function mirror(request: Uint8Array): Uint8Array;
export function mirror(request: string): string;
export function mirror(request: MirrorRequest): MirrorPlan;

/** The same for a cluster, as `kubectl get endpoints,services,endpointslices -A -o json` prints it. */
export function mirrorSnapshot(snapshot: Given<Snapshot>): MirrorPlans;
export function mirrorSnapshot(snapshot: Uint8Array): Uint8Array;
export function mirrorSnapshot(snapshot: string): string;
export function mirrorSnapshot(snapshot: Given<Snapshot>): MirrorPlans;

/** Plans what an API server writes for its own Service, `default/kubernetes`. */
export function kubernetesService(request: KubernetesServiceRequest): KubernetesServicePlan;
export function kubernetesService(request: Uint8Array): Uint8Array;
export function kubernetesService(request: string): string;
export function kubernetesService(request: KubernetesServiceRequest): KubernetesServicePlan;

/** Tells who serves whom: each endpoint's share, and what goes from zone to zone. */
export function traffic(request: TrafficRequest): TrafficAnswer;
export function traffic(request: Uint8Array): Uint8Array;
export function traffic(request: string): string;
export function traffic(request: TrafficRequest): TrafficAnswer;
