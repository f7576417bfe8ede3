//! How much of the traffic crosses zones: as kube-proxy routes it, if every node sends the same amount.

use alloc::vec::Vec;

use super::view::ServiceContext;
use slicewise::model::{AddressType, EndpointSlice, Node, Text};
use slicewise::plan::Plan;
use slicewise_traffic::proxy::ProxiedService;
use slicewise_traffic::routing::{Budget, Client, Situation, matrix_within};

impl ServiceContext<'_> {
    /// With the current slices.
    pub(super) fn cross_zone_now(&self, family: AddressType) -> Option<f64> {
        self.cross_zone(self.proxied()?, &self.slices, family)
    }

    /// With the slices after a plan is written.
    pub(super) fn cross_zone_after(&self, plan: &Plan<'_>, family: AddressType) -> Option<f64> {
        let service = self.proxied()?;
        let before: Vec<EndpointSlice<'_>> =
            self.slices.iter().map(|slice| (*slice).clone()).collect();
        let after = plan.slices_after(&before);
        self.cross_zone(service, &after.iter().collect::<Vec<_>>(), family)
    }

    /// The Service whose traffic is followed; none without the feature, so that the module does not contain the code.
    fn proxied(&self) -> Option<&ProxiedService<'_>> {
        self.proxied.filter(|_| cfg!(feature = "traffic"))
    }

    fn cross_zone(
        &self,
        service: &ProxiedService<'_>,
        slices: &[&EndpointSlice<'_>],
        family: AddressType,
    ) -> Option<f64> {
        let clients: Vec<Client<'_>> = self.nodes.iter().map(client).collect();
        let settings = self.options.settings();
        let situation = Situation::of_kube_proxy(service, slices, family, &settings);
        let ports = matrix_within(&situation, &clients, &mut Budget::default()).ok()?;
        let crossing: Option<Vec<f64>> = ports.iter().map(|port| port.cross_zone).collect();
        let crossing = crossing.filter(|crossing| !crossing.is_empty())?;
        Some(crossing.iter().sum::<f64>() / crossing.len() as f64)
    }
}

fn client<'n>(node: &'n Node<'_>) -> Client<'n> {
    Client::new(
        node.metadata.name.as_str(),
        node.zone().map_or("", Text::as_str),
    )
}
