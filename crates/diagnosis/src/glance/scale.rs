//! More or fewer pods: which ones, and what to change in the input.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::view::{FamilyResult, ServiceContext};
use slicewise::model::order::sorted_unique;
use slicewise::model::pod::PodIp;
use slicewise::model::{Pod, Text, ip};
use slicewise::plan::change::{Address, ChangeValue, SuggestedChange};
use slicewise::topology::nodes::NodeFacts;

/// The pods of the Service's namespace with another number of ready ones, and the changes that lead there.
pub(super) struct Scaled<'v> {
    pub(super) added: Vec<Pod<'v>>,
    pub(super) removed: Vec<String>,
    pub(super) changes: Vec<SuggestedChange>,
}

impl<'v> ServiceContext<'v> {
    /// Adds copies of a ready pod, each on the node with the fewest of the Service's pods, or removes pods, each from
    /// the node with the most ready ones. `None` if there is no pod to copy.
    pub(super) fn scaled(&self, outcome: &FamilyResult, ready: i64) -> Option<Scaled<'v>> {
        if ready < outcome.ready {
            return Some(self.fewer(outcome, outcome.ready - ready));
        }
        let nodes = SchedulableNodes::of(self);
        self.more(outcome, ready - outcome.ready, nodes)
    }

    /// Adds one pod in a zone.
    pub(super) fn one_in(&self, outcome: &FamilyResult, zone: &str) -> Option<Scaled<'v>> {
        let mut nodes = SchedulableNodes::of(self);
        nodes.0.retain(|node| node.zone == zone);
        self.more(outcome, 1, nodes)
    }

    fn more(
        &self,
        outcome: &FamilyResult,
        count: i64,
        mut nodes: SchedulableNodes<'v>,
    ) -> Option<Scaled<'v>> {
        let is_ready = |pod: &&&'v Pod<'v>| {
            outcome
                .ready_pods
                .iter()
                .any(|name| pod.metadata.name == **name)
        };
        let template = *self.pods.iter().find(is_ready)?;
        let mut names = CopyNames::of(self, template);
        let pods = self.pods.iter().map(|pod| &pod.status);
        let mut addresses = CopyAddresses::after(pods.map(|pod| (&pod.pod_ip, &*pod.pod_ips)));
        // A new pod is none of those that have left and are still in a slice; what is no pod has an address of elsewhere.
        let endpoints = self.slices.iter().flat_map(|slice| &slice.endpoints);
        for endpoint in endpoints.filter(|endpoint| endpoint.target_ref.is_some()) {
            let all = endpoint.addresses.iter();
            addresses.pass(all.filter_map(|address| ip::parse(address)));
        }
        let (mut added, mut changes) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let mut pod = template.clone();
            let name = names.next();
            let mut change = SuggestedChange::patch("Pod", &template.metadata.namespace, &name);
            change.copy_of = Some(template.metadata.name.to_string());
            change.replace("/metadata/name", ChangeValue::Text(name.clone()));
            if !pod.metadata.uid.is_empty() {
                let uid = format!("{}-{name}", pod.metadata.uid);
                change.replace("/metadata/uid", ChangeValue::Text(uid.clone()));
                pod.metadata.uid = uid.into();
            }
            if let Some(node) = nodes.next().filter(|_| !pod.spec.node_name.is_empty()) {
                change.replace("/spec/nodeName", ChangeValue::Text(node.to_string()));
                pod.spec.node_name = node.into();
            }
            addresses.give(&mut pod, &mut change);
            pod.metadata.name = name.into();
            added.push(pod);
            changes.push(change);
        }
        Some(Scaled {
            added,
            removed: Vec::new(),
            changes,
        })
    }

    fn fewer(&self, outcome: &FamilyResult, count: i64) -> Scaled<'v> {
        let ready = sorted_unique(outcome.ready_pods.iter().map(String::as_str));
        let is_ready = |pod: &&&Pod<'_>| ready.binary_search(&pod.metadata.name.as_str()).is_ok();
        let mut on_nodes: Vec<(&str, Vec<&str>)> = Vec::new();
        for pod in self.pods.iter().filter(is_ready) {
            let (node, name) = (pod.spec.node_name.as_str(), pod.metadata.name.as_str());
            match on_nodes.iter_mut().find(|(other, _)| *other == node) {
                Some((_, pods)) => pods.push(name),
                None => on_nodes.push((node, [name].into())),
            }
        }
        let namespace = &self.service.metadata.namespace;
        let mut scaled = Scaled {
            added: Vec::new(),
            removed: Vec::new(),
            changes: Vec::new(),
        };
        for _ in 0..count {
            // Among equals, the last one by name.
            let pods = on_nodes.iter_mut();
            let fullest = pods.max_by_key(|(node, pods)| (pods.len(), *node));
            let Some(name) = fullest.and_then(|(_, pods)| pods.pop()) else {
                break;
            };
            scaled
                .changes
                .push(SuggestedChange::delete("Pod", namespace, name));
            scaled.removed.push(name.to_string());
        }
        scaled
    }
}

impl Scaled<'_> {
    /// The pods after the change.
    pub(super) fn pods<'p>(&'p self, pods: &[&'p Pod<'p>]) -> Vec<&'p Pod<'p>> {
        let is_left =
            |pod: &&&Pod<'_>| !self.removed.iter().any(|name| pod.metadata.name == **name);
        let left = pods.iter().filter(is_left).copied();
        left.chain(&self.added).collect()
    }
}

