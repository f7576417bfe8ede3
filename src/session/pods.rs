//! Pods as the session keeps them: what endpoints depend on, and no more.
//!
//! A pod is known by namespace and name. It has a number as soon as the cluster has it, or a slice names it, so that
//! slices find their pods, and pods their slices, without comparing names.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::holders::Holders;
use super::labels::LabelSets;
use super::names::{Name, Names};
use super::slab::{Numbers, Slab};
use crate::model::conditions::ReadyCondition;
use crate::model::pod::{Container, ContainerPort, PodIp, PodMeta, PodSpec, PodStatus};
use crate::model::{Pod, StringMap, Text, Timestamp};

/// A pod by number.
pub(super) type PodNumber = u32;

/// A pod that the cluster has or that a slice names.
#[derive(Clone, Debug)]
pub(super) struct KnownPod {
    pub(super) namespace: Name,
    /// Name, uid and resource version, one after the other.
    texts: Box<str>,
    name_end: u32,
    uid_end: u32,
    /// What the cluster says of it; `None` where only slices name it.
    pub(super) facts: Option<Facts>,
    /// Slices that name it.
    pub(super) slices: Holders,
}

/// What endpoints depend on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Facts {
    pub(super) node: Name,
    hostname: Name,
    subdomain: Name,
    /// Number of its labels.
    pub(super) labels: u32,
    /// Number of its container ports.
    ports: u32,
    addresses: Addresses,
    ready: Option<ReadyCondition>,
    has_pod_ip: bool,
    is_terminal: bool,
    is_terminating: bool,
}

/// The addresses of a pod; nearly all have one.
#[derive(Clone, Debug, PartialEq)]
enum Addresses {
    None,
    One(IpAddr),
    Many(Box<[IpAddr]>),
}

impl Facts {
    /// May it be an endpoint at all? As [`Pod::may_be_endpoint`].
    pub(super) const fn may_be_endpoint(&self) -> bool {
        let has_address = self.has_pod_ip || !matches!(self.addresses, Addresses::None);
        has_address && !self.is_terminal
    }

    /// Its addresses.
    pub(super) fn addresses(&self) -> &[IpAddr] {
        match &self.addresses {
            Addresses::None => &[],
            Addresses::One(address) => core::slice::from_ref(address),
            Addresses::Many(addresses) => addresses,
        }
    }

    /// When it last became ready or unready: its trigger time.
    pub(super) fn trigger_time(&self) -> Option<Timestamp> {
        let time = self.ready.and_then(|ready| ready.last_transition_time);
        time.filter(|time| !time.is_zero())
    }
}

impl KnownPod {
    pub(super) fn name(&self) -> &str {
        self.texts.get(..self.name_end as usize).unwrap_or_default()
    }

    pub(super) fn uid(&self) -> &str {
        let range = self.name_end as usize..self.uid_end as usize;
        self.texts.get(range).unwrap_or_default()
    }

    pub(super) fn resource_version(&self) -> &str {
        self.texts.get(self.uid_end as usize..).unwrap_or_default()
    }

    fn set_texts(&mut self, name: &str, uid: &str, resource_version: &str) {
        (self.texts, self.name_end, self.uid_end) = joined(name, uid, resource_version);
    }
}

fn joined(name: &str, uid: &str, resource_version: &str) -> (Box<str>, u32, u32) {
    let end = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let texts = format!("{name}{uid}{resource_version}").into_boxed_str();
    (texts, end(name.len()), end(name.len() + uid.len()))
}

/// All pods that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Pods {
    pods: Slab<KnownPod>,
    numbers: Numbers,
    /// Lists of container ports, each once, with the number of pods that have it.
    ports: Slab<(Box<[PortEntry]>, u32)>,
    port_numbers: Numbers,
}

/// Name, protocol and number of a container port.
type PortEntry = (Name, Name, i32);

impl Pods {
    pub(super) fn get(&self, number: PodNumber) -> Option<&KnownPod> {
        self.pods.get(number)
    }

