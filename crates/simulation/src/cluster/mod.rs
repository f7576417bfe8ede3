//! The actual state of the cluster: nodes, pods and Services. Changes are emitted as events, and consequences are
//! scheduled.

mod pods;
mod rollout;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::model::conditions::ReadyCondition;
use slicewise::model::{NamespacedName, Node, Quantity, StringMap, Text, keys};
use slicewise_live::controller::{ClusterEvent, Kind, PlanObject, Versioned};

use crate::agenda::Happening;
use crate::pods::PodState;
use crate::random::Random;
use crate::workload::WorkloadState;

/// The actual state of a node.
#[derive(Clone, Debug)]
pub(crate) struct NodeState {
    pub(crate) name: String,
    pub(crate) zone: String,
    pub(crate) cpu: Quantity,
    /// Its number within its zone, used to balance the zones.
    rank: u32,
    pub(crate) exists: bool,
    /// Is it running at all?
    pub(crate) is_alive: bool,
    /// Its reported readiness.
    pub(crate) is_ready: bool,
    pub(crate) is_cordoned: bool,
    pub(crate) pods: BTreeSet<u32>,
    version: u64,
}

impl NodeState {
    fn object(&self) -> Node<'static> {
        let mut labels = StringMap::default();
        if !self.zone.is_empty() {
            labels.insert(keys::ZONE_LABEL.into(), self.zone.clone().into());
        }
        let mut node = Node::default();
        node.metadata.name = self.name.clone().into();
        node.metadata.labels = labels;
        node.status.allocatable.cpu = self.cpu;
        node.status.ready = Some(ReadyCondition {
            status: self.is_ready,
            last_transition_time: None,
        });
        node
    }

    const fn takes_pods(&self) -> bool {
        self.exists && self.is_ready && !self.is_cordoned
    }
}

/// Everything except slices.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<NodeState>,
    /// The names that no further node may get.
    pub(crate) node_names: BTreeSet<String>,
    pub(crate) pods: BTreeMap<u32, PodState>,
    pub(crate) workloads: Vec<WorkloadState>,
    by_service: BTreeMap<NamespacedName, usize>,
    /// Schedulable nodes: sorted by their number of pods, so that the emptiest comes first, then alternating between
    /// zones.
    seats: BTreeSet<(usize, u32, usize)>,
    /// Pods that no node can take.
    pending: BTreeSet<u32>,
    pub(crate) random: Random,
    made: u32,
    version: u64,
    pub(crate) now: Duration,
    /// Pending events.
    pub(crate) news: Vec<ClusterEvent<'static>>,
    /// Consequences, with their times.
    pub(crate) later: Vec<(Duration, Happening)>,
    /// Pods that have changed since this was last taken.
    pub(crate) touched: Vec<u32>,
}

