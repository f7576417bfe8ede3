//! Nodes that are drained, fail, and recover.

use alloc::vec::Vec;
use core::time::Duration;

use super::or;
use crate::agenda::Happening;
use crate::cluster::NodeState;
use crate::scenario::NodeChoice;
use crate::scenario::value::Cpu;
use crate::world::World;

impl World {
    /// The chosen nodes, among those available for the action.
    pub(super) fn nodes(
        &self,
        choice: &NodeChoice<'_>,
        is_left: impl Fn(bool, bool) -> bool,
    ) -> Vec<usize> {
        let is_meant = |node: &&NodeState| match (&choice.node, &choice.zone) {
            (Some(name), _) => **name == *node.name,
            (None, Some(zone)) => **zone == *node.zone,
            (None, None) => false,
        };
        let nodes = self.cluster.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| {
                node.exists && is_meant(node) && is_left(node.is_alive, node.is_cordoned)
            })
            .map(|(number, _)| number)
            .take(choice.count.unwrap_or(u32::MAX) as usize)
            .collect()
    }

    pub(super) fn drain(&mut self, choice: &NodeChoice<'_>) {
        let pace = or(choice.pace, 1);
        for node in self.nodes(choice, |_, is_cordoned| !is_cordoned) {
            self.cluster
                .change_node(node, |node| node.is_cordoned = true);
            self.evict(node, pace);
        }
    }

    pub(crate) fn evict(&mut self, node: usize, pace: Duration) {
        let Some(state) = self.cluster.nodes.get(node).filter(|node| node.is_cordoned) else {
            return;
        };
        let left = |pod: &&u32| {
            self.cluster
                .pods
                .get(pod)
                .is_some_and(|pod| pod.deleted.is_none())
        };
        if let Some(pod) = state.pods.iter().find(left).copied() {
            self.cluster.delete_pod(pod);
            self.cluster.follow(pace, Happening::Evict(node, pace));
        }
    }

    pub(super) fn fail(&mut self, choice: &NodeChoice<'_>) {
        let nodes = self.nodes(choice, |is_alive, _| is_alive);
        for node in &nodes {
            self.cluster
                .change_node(*node, |node| node.is_alive = false);
            if let Some(node) = self.cluster.nodes.get(*node) {
                self.cluster.touched.extend(&node.pods);
            }
        }
        self.cluster.follow(
            or(choice.noticed_after, 50),
            Happening::Noticed(nodes.clone()),
        );
        self.cluster
            .follow(or(choice.evict_after, 350), Happening::Abandoned(nodes));
    }

    fn dead(&self, nodes: &[usize]) -> Vec<(usize, Vec<u32>)> {
        let state = |node: &usize| {
            let state = self.cluster.nodes.get(*node)?;
            (state.exists && !state.is_alive).then(|| (*node, state.pods.iter().copied().collect()))
        };
        nodes.iter().filter_map(state).collect()
    }

    /// Changes the CPU of nodes, and thereby what their zones are owed.
    pub(super) fn change_cpu(&mut self, choice: &NodeChoice<'_>) {
        let Cpu(cpu) = choice.cpu.unwrap_or_default();
        for node in self.nodes(choice, |_, _| true) {
            self.cluster.change_node(node, |node| node.cpu = cpu);
            self.cluster.tell_node(node);
        }
    }

    pub(crate) fn notice_failure(&mut self, nodes: &[usize]) {
        for (node, pods) in self.dead(nodes) {
            self.cluster.change_node(node, |node| node.is_ready = false);
            self.cluster.tell_node(node);
            for pod in pods {
                self.cluster.pod_unready(pod);
            }
        }
    }

    pub(crate) fn abandon_pods(&mut self, nodes: &[usize]) {
        for (_, pods) in self.dead(nodes) {
            for pod in pods {
                self.cluster.delete_pod(pod);
            }
        }
    }

    pub(super) fn recover(&mut self, choice: &NodeChoice<'_>) {
        for node in self.nodes(choice, |is_alive, is_cordoned| !is_alive || is_cordoned) {
            self.cluster.change_node(node, |node| {
                node.is_alive = true;
                node.is_ready = true;
                node.is_cordoned = false;
            });
            self.cluster.tell_node(node);
            let pods = self.cluster.nodes.get(node).map(|node| node.pods.clone());
            for pod in pods.unwrap_or_default() {
                self.cluster.touched.push(pod);
                match self.cluster.pods.get(&pod) {
                    Some(state) if state.deleted.is_some() => {
                        self.cluster.follow(Duration::ZERO, Happening::Gone(pod));
                    }
                    Some(state) if !state.is_ready => self.cluster.start(pod),
                    _ => {}
                }
            }
        }
        self.cluster.schedule_pending();
    }
}