    pub(super) fn get_mut(&mut self, number: PodNumber) -> Option<&mut KnownPod> {
        self.pods.get_mut(number)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (PodNumber, &KnownPod)> {
        self.pods.iter()
    }

    pub(super) fn facts(&self, number: PodNumber) -> Option<&Facts> {
        self.pods.get(number)?.facts.as_ref()
    }

    pub(super) fn find(&self, names: &Names, namespace: &str, name: &str) -> Option<PodNumber> {
        let namespace = names.find(namespace)?;
        self.number(pod_hash(namespace, name), namespace, name)
    }

    fn number(&self, hash: u64, namespace: Name, name: &str) -> Option<PodNumber> {
        let is_it = |number| {
            let pod = self.pods.get(number);
            pod.is_some_and(|pod| pod.namespace == namespace && pod.name() == name)
        };
        self.numbers.find(hash, is_it)
    }

    /// The number of a pod, which is known from now on.
    pub(super) fn number_of(
        &mut self,
        names: &mut Names,
        namespace: &str,
        name: &str,
        uid: &str,
    ) -> PodNumber {
        if let Some(number) = self.find(names, namespace, name) {
            return number;
        }
        let namespace = names.take(namespace);
        let (texts, name_end, uid_end) = joined(name, uid, "");
        let number = self.pods.insert(KnownPod {
            namespace,
            texts,
            name_end,
            uid_end,
            facts: None,
            slices: Holders::default(),
        });
        self.numbers.insert(pod_hash(namespace, name), number);
        number
    }

    /// Forgets a pod that neither the cluster has nor a slice names.
    pub(super) fn forget_unused(&mut self, names: &mut Names, number: PodNumber) {
        let is_unused = |pod: &&KnownPod| pod.facts.is_none() && pod.slices.is_empty();
        let Some(pod) = self.pods.get(number).filter(is_unused) else {
            return;
        };
        let hash = pod_hash(pod.namespace, pod.name());
        self.numbers.remove(hash, number);
        if let Some(pod) = self.pods.remove(number) {
            names.release(pod.namespace);
        }
    }

    /// Takes what is to be kept of a pod; [`Pods::release`] gives it back.
    pub(super) fn take(
        &mut self,
        names: &mut Names,
        labels: &mut LabelSets,
        pod: &Pod<'_>,
    ) -> Facts {
        let ports = self.take_ports(names, pod);
        Facts {
            node: names.take(&pod.spec.node_name),
            hostname: names.take(&pod.spec.hostname),
            subdomain: names.take(&pod.spec.subdomain),
            labels: labels.take(names, &pod.metadata.namespace, &pod.metadata.labels),
            ports,
            addresses: match pod.status.pod_ips.as_slice() {
                [] => Addresses::None,
                [only] => Addresses::One(only.ip),
                several => Addresses::Many(several.iter().map(|entry| entry.ip).collect()),
            },
            ready: pod.status.ready,
            has_pod_ip: !pod.status.pod_ip.is_empty(),
            is_terminal: pod.is_terminal(),
            is_terminating: pod.is_terminating(),
        }
    }

    /// Gives back what [`Pods::take`] took.
    pub(super) fn release(&mut self, names: &mut Names, labels: &mut LabelSets, facts: &Facts) {
        for name in [facts.node, facts.hostname, facts.subdomain] {
            names.release(name);
        }
        labels.release(names, facts.labels);
        self.release_ports(names, facts.ports);
    }

    /// Sets what the cluster says of a pod, with its uid and version; what was said before is returned.
    pub(super) fn set(
        &mut self,
        number: PodNumber,
        facts: Option<Facts>,
        uid: &str,
        resource_version: &str,
    ) -> Option<Facts> {
        let pod = self.pods.get_mut(number)?;
        if pod.uid() != uid || pod.resource_version() != resource_version {
            let name = String::from(pod.name());
            pod.set_texts(&name, uid, resource_version);
        }
        core::mem::replace(&mut pod.facts, facts)
    }

    fn take_ports(&mut self, names: &mut Names, pod: &Pod<'_>) -> u32 {
        let sidecars = pod.spec.init_containers.iter();
        let sidecars = sidecars.filter(|container| container.restart_policy == "Always");
        let ports = pod.spec.containers.iter().chain(sidecars);
        let ports = ports.flat_map(|container| &container.ports);
        let ports: Box<[PortEntry]> = ports
            .map(|port| {
                (
                    names.take(&port.name),
                    names.take(&port.protocol),
                    port.container_port,
                )
            })
            .collect();
        if ports.is_empty() {
            return NO_PORTS;
        }
        let hash = ports_hash(&ports);
        let is_it = |number| {
            self.ports
                .get(number)
                .is_some_and(|(other, _)| *other == ports)
        };
        if let Some(number) = self.port_numbers.find(hash, is_it) {
            release_port_names(names, &ports);
            if let Some((_, uses)) = self.ports.get_mut(number) {
                *uses += 1;
            }
            return number;
        }
        let number = self.ports.insert((ports, 1));
        self.port_numbers.insert(hash, number);
        number
    }

    fn release_ports(&mut self, names: &mut Names, number: u32) {
        let Some((_, uses)) = self.ports.get_mut(number) else {
            return;
        };
        *uses -= 1;
        if *uses == 0
            && let Some((ports, _)) = self.ports.remove(number)
        {
            self.port_numbers.remove(ports_hash(&ports), number);
            release_port_names(names, &ports);
        }
    }

    /// The pod as it was read, but for what nothing depends on, and without its container ports if they do not matter.
    pub(super) fn whole<'s>(
        &'s self,
        names: &'s Names,
        known: &'s KnownPod,
        facts: &Facts,
        labels: StringMap<'s>,
        with_ports: bool,
    ) -> Pod<'s> {
        let text = |name: Name| Text::from(names.text(name));
        let pod_ips = facts.addresses().iter().map(|ip| PodIp { ip: *ip });
        let ports = self.ports.get(facts.ports).filter(|_| with_ports);
        let ports = ports.map(|(ports, _)| ports);
        let containers = ports.map(|ports| Container {
            ports: ports
                .iter()
                .map(|(name, protocol, number)| ContainerPort {
                    name: text(*name),
                    container_port: *number,
                    protocol: text(*protocol),
                })
                .collect(),
            restart_policy: Text::default(),
        });
        Pod {
            metadata: PodMeta {
                name: known.name().into(),
                namespace: text(known.namespace),
                uid: known.uid().into(),
                resource_version: known.resource_version().into(),
                labels,
                deletion_timestamp: facts.is_terminating.then(|| TERMINATING.into()),
            },
            spec: PodSpec {
                node_name: text(facts.node),
                hostname: text(facts.hostname),
                subdomain: text(facts.subdomain),
                containers: containers.into_iter().collect(),
                init_containers: Vec::new(),
            },
            status: PodStatus {
                phase: if facts.is_terminal { "Succeeded" } else { "" }.into(),
                pod_ip: if facts.has_pod_ip { HAS_POD_IP } else { "" }.into(),
                pod_ips: pod_ips.collect(),
                ready: facts.ready,
            },
        }
    }

    /// Is anything kept at all?
    pub(super) const fn is_empty(&self) -> bool {
        self.pods.is_empty() && self.ports.is_empty()
    }
}

/// The number of an empty list of ports.
const NO_PORTS: u32 = u32::MAX;

/// Only that there is a deletion time matters, and that `podIP` is set, and that the phase is a last one. These stand in for
/// what they were.
const TERMINATING: &str = "1970-01-01T00:00:00Z";
const HAS_POD_IP: &str = "0.0.0.0";

fn release_port_names(names: &mut Names, ports: &[PortEntry]) {
    for (name, protocol, _) in ports {
        names.release(*name);
        names.release(*protocol);
    }
}

fn pod_hash(namespace: Name, name: &str) -> u64 {
    use core::hash::{BuildHasher as _, Hash as _, Hasher as _};
    let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
    namespace.hash(&mut hasher);
    name.hash(&mut hasher);
    hasher.finish()
}

fn ports_hash(ports: &[PortEntry]) -> u64 {
    use core::hash::BuildHasher as _;
    rustc_hash::FxBuildHasher.hash_one(ports)
}
