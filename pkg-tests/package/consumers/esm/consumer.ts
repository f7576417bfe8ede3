/** An ESM program: every overload, and what must not compile. */
import { SlicewiseError, detect, plan, planSnapshot, version } from 'slicewise';
import type { ErrorCode, Options, Plan, PlanRequest, SnapshotPlans } from 'slicewise';

const request: PlanRequest = {
  service: { metadata: { namespace: 'shop', name: 'cart' }, spec: { selector: { app: 'cart' } } },
  pods: [{ metadata: { name: 'cart-1' } }],
  options: { maxEndpointsPerSlice: 100 },
};

export const bytes: Uint8Array = plan(new Uint8Array());
export const text: string = plan('{}');
export const value: Plan = plan(request);
export const names: string[] = value.create.map((slice) => String(slice.metadata.generateName));

const options: Options = { topologyHints: false };
export const snapshotBytes: Uint8Array = planSnapshot(new Uint8Array(), options);
export const snapshotText: string = planSnapshot('[]', '{}');
export const plans: SnapshotPlans = planSnapshot([], new Uint8Array());
export const kind: 'request' | 'snapshot' = detect(request);
export const current: string = version();

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof SlicewiseError ? error.code : undefined;
}

// @ts-expect-error what goes in comes out
export const wrong: string = plan(new Uint8Array());
// @ts-expect-error an option that does not exist
plan({ ...request, options: { maxEndpoints: 3 } });
// @ts-expect-error a request needs a service
plan({ pods: [] });
// @ts-expect-error a field that no Kubernetes object has
plan({ service: { metdata: { namespace: 'shop', name: 'cart' } } });
// @ts-expect-error the same in a list
plan({ ...request, pods: [{ metadata: { name: 'cart-1' }, sepc: {} }] });
// @ts-expect-error neither a list nor an object that states its kind
planSnapshot({});
// @ts-expect-error a cache without Services
planSnapshot({ pods: [] });
// @ts-expect-error a list has items
planSnapshot({ items: 'all' });
// @ts-expect-error no bytes, no text, no object
plan(7);
// @ts-expect-error a code that does not exist
export const never: boolean = new SlicewiseError({ code: 'Nonsense', message: '' });
