//! Services, Pods and Nodes free of the text they were read from: what a cache keeps.

use alloc::vec::Vec;

use super::node::{NodeMeta, NodeStatus};
use super::own::{map, optional};
use super::pod::{Container, ContainerPort, PodMeta, PodSpec, PodStatus};
use super::service::{ServiceMeta, ServiceSpec};
use super::{Node, Pod, Service, ServicePort, TargetPort, Text};

impl Service<'_> {
    /// The same Service, free of the input.
    pub fn into_owned(self) -> Service<'static> {
        let Self { metadata, spec } = self;
        Service {
            metadata: ServiceMeta {
                name: metadata.name.into_owned(),
                namespace: metadata.namespace.into_owned(),
                uid: metadata.uid.into_owned(),
                resource_version: metadata.resource_version.into_owned(),
                labels: map(&metadata.labels),
                annotations: map(&metadata.annotations),
                creation_timestamp: metadata.creation_timestamp,
                deletion_timestamp: optional(metadata.deletion_timestamp),
            },
            spec: ServiceSpec {
                selector: spec.selector.as_ref().map(map),
                ports: spec.ports.into_iter().map(service_port).collect(),
                cluster_ip: spec.cluster_ip.into_owned(),
                ip_families: spec.ip_families.into_iter().map(Text::into_owned).collect(),
                service_type: spec.service_type.into_owned(),
                publish_not_ready_addresses: spec.publish_not_ready_addresses,
                traffic_distribution: optional(spec.traffic_distribution),
            },
        }
    }
}

fn service_port(port: ServicePort<'_>) -> ServicePort<'static> {
    ServicePort {
        name: port.name.into_owned(),
        protocol: port.protocol.into_owned(),
        target_port: match port.target_port {
            TargetPort::Number(number) => TargetPort::Number(number),
            TargetPort::Name(name) => TargetPort::Name(name.into_owned()),
        },
        app_protocol: optional(port.app_protocol),
    }
}

impl Pod<'_> {
    /// The same Pod, free of the input.
    pub fn into_owned(self) -> Pod<'static> {
        let Self {
            metadata,
            spec,
            status,
        } = self;
        Pod {
            metadata: PodMeta {
                name: metadata.name.into_owned(),
                namespace: metadata.namespace.into_owned(),
                uid: metadata.uid.into_owned(),
                resource_version: metadata.resource_version.into_owned(),
                labels: map(&metadata.labels),
                deletion_timestamp: optional(metadata.deletion_timestamp),
            },
            spec: PodSpec {
                node_name: spec.node_name.into_owned(),
                hostname: spec.hostname.into_owned(),
                subdomain: spec.subdomain.into_owned(),
                containers: containers(spec.containers),
                init_containers: containers(spec.init_containers),
            },
            status: PodStatus {
                phase: status.phase.into_owned(),
                pod_ip: status.pod_ip.into_owned(),
                pod_ips: status.pod_ips,
                ready: status.ready,
            },
        }
    }
}

fn containers(containers: Vec<Container<'_>>) -> Vec<Container<'static>> {
    let own = |container: Container<'_>| Container {
        ports: container.ports.into_iter().map(container_port).collect(),
        restart_policy: container.restart_policy.into_owned(),
    };
    containers.into_iter().map(own).collect()
}

fn container_port(port: ContainerPort<'_>) -> ContainerPort<'static> {
    ContainerPort {
        name: port.name.into_owned(),
        container_port: port.container_port,
        protocol: port.protocol.into_owned(),
    }
}

impl Node<'_> {
    /// The same Node, free of the input.
    pub fn into_owned(self) -> Node<'static> {
        Node {
            metadata: NodeMeta {
                name: self.metadata.name.into_owned(),
                resource_version: self.metadata.resource_version.into_owned(),
                labels: map(&self.metadata.labels),
            },
            status: NodeStatus {
                allocatable: self.status.allocatable,
                ready: self.status.ready,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Debug;

    /// The same to the last field, as `Debug` shows them all, once the text it was read from is gone.
    #[track_caller]
    fn check<T: Debug>(owned: &T, read: &impl Debug) {
        assert_eq!(format!("{owned:?}"), format!("{read:?}"));
    }

    #[test]
    fn nothing_is_lost_of_a_service() {
        let text = r#"{"metadata":{"name":"cart","namespace":"shop","uid":"1","labels":{"a":"b"},"annotations":{"c":"d"},"creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":"2026-01-02T03:04:06Z"},"spec":{"selector":{"app":"cart"},"ports":[{"name":"http","protocol":"TCP","targetPort":"web","appProtocol":"h2"},{"targetPort":8080}],"clusterIP":"10.0.0.1","ipFamilies":["IPv4"],"type":"ClusterIP","publishNotReadyAddresses":true,"trafficDistribution":"PreferClose"}}"#;
        let service: Service<'_> = serde_json::from_str(text).unwrap();
        check(&service.clone().into_owned(), &service);
    }

    #[test]
    fn nothing_is_lost_of_a_pod() {
        let text = r#"{"metadata":{"name":"cart-1","namespace":"shop","uid":"1","labels":{"a":"b"},"deletionTimestamp":"2026-01-02T03:04:06Z"},"spec":{"nodeName":"n","hostname":"h","subdomain":"s","containers":[{"ports":[{"name":"web","containerPort":8080,"protocol":"TCP"}]}],"initContainers":[{"restartPolicy":"Always","ports":[{"containerPort":9090}]}]},"status":{"phase":"Running","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T03:04:07Z"}]}}"#;
        let pod: Pod<'_> = serde_json::from_str(text).unwrap();
        check(&pod.clone().into_owned(), &pod);
    }

    #[test]
    fn nothing_is_lost_of_a_node() {
        let text = r#"{"metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"a"}},"status":{"allocatable":{"cpu":"4"},"conditions":[{"type":"Ready","status":"True"}]}}"#;
        let node: Node<'_> = serde_json::from_str(text).unwrap();
        check(&node.clone().into_owned(), &node);
    }
}
