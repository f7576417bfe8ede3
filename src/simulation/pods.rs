//! Pods as the world knows them, and as the API tells of them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::time::Duration;

use super::api_server::counted_suffix;
use super::clock::timestamp;
use crate::model::conditions::ReadyCondition;
use crate::model::pod::{PodIp, PodMeta, PodSpec, PodStatus};
use crate::model::{NamespacedName, Pod, StringMap, Text};

/// A pod, as it is.
#[derive(Clone, Debug)]
pub(super) struct PodState {
    pub(super) number: u32,
    pub(super) key: NamespacedName,
    /// The workload it is of; none any more once its labels have left it.
    pub(super) workload: Option<usize>,
    /// Which update of the workload made it.
    pub(super) revision: u32,
    pub(super) labels: StringMap<'static>,
    /// Number of its node.
    pub(super) node: Option<usize>,
    pub(super) node_name: String,
    pub(super) has_address: bool,
    pub(super) is_ready: bool,
    /// It is marked not ready until then, whatever its actual state.
    pub(super) failing: bool,
    pub(super) ready_since: Duration,
    pub(super) deleted: Option<Duration>,
    pub(super) version: u64,
}

impl PodState {
    /// As the API tells of it.
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
        Pod {
            metadata: PodMeta {
                name: text(&self.key.name),
                namespace: text(&self.key.namespace),
                uid: uid(1, number.into()).into(),
                resource_version: Text::default(),
                labels: self.labels.clone(),
                deletion_timestamp: deleted.map(|time| format!("{time}").into()),
            },
            spec: PodSpec {
                node_name: text(&self.node_name),
                ..PodSpec::default()
            },
            status: PodStatus {
                phase: if self.has_address {
                    "Running"
                } else {
                    "Pending"
                }
                .into(),
                pod_ip: ips
                    .first()
                    .map(|ip| format!("{}", ip.ip).into())
                    .unwrap_or_default(),
                pod_ips: ips,
                ready: self.has_address.then_some(ready),
            },
        }
    }
}

/// One address of each family, of its own.
fn addresses(number: u32) -> Vec<PodIp> {
    let [_, a, b, c] = number.to_be_bytes();
    let (high, low) = ((number >> 16) as u16, number as u16);
    Vec::from([
        PodIp {
            ip: IpAddr::V4(Ipv4Addr::new(10, a, b, c)),
        },
        PodIp {
            ip: IpAddr::V6(Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, high, low)),
        },
    ])
}

/// An identity that counts, in the form the API gives them; slices have those of the API server.
pub(super) fn uid(kind: u16, number: u64) -> String {
    format!("00000000-{kind:04x}-4000-8000-{number:012x}")
}

/// A pod's name as a Deployment's pods have it: its own, a hash of the template, and a suffix.
pub(super) fn pod_name(workload: &str, revision: u32, number: u32) -> String {
    let template = counted_suffix(u64::from(revision).wrapping_mul(7_654_321), 10);
    format!("{workload}-{template}-{}", counted_suffix(number.into(), 5))
}
