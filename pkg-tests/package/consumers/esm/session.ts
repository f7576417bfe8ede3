/** An ESM program with sessions: every overload, and what must not compile. */
import { Controller, Proxier, Session, SlicewiseError, plan } from 'slicewise/session';
import type { Applied, ControllerAction, Plan, WatchEvent } from 'slicewise/session';

const event: WatchEvent = { type: 'ADDED', object: { kind: 'Pod', metadata: { name: 'cart-1' } } };

using session = new Session({ maxEndpointsPerSlice: 10 }, { maxInputBytes: 1 << 20 });
export const bytes: Uint8Array = session.apply(new Uint8Array());
export const text: string = session.apply('[]');
export const one: Applied = session.apply(event);
export const many: Applied = session.apply([event]);
export const list: Applied = session.apply({ kind: 'PodList', items: [] });
export const planned: Plan | null = session.sync('shop/cart');
export const again: Uint8Array = session.syncBytes({ namespace: 'shop', name: 'cart' });
export const services: string[] = session.services();
using restored = Session.restore(session.dump());
export const known: string[] = restored.services();

using controller = new Controller({ apply: 'manual', endpointUpdatesBatchPeriod: '500ms', topologyHints: false });
export const lines: Uint8Array = controller.feed(new Uint8Array());
export const answers: ControllerAction[] = [
  ...controller.list({ kind: 'NodeList', items: [] }, 0),
  ...controller.apply(event, 10),
  ...controller.due(20),
  ...controller.complete('shop/cart', 'Conflict', 30),
  ...controller.complete('shop/cart', null, 40, { created: [{}] }),
  ...controller.feed({ at: 50, resync: true }),
];
export const following: ControllerAction[] = [...controller, ...controller.answers([{ at: 60 }])];
export const answered: string[] = [...controller.answers('{"at": 70}'), ...new Proxier({ node: 'a' }).answers(['{}'])];
export const wait: number | null = controller.nextDue();
export const names = answers.map((answer) => ('sync' in answer ? (answer.plan?.create.length ?? answer.sync) : answer.at));
export const both: boolean = new SlicewiseError({ code: 'Closed', message: '' }) instanceof Error && plan('{}').length > 0;

// @ts-expect-error what goes in comes out
export const wrong: string = session.apply(event);
// @ts-expect-error a plan that may not be there
export const sure: Plan = session.sync('shop/cart');
// @ts-expect-error an event needs an object
session.apply({ type: 'ADDED' });
// @ts-expect-error no error of a write
controller.complete('shop/cart', 'Nonsense', 0);
// @ts-expect-error a time is needed
controller.apply(event);
// @ts-expect-error sessions are in a module of their own
export const none: typeof import('slicewise') = { Session };
