/// <reference lib="esnext.disposable" />
/**
 * Everything the main entry has, and objects that keep state between calls: {@link Session}, the last known state of a cluster, {@link Controller},
 * the controller's loop in virtual time, and {@link Proxier}, kube-proxy's view of slices on a node. All entries but the main one share a module,
 * optimized for speed, and its memory.
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
import type { Instance as MainInstance, Json } from '../index.js';

export * from '../index.js';

/** Limits of a handle. */
export interface Limits {
  /** The longest input of one call, in bytes; 64 MiB by default. */
  maxInputBytes?: number | undefined;
}

/** A Service: `namespace/name`, or both. */
export type ServiceKey = string | { namespace: string; name: string };

/**
 * A watch event as an API server sends it; or `LISTING`, which no API server sends: it begins a list in pieces, of the
 * kind of its object.
 */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR' | 'LISTING';
  object: object;
}

/**
 * A complete list of its kind, as an API server returns it. A `List`, as kubectl prints it, stands for all four kinds: it is refused if it lacks a
 * kind of which objects are known. So is one page of a list, unless a listing of its kind is in progress.
 */
export interface ObjectList {
  kind: string;
  apiVersion?: string | undefined;
  metadata?: object | undefined;
  items: readonly object[];
}

/** The last known state of a cluster. The cost of a call depends on what has changed, not on the size of the cluster. */
export class Session {
  /** An empty cluster. */
  constructor(options?: Json<Options>, limits?: Limits);
  /** Restores a session from {@link Session.dump}, of this or another session. Dumps of another `version` are refused. */
  static restore(dump: Json<object>, limits?: Limits): Session;
  /**
   * Applies a watch event, an array of them, or a list. Text and bytes may contain several of these, one per line; then the first must be complete,
   * and any other invalid line is skipped and reported in `errors`. Otherwise bad input throws, and the session stays unchanged.
   *
   * A list may come in pieces: `{"type": "LISTING", "object": {"kind": "Pod"}}`, then either its pages, the last of which has no `continue`, or the
   * events of a watch with `sendInitialEvents`, up to the bookmark that ends them. With the last piece, known objects that are in none of the pieces
   * are removed. An interrupted listing is restarted with another `LISTING`.
   */
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
  apply(events: Uint8Array): Uint8Array;
  apply(events: string): string;
  apply(events: WatchEvent | readonly WatchEvent[] | ObjectList): Applied;
  /** The plan that a fresh request over the same objects would return; `null` if the Service does not exist. */
  sync(service: ServiceKey): Plan | null;
  /** The same as JSON bytes, which JavaScript need not parse; the text `null` if the Service does not exist. */
  syncBytes(service: ServiceKey): Uint8Array;
  /** All Services, as `namespace/name`, in order. */
  services(): string[];
  /** The whole session as JSON, for {@link Session.restore}. Equal clusters have equal dumps. */
  dump(): Uint8Array;
  /** Releases the memory at once; otherwise this happens when the object is garbage-collected. */
  free(): void;
  [Symbol.dispose](): void;
}

/** An action of a controller. The kinds are distinguished by their fields, as in `'sync' in action`; `at` may have a fraction. */
export type ControllerAction = Exclude<ControllerAnswer, ErrorAnswer>;

/**
 * The controller's loop without a clock or sockets. Times are whole milliseconds since its start and never decrease; whatever is due between two
 * calls happens first, at its own time. A call that throws changes nothing, unless time had to pass to detect the error ({@link Controller.complete}
 * for a plan that is not waiting); the answers of that time then come with the next call.
 */
export class Controller {
  constructor(config?: Json<ControllerConfig>, limits?: Limits);
  /** Applies a watch event, or an array of them. Answers to text and bytes are lines. */
  apply(events: WatchEvent | readonly WatchEvent[], now: number): ControllerAction[];
  apply(events: Uint8Array, now: number): Uint8Array;
  apply(events: string, now: number): string;
  apply(events: WatchEvent | readonly WatchEvent[], now: number): ControllerAction[];
  /** Applies a complete list of a kind; known objects that are not in it are removed. */
  list(list: ObjectList, now: number): ControllerAction[];
  list(list: Uint8Array, now: number): Uint8Array;
  list(list: string, now: number): string;
  list(list: ObjectList, now: number): ControllerAction[];
  /** Lets time pass. */
  due(now: number): ControllerAction[];
  /** When the next thing happens without further input; `null` if there is nothing to wait for. */
  nextDue(): number | null;
  /** Its current metrics. */
  metrics(): MetricFamily[];
  /** The same as Prometheus text; serve it as `text/plain; version=0.0.4`. */
  metricsText(): string;
  /** With `apply: 'manual'`: reports the result of a plan. Without `applied`, all of it was written, or nothing if `error` is given. */
  complete(service: ServiceKey, error: WriteError | null, now: number, applied?: Written): ControllerAction[];
  /** Processes a line of the stream, as `slicewise simulate --ndjson` does. */
  feed(line: ControllerLine): ControllerAction[];
  feed(line: Uint8Array): Uint8Array;
  feed(line: string): string;
  feed(line: ControllerLine): ControllerAction[];
  /** Releases the memory at once; otherwise this happens when the object is garbage-collected. */
  free(): void;
  [Symbol.dispose](): void;
}

/** kube-proxy's view of Services and slices on a node. */
export class Proxier {
  constructor(settings: Json<ProxySettings>, limits?: Limits);
  /** Processes a line of the stream, as `slicewise proxy --ndjson` does. Lines other than questions have no answer: `null`, or nothing. */
  feed(line: ProxyLine): ProxyUpdate | null;
  feed(line: Uint8Array): Uint8Array;
  feed(line: string): string;
  feed(line: ProxyLine): ProxyUpdate | null;
  /** Releases the memory at once; otherwise this happens when the object is garbage-collected. */
  free(): void;
  [Symbol.dispose](): void;
}

/** What {@link createInstance} makes. */
export interface Instance extends MainInstance {
  Session: typeof Session;
  Controller: typeof Controller;
  Proxier: typeof Proxier;
}

/** This entry over an instance of the module that shares no memory with any other: losing one does not affect others. */
export function createInstance(): Instance;