impl Cluster {
    pub(crate) fn new(seed: u32) -> Self {
        Self {
            nodes: Vec::new(),
            node_names: BTreeSet::new(),
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

    pub(crate) fn next_version(&mut self) -> u64 {
        self.version += 1;
        self.version
    }

    /// The index of a Service that exists or existed.
    pub(crate) fn find(&self, service: &NamespacedName) -> Option<usize> {
        self.by_service.get(service).copied()
    }

    pub(crate) fn enter(&mut self, workload: WorkloadState) -> usize {
        let number = self.workloads.len();
        self.by_service.insert(workload.key.clone(), number);
        self.workloads.push(workload);
        number
    }

    pub(crate) fn follow(&mut self, after: Duration, happening: Happening) {
        self.later.push((self.now.saturating_add(after), happening));
    }

    fn tell(&mut self, object: PlanObject<'static>, version: u64) {
        self.news
            .push(ClusterEvent::Set(Box::new(versioned(object, version))));
    }

    fn tell_removal(&mut self, kind: Kind, key: NamespacedName) {
        let version = self.next_version();
        self.news.push(ClusterEvent::Removed {
            kind,
            key,
            resource_version: version.to_string().into(),
        });
    }

    // Services.

    pub(crate) fn tell_service(&mut self, number: usize) {
        let version = self.next_version();
        if let Some(workload) = self.workloads.get_mut(number) {
            workload.version = version;
            let service = workload.service.clone();
            self.tell(PlanObject::Service(service), version);
        }
    }

    pub(crate) fn remove_service(&mut self, number: usize) -> Option<NamespacedName> {
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

    /// Adds nodes to a zone: the first ones with these names, the others with numbers.
    pub(crate) fn add_nodes(&mut self, zone: &str, names: &[Text<'_>], cpu: Quantity, count: u32) {
        let before = self.nodes.iter().filter(|node| node.zone == zone).count();
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        let prefix = if zone.is_empty() { "node" } else { zone };
        let mut names = names.iter();
        for rank in (before..).take(count as usize) {
            let name = match names.next() {
                Some(name) => name.to_string(),
                None => self.free_name(prefix, rank),
            };
            let number = self.nodes.len();
            let version = self.next_version();
            let node = NodeState {
                name,
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
            self.tell(PlanObject::Node(node.object()), version);
            self.nodes.push(node);
        }
        self.schedule_pending();
    }

    /// Takes the first free name for the node with that rank in its zone.
    fn free_name(&mut self, prefix: &str, rank: u32) -> String {
        let names = (u64::from(rank) + 1..).map(|number| alloc::format!("{prefix}-{number}"));
        let mut free = names.filter(|name| !self.node_names.contains(name));
        let name = free.next().unwrap_or_default();
        self.node_names.insert(name.clone());
        name
    }

    /// Changes a node and updates the seats.
    pub(crate) fn change_node(&mut self, number: usize, change: impl FnOnce(&mut NodeState)) {
        let Some(node) = self.nodes.get_mut(number) else {
            return;
        };
        self.seats.remove(&(node.pods.len(), node.rank, number));
        change(node);
        if node.takes_pods() {
            self.seats.insert((node.pods.len(), node.rank, number));
        }
    }

    pub(crate) fn tell_node(&mut self, number: usize) {
        let version = self.next_version();
        let Some(node) = self.nodes.get_mut(number).filter(|node| node.exists) else {
            return;
        };
        node.version = version;
        let object = node.object();
        self.tell(PlanObject::Node(object), version);
    }

    /// Deletes a node and its pods.
    pub(crate) fn remove_node(&mut self, number: usize) {
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

    pub(crate) fn schedule_pending(&mut self) {
        for pod in core::mem::take(&mut self.pending) {
            self.schedule(pod);
        }
    }

    /// All objects of a kind other than slices, as a list.
    pub(crate) fn list(&self, kind: Kind) -> Vec<Versioned<'static>> {
        match kind {
            Kind::Service => {
                let there = self.workloads.iter().filter(|workload| workload.exists);
                there
                    .map(|workload| {
                        versioned(
                            PlanObject::Service(workload.service.clone()),
                            workload.version,
                        )
                    })
                    .collect()
            }
            Kind::Pod => {
                let told = self.pods.values().filter(|pod| pod.version > 0);
                told.map(|pod| versioned(PlanObject::Pod(pod.object()), pod.version))
                    .collect()
            }
            Kind::Node => {
                let there = self.nodes.iter().filter(|node| node.exists);
                there
                    .map(|node| versioned(PlanObject::Node(node.object()), node.version))
                    .collect()
            }
            Kind::EndpointSlice => Vec::new(),
        }
    }

    /// Should the pod get traffic of its Service?
    pub(crate) fn is_wanted(&self, number: u32) -> bool {
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

fn versioned(mut object: PlanObject<'static>, version: u64) -> Versioned<'static> {
    let resource_version = Text::from(version.to_string());
    let place = match &mut object {
        PlanObject::Service(service) => &mut service.metadata.resource_version,
        PlanObject::Pod(pod) => &mut pod.metadata.resource_version,
        PlanObject::Node(node) => &mut node.metadata.resource_version,
        PlanObject::EndpointSlice(slice) => &mut slice.metadata.resource_version,
    };
    *place = resource_version.clone();
    Versioned::new(object, resource_version)
}
