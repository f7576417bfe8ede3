//! Facts about traffic; they all come from [`routing`](slicewise_traffic::routing), for the live and the planned slices.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::scene::Scene;
use slicewise::model::order::sorted_unique;
use slicewise::model::{AddressType, Endpoint, EndpointSlice, Pod};
use slicewise_sources::mirroring::mirrored_of;
use slicewise_traffic::proxy::{ProxiedService, Topology};
use slicewise_traffic::routing::{Budget, Client, PortTraffic, Situation, matrix_within};

/// Explanations do not evaluate more than this.
const MOST: Budget = {
    let mut most = Budget::UNLIMITED;
    most.entries = 1 << 20;
    most.steps = 1 << 24;
    most
};

/// From which nodes traffic comes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// From each node.
    Nodes,
    /// From one node of each zone, which stands for all of them.
    Zones,
    /// From the client pods that the question names; if it names none, from each node, or those that slices name.
    Clients,
}

/// The nodes that traffic comes from, and the traffic of each port; no ports if nothing is known or proxied.
pub(super) struct TrafficSources<'t> {
    pub(super) clients: Cow<'t, [Client<'t>]>,
    pub(super) ports: Vec<PortTraffic>,
}

/// The traffic of a Service over some slices, as kube-proxy distributes it.
pub(super) fn of<'t>(
    scene: &Scene<'t>,
    service: &ProxiedService<'_>,
    slices: &[&EndpointSlice<'_>],
    family: AddressType,
    from: From,
) -> TrafficSources<'t> {
    let clients = clients(scene, from);
    let settings = scene.case.options.settings();
    let situation = Situation::of_kube_proxy(service, slices, family, &settings);
    let ports = if clients.is_empty() {
        Vec::new()
    } else {
        matrix_within(&situation, &clients, &mut MOST.clone()).unwrap_or_default()
    };
    TrafficSources { clients, ports }
}

fn clients<'t>(scene: &Scene<'t>, from: From) -> Cow<'t, [Client<'t>]> {
    let (cluster, named) = (scene.case.cluster, scene.case.named_nodes);
    Cow::Borrowed(match (from, scene.case.clients) {
        (From::Clients, Some(named)) => &named.clients,
        (From::Clients, None) if !named.is_empty() => {
            return [&cluster.clients, named].concat().into();
        }
        (From::Clients | From::Nodes, _) => &cluster.clients,
        (From::Zones, _) => &cluster.zone_clients,
    })
}

impl<'t> TrafficSources<'t> {
    /// The names of clients that find no endpoint for some port.
    pub(super) fn unserved(&self) -> Vec<&'t str> {
        self.where_groups(|group| group.uses.is_empty(), |client| client.node)
    }

    /// The zones whose clients do not stay close.
    pub(super) fn zones_that_leave(&self) -> Vec<&'t str> {
        self.where_groups(
            |group| group.topology == Topology::None && !group.uses.is_empty(),
            |client| client.zone,
        )
    }

    /// Do the clients of any zone stay close?
    pub(super) fn follows_hints(&self) -> bool {
        let groups = self.ports.iter().flat_map(|port| &port.groups);
        groups
            .into_iter()
            .any(|group| group.topology != Topology::None)
    }

    /// The number of endpoints that clients use; 0 if no client is served. `None` if no port is proxied.
    pub(super) fn used(&self) -> Option<usize> {
        let used = |port: &PortTraffic| {
            let places = port
                .groups
                .iter()
                .flat_map(|group| group.uses.iter().copied());
            sorted_unique(places).len()
        };
        self.ports.iter().map(used).max()
    }

    /// The zone of the busiest endpoint, and its load as a multiple of the fair share.
    pub(super) fn busiest(&self) -> Option<(String, f64)> {
        let endpoints = self.ports.iter().flat_map(|port| &port.endpoints);
        let busiest = endpoints.reduce(|most, next| {
            if next.overload > most.overload {
                next
            } else {
                most
            }
        })?;
        Some((busiest.zone.clone(), busiest.overload + 1.0))
    }

    fn where_groups(
        &self,
        is_it: impl Fn(&slicewise_traffic::routing::NodeGroup) -> bool,
        name: impl Fn(&Client<'t>) -> &'t str,
    ) -> Vec<&'t str> {
        let groups = self.ports.iter().flat_map(|port| &port.groups);
        let places = groups
            .filter(|group| is_it(group))
            .flat_map(|group| &group.nodes);
        sorted_unique(
            places
                .filter_map(|place| self.clients.get(*place))
                .map(name),
        )
    }
}

impl<'a> Scene<'a> {
    /// The Service as proxies read it.
    pub(super) fn proxied(&self) -> Option<&'a ProxiedService<'a>> {
        self.case.details.service(&self.case.service.key())
    }

    /// The slices that consumers see: the live ones if they are known, otherwise those of the plan.
    pub(super) fn seen(&self) -> Vec<&EndpointSlice<'_>> {
        if self.case.knows_slices {
            self.case.slices.to_vec()
        } else {
            self.planned()
        }
    }

    /// The slices that consumers see after the plan is written, including those of other managers.
    pub(super) fn planned(&self) -> Vec<&EndpointSlice<'_>> {
        if let Some(mirrored) = self.mirror_plan() {
            let slices = self.case.slices.iter().copied();
            let (live, mut planned): (Vec<_>, Vec<_>) =
                slices.partition(|slice| mirrored_of(slice).is_some());
            planned.extend(mirrored.plan.named_after(&live));
            return planned;
        }
        let own = |slice: &EndpointSlice<'_>| self.own.iter().any(|own| own.name() == slice.name());
        let others = self.case.slices.iter().copied().filter(|slice| !own(slice));
        others.chain(self.after.iter().copied()).collect()
    }

    /// The live slice and endpoint of a pod, if the live slices are known and one has it.
    pub(super) fn live(&self, pod: &Pod<'_>) -> Option<(&EndpointSlice<'a>, &Endpoint<'a>)> {
        let slices = self.own.iter().copied();
        let slices = slices.filter(|_| self.case.knows_slices);
        let mut places = slices.flat_map(|slice| {
            slice
                .endpoints
                .iter()
                .map(move |endpoint| (slice, endpoint))
        });
        places.find(|(_, endpoint)| {
            endpoint
                .target_ref
                .as_ref()
                .is_some_and(|target| target.kind == "Pod" && target.name == pod.metadata.name)
        })
    }
}
