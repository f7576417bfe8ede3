/// <reference lib="esnext.disposable" />
/**
 * Everything the main entry has, and what outlives a call: {@link Session}, a cluster as last seen, {@link Controller},
 * the controller's loop in virtual time, and {@link Proxier}, what kube-proxy on a node makes of slices. It is a module of
 * its own, built for speed, with its own memory; load what you need.
 */
import type {
  Applied,
  ControllerAnswer,
  ControllerConfig,
  ControllerLine,
  ErrorAnswer,
  MetricFamily,
  Options,
  Plan,
  ProxyLine,
  ProxySettings,
  ProxyUpdate,
  WriteError,
  Written,
} from '../../pkg/types/envelopes.js';
import type { Json } from '../index.js';

export * from '../index.js';

/** How much a handle takes. */
export interface Limits {
  /** The longest input of one call, in bytes; 64 MiB when left out. */
  maxInputBytes?: number | undefined;
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
 * A list as an API server answers it, of everything of its kind. A `List`, as kubectl prints it, is of all four kinds:
 * it is refused if it holds none of a kind of which objects are known. So is one page of a list, unless a listing of its
 * kind has begun.
 */
export interface ObjectList {
  kind: string;
  apiVersion?: string | undefined;
  metadata?: object | undefined;
  items: readonly object[];
}

/** A cluster as last seen. A call costs what has changed, not what exists. */
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
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
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

/** What a controller does. The kinds are distinguished by their fields, as in `'sync' in action`; `at` may have a fraction. */
export type ControllerAction = Exclude<ControllerAnswer, ErrorAnswer>;

/**
 * The controller's loop without clock or sockets. Times are whole milliseconds since its start and never go back; what is
 * due between one call and the next happens first, at its own time. A call that throws changes nothing, unless time had
 * to pass to see what is wrong ({@link Controller.complete} of a plan that nobody waits for); the answers of that time
 * then come with the next call.
 */
export class Controller {
  constructor(config?: Json<ControllerConfig>, limits?: Limits);
  /** Takes a watch event, or an array of them. Answers to text and bytes are lines. */
  apply(events: WatchEvent | readonly WatchEvent[], now: number): ControllerAction[];
  apply(events: Uint8Array, now: number): Uint8Array;
  apply(events: string, now: number): string;
  apply(events: WatchEvent | readonly WatchEvent[], now: number): ControllerAction[];
  /** Takes everything of a kind; what is known and not in it is gone. */
  list(list: ObjectList, now: number): ControllerAction[];
  list(list: Uint8Array, now: number): Uint8Array;
  list(list: string, now: number): string;
  list(list: ObjectList, now: number): ControllerAction[];
  /** Lets time pass. */
  due(now: number): ControllerAction[];
  /** When something will happen next if nothing else does; `null` when there is nothing to wait for. */
  nextDue(): number | null;
  /** All metrics of what it has done and knows, as they are now. */
  metrics(): MetricFamily[];
  /** The same as the text that a Prometheus server reads; serve it as `text/plain; version=0.0.4`. */
  metricsText(): string;
  /** With `apply: 'manual'`: tells the result of a plan. Without `applied`, all of it was written, or none if `error` is given. */
  complete(service: ServiceKey, error: WriteError | null, now: number, applied?: Written): ControllerAction[];
  /** Takes a line of the stream, as `slicewise simulate --ndjson` does. */
  feed(line: ControllerLine): ControllerAction[];
  feed(line: Uint8Array): Uint8Array;
  feed(line: string): string;
  feed(line: ControllerLine): ControllerAction[];
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}

/** What kube-proxy on a node makes of Services and slices. */
export class Proxier {
  constructor(settings: Json<ProxySettings>, limits?: Limits);
  /** Takes a line of the stream, as `slicewise proxy --ndjson` does. What is not a question has no answer: `null`, or nothing. */
  feed(line: ProxyLine): ProxyUpdate | null;
  feed(line: Uint8Array): Uint8Array;
  feed(line: string): string;
  feed(line: ProxyLine): ProxyUpdate | null;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}
