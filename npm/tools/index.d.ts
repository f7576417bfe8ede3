/**
 * Everything the main entry has, and single questions: explanations ({@link explain}), differences ({@link diff}), the result of a plan ({@link
 * apply}), traffic ({@link route}, {@link traffic}), and plans for slices that do not come from pods. All entries but the main one share a
 * module and its memory. Here, plans support explanations and patches (`options.explain`, `options.patches`).
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
import type { Given, Instance as MainInstance, Json } from '../index.js';

export * from '../index.js';

/**
 * Explains why a pod gets no traffic, why there are no hints, why slices are as they are, what writes cost, and what would change it. Takes a plan
 * request or a snapshot.
 */
export function explain(input: Given<PlanRequest | Snapshot>, question?: Json<Question>): Explained;
export function explain(input: Uint8Array, question?: Json<Question>): Uint8Array;
export function explain(input: string, question?: Json<Question>): string;
export function explain(input: Given<PlanRequest | Snapshot>, question?: Json<Question>): Explained;

/**
 * A Service of a plan request or a snapshot at a glance: a question and its answer, the arithmetic of hints, which counts of
 * endpoints work, changes to the input that would help, each tried before it is offered, and how much of the traffic crosses zones.
 */
export function glance(input: Given<PlanRequest | Snapshot>, question?: Json<GlanceQuestion>): Glance;
export function glance(input: Uint8Array, question?: Json<GlanceQuestion>): Uint8Array;
export function glance(input: string, question?: Json<GlanceQuestion>): string;
export function glance(input: Given<PlanRequest | Snapshot>, question?: Json<GlanceQuestion>): Glance;

/**
 * Plans a request or a snapshot, and returns the plans as text: `json` or `yaml`, `patches` (a list of the writes of each
 * plan, updates as patches), `kubectl` (a shell script), or `report` (Markdown).
 */
export function exported(input: Json<PlanRequest | Snapshot>, question: Json<ExportQuestion>): string;

/** EndpointSlices: an array of them, or objects as `kubectl get endpointslices -A -o json` prints them. */
export type Slices = readonly object[] | Snapshot;

/** Compares slices endpoint by endpoint: what was added, removed, changed or moved. Objects of other kinds are ignored. */
export function diff(before: Given<Slices>, after: Json<Slices>): Diff;
export function diff(before: Uint8Array, after: Json<Slices>): Uint8Array;
export function diff(before: string, after: Json<Slices>): string;
export function diff(before: Given<Slices>, after: Json<Slices>): Diff;

/**
 * Applies a plan, or all plans of a snapshot, in memory, and returns the resulting slices. `slices` are those the plan was made from; writes that the
 * API server would refuse are refused and reported.
 */
export function apply(plan: Plan | MirrorPlan | SnapshotPlans | MirrorPlans, slices: Json<Slices>): AppliedPlan;
export function apply(plan: Uint8Array, slices: Json<Slices>): Uint8Array;
export function apply(plan: string, slices: Json<Slices>): string;
export function apply(plan: Plan | MirrorPlan | SnapshotPlans | MirrorPlans, slices: Json<Slices>): AppliedPlan;

/** Returns which endpoints of a Service a node uses, and why. It needs a request, because objects alone do not say which node's view to compute. */
export function route(request: RouteRequest): RouteAnswer;
export function route(request: Uint8Array): Uint8Array;
export function route(request: string): string;
export function route(request: RouteRequest): RouteAnswer;

/** Plans the slices that mirror an Endpoints object, as the EndpointSliceMirroring controller does. */
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

/** Returns who serves whom: each endpoint's share, and the traffic between zones. */
export function traffic(request: TrafficRequest): TrafficAnswer;
export function traffic(request: Uint8Array): Uint8Array;
export function traffic(request: string): string;
export function traffic(request: TrafficRequest): TrafficAnswer;

/** What {@link createInstance} makes. */
export interface Instance extends MainInstance {
  glance: typeof glance;
  explain: typeof explain;
  exported: typeof exported;
  diff: typeof diff;
  apply: typeof apply;
  route: typeof route;
  traffic: typeof traffic;
  mirror: typeof mirror;
  mirrorSnapshot: typeof mirrorSnapshot;
  kubernetesService: typeof kubernetesService;
}

/** This entry over an instance of the module that shares no memory with any other: losing one does not affect others. */
export function createInstance(): Instance;
