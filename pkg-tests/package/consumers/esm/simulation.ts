/** An ESM program that plays a scenario: what it may take and give, and what must not compile. */
import { Timeline } from 'slicewise/simulation';
import type { Report, ScenarioSummary, TimelineStep } from 'slicewise/simulation';

using timeline = new Timeline({ zones: [{ name: 'a', nodes: 1 }] }, { service: 'shop/cart' }, { maxInputBytes: 1000 });

export const about: ScenarioSummary = timeline.about();
export const steps: TimelineStep[] = timeline.next(2);
export const messages: string[] = steps.flatMap(({ happened }) => (happened ?? []).map(({ message }) => message));
export const report: Report = timeline.report();
export const bytes: Uint8Array = timeline.reportBytes();

// @ts-expect-error a scenario needs zones
new Timeline({});
// @ts-expect-error a setting that does not exist
new Timeline('{}', { services: [] });
