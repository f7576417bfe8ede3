//! The Endpoints: one subset with the addresses of the API servers and their ports.

use alloc::vec;
use alloc::vec::Vec;

use slicewise::model::endpoints::{EndpointAddress, EndpointSubset, SubsetPort, repack_subsets};
use slicewise::model::{Endpoints, Text};

use super::{
    ApiServerLease, KubernetesServiceInput, KubernetesServiceWriteReason, because, holding,
    labelled,
};

/// The current Endpoints, and which parts of them are right.
pub(super) struct CurrentEndpoints<'i, 'a> {
    input: &'i KubernetesServiceInput<'a>,
    endpoints: Endpoints<'a>,
    is_label_missing: bool,
}

impl<'i, 'a> CurrentEndpoints<'i, 'a> {
    pub(super) fn of(input: &'i KubernetesServiceInput<'a>) -> Self {
        let (endpoints, is_label_missing) = labelled(input);
        Self {
            input,
            endpoints,
            is_label_missing,
        }
    }

    /// The addresses of the leases (reference: `leaseEndpointReconciler.doReconcile`).
    pub(super) fn with_addresses(
        mut self,
        leases: &[ApiServerLease<'a>],
        must_ports: bool,
    ) -> (Endpoints<'a>, Vec<KubernetesServiceWriteReason>) {
        let mut own_subset = None;
        if let [only] = self.endpoints.subsets.as_slice() {
            let addresses = has_exactly(&only.addresses, leases);
            let ports = !must_ports || are_same_ports(&only.ports, &self.input.ports);
            own_subset = Some((addresses, ports));
        }
        let (are_addresses_right, are_ports_right) = own_subset.unwrap_or((false, false));
        let is_reset = own_subset.is_none();
        if is_reset {
            self.endpoints.subsets = self.fresh_subset(Vec::new());
        }
        if !are_addresses_right {
            if let Some(subset) = self.endpoints.subsets.first_mut() {
                let addresses = leases.iter().map(|lease| address(&lease.address));
                subset.addresses = addresses.collect();
            }
            self.endpoints.subsets = repack_subsets(&self.endpoints.subsets);
        }
        if !are_ports_right {
            self.set_ports();
        }
        let reasons = holding([
            (is_reset, KubernetesServiceWriteReason::SubsetsReset),
            (
                !is_reset && !are_addresses_right,
                KubernetesServiceWriteReason::AddressesChanged,
            ),
            (
                !is_reset && !are_ports_right,
                KubernetesServiceWriteReason::PortsChanged,
            ),
        ]);
        self.done(reasons)
    }

    /// Adds the API server's own address to the others, keeping at most `count` (reference:
    /// `masterCountEndpointReconciler.ReconcileEndpoints`).
    pub(super) fn with_own_address(
        mut self,
        count: usize,
        must_ports: bool,
    ) -> (Endpoints<'a>, Vec<KubernetesServiceWriteReason>) {
        let own = self.input.address.clone();
        let [only] = self.endpoints.subsets.as_slice() else {
            self.endpoints.subsets = self.fresh_subset(vec![address(&own)]);
            return self.done(because(KubernetesServiceWriteReason::SubsetsReset));
        };
        let is_listed = only.addresses.iter().any(|listed| listed.ip == own);
        let are_addresses_right = is_listed && only.addresses.len() <= count;
        let are_ports_right = !must_ports || are_same_ports(&only.ports, &self.input.ports);
        if !are_addresses_right {
            self.add_own_address(&own, count);
        }
        if !are_ports_right {
            self.set_ports();
        }
        let reasons = holding([
            (
                !are_addresses_right,
                KubernetesServiceWriteReason::AddressesChanged,
            ),
            (!are_ports_right, KubernetesServiceWriteReason::PortsChanged),
        ]);
        self.done(reasons)
    }

    /// Removes its own address (reference: `masterCountEndpointReconciler.RemoveEndpoints`). The label stays as it is.
    pub(super) fn without_own_address(
        self,
    ) -> Option<(Endpoints<'a>, Vec<KubernetesServiceWriteReason>)> {
        let mut endpoints = self.input.endpoints?.clone();
        let own = &self.input.address;
        let first = endpoints.subsets.first_mut()?;
        first.addresses.retain(|address| address.ip != *own);
        endpoints.subsets = repack_subsets(&endpoints.subsets);
        Some((
            endpoints,
            because(KubernetesServiceWriteReason::AddressesChanged),
        ))
    }

    /// Adds the server's own address. If there are then too many, removes those after it, continuing at the front. As
    /// in the reference, its position is not updated when addresses before it are removed, so it may remove its own
    /// address, too.
    fn add_own_address(&mut self, own: &Text<'a>, count: usize) {
        if let Some(subset) = self.endpoints.subsets.first_mut() {
            subset.addresses.push(address(own));
        }
        self.endpoints.subsets = repack_subsets(&self.endpoints.subsets);
        let Some(subset) = self.endpoints.subsets.first_mut() else {
            return;
        };
        let addresses = &mut subset.addresses;
        let Some(place) = addresses.iter().position(|listed| listed.ip == *own) else {
            return;
        };
        while addresses.len() > count {
            let doomed = (place + 1) % addresses.len();
            addresses.remove(doomed);
        }
    }

    fn fresh_subset(&self, addresses: Vec<EndpointAddress<'a>>) -> Vec<EndpointSubset<'a>> {
        let mut subset = EndpointSubset::default();
        subset.addresses = addresses;
        subset.ports = self.input.ports.clone();
        vec![subset]
    }

    fn set_ports(&mut self) {
        if let Some(subset) = self.endpoints.subsets.first_mut() {
            subset.ports = self.input.ports.clone();
        }
    }

    fn done(
        self,
        mut reasons: Vec<KubernetesServiceWriteReason>,
    ) -> (Endpoints<'a>, Vec<KubernetesServiceWriteReason>) {
        if self.input.endpoints.is_none() {
            reasons = because(KubernetesServiceWriteReason::NotFound);
        } else if self.is_label_missing {
            reasons.push(KubernetesServiceWriteReason::SkipMirrorLabel);
        }
        (self.endpoints, reasons)
    }
}

fn address<'a>(ip: &Text<'a>) -> EndpointAddress<'a> {
    let mut address = EndpointAddress::default();
    address.ip = ip.clone();
    address
}

/// Are the addresses exactly those of the leases, in any order?
fn has_exactly(addresses: &[EndpointAddress<'_>], leases: &[ApiServerLease<'_>]) -> bool {
    let mut listed: Vec<&str> = addresses.iter().map(|address| &*address.ip).collect();
    slicewise::model::order::sort(&mut listed);
    let wanted = leases.iter().map(|lease| &*lease.address);
    listed.into_iter().eq(wanted)
}

/// Compares ports pairwise. Ports with an application protocol are never equal, because Go compares those pointers.
fn are_same_ports(ports: &[SubsetPort<'_>], wanted: &[SubsetPort<'_>]) -> bool {
    let is_same = |(one, other): (&SubsetPort<'_>, &SubsetPort<'_>)| {
        let has_protocol = one.app_protocol.is_some() || other.app_protocol.is_some();
        !has_protocol
            && one.name == other.name
            && one.port == other.port
            && one.protocol == other.protocol
    };
    ports.len() == wanted.len() && ports.iter().zip(wanted).all(is_same)
}
