/// <reference lib="esnext.disposable" />
/**
 * Scenarios, played step by step: a cluster, its controller and its API server in virtual time. It is a module of its own,
 * with its own memory, and has nothing else.
 */
import type { Report, Scenario, ScenarioSummary, TimelineSettings, TimelineStep } from '../../pkg/types/envelopes.js';
import type { Json } from '../index.js';
import type { Limits } from '../session/index.js';

export { SlicewiseError, version } from '../index.js';
export type { ErrorCode, Json } from '../index.js';
export type { Limits } from '../session/index.js';
export type { Report, Scenario, ScenarioSummary, TimelineSettings, TimelineStep } from '../../pkg/types/envelopes.js';

/**
 * A scenario that is played as fast as it is asked to: the run of `slicewise simulate`, step by step. Equal scenarios give
 * equal steps. Throws a `SlicewiseError` with a path where the scenario says what cannot be.
 */
export class Timeline {
  constructor(scenario: Json<Scenario>, settings?: Json<TimelineSettings>, limits?: Limits);
  /** What the scenario says of itself. */
  about(): ScenarioSummary;
  /** The next steps, at most so many (1 when left out); none once the run has ended. */
  next(count?: number): TimelineStep[];
  /** The result of the run, which is run to its end if it has not ended; its steps are not told any more then. */
  report(): Report;
  /** The same, as the bytes that `slicewise simulate -o json` prints. */
  reportBytes(): Uint8Array;
  /** Gives the memory back at once; without it, that happens when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
}