/// A node that can take pods.
struct Seat<'v> {
    pods: usize,
    name: &'v str,
    zone: &'v str,
}

/// The nodes that can take pods, for spreading the Service's pods evenly.
struct SchedulableNodes<'v>(Vec<Seat<'v>>);

impl<'v> SchedulableNodes<'v> {
    fn of(view: &ServiceContext<'v>) -> Self {
        let seat = |node: &'v slicewise::model::Node<'v>| {
            let facts = NodeFacts::of(node);
            let name = node.metadata.name.as_str();
            facts.counts().then(|| Seat {
                pods: 0,
                name,
                zone: facts.zone.unwrap_or_default(),
            })
        };
        let mut nodes = Self(view.nodes.iter().filter_map(seat).collect());
        for pod in view.selected() {
            let mut seats = nodes.0.iter_mut();
            if let Some(seat) = seats.find(|seat| pod.spec.node_name == *seat.name) {
                seat.pods += 1;
            }
        }
        nodes
    }

    /// The next node: in the zone with the fewest pods, the node with the fewest.
    fn next(&mut self) -> Option<&'v str> {
        let mut zones: Vec<(&str, usize)> = Vec::new();
        for seat in &self.0 {
            match zones.iter_mut().find(|(zone, _)| *zone == seat.zone) {
                Some((_, pods)) => *pods += seat.pods,
                None => zones.push((seat.zone, seat.pods)),
            }
        }
        let pods_in = |zone: &str| {
            zones
                .iter()
                .find(|(other, _)| *other == zone)
                .map(|(_, pods)| *pods)
        };
        let order = |seat: &&mut Seat<'v>| (pods_in(seat.zone), seat.pods, seat.zone, seat.name);
        let seat = self.0.iter_mut().min_by_key(order)?;
        seat.pods += 1;
        Some(seat.name)
    }
}

/// Names for copies: the pod's name up to its last dash, and a number.
struct CopyNames<'v> {
    /// Sorted.
    taken: Vec<&'v str>,
    stem: String,
    number: usize,
}

impl<'v> CopyNames<'v> {
    fn of(view: &ServiceContext<'v>, template: &'v Pod<'v>) -> Self {
        let name = template.metadata.name.as_str();
        let stem = name.rsplit_once('-').map_or(name, |(stem, _)| stem);
        let pods = view.pods.iter().map(|pod| pod.metadata.name.as_str());
        let endpoints = view.slices.iter().flat_map(|slice| &slice.endpoints);
        let written = endpoints.filter_map(|endpoint| endpoint.target_ref.as_ref());
        Self {
            taken: sorted_unique(pods.chain(written.map(|pod| pod.name.as_str()))),
            stem: stem.to_string(),
            number: view.selected().count(),
        }
    }

    fn next(&mut self) -> String {
        loop {
            self.number += 1;
            let name = format!("{}-{}", self.stem, self.number);
            if self.taken.binary_search(&name.as_str()).is_err() {
                return name;
            }
        }
    }
}

/// Addresses for copies: those after the highest in use.
pub(super) struct CopyAddresses {
    v4: u32,
    v6: u128,
}

impl CopyAddresses {
    /// Starts after the addresses of all pods: the first address of each, and all it has.
    pub(super) fn after<'p>(pods: impl Iterator<Item = (&'p Text<'p>, &'p [PodIp])>) -> Self {
        let mut last = Self { v4: 0, v6: 0 };
        last.pass(pods.flat_map(|(first, all)| {
            let all = all.iter().map(|ip| ip.ip);
            all.chain(ip::parse(first))
        }));
        last
    }

    /// Starts after these, too.
    fn pass(&mut self, addresses: impl Iterator<Item = IpAddr>) {
        for address in addresses {
            match address {
                IpAddr::V4(address) => self.v4 = self.v4.max(address.to_bits()),
                IpAddr::V6(address) => self.v6 = self.v6.max(address.to_bits()),
            }
        }
    }

    /// Gives the pod a new address for each that it has.
    fn give(&mut self, pod: &mut Pod<'_>, change: &mut SuggestedChange) {
        let status = &mut pod.status;
        let (first, all) = self.renew(&status.pod_ip, &status.pod_ips, change);
        if let Some(first) = first {
            status.pod_ip = first.into();
        }
        status.pod_ips = all.into();
    }

    /// Replaces the addresses of a pod by new ones.
    pub(super) fn renew(
        &mut self,
        first: &str,
        all: &[PodIp],
        change: &mut SuggestedChange,
    ) -> (Option<String>, Vec<PodIp>) {
        self.v4 = self.v4.wrapping_add(1);
        self.v6 = self.v6.wrapping_add(1);
        let new = |old: IpAddr| match old {
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::from_bits(self.v4)),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::from_bits(self.v6)),
        };
        let first = ip::parse(first).map(|first| ip::to_text(&new(first)));
        if let Some(first) = &first {
            change.replace("/status/podIP", ChangeValue::Text(first.clone()));
        }
        let renewed = |old: &PodIp| {
            let mut ip = *old;
            ip.ip = new(old.ip);
            ip
        };
        let all: Vec<PodIp> = all.iter().map(renewed).collect();
        if !all.is_empty() {
            let texts = all.iter().map(|new| Address {
                ip: ip::to_text(&new.ip),
            });
            change.replace("/status/podIPs", ChangeValue::Addresses(texts.collect()));
        }
        (first, all)
    }
}
