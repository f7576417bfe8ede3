//! The facts about a Pod that endpoints depend on, independently of how the Pod is stored.

use super::pod::{Pod, PodIp};

/// The facts about a Pod that endpoints depend on. Labels and container ports, which not every caller needs, are
/// separate.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct PodFacts<'p> {
    /// Namespace.
    pub namespace: &'p str,
    /// Name.
    pub name: &'p str,
    /// Its uid.
    pub uid: &'p str,
    /// Node it is bound to; empty before scheduling.
    pub node_name: &'p str,
    /// First label of its DNS name.
    pub hostname: &'p str,
    /// Names the headless Service that gives it a DNS name.
    pub subdomain: &'p str,
    /// All addresses.
    pub addresses: &'p [PodIp],
    /// Is the `Ready` condition true?
    pub is_ready: bool,
    /// Is it being deleted?
    pub is_terminating: bool,
    /// May it be an endpoint at all? See [`Pod::may_be_endpoint`].
    pub may_be_endpoint: bool,
}

impl<'p> From<&'p Pod<'_>> for PodFacts<'p> {
    // Most callers need few of them, and looking up the length of a text accesses memory.
    #[inline(always)]
    fn from(pod: &'p Pod<'_>) -> Self {
        Self {
            namespace: &pod.metadata.namespace,
            name: &pod.metadata.name,
            uid: &pod.metadata.uid,
            node_name: &pod.spec.node_name,
            hostname: &pod.spec.hostname,
            subdomain: &pod.spec.subdomain,
            addresses: &pod.status.pod_ips,
            is_ready: pod.is_ready(),
            is_terminating: pod.is_terminating(),
            may_be_endpoint: pod.may_be_endpoint(),
        }
    }
}
