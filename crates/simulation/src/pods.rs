//! Pods as the world knows them, and as the API reports them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::time::Duration;

use slicewise::model::conditions::ReadyCondition;
use slicewise::model::pod::PodIp;
use slicewise::model::{NamespacedName, Pod, StringMap, Text};
use slicewise_live::api_server::counted_suffix;

use super::clock::timestamp;

/// The actual state of a pod.
#[derive(Clone, Debug)]
pub(super) struct PodState {
    pub(super) number: u32,
    pub(super) key: NamespacedName,
    /// Its workload; `None` after its labels no longer match.
    pub(super) workload: Option<usize>,
    /// The update of the workload that created it.
    pub(super) revision: u32,
    pub(super) labels: StringMap<'static>,
    /// Index of its node.
    pub(super) node: Option<usize>,
    pub(super) node_name: String,
    pub(super) has_address: bool,
    pub(super) is_ready: bool,
    /// It is temporarily marked not ready, whatever its actual state.
    pub(super) failing: bool,
    pub(super) ready_since: Duration,
    pub(super) deleted: Option<Duration>,
    pub(super) version: u64,
}

impl PodState {
    /// The API object.
    pub(super) fn object(&self) -> Pod<'static> {
        let number = self.number;
        let text = |text: &str| Text::from(String::from(text));
        let deleted = self.deleted.and_then(timestamp);
        let ips = if self.has_address {
            addresses(number)
        } else {
            Vec::new()
        };
        let ready = ReadyCondition {
            status: self.is_ready,
            last_transition_time: timestamp(self.ready_since),
        };
        let mut pod = Pod::default();
        pod.metadata.name = text(&self.key.name);
        pod.metadata.namespace = text(&self.key.namespace);
        pod.metadata.uid = uid(1, number.into()).into();
        pod.metadata.labels = self.labels.clone();
        pod.metadata.deletion_timestamp = deleted.map(|time| format!("{time}").into());
        pod.spec.node_name = text(&self.node_name);
        let phase = if self.has_address {
            "Running"
        } else {
            "Pending"
        };
        pod.status.phase = phase.into();
        pod.status.pod_ip = ips
            .first()
            .map(|ip| format!("{}", ip.ip).into())
            .unwrap_or_default();
        pod.status.pod_ips = ips.into();
        pod.status.ready = self.has_address.then_some(ready);
        pod
    }
}

/// A unique address of each family.
fn addresses(number: u32) -> Vec<PodIp> {
    let [_, a, b, c] = number.to_be_bytes();
    let (high, low) = ((number >> 16) as u16, number as u16);
    let at = |address: IpAddr| {
        let mut ip = PodIp::default();
        ip.ip = address;
        ip
    };
    Vec::from([
        at(Ipv4Addr::new(10, a, b, c).into()),
        at(Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, high, low).into()),
    ])
}

/// A sequential uid in the format of the API; slices get theirs from the API server.
pub(super) fn uid(kind: u16, number: u64) -> String {
    format!("00000000-{kind:04x}-4000-8000-{number:012x}")
}

/// The name of a Deployment's pod: the workload's name, a hash of the template, and a suffix.
pub(super) fn pod_name(workload: &str, revision: u32, number: u32) -> String {
    let template = counted_suffix(u64::from(revision).wrapping_mul(7_654_321), 10);
    format!("{workload}-{template}-{}", counted_suffix(number.into(), 5))
}
