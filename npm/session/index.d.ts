/**
 * Everything the main entry has, and what outlives a call: {@link Session}, a cluster as last seen, {@link Controller},
 * the controller's loop in virtual time, and {@link Proxier}, what kube-proxy on a node makes of slices. It is a module of
 * its own, built for speed, with its own memory; load what you need.
 */
import type { Applied, Options, Plan } from '../../pkg/types/envelopes.js';
import type { Json } from '../index.js';

export * from '../index.js';

/** How much a handle takes. */
export interface Limits {
  /** The longest input of one call, in bytes; 64 MiB when left out. */
  maxInputBytes?: number;
}

/** A Service: `namespace/name`, or both. */
export type ServiceKey = string | { namespace: string; name: string };

/**
 * A watch event as an API server sends it; or `LISTING`, which no API server sends: a list of the kind of its object begins,
 * that is given in pieces.
 */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR' | 'LISTING';
  object: object;
}

/**
 * A list as an API server answers it, of all there is of its kind. A `List`, as kubectl prints it, is of all four kinds:
 * it is refused if it holds none of a kind of which objects are known. So is one page of a list, unless a listing of its
 * kind has begun.
 */
export interface ObjectList {
  kind: string;
  apiVersion?: string;
  metadata?: object;
  items: object[];
}

/** A cluster as last seen. A call costs what has changed, not what there is. */
export class Session {
  /** An empty cluster. */
  constructor(options?: Json<Options>, limits?: Limits);
  /** The session that {@link Session.dump} has written, by this or another session. Dumps of another `version` are refused. */
  static restore(dump: Json<object>, limits?: Limits): Session;
  /**
   * Takes a watch event, an array of them, or a list. Text and bytes may hold several of these, each on its own line;
   * then the first must be whole, and any other that cannot be read does not hold up the rest, and is in `errors`.
   * Otherwise bad input throws, and the session stays as it was.
   *
   * A list may come in pieces: `{"type": "LISTING", "object": {"kind": "Pod"}}`, then either its pages, the last of which
   * has no `continue`, or the events of a watch with `sendInitialEvents`, up to the bookmark that ends them. What was
   * known and is in no piece is forgotten with the last one. A listing that breaks off is begun again.
   */
  apply(events: Uint8Array): Uint8Array;
  apply(events: string): string;
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
  /** The plan that a fresh request over the same objects would give; `null` when there is no such Service. */
  sync(service: ServiceKey): Plan | null;
  /** The same as JSON, which JavaScript need not parse: `null` as text when there is no such Service. */
  syncBytes(service: ServiceKey): Uint8Array;
  /** The Services there are, as `namespace/name`, in order. */
  services(): string[];
  /** The whole session as JSON, for {@link Session.restore}. Equal clusters have equal dumps. */
  dump(): Uint8Array;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}

/** How plans are made, and how the controller and its world behave. Durations are text such as `500ms` or `1m30s`. */
export interface ControllerConfig extends Options {
  /** How long changes of pods wait; `0s` when left out. */
  endpointUpdatesBatchPeriod?: string;
  /** How long changes of slices wait at least; `1s`. */
  endpointSliceChangeMinSyncDelay?: string;
  /** 1 to 50; 5. It matters with `apply: 'manual'` only. */
  concurrentServiceEndpointSyncs?: number;
  /** The first wait after a failure of a Service, which doubles; `1s`. */
  syncBackOff?: string;
  /** The longest such wait; `1000s`. */
  maxSyncBackOff?: string;
  /** Retries of all Services together; 10. */
  retriesPerSecond?: number;
  /** 100. */
  retryBurst?: number;
  /** Then the Service is dropped until something about it changes; 15. */
  maxRetries?: number;
  /** `true`: nothing is done before each of the four kinds was listed. */
  waitForSync?: boolean;
  /** Who writes plans: the API server in memory (`auto`, when left out), or the caller, who tells what came of them. */
  apply?: 'auto' | 'manual';
  /** How long the writes of `auto` take to come back as events; `0s`. */
  watchLag?: string;
}

/** Why a write was refused. */
export type WriteError = 'Conflict' | 'AlreadyExists' | 'NotFound' | 'NamespaceTerminating' | 'ServerError';

/** What the API server stored: slices with their `uid`, `generation` and `resourceVersion`, and names of those that are gone. */
export interface Written {
  created?: object[];
  updated?: object[];
  deleted?: string[];
}

/** A line of the controller's stream, in. Each but the first says when, in milliseconds. */
export type ControllerLine =
  | { config: ControllerConfig }
  | { at: number }
  | { at: number; event: WatchEvent | readonly WatchEvent[] }
  | { at: number; list: ObjectList }
  | { at: number; resync: true }
  | { at: number; metrics: true | 'text' }
  | { at: number; refuse: { error: WriteError; times?: number } }
  | { at: number; result: { service: string; error?: WriteError | null; applied?: Written } };

/**
 * A sync: with `plan` alone, it is to be written, and its result told; with `result` alone, that result was taken, or
 * there was nothing to plan; with both, it was written already.
 */
export interface SyncAnswer {
  at: number;
  sync: string;
  result?: 'success' | 'stale' | 'error' | 'dropped';
  plan?: Plan;
}

/** A Service will be tried again. */
export interface RetryAnswer {
  at: number;
  retry: string;
  after: string;
  retries: number;
}

/** An event to publish. */
export interface EventAnswer {
  at: number;
  event: { type: 'Normal' | 'Warning'; reason: string; message: string; service: string };
}

