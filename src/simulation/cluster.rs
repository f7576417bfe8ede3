//! The cluster as it is: nodes, pods and Services. What changes is told as events, what follows later as happenings.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use super::agenda::Happening;
use super::pods::{PodState, pod_name};
use super::random::Random;
use super::workload::WorkloadState;
use crate::controller::{Event, Kind, Object, Versioned};
use crate::model::conditions::ReadyCondition;
use crate::model::node::{Allocatable, NodeMeta, NodeStatus};
use crate::model::{NamespacedName, Node, Quantity, StringMap, Text, keys};

/// A node, as it is.
#[derive(Clone, Debug)]
pub(super) struct NodeState {
    pub(super) name: String,
    pub(super) zone: String,
    cpu: Quantity,
    /// Its number within its zone, which keeps the zones even.
    rank: u32,
    pub(super) exists: bool,
    /// Does it run at all?
    pub(super) is_alive: bool,
    /// What is told of it.
    pub(super) is_ready: bool,
    pub(super) is_cordoned: bool,
    pub(super) pods: BTreeSet<u32>,
    version: u64,
}

impl NodeState {
    fn object(&self) -> Node<'static> {
        let mut labels = StringMap::default();
        if !self.zone.is_empty() {
            labels.insert(keys::ZONE_LABEL.into(), self.zone.clone().into());
        }
        Node {
            metadata: NodeMeta {
                name: self.name.clone().into(),
                resource_version: Text::default(),
                labels,
            },
            status: NodeStatus {
                allocatable: Allocatable { cpu: self.cpu },
                ready: Some(ReadyCondition {
                    status: self.is_ready,
                    last_transition_time: None,
                }),
            },
        }
    }

    const fn takes_pods(&self) -> bool {
        self.exists && self.is_ready && !self.is_cordoned
    }
}

/// Everything there is but slices.
#[derive(Debug)]
pub(super) struct Cluster {
    pub(super) nodes: Vec<NodeState>,
    pub(super) pods: BTreeMap<u32, PodState>,
    pub(super) workloads: Vec<WorkloadState>,
    by_service: BTreeMap<NamespacedName, usize>,
    /// Nodes that take pods: by their pods, so that the emptiest comes first, then evenly over the zones.
    seats: BTreeSet<(usize, u32, usize)>,
    /// Pods that no node takes.
    pending: BTreeSet<u32>,
    pub(super) random: Random,
    made: u32,
    version: u64,
    pub(super) now: Duration,
    /// Events that are to be told.
    pub(super) news: Vec<Event<'static>>,
    /// What follows, and when.
    pub(super) later: Vec<(Duration, Happening)>,
    /// Pods of which more has changed than what is told, or less.
    pub(super) touched: Vec<u32>,
}

impl Cluster {
    pub(super) fn new(seed: u32) -> Self {
        Self {
            nodes: Vec::new(),
            pods: BTreeMap::new(),
            workloads: Vec::new(),
            by_service: BTreeMap::new(),
            seats: BTreeSet::new(),
            pending: BTreeSet::new(),
            random: Random::new(seed),
            made: 0,
            version: 0,
            now: Duration::ZERO,
            news: Vec::new(),
            later: Vec::new(),
            touched: Vec::new(),
        }
    }

    pub(super) fn next_version(&mut self) -> u64 {
        self.version += 1;
        self.version
    }

    /// The number of a Service that is, or was.
    pub(super) fn find(&self, service: &NamespacedName) -> Option<usize> {
        self.by_service.get(service).copied()
    }

    pub(super) fn enter(&mut self, workload: WorkloadState) -> usize {
        let number = self.workloads.len();
        self.by_service.insert(workload.key.clone(), number);
        self.workloads.push(workload);
        number
    }

    pub(super) fn follow(&mut self, after: Duration, happening: Happening) {
        self.later.push((self.now.saturating_add(after), happening));
    }

    fn tell(&mut self, object: Object<'static>, version: u64) {
        self.news
            .push(Event::Set(Box::new(versioned(object, version))));
    }

    fn tell_removal(&mut self, kind: Kind, key: NamespacedName) {
        let version = self.next_version();
        self.news.push(Event::Removed {
            kind,
            key,
            resource_version: version.to_string().into(),
        });
    }

    // Services.

    pub(super) fn tell_service(&mut self, number: usize) {
        let version = self.next_version();
        if let Some(workload) = self.workloads.get_mut(number) {
            workload.version = version;
            let service = workload.service.clone();
            self.tell(Object::Service(service), version);
        }
    }

    pub(super) fn remove_service(&mut self, number: usize) -> Option<NamespacedName> {
        let workload = self
            .workloads
            .get_mut(number)
            .filter(|workload| workload.exists)?;
        workload.exists = false;
        let key = workload.key.clone();
        self.tell_removal(Kind::Service, key.clone());
        Some(key)
    }

    // Nodes.

