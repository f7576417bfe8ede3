/** An ESM program with tools: every overload, and what must not compile. */
import { apply, diff, explain, plan, traffic } from 'slicewise/tools';
import type { AppliedPlan, Diff, Explained, Plan, SnapshotPlans } from 'slicewise/tools';

declare const planned: Plan;
declare const all: SnapshotPlans;
declare const slices: object[];

export const bytes: Uint8Array = diff(new Uint8Array(), new Uint8Array());
export const text: string = diff('[]', slices);
export const differing: Diff = diff({ kind: 'List', items: [] }, slices);
export const added: number = differing.services.filter(({ changes }) => changes.some(({ change }) => change === 'added')).length;
export const applied: AppliedPlan = apply(planned, slices);
export const many: AppliedPlan = apply(all, '[]');
export const refused: string | undefined = applied.refused[0]?.error;
export const explained: Explained = explain({ kind: 'List', items: [] }, { about: 'hints' });
export const readers = traffic({ service: {}, reader: 'cilium' }).ports.length;
export const withPatches: Plan = plan({ service: {}, options: { patches: ['merge'], explain: true } });

// @ts-expect-error what goes in comes out
export const wrong: string = diff(slices, slices);
// @ts-expect-error there are two sides
diff(slices);
// @ts-expect-error a plan, not a Service
apply({ service: {} }, slices);
// @ts-expect-error no reader of slices
traffic({ service: {}, reader: 'iptables' });
