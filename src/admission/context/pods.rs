//! The pods of one namespace, by label: what a selector picks out, and what it might have meant.

use alloc::vec::Vec;

use crate::membership::selector;
use crate::model::order::{Grouped, hash};
use crate::model::pod::{Container, ContainerPort, PodMeta, PodSpec, PodStatus};
use crate::model::{Pod, StringMap, Text};

/// Pods of one namespace, and which of them have a label.
#[derive(Debug, Default)]
pub struct PodIndex {
    pods: Vec<Pod<'static>>,
    /// Numbers of pods by the hash of a label: pods that only share the hash are told apart when they are picked.
    by_label: Grouped<u64, u32>,
}

impl PodIndex {
    /// Takes what the planner reads of pods.
    pub fn new<'p>(pods: impl Iterator<Item = &'p Pod<'p>>) -> Self {
        let pods: Vec<_> = pods.map(slim).collect();
        let labels = (0_u32..).zip(&pods).flat_map(|(number, pod)| {
            let labels = pod.metadata.labels.iter();
            labels.map(move |label| (hash_label(label), number))
        });
        let by_label = Grouped::new(labels);
        Self { pods, by_label }
    }

    /// The pods a selector picks out. Only those that have its rarest pair are looked at.
    pub fn select(&self, selector: &StringMap<'_>) -> Vec<&Pod<'static>> {
        let Some(rarest) = selector
            .iter()
            .map(|label| self.by_label.of(&hash_label(label)))
            .min_by_key(|pods| pods.len())
        else {
            return self.pods.iter().collect();
        };
        let candidates = rarest
            .iter()
            .filter_map(|(_, number)| self.pods.get(*number as usize));
        candidates
            .filter(|pod| selector::matches(selector, &pod.metadata.labels))
            .collect()
    }
}

fn hash_label((key, value): (&Text<'_>, &Text<'_>)) -> u64 {
    hash(&[key.as_bytes(), value.as_bytes()])
}

/// What the planner reads of a pod to tell whether, and on which ports, it is a ready endpoint.
fn slim(pod: &Pod<'_>) -> Pod<'static> {
    let own = |text: &Text<'_>| text.clone().into_owned();
    Pod {
        metadata: PodMeta {
            name: own(&pod.metadata.name),
            namespace: own(&pod.metadata.namespace),
            uid: Text::default(),
            resource_version: Text::default(),
            labels: pod
                .metadata
                .labels
                .iter()
                .map(|(key, value)| (own(key), own(value)))
                .collect(),
            deletion_timestamp: pod.metadata.deletion_timestamp.as_ref().map(own),
        },
        spec: PodSpec {
            node_name: own(&pod.spec.node_name),
            hostname: Text::default(),
            subdomain: Text::default(),
            containers: pod.spec.containers.iter().map(container).collect(),
            init_containers: pod.spec.init_containers.iter().map(container).collect(),
        },
        status: PodStatus {
            phase: own(&pod.status.phase),
            pod_ip: own(&pod.status.pod_ip),
            pod_ips: pod.status.pod_ips.clone(),
            ready: pod.status.ready,
        },
    }
}

fn container(container: &Container<'_>) -> Container<'static> {
    let port = |port: &ContainerPort<'_>| ContainerPort {
        name: port.name.clone().into_owned(),
        container_port: port.container_port,
        protocol: port.protocol.clone().into_owned(),
    };
    Container {
        ports: container.ports.iter().map(port).collect(),
        restart_policy: container.restart_policy.clone().into_owned(),
    }
}
