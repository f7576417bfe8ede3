/**
 * Plans Kubernetes EndpointSlices: turns pods, nodes, a Service and its slices into a deterministic plan.
 *
 * The answer has the form of the input: a `Uint8Array` of JSON returns a `Uint8Array` (the fastest form), a string returns a string, a plain object
 * returns a plain object. Pass JSON as bytes, without parsing it, and existing objects as they are: only the fields that slicewise reads are
 * accessed. Bad input throws a {@link SlicewiseError}, and nothing else.
 *
 * The overload for objects is declared first, for results of `JSON.parse`, whose type is unknown; and last, for `ReturnType` and the like, which only
 * use the last one.
 */
import type { CoreErrorCode, Options, Plan, PlanRequest, Snapshot, SnapshotPlans } from '../pkg/types/envelopes.js';

export type * from '../pkg/types/envelopes.js';

/** Any of the three forms of input, where the form of the answer does not depend on it. */
export type Json<T> = Uint8Array | string | T;

/** An object that is not a byte array. */
export type Given<T extends object> = T & { readonly BYTES_PER_ELEMENT?: never };

/** Plans one Service. */
export function plan(request: PlanRequest): Plan;
export function plan(request: Uint8Array): Uint8Array;
export function plan(request: string): string;
export function plan(request: PlanRequest): Plan;

/** Plans every Service of a cluster, as `kubectl get services,pods,nodes,endpointslices -A -o json` prints it. */
export function planSnapshot(snapshot: Given<Snapshot>, options?: Json<Options>): SnapshotPlans;
export function planSnapshot(snapshot: Uint8Array, options?: Json<Options>): Uint8Array;
export function planSnapshot(snapshot: string, options?: Json<Options>): string;
export function planSnapshot(snapshot: Given<Snapshot>, options?: Json<Options>): SnapshotPlans;

/** Distinguishes a request for {@link plan} from a snapshot for {@link planSnapshot}. */
export function detect(input: Json<PlanRequest | Snapshot>): 'request' | 'snapshot';

/** The version of this package. */
export function version(): string;

/** The stable codes: those of the core, and those of the package around it. */
export type ErrorCode = CoreErrorCode | 'NotReady' | 'LoadFailed' | 'Closed' | 'Internal';

/** The contents of an error. */
export interface ErrorParts {
  code: ErrorCode;
  message: string;
  /** The position, as a JSON pointer into the input. */
  path?: string | undefined;
  /** Line in the input, from 1; absent for objects. */
  line?: number | undefined;
  /** Column in that line, in bytes, from 1; absent for objects. */
  column?: number | undefined;
}

/** Bad input: what is wrong, where, and how to fix it. */
export class SlicewiseError extends Error {
  constructor(details: ErrorParts, options?: { cause?: unknown });
  readonly name: 'SlicewiseError';
  readonly code: ErrorCode;
  /** The position, as a JSON pointer into the input. */
  readonly path: string | undefined;
  /** Line in the input, from 1; absent for objects. */
  readonly line: number | undefined;
  /** Column in that line, in bytes, from 1; absent for objects. */
  readonly column: number | undefined;
  toJSON(): { error: ErrorParts };
}

/** What {@link createInstance} makes. */
export interface Instance {
  plan: typeof plan;
  planSnapshot: typeof planSnapshot;
  detect: typeof detect;
  version: typeof version;
  SlicewiseError: typeof SlicewiseError;
}

/** This entry over an instance of the module that shares no memory with any other: losing one does not affect others. */
export function createInstance(): Instance;
