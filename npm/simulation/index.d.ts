/// <reference lib="esnext.disposable" />
/**
 * Scenarios, played step by step: a cluster, its controller and its API server in virtual time. All entries but the main one
 * share a module and its memory.
 */
import type { Report, Scenario, ScenarioSummary, TimelineSettings, TimelineStep } from '../../pkg/types/envelopes.js';
import type { Json, SlicewiseError, version } from '../index.js';
import type { Limits } from '../session/index.js';

export { SlicewiseError, version } from '../index.js';
export type { ErrorCode, Json } from '../index.js';
export type { Limits } from '../session/index.js';
export type { Report, Scenario, ScenarioSummary, TimelineSettings, TimelineStep } from '../../pkg/types/envelopes.js';

/**
 * A scenario played at your own pace: the run of `slicewise simulate`, step by step. Equal scenarios give equal steps. Throws a `SlicewiseError` with
 * a path if the scenario is invalid.
 */
export class Timeline {
  constructor(scenario: Json<Scenario>, settings?: Json<TimelineSettings>, limits?: Limits);
  /** The scenario's description of itself. */
  about(): ScenarioSummary;
  /** The next steps, at most this many (1 by default); none once the run has ended. */
  next(count?: number): TimelineStep[];
  /** The steps that are left, in order. */
  [Symbol.iterator](): IterableIterator<TimelineStep>;
  /** The report of the run. An unfinished run is first run to its end, and its remaining steps are not returned. */
  report(): Report;
  /** The same, as the bytes that `slicewise simulate -o json` prints. */
  reportBytes(): Uint8Array;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}

/** What {@link createInstance} makes. */
export interface Instance {
  Timeline: typeof Timeline;
  version: typeof version;
  SlicewiseError: typeof SlicewiseError;
}

/** This entry over an instance of the module that shares no memory with any other: losing one does not affect others. */
export function createInstance(): Instance;
