//! What stands for the nodes of an input that has none, so that nothing is said of slices that only follows from that.

use alloc::collections::BTreeMap;

use slicewise::model::{EndpointSlice, Pod, Service};
use slicewise::topology::nodes::NodeZones;
use slicewise_traffic::routing::named_nodes;

/// Every node that a pod names is taken to exist, in the zone that slices give its endpoints.
pub(crate) struct AssumedNodes<'w> {
    zones: BTreeMap<&'w str, &'w str>,
}

impl<'w> AssumedNodes<'w> {
    pub(crate) fn of(slices: &'w [EndpointSlice<'w>]) -> Self {
        let named = named_nodes(slices).into_iter();
        let known = named.filter(|node| !node.zone.is_empty());
        Self {
            zones: known.map(|node| (node.node, node.zone)).collect(),
        }
    }

    /// Do they tell all that the hints of a Service with these pods depend on? `Auto` also depends on CPU.
    pub(super) fn settle_hints(&self, service: &Service<'_>, pods: &[&Pod<'_>]) -> bool {
        let mut nodes = pods.iter().map(|pod| pod.spec.node_name.as_str());
        !service.wants_topology_hints() && nodes.all(|node| self.zones.contains_key(node))
    }
}

impl NodeZones for AssumedNodes<'_> {
    fn zone(&self, name: &str) -> Option<Option<&str>> {
        (!name.is_empty()).then(|| self.zones.get(name).copied())
    }
}
