//! Converts Pods, Nodes and Services of `k8s_openapi` to the slim model.
//!
//! Strings are borrowed, and only what decisions depend on is read. Names are not required here, because an object on
//! its way to the API server may not have one yet; the planner requires them.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::model::conditions::ReadyCondition;
use crate::model::node::{Allocatable, NodeMeta, NodeStatus};
use crate::model::pod::{Container, ContainerPort, PodIp, PodMeta, PodSpec, PodStatus};
use crate::model::service::{ServiceMeta, ServiceSpec};
use crate::model::text::shorten;
use crate::model::{
    CheckedPort, Node, Pod, Quantity, Service, ServicePort, StringMap, TargetPort, Text, Timestamp,
    ip,
};
use crate::{Code, Error};

impl<'a> TryFrom<&'a core::Pod> for Pod<'a> {
    type Error = Error;

    /// Borrows what endpoints depend on.
    ///
    /// # Errors
    /// `InvalidValue` at `/status/podIPs/…/ip` if an address is invalid.
    fn try_from(pod: &'a core::Pod) -> Result<Self, Error> {
        Ok(Self {
            metadata: PodMeta {
                name: text(&pod.metadata.name),
                namespace: text(&pod.metadata.namespace),
                uid: text(&pod.metadata.uid),
                resource_version: text(&pod.metadata.resource_version),
                labels: map(&pod.metadata.labels),
                deletion_timestamp: pod.metadata.deletion_timestamp.as_ref().map(time_text),
            },
            spec: pod.spec.as_ref().map(pod_spec).unwrap_or_default(),
            status: match &pod.status {
                Some(status) => pod_status(status)?,
                None => PodStatus::default(),
            },
        })
    }
}

fn pod_spec(spec: &core::PodSpec) -> PodSpec<'_> {
    PodSpec {
        node_name: text(&spec.node_name),
        hostname: text(&spec.hostname),
        subdomain: text(&spec.subdomain),
        containers: list(&spec.containers, container).into(),
        init_containers: list(&spec.init_containers, container),
    }
}

fn container(container: &core::Container) -> Container<'_> {
    Container {
        ports: list(&container.ports, |port| ContainerPort {
            name: text(&port.name),
            container_port: port.container_port,
            protocol: text(&port.protocol),
        }),
        restart_policy: text(&container.restart_policy),
    }
}

fn pod_status(status: &core::PodStatus) -> Result<PodStatus<'_>, Error> {
    let addresses = status.pod_ips.iter().flatten().enumerate();
    let conditions = status.conditions.iter().flatten();
    Ok(PodStatus {
        phase: text(&status.phase),
        pod_ip: text(&status.pod_ip),
        pod_ips: addresses
            .map(|(index, entry)| {
                let ip = address(&entry.ip, || format!("/status/podIPs/{index}/ip"))?;
                Ok(PodIp { ip })
            })
            .collect::<Result<_, Error>>()?,
        ready: ready(conditions.map(|condition| {
            let since = condition.last_transition_time.as_ref();
            (&*condition.type_, &*condition.status, since)
        })),
    })
}

impl<'a> TryFrom<&'a core::Node> for Node<'a> {
    type Error = Error;

    /// Borrows what endpoints and hints depend on.
    ///
    /// # Errors
    /// `InvalidValue` at `/status/allocatable/cpu` when that is not a quantity.
    fn try_from(node: &'a core::Node) -> Result<Self, Error> {
        Ok(Self {
            metadata: NodeMeta {
                name: text(&node.metadata.name),
                resource_version: text(&node.metadata.resource_version),
                labels: map(&node.metadata.labels),
            },
            status: match &node.status {
                Some(status) => node_status(status)?,
                None => NodeStatus::default(),
            },
        })
    }
}

fn node_status(status: &core::NodeStatus) -> Result<NodeStatus, Error> {
    let cpu = status.allocatable.as_ref().and_then(|all| all.get("cpu"));
    let conditions = status.conditions.iter().flatten();
    Ok(NodeStatus {
        allocatable: Allocatable {
            cpu: match cpu {
                Some(cpu) => quantity(&cpu.0)?,
                None => Quantity::default(),
            },
        },
        ready: ready(conditions.map(|condition| {
            let since = condition.last_transition_time.as_ref();
            (&*condition.type_, &*condition.status, since)
        })),
    })
}

