//! The pods of one namespace, by label: what a selector picks out, and what it might have meant.

use std::collections::BTreeMap;

use crate::membership::selector;
use crate::model::pod::{Container, ContainerPort, PodMeta, PodSpec, PodStatus};
use crate::model::{Pod, StringMap, Text};

/// Pods of one namespace, and which of them have a label.
#[derive(Debug, Default)]
pub struct PodIndex {
    pods: Vec<Pod<'static>>,
    by_label: BTreeMap<String, BTreeMap<String, Vec<u32>>>,
}

impl PodIndex {
    /// Takes what the planner reads of a pod.
    pub fn insert(&mut self, pod: &Pod<'_>) {
        let Ok(number) = u32::try_from(self.pods.len()) else {
            return;
        };
        let pod = slim(pod);
        for (key, value) in pod.metadata.labels.iter() {
            self.by_label
                .entry(key.to_string())
                .or_default()
                .entry(value.to_string())
                .or_default()
                .push(number);
        }
        self.pods.push(pod);
    }

    /// The pods a selector picks out. Only those that have its rarest pair are looked at.
    pub fn select(&self, selector: &StringMap<'_>) -> Vec<&Pod<'static>> {
        let Some(rarest) = selector
            .iter()
            .map(|(key, value)| self.with_label(key, value))
            .min_by_key(|pods| pods.len())
        else {
            return self.pods.iter().collect();
        };
        let candidates = rarest
            .iter()
            .filter_map(|number| self.pods.get(*number as usize));
        candidates
            .filter(|pod| selector::matches(selector, &pod.metadata.labels))
            .collect()
    }

    fn with_label(&self, key: &str, value: &str) -> &[u32] {
        self.by_label
            .get(key)
            .and_then(|values| values.get(value))
            .map_or(&[], Vec::as_slice)
    }

    /// Keys of labels that pods have.
    pub fn label_keys(&self) -> impl Iterator<Item = &str> {
        self.by_label.keys().map(String::as_str)
    }

    /// Values that pods give to a label.
    pub fn label_values(&self, key: &str) -> impl Iterator<Item = &str> {
        self.by_label
            .get(key)
            .into_iter()
            .flat_map(|values| values.keys().map(String::as_str))
    }
}

/// What the planner reads of a pod to tell whether, and on which ports, it is a ready endpoint.
fn slim(pod: &Pod<'_>) -> Pod<'static> {
    let own = |text: &Text<'_>| text.clone().into_owned();
    Pod {
        metadata: PodMeta {
            name: own(&pod.metadata.name),
            namespace: own(&pod.metadata.namespace),
            uid: Text::default(),
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
