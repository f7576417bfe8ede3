//! Pod (`v1`): addresses, readiness, ports and termination.

use std::net::IpAddr;

use super::conditions::{Conditions, ReadyCondition};
use super::ip;
use super::object::slim_object;
use super::quantity::shorten;
use super::text::{StringMap, Text};

slim_object! {
    /// The part of a Pod that endpoints depend on.
    #[derive(Clone, Debug, Default)]
    pub struct Pod<'a>("Pod") {
        /// Name, labels.
        "metadata" metadata: PodMeta<'a> = required;
        /// Node, hostname, ports.
        "spec" spec: PodSpec<'a>;
        /// Phase, addresses, readiness.
        "status" status: PodStatus<'a>;
    }
}

slim_object! {
    /// Metadata of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct PodMeta<'a>("ObjectMeta") {
        /// Name.
        "name" name: Text<'a> = required;
        /// Namespace.
        "namespace" namespace: Text<'a>;
        /// Identity.
        "uid" uid: Text<'a>;
        /// What selectors look at.
        "labels" labels: StringMap<'a>;
        /// Set while the pod terminates.
        "deletionTimestamp" deletion_timestamp: Option<Text<'a>>;
    }
}

slim_object! {
    /// Specification of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct PodSpec<'a>("PodSpec") {
        /// Node it is bound to; empty before scheduling.
        "nodeName" node_name: Text<'a>;
        /// First label of its DNS name.
        "hostname" hostname: Text<'a>;
        /// Names the headless Service that gives it a DNS name.
        "subdomain" subdomain: Text<'a>;
        /// Containers, for their named ports.
        "containers" containers: Vec<Container<'a>>;
        /// Init containers; those that restart always are sidecars, whose ports count.
        "initContainers" init_containers: Vec<Container<'a>>;
    }
}

slim_object! {
    /// One container: its ports, and whether it is a sidecar.
    #[derive(Clone, Debug, Default)]
    pub struct Container<'a>("Container") {
        /// Ports.
        "ports" ports: Vec<ContainerPort<'a>>;
        /// `Always` makes an init container a sidecar (KEP-753).
        "restartPolicy" restart_policy: Text<'a>;
    }
}

slim_object! {
    /// One port of a container.
    #[derive(Clone, Debug, Default)]
    pub struct ContainerPort<'a>("ContainerPort") {
        /// Name, for target ports by name.
        "name" name: Text<'a>;
        /// Number.
        "containerPort" container_port: i32;
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" protocol: Text<'a>;
    }
}

slim_object! {
    /// Status of a Pod.
    #[derive(Clone, Debug, Default)]
    pub struct PodStatus<'a>("PodStatus") {
        /// `Pending`, `Running`, `Succeeded`, `Failed`, `Unknown`.
        "phase" phase: Text<'a>;
        /// The pod's first address; only whether there is one matters.
        "podIP" pod_ip: Text<'a>;
        /// All addresses.
        "podIPs" pod_ips: Vec<PodIp>;
        /// The `Ready` condition, when there is one.
        "conditions" ready: Option<ReadyCondition>, via Conditions;
    }
}

slim_object! {
    /// One address of a pod, already read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PodIp("PodIP") {
        /// The address.
        "ip" ip: IpAddr = required, via Address;
    }
}

impl Pod<'_> {
    /// Is the `Ready` condition true?
    pub fn is_ready(&self) -> bool {
        self.status.ready.is_some_and(|condition| condition.status)
    }

    /// Is the pod being deleted?
    pub const fn is_terminating(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// Has it finished for good?
    pub fn is_terminal(&self) -> bool {
        self.status.phase == "Failed" || self.status.phase == "Succeeded"
    }

    /// May it be an endpoint at all (reference: `ShouldPodBeInEndpoints`, terminating pods included)?
    pub fn may_be_endpoint(&self) -> bool {
        let has_address = !self.status.pod_ip.is_empty() || !self.status.pod_ips.is_empty();
        has_address && !self.is_terminal()
    }
}

/// An address as the API writes it.
struct Address(IpAddr);

impl<'de> serde::Deserialize<'de> for Address {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AddressVisitor;

        impl serde::de::Visitor<'_> for AddressVisitor {
            type Value = Address;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an IP address")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Address, E> {
                ip::parse(text).map(Address).ok_or_else(|| {
                    E::custom(format_args!(
                        "`{}` is not an IP address; write it like `10.0.0.1` or `fd00::1`",
                        shorten(text)
                    ))
                })
            }
        }

        deserializer.deserialize_str(AddressVisitor)
    }
}