    pub(super) fn add_nodes(&mut self, zone: &str, cpu: Quantity, count: u32) {
        let before = self.nodes.iter().filter(|node| node.zone == zone).count();
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        let prefix = if zone.is_empty() { "node" } else { zone };
        for rank in (before..).take(count as usize) {
            let number = self.nodes.len();
            let version = self.next_version();
            let node = NodeState {
                name: alloc::format!("{prefix}-{}", rank.saturating_add(1)),
                zone: zone.to_string(),
                cpu,
                rank,
                exists: true,
                is_alive: true,
                is_ready: true,
                is_cordoned: false,
                pods: BTreeSet::new(),
                version,
            };
            self.seats.insert((0, rank, number));
            self.tell(Object::Node(node.object()), version);
            self.nodes.push(node);
        }
        self.schedule_pending();
    }

    /// Changes a node, and keeps the seats right.
    pub(super) fn change_node(&mut self, number: usize, change: impl FnOnce(&mut NodeState)) {
        let Some(node) = self.nodes.get_mut(number) else {
            return;
        };
        self.seats.remove(&(node.pods.len(), node.rank, number));
        change(node);
        if node.takes_pods() {
            self.seats.insert((node.pods.len(), node.rank, number));
        }
    }

    pub(super) fn tell_node(&mut self, number: usize) {
        let version = self.next_version();
        let Some(node) = self.nodes.get_mut(number).filter(|node| node.exists) else {
            return;
        };
        node.version = version;
        let object = node.object();
        self.tell(Object::Node(object), version);
    }

    /// A node is gone, and its pods with it.
    pub(super) fn remove_node(&mut self, number: usize) {
        let Some(node) = self.nodes.get(number).filter(|node| node.exists) else {
            return;
        };
        let (name, pods) = (node.name.clone(), node.pods.clone());
        self.change_node(number, |node| node.exists = false);
        let namespace = String::new();
        self.tell_removal(Kind::Node, NamespacedName { namespace, name });
        for pod in pods {
            self.pod_gone(pod);
        }
    }

    pub(super) fn schedule_pending(&mut self) {
        for pod in core::mem::take(&mut self.pending) {
            self.schedule(pod);
        }
    }

    // Pods.

    fn schedule(&mut self, number: u32) {
        let Some((count, rank, node)) = self.seats.pop_first() else {
            self.pending.insert(number);
            return;
        };
        self.seats.insert((count + 1, rank, node));
        let name = match self.nodes.get_mut(node) {
            Some(node) => {
                node.pods.insert(number);
                node.name.clone()
            }
            None => return,
        };
        if let Some(pod) = self.pods.get_mut(&number) {
            pod.node = Some(node);
            pod.node_name = name;
        }
        self.start(number);
    }

    /// A pod that has a node starts there, if the node runs.
    pub(super) fn start(&mut self, number: u32) {
        let Some(pod) = self.pods.get(&number) else {
            return;
        };
        let Some(spans) = pod
            .workload
            .and_then(|workload| self.workloads.get(workload))
            .map(|w| w.spans)
        else {
            return;
        };
        let jitter = self.random.below(spans.jitter.as_millis() as u64 + 1);
        let jitter = Duration::from_millis(jitter);
        let address = spans.address + jitter;
        let ready = spans.ready.max(spans.address) + jitter;
        if ready.is_zero() {
            self.pod_ready(number);
            return;
        }
        if address.is_zero() {
            self.pod_addressed(number);
        } else if address < ready {
            self.tell_pod(number);
            self.follow(address, Happening::Address(number));
        } else {
            self.tell_pod(number);
        }
        self.follow(ready, Happening::Ready(number));
    }

    pub(super) fn make_pod(&mut self, workload: usize) {
        let Some(state) = self.workloads.get(workload) else {
            return;
        };
        self.made += 1;
        let number = self.made;
        let key = NamespacedName {
            namespace: state.key.namespace.clone(),
            name: pod_name(&state.key.name, state.revision, number),
        };
        let pod = PodState {
            number,
            key,
            workload: Some(workload),
            revision: state.revision,
            labels: state.pod_labels.clone(),
            node: None,
            node_name: String::new(),
            has_address: false,
            is_ready: false,
            failing: false,
            ready_since: self.now,
            deleted: None,
            version: 0,
        };
        self.pods.insert(number, pod);
        self.file(number);
        self.schedule(number);
        if self.pods.get(&number).is_some_and(|pod| pod.node.is_none()) {
            self.tell_pod(number);
        }
    }

    /// Tells of a pod as it is now.
    pub(super) fn tell_pod(&mut self, number: u32) {
        let version = self.next_version();
        if let Some(pod) = self.pods.get_mut(&number) {
            pod.version = version;
            let object = pod.object();
            self.tell(Object::Pod(object), version);
            self.touched.push(number);
        }
    }

