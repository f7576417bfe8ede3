//! Service (`v1`): selector, ports, families and traffic settings.

use super::keys;
use super::meta::NamespacedName;
use super::object::slim_object;
use super::text::{StringMap, Text};
use super::time::Timestamp;

slim_object! {
    /// The part of a Service that EndpointSlices depend on.
    #[derive(Clone, Debug, Default)]
    pub struct Service<'a>("Service") {
        /// Name, labels, annotations.
        "metadata" metadata: ServiceMeta<'a> = required;
        /// Selector, ports, families.
        "spec" spec: ServiceSpec<'a>;
    }
}

slim_object! {
    /// Metadata of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceMeta<'a>("ObjectMeta") {
        /// Name.
        "name" name: Text<'a> = required;
        /// Namespace.
        "namespace" namespace: Text<'a>;
        /// Identity; slices name it as their owner's.
        "uid" uid: Text<'a>;
        /// Copied to the slices, but for the reserved ones.
        "labels" labels: StringMap<'a>;
        /// Topology mode, among others.
        "annotations" annotations: StringMap<'a>;
        /// When it was created: its trigger time when it is seen first.
        "creationTimestamp" creation_timestamp: Option<Timestamp>;
        /// Set while the Service is being deleted: no slices are created any more.
        "deletionTimestamp" deletion_timestamp: Option<Text<'a>>;
    }
}

slim_object! {
    /// Specification of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct ServiceSpec<'a>("ServiceSpec") {
        /// Labels a pod must have; `None` leaves the Service's slices to others, an empty selector takes every pod.
        "selector" selector: Option<StringMap<'a>>;
        /// Ports.
        "ports" ports: Vec<ServicePort<'a>>;
        /// `None` makes it headless.
        "clusterIP" cluster_ip: Text<'a>;
        /// `IPv4`, `IPv6`; empty from API servers older than dual stack.
        "ipFamilies" ip_families: Vec<Text<'a>>;
        /// `ExternalName` Services have no slices.
        "type" service_type: Text<'a>;
        /// Publish pods whether ready or not, and whether their Node is known or not.
        "publishNotReadyAddresses" publish_not_ready_addresses: bool;
        /// `PreferClose`, `PreferSameZone`, `PreferSameNode` (KEP-4444, KEP-3015).
        "trafficDistribution" traffic_distribution: Option<Text<'a>>;
    }
}

slim_object! {
    /// One port of a Service.
    #[derive(Clone, Debug, Default)]
    pub struct ServicePort<'a>("ServicePort") {
        /// Name; empty when the Service has one port only.
        "name" name: Text<'a>;
        /// `TCP`, `UDP` or `SCTP`.
        "protocol" protocol: Text<'a>;
        /// Where on the pod it leads.
        "targetPort" target_port: TargetPort<'a>;
        /// Application protocol.
        "appProtocol" app_protocol: Option<Text<'a>>;
    }
}

/// A port by number, or by the name a container gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetPort<'a> {
    /// A number.
    Number(i32),
    /// A container port's name.
    Name(Text<'a>),
}

impl Default for TargetPort<'_> {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl<'de: 'a, 'a> serde::Deserialize<'de> for TargetPort<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PortVisitor;

        impl<'de> serde::de::Visitor<'de> for PortVisitor {
            type Value = TargetPort<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a port number or a container port's name")
            }

            fn visit_borrowed_str<E>(self, value: &'de str) -> Result<TargetPort<'de>, E> {
                Ok(TargetPort::Name(value.into()))
            }

            fn visit_str<E>(self, value: &str) -> Result<TargetPort<'de>, E> {
                Ok(TargetPort::Name(value.to_owned().into()))
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<TargetPort<'de>, E> {
                i32::try_from(value)
                    .map(TargetPort::Number)
                    .map_err(|_| out_of_range(&value))
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<TargetPort<'de>, E> {
                i32::try_from(value)
                    .map(TargetPort::Number)
                    .map_err(|_| out_of_range(&value))
            }
        }

        fn out_of_range<E: serde::de::Error>(value: &dyn std::fmt::Display) -> E {
            E::custom(format_args!(
                "port {value} is out of range; a port is a number from 1 to 65535"
            ))
        }

        deserializer.deserialize_any(PortVisitor)
    }
}

impl Service<'_> {
    /// Namespace and name.
    pub fn key(&self) -> NamespacedName {
        NamespacedName {
            namespace: self.metadata.namespace.to_string(),
            name: self.metadata.name.to_string(),
        }
    }

    /// Does a controller keep slices for it? Not without a selector, nor for `ExternalName`.
    pub fn is_reconciled(&self) -> bool {
        self.spec.selector.is_some() && self.spec.service_type != "ExternalName"
    }

    /// Headless in the sense of the slice label: no cluster IP set (reference: `!isServiceIPSet`).
    pub fn is_headless(&self) -> bool {
        self.spec.cluster_ip == keys::CLUSTER_IP_NONE || self.spec.cluster_ip.is_empty()
    }

    /// Does an annotation ask for topology hints (reference: `hintsEnabled`)?
    pub fn wants_topology_hints(&self) -> bool {
        let annotations = &self.metadata.annotations;
        annotations
            .get(keys::TOPOLOGY_AWARE_HINTS_ANNOTATION)
            .or_else(|| annotations.get(keys::TOPOLOGY_MODE_ANNOTATION))
            .is_some_and(|mode| *mode == "Auto" || *mode == "auto")
    }
}