impl<'a> From<&'a core::Service> for Service<'a> {
    /// Borrows what slices depend on.
    fn from(service: &'a core::Service) -> Self {
        let metadata = &service.metadata;
        Self {
            metadata: ServiceMeta {
                name: text(&metadata.name),
                namespace: text(&metadata.namespace),
                uid: text(&metadata.uid),
                resource_version: text(&metadata.resource_version),
                labels: map(&metadata.labels),
                annotations: map(&metadata.annotations),
                creation_timestamp: metadata.creation_timestamp.as_ref().and_then(timestamp),
                deletion_timestamp: metadata.deletion_timestamp.as_ref().map(time_text),
            },
            spec: service.spec.as_ref().map(service_spec).unwrap_or_default(),
        }
    }
}

fn service_spec(spec: &core::ServiceSpec) -> ServiceSpec<'_> {
    ServiceSpec {
        selector: spec.selector.as_ref().map(pairs),
        ports: list(&spec.ports, |port| ServicePort {
            name: text(&port.name),
            protocol: text(&port.protocol),
            port: CheckedPort(u16::try_from(port.port).unwrap_or_default()),
            target_port: match &port.target_port {
                Some(IntOrString::Int(number)) => TargetPort::Number(*number),
                Some(IntOrString::String(name)) => TargetPort::Name(name.as_str().into()),
                None => TargetPort::default(),
            },
            app_protocol: optional(&port.app_protocol),
        }),
        cluster_ip: text(&spec.cluster_ip),
        ip_families: list(&spec.ip_families, |family| family.as_str().into()),
        service_type: text(&spec.type_),
        publish_not_ready_addresses: spec.publish_not_ready_addresses.unwrap_or_default(),
        traffic_distribution: optional(&spec.traffic_distribution),
    }
}

/// A string, empty if it is absent.
pub fn text(value: &Option<String>) -> Text<'_> {
    optional(value).unwrap_or_default()
}

/// A string for which absent and empty differ.
pub(super) fn optional(value: &Option<String>) -> Option<Text<'_>> {
    value.as_deref().map(Text::from)
}

/// Pairs, empty if they are absent.
pub(super) fn map(value: &Option<BTreeMap<String, String>>) -> StringMap<'_> {
    value.as_ref().map(pairs).unwrap_or_default()
}

fn pairs(value: &BTreeMap<String, String>) -> StringMap<'_> {
    value
        .iter()
        .map(|(key, value)| (key.as_str().into(), value.as_str().into()))
        .collect()
}

/// A list that may be absent. Which lists may be depends on the Kubernetes version.
pub(super) trait OptionalList<T> {
    fn items(&self) -> &[T];
}

impl<T> OptionalList<T> for Vec<T> {
    fn items(&self) -> &[T] {
        self
    }
}

impl<T> OptionalList<T> for Option<Vec<T>> {
    fn items(&self) -> &[T] {
        self.as_deref().unwrap_or_default()
    }
}

/// A list, empty if it is absent.
pub(super) fn list<'a, T: 'a, U>(
    list: &'a impl OptionalList<T>,
    read: impl Fn(&'a T) -> U,
) -> Vec<U> {
    list.items().iter().map(read).collect()
}

/// A time as RFC 3339 text.
pub(super) fn time_text(time: &Time) -> Text<'static> {
    time.0.to_string().into()
}

/// The same point in time; both types have the same range.
fn timestamp(time: &Time) -> Option<Timestamp> {
    Timestamp::from_unix(time.0.as_second(), time.0.subsec_nanosecond())
}

/// An address, or the error for invalid text.
pub(super) fn address(
    text: &str,
    path: impl FnOnce() -> String,
) -> Result<::core::net::IpAddr, Error> {
    ip::parse(text).ok_or_else(|| {
        let message = format!(
            "`{}` is not an IP address; write it like `10.0.0.1` or `fd00::1`",
            shorten(text)
        );
        Error::new(Code::InvalidValue, message).at(path())
    })
}

fn quantity(text: &str) -> Result<Quantity, Error> {
    Quantity::parse(text.trim()).ok_or_else(|| {
        let message = format!(
            "`{}` is not a quantity; write it like `4`, `500m` or `1.5`",
            shorten(text)
        );
        Error::new(Code::InvalidValue, message).at("/status/allocatable/cpu")
    })
}

/// The first `Ready` among conditions, with type, status and time of the last transition.
fn ready<'a>(
    mut conditions: impl Iterator<Item = (&'a str, &'a str, Option<&'a Time>)>,
) -> Option<ReadyCondition> {
    let (_, status, since) = conditions.find(|(kind, ..)| *kind == "Ready")?;
    Some(ReadyCondition {
        status: status == "True",
        last_transition_time: since.and_then(timestamp),
    })
}
