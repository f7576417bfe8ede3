//! Which Services a change of a pod affects.
//!
//! Reference: `GetPodUpdateProjectionKey` and `GetServicesToUpdate`. Only the pod's old and new state decide which
//! Services are affected, so the cost of an event depends on the Services of that pod, not on the size of the cluster.

use alloc::vec::Vec;

use super::index::SelectorIndex;
use crate::kubernetes::{Behavior, KubernetesVersion};
use crate::model::order::sort;
use crate::model::{NamespacedName, Pod, PodFacts, StringMap};

/// A pod as reported by an event.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct PodVersion<'p> {
    /// What endpoints depend on.
    pub pod: PodFacts<'p>,
    /// What selectors look at.
    pub labels: &'p StringMap<'p>,
    /// Its `metadata.resourceVersion`, which identifies events without news; empty if it has none.
    pub resource_version: &'p str,
}

impl<'p> PodVersion<'p> {
    /// A pod as it was read, with its version.
    pub fn new(pod: &'p Pod<'p>, resource_version: &'p str) -> Self {
        Self {
            pod: pod.into(),
            labels: &pod.metadata.labels,
            resource_version,
        }
    }
}

/// How a change of a pod may affect Services.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PodChange<'p> {
    namespace: &'p str,
    labels: &'p StringMap<'p>,
    /// The labels before, if Services may have lost or gained the pod.
    old_labels: Option<&'p StringMap<'p>>,
    /// Did anything change that its endpoints show?
    is_endpoint_changed: bool,
}

impl<'p> PodChange<'p> {
    /// A pod that was added (no `old`), changed or deleted (no `new`). `None` if no Service is affected: the event only
    /// repeats what was known, or nothing changed that endpoints or selectors use, in the eyes of that version of
    /// Kubernetes.
    pub fn new(
        old: Option<PodVersion<'p>>,
        new: Option<PodVersion<'p>>,
        kubernetes: KubernetesVersion,
    ) -> Option<Self> {
        let looks_at_eligibility = kubernetes.has(Behavior::PodEligibility);
        let may_be_endpoint = |version: &PodVersion<'_>| version.pod.may_be_endpoint;
        let could_be = [old, new].iter().flatten().any(may_be_endpoint);
        if looks_at_eligibility && !could_be {
            return None;
        }
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => (old, new),
            (only, None) | (None, only) => return only.map(|only| Self::of(only, None, true)),
        };
        // A resync. Without versions, the contents decide whether it is one.
        if !old.resource_version.is_empty() && old.resource_version == new.resource_version {
            return None;
        }
        let is_endpoint_changed = is_endpoint_changed(&old.pod, &new.pod)
            || looks_at_eligibility && may_be_endpoint(&old) != may_be_endpoint(&new);
        if is_membership_changed(&old, &new) {
            // A pod without labels before is treated as if its labels had not changed; only Services that select all
            // pods can tell the difference, and get one sync too many.
            let old_labels = Some(old.labels).filter(|labels| !labels.is_empty());
            return Some(Self::of(new, old_labels, is_endpoint_changed));
        }
        is_endpoint_changed.then(|| Self::of(new, None, true))
    }

    fn of(
        pod: PodVersion<'p>,
        old_labels: Option<&'p StringMap<'p>>,
        is_endpoint_changed: bool,
    ) -> Self {
        Self {
            namespace: pod.pod.namespace,
            labels: pod.labels,
            old_labels,
            is_endpoint_changed,
        }
    }

    /// The Services to sync, sorted by name: all that select the pod now or did before if its endpoints changed,
    /// otherwise those that gained or lost it.
    pub fn services<'i>(&self, index: &'i SelectorIndex) -> Vec<&'i NamespacedName> {
        let now = index.selecting(self.namespace, self.labels);
        let Some(old_labels) = self.old_labels else {
            return now;
        };
        let before = index.selecting(self.namespace, old_labels);
        let mut services: Vec<_> = now
            .iter()
            .filter(|service| self.is_endpoint_changed || before.binary_search(service).is_err())
            .copied()
            .collect();
        services.extend(
            before
                .into_iter()
                .filter(|service| now.binary_search(service).is_err()),
        );
        sort(&mut services);
        services
    }
}

/// Reference: the second value of `podEndpointsChanged`. There, hostname and subdomain are treated like labels, so a
/// change of only these reaches no Service: the same Services select the pod as before.
fn is_membership_changed(old: &PodVersion<'_>, new: &PodVersion<'_>) -> bool {
    old.labels != new.labels
        || old.pod.hostname != new.pod.hostname
        || old.pod.subdomain != new.pod.subdomain
}

/// Reference: the first value of `podEndpointsChanged`. It compares deletion times as pointers, which differ between
/// any two objects that have one, so every event of a terminating pod counts.
fn is_endpoint_changed(old: &PodFacts<'_>, new: &PodFacts<'_>) -> bool {
    old.is_terminating
        || new.is_terminating
        || old.is_ready != new.is_ready
        || old.addresses != new.addresses
}
