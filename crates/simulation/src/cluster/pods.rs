//! The life of a pod: it is created, gets a node and an address, becomes ready, is deleted, and ends.

use alloc::string::String;
use core::time::Duration;

use slicewise::model::NamespacedName;
use slicewise_live::controller::{Kind, PlanObject};

use super::Cluster;
use crate::agenda::Happening;
use crate::pods::{PodState, pod_name};

impl Cluster {
    pub(super) fn schedule(&mut self, number: u32) {
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

    /// Starts a scheduled pod, if its node is running.
    pub(crate) fn start(&mut self, number: u32) {
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
        let most = u64::try_from(spans.jitter.as_millis()).unwrap_or(u64::MAX);
        let jitter = self.random.below(most.saturating_add(1));
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

    pub(crate) fn make_pod(&mut self, workload: usize) {
        let Some(state) = self.workloads.get(workload) else {
            return;
        };
        self.made = self.made.saturating_add(1);
        let number = self.made;
        let key = NamespacedName {
            namespace: state.key.namespace.clone(),
            name: pod_name(&state.deployment, state.revision, number),
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

    /// Reports the current state of a pod.
    pub(crate) fn tell_pod(&mut self, number: u32) {
        let version = self.next_version();
        if let Some(pod) = self.pods.get_mut(&number) {
            pod.version = version;
            let object = pod.object();
            self.tell(PlanObject::Pod(object), version);
            self.touched.push(number);
        }
    }

    /// Changes a pod and updates its workload's books.
    pub(crate) fn change_pod(&mut self, number: u32, change: impl FnOnce(&mut PodState)) {
        if let Some(pod) = self.pods.get_mut(&number) {
            change(pod);
            self.file(number);
            self.tell_pod(number);
            self.step_soon(number);
        }
    }

    pub(crate) fn is_running(&self, number: u32) -> bool {
        let node = self.pods.get(&number).and_then(|pod| pod.node);
        let node = node.and_then(|node| self.nodes.get(node));
        node.is_some_and(|node| node.exists && node.is_alive)
    }

    pub(crate) fn pod_addressed(&mut self, number: u32) {
        if self.is_running(number) {
            self.change_pod(number, |pod| pod.has_address = true);
        }
    }

    pub(crate) fn pod_ready(&mut self, number: u32) {
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

    pub(crate) fn pod_unready(&mut self, number: u32) {
        let now = self.now;
        if self.pods.get(&number).is_some_and(|pod| pod.is_ready) {
            self.change_pod(number, |pod| {
                pod.is_ready = false;
                pod.ready_since = now;
            });
        }
    }

    /// Deletes a pod: it terminates if its node is running, and ends after a while.
    pub(crate) fn delete_pod(&mut self, number: u32) {
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

    /// Ends a deleted pod, unless its kubelet is down.
    pub(crate) fn pod_ends(&mut self, number: u32) {
        let is_deleted = self
            .pods
            .get(&number)
            .is_some_and(|pod| pod.deleted.is_some());
        if is_deleted && self.is_running(number) {
            self.pod_gone(number);
        }
    }

    pub(crate) fn pod_gone(&mut self, number: u32) {
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
}