    /// Changes a pod, and keeps its workload's books right.
    pub(super) fn change_pod(&mut self, number: u32, change: impl FnOnce(&mut PodState)) {
        if let Some(pod) = self.pods.get_mut(&number) {
            change(pod);
            self.file(number);
            self.tell_pod(number);
            self.step_soon(number);
        }
    }

    pub(super) fn is_running(&self, number: u32) -> bool {
        let node = self.pods.get(&number).and_then(|pod| pod.node);
        let node = node.and_then(|node| self.nodes.get(node));
        node.is_some_and(|node| node.exists && node.is_alive)
    }

    pub(super) fn pod_addressed(&mut self, number: u32) {
        if self.is_running(number) {
            self.change_pod(number, |pod| pod.has_address = true);
        }
    }

    pub(super) fn pod_ready(&mut self, number: u32) {
        let now = self.now;
        let is_right = |pod: &PodState| pod.deleted.is_none() && !pod.is_ready && !pod.failing;
        if self.is_running(number) && self.pods.get(&number).is_some_and(is_right) {
            self.change_pod(number, |pod| {
                pod.has_address = true;
                pod.is_ready = true;
                pod.ready_since = now;
            });
        }
    }

    pub(super) fn pod_unready(&mut self, number: u32) {
        let now = self.now;
        if self.pods.get(&number).is_some_and(|pod| pod.is_ready) {
            self.change_pod(number, |pod| {
                pod.is_ready = false;
                pod.ready_since = now;
            });
        }
    }

    /// A pod is deleted: it terminates, if its node runs, and is gone in a while.
    pub(super) fn delete_pod(&mut self, number: u32) {
        let Some(pod) = self.pods.get(&number).filter(|pod| pod.deleted.is_none()) else {
            return;
        };
        let workload = pod
            .workload
            .and_then(|workload| self.workloads.get(workload));
        let after = workload.map_or(Duration::ZERO, |workload| workload.spans.gone);
        let is_bound = pod.node.is_some();
        if !is_bound || after.is_zero() && self.is_running(number) {
            self.pod_gone(number);
            return;
        }
        let now = self.now;
        self.change_pod(number, |pod| {
            pod.deleted = Some(now);
        });
        self.follow(after, Happening::Gone(number));
    }

    /// The end of a pod that was deleted, unless nobody is there to end it.
    pub(super) fn pod_ends(&mut self, number: u32) {
        let is_deleted = self
            .pods
            .get(&number)
            .is_some_and(|pod| pod.deleted.is_some());
        if is_deleted && self.is_running(number) {
            self.pod_gone(number);
        }
    }

    pub(super) fn pod_gone(&mut self, number: u32) {
        let Some(pod) = self.pods.get(&number) else {
            return;
        };
        let key = pod.key.clone();
        if let Some(node) = pod.node {
            self.change_node(node, |node| {
                node.pods.remove(&number);
            });
        }
        self.pending.remove(&number);
        self.step_soon(number);
        self.unfile(number);
        self.pods.remove(&number);
        self.touched.push(number);
        self.tell_removal(Kind::Pod, key);
    }

    /// All there is of a kind but slices, as a list.
    pub(super) fn list(&self, kind: Kind) -> Vec<Versioned<'static>> {
        match kind {
            Kind::Service => {
                let there = self.workloads.iter().filter(|workload| workload.exists);
                there
                    .map(|workload| {
                        versioned(Object::Service(workload.service.clone()), workload.version)
                    })
                    .collect()
            }
            Kind::Pod => {
                let told = self.pods.values().filter(|pod| pod.version > 0);
                told.map(|pod| versioned(Object::Pod(pod.object()), pod.version))
                    .collect()
            }
            Kind::Node => {
                let there = self.nodes.iter().filter(|node| node.exists);
                there
                    .map(|node| versioned(Object::Node(node.object()), node.version))
                    .collect()
            }
            Kind::EndpointSlice => Vec::new(),
        }
    }

    /// Is the pod one that its Service's traffic should go to?
    pub(super) fn is_wanted(&self, number: u32) -> bool {
        let Some(pod) = self
            .pods
            .get(&number)
            .filter(|pod| pod.has_address && pod.deleted.is_none())
        else {
            return false;
        };
        let workload = pod
            .workload
            .and_then(|workload| self.workloads.get(workload));
        workload.is_some_and(|workload| {
            let is_ready = pod.is_ready || workload.service.spec.publish_not_ready_addresses;
            workload.exists && is_ready && self.is_running(number)
        })
    }
}

fn versioned(mut object: Object<'static>, version: u64) -> Versioned<'static> {
    let resource_version = Text::from(version.to_string());
    let place = match &mut object {
        Object::Service(service) => &mut service.metadata.resource_version,
        Object::Pod(pod) => &mut pod.metadata.resource_version,
        Object::Node(node) => &mut node.metadata.resource_version,
        Object::EndpointSlice(slice) => &mut slice.metadata.resource_version,
    };
    *place = resource_version.clone();
    Versioned {
        object,
        resource_version,
    }
}
