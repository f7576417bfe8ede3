/** A program over the objects of the usual client: they are passed in unchanged, and results are passed back. */
import type { V1EndpointSlice, V1EndpointSliceList, V1Node, V1NodeList, V1Pod, V1PodList, V1Service, V1ServiceList } from '@kubernetes/client-node';
import { plan, planSnapshot } from 'slicewise';
import type { PlanRequest, SnapshotPlans } from 'slicewise';
import { createReviewer } from 'slicewise/admission';
import { Session } from 'slicewise/session';
import { route, traffic } from 'slicewise/tools';

export function planAll(services: V1ServiceList, pods: V1PodList, nodes: V1NodeList, slices: V1EndpointSliceList): SnapshotPlans {
  return planSnapshot([services, pods, nodes, slices]);
}

export function planServices(services: V1ServiceList, pods: V1Pod[]): SnapshotPlans[] {
  return [planSnapshot(services), planSnapshot([services, ...pods]), planSnapshot({ kind: 'List', apiVersion: 'v1', items: pods })];
}

/** The lists of informers. */
export function planCache(services: readonly V1Service[], pods: V1Pod[], nodes: V1NodeList, slices: V1EndpointSlice[]): SnapshotPlans {
  return planSnapshot({ services, pods, nodes, slices });
}

export function planOne(service: V1Service, { items: pods }: V1PodList, nodes: readonly V1Node[], slices: V1EndpointSlice[]): string[] {
  const request: PlanRequest = { service, pods, nodes, slices };
  return plan(request).create.flatMap(({ endpoints }) => endpoints.flatMap(({ addresses }) => addresses));
}

export function follow(session: Session, service: V1Service, object: V1Service): number {
  createReviewer({ snapshot: [service] }).apply({ type: 'ADDED', object });
  return session.apply({ type: 'MODIFIED', object }).taken;
}

export function who(service: V1Service, slices: V1EndpointSlice[], node: V1Node, nodes: V1Node[]): number {
  return traffic({ service, slices, nodes }).ports.length + route({ service, slices, node }).warnings.length;
}
