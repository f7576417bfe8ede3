/**
 * Plans Kubernetes EndpointSlices: pods, nodes, a Service and its slices in, a deterministic plan out.
 *
 * What goes in comes out: a `Uint8Array` of JSON gives a `Uint8Array` (the fast way), a string gives a string,
 * a plain object gives a plain object. Give JSON as bytes, without parsing it, and objects that exist already as they
 * are: only the fields that are read are looked at. Bad input throws a {@link SlicewiseError}, and nothing else.
 *
 * The form for objects is declared first, for what comes out of `JSON.parse`, of which nothing is known; and last, for
 * `ReturnType` and the like, which look at the last one only.
 */
import type { CoreErrorCode, Options, Plan, PlanRequest, Snapshot, SnapshotPlans } from '../pkg/types/envelopes.js';

export type * from '../pkg/types/envelopes.js';

/** Any of the three shapes of input, where the shape of the answer does not depend on it. */
export type Json<T> = Uint8Array | string | T;

/** An object, which bytes are not. */
export type Given<T extends object> = (T | Record<string, unknown>) & { readonly BYTES_PER_ELEMENT?: never };

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

/** Tells a request for {@link plan} from a snapshot for {@link planSnapshot}. */
export function detect(input: Json<PlanRequest | Snapshot>): 'request' | 'snapshot';

/** The version of this package. */
export function version(): string;

/** The stable codes: those of the core, and what only the package around it can say. */
export type ErrorCode = CoreErrorCode | 'NotReady' | 'LoadFailed' | 'Closed' | 'Internal';

/** What an error tells. */
export interface ErrorParts {
  code: ErrorCode;
  message: string;
  /** Where, as a JSON pointer into the input. */
  path?: string | undefined;
  /** Line in the input, from 1; an object has none. */
  line?: number | undefined;
  /** Column in that line, in bytes, from 1; an object has none. */
  column?: number | undefined;
}

/** Bad input: what is wrong, where, and how to fix it. */
export class SlicewiseError extends Error {
  constructor(details: ErrorParts, options?: { cause?: unknown });
  readonly name: 'SlicewiseError';
  readonly code: ErrorCode;
  /** Where, as a JSON pointer into the input. */
  readonly path: string | undefined;
  /** Line in the input, from 1; an object has none. */
  readonly line: number | undefined;
  /** Column in that line, in bytes, from 1; an object has none. */
  readonly column: number | undefined;
  toJSON(): { error: ErrorParts };
}