/** Something came in that changes nothing. */
export interface IgnoredAnswer {
  at: number;
  ignored: { kind: string; object?: string; reason: 'kind' | 'late' | 'unknown'; count: number };
}

/** A number, or text where JSON has none for it. */
export type MetricNumber = number | '+Inf' | '-Inf' | 'NaN';

/** One sample: of a counter or a gauge its `value`, of a histogram the rest; its bucket without a bound is `count`. */
export type Metric = { labels: Record<string, string> } & (
  | { value: MetricNumber }
  | { buckets: { le: MetricNumber; count: number }[]; sum: MetricNumber; count: number }
);

/** All samples of one metric. */
export interface MetricFamily {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  metrics: Metric[];
}

/** All metrics, as data. */
export interface MetricsAnswer {
  at: number;
  metrics: MetricFamily[];
}

/** All metrics, as the text that a Prometheus server reads. */
export interface MetricsTextAnswer {
  at: number;
  metricsText: string;
}

/** A line of the controller's stream, out, in the order it happens. `at` may have a fraction. */
export type ControllerAnswer = SyncAnswer | RetryAnswer | EventAnswer | IgnoredAnswer | MetricsAnswer | MetricsTextAnswer;

/**
 * The controller's loop without clock or sockets. Times are whole milliseconds since its start and never go back; what is
 * due between one call and the next happens first, at its own time. A call that throws changes nothing, unless time had
 * to pass to see what is wrong ({@link Controller.complete} of a plan that nobody waits for); the answers of that time
 * then come with the next call.
 */
export class Controller {
  constructor(config?: Json<ControllerConfig>, limits?: Limits);
  /** Takes a watch event, or an array of them. Answers to text and bytes are lines. */
  apply(events: Uint8Array, now: number): Uint8Array;
  apply(events: string, now: number): string;
  apply(events: WatchEvent | readonly WatchEvent[], now: number): ControllerAnswer[];
  /** Takes all there is of a kind; what is known and not in it is gone. */
  list(list: Uint8Array, now: number): Uint8Array;
  list(list: string, now: number): string;
  list(list: ObjectList, now: number): ControllerAnswer[];
  /** Lets time pass. */
  due(now: number): ControllerAnswer[];
  /** When something will happen next if nothing else does; `null` when there is nothing to wait for. */
  nextDue(): number | null;
  /** All metrics of what it has done and knows, as they are now. */
  metrics(): MetricFamily[];
  /** The same as the text that a Prometheus server reads; serve it as `text/plain; version=0.0.4`. */
  metricsText(): string;
  /** With `apply: 'manual'`: tells what came of a plan. Without `applied`, all of it was written, or none if `error` is given. */
  complete(service: ServiceKey, error: WriteError | null, now: number, applied?: Written): ControllerAnswer[];
  /** Takes a line of the stream, as `slicewise simulate --ndjson` does. */
  feed(line: Uint8Array): Uint8Array;
  feed(line: string): string;
  feed(line: ControllerLine): ControllerAnswer[];
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}

/** How a {@link Proxier} is run. */
export interface ProxySettings {
  /** The node it runs on. */
  node: string;
  /** The node's labels, until a Node object says them; its zone is what counts. */
  nodeLabels?: Readonly<Record<string, string>>;
  /** `IPv4` when left out. */
  addressType?: 'IPv4' | 'IPv6';
  /** Trigger times are told if they are later; RFC 3339. */
  started?: string;
  /** Are hints for nodes looked at? `true` when left out. */
  preferSameTrafficDistribution?: boolean;
}

/** One direction of a flow. */
export interface FlowDirection {
  src: string;
  dst: string;
  srcPort?: number;
  dstPort?: number;
}

/** A flow, as the client sent it and as the answer is expected. */
export interface Flow {
  protocol: string | number;
  origin: FlowDirection;
  reply: FlowDirection;
}

/** A line of a proxy's stream, in: a watch event of a Service, an EndpointSlice or a Node, or a question. */
export type ProxyLine = WatchEvent | { sync: true | 'endpoints' | { conntrack?: readonly Flow[] } };

/** An endpoint of a service port. */
export interface ProxyEndpoint {
  endpoint: string;
  ready: boolean;
  serving: boolean;
  terminating: boolean;
  local: boolean;
  zoneHints: string[];
  nodeHints: string[];
}

/** Which endpoints of a service port a node uses. */
export interface Route {
  cluster: string[];
  local: string[];
  reachable: string[];
  hasAny: boolean;
  topology: 'None' | 'PreferSameZone' | 'PreferSameNode';
}

/** What has changed since the last question, and what there is; ports are `namespace/name:port/PROTOCOL`. */
export interface ProxyAnswer {
  updatedServices: string[];
  updatedServicePorts: string[];
  triggerTimes: Record<string, string[]>;
  endpoints: Record<string, ProxyEndpoint[]>;
  routes?: Record<string, Route>;
  staleUdp: { deletedEndpoints: { endpoint: string; servicePort: string }[]; gainedEndpoints: string[] };
  conntrackCleanupRequired: boolean;
  staleConntrack?: number[];
  healthCheckNodePorts?: Record<string, number>;
  localReadyEndpoints?: Record<string, number>;
}

/** What kube-proxy on a node makes of Services and slices. */
export class Proxier {
  constructor(settings: Json<ProxySettings>, limits?: Limits);
  /** Takes a line of the stream, as `slicewise proxy --ndjson` does. What is no question has no answer: `null`, or nothing. */
  feed(line: Uint8Array): Uint8Array;
  feed(line: string): string;
  feed(line: ProxyLine): ProxyAnswer | null;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}
