//! EndpointSlices as the session stores them: usual endpoints compactly, all others in full.
//!
//! Nothing of a slice is lost: what does not fit the compact form is stored as read.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use slicewise::model::order::{hash, sort_by};
use slicewise::model::{AddressType, EndpointSlice, PortMapKey};
use slicewise::reconcile::hint_facts::HintFacts;

use super::ids::{PodId, ServiceId, SliceId};
use super::known_endpoints::{KnownEndpoint, Usual, whole};
use super::names::NameTable;
use super::pods::Pods;
use super::slab::{IdsByHash, Slab};

/// A slice of this manager, or the head of another's.
#[derive(Clone, Debug)]
pub(super) struct KnownSlice {
    /// All of it except the endpoints.
    pub(super) head: EndpointSlice<'static>,
    pub(super) endpoints: Vec<KnownEndpoint>,
    /// The Service it belongs to; `None` for slices that no plan uses, whose endpoints only an observer stores.
    pub(super) service: Option<ServiceId>,
    /// The family, if it is one a Service can have.
    pub(super) family: Option<AddressType>,
    /// The key of its port group.
    pub(super) ports: PortMapKey<'static>,
    /// The facts for hint rules.
    pub(super) facts: HintFacts,
    pub(super) comparison: SliceComparison,
}

/// How a slice compares with the desired endpoints.
#[derive(Clone, Debug)]
pub(super) enum SliceComparison {
    /// Unknown.
    Open,
    /// It was settled, and only these pods may have changed since.
    Touched(BTreeSet<PodId>),
    /// It matches.
    Settled,
}

impl KnownSlice {
    pub(super) const fn is_settled(&self) -> bool {
        matches!(self.comparison, SliceComparison::Settled)
    }

    /// The pods whose endpoints must be compared.
    pub(super) fn unconfirmed(&self) -> impl Iterator<Item = PodId> + '_ {
        let is_unconfirmed = |endpoint: &&KnownEndpoint| !self.is_confirmed(endpoint);
        let endpoints = self.endpoints.iter().filter(is_unconfirmed);
        endpoints.filter_map(KnownEndpoint::pod)
    }

    /// Is the endpoint known to match?
    pub(super) fn is_confirmed(&self, endpoint: &KnownEndpoint) -> bool {
        match (&self.comparison, endpoint) {
            (SliceComparison::Open, _)
            | (SliceComparison::Touched(_), KnownEndpoint::Other(..)) => false,
            (SliceComparison::Touched(pods), KnownEndpoint::Usual(usual)) => {
                !pods.contains(&usual.pod())
            }
            (SliceComparison::Settled, _) => true,
        }
    }
}

/// The comparison of a slice that replaces another: a confirmed endpoint stays confirmed, and the others must be
/// compared, provided that nothing else that matters has changed.
pub(super) fn compared(before: &KnownSlice, after: &KnownSlice) -> SliceComparison {
    let is_same_kind = before.service == after.service
        && before.family == after.family
        && before.ports == after.ports
        && before.head.metadata.labels == after.head.metadata.labels
        && before.head.metadata.owner_references == after.head.metadata.owner_references;
    if !is_same_kind || matches!(before.comparison, SliceComparison::Open) {
        return SliceComparison::Open;
    }
    let mut confirmed: Vec<(PodId, &Usual)> = Vec::with_capacity(before.endpoints.len());
    for endpoint in &before.endpoints {
        if let KnownEndpoint::Usual(usual) = endpoint
            && before.is_confirmed(endpoint)
        {
            confirmed.push((usual.pod(), usual));
        }
    }
    sort_by(&mut confirmed, |(a, _), (b, _)| a.cmp(b));
    let mut is_taken = vec![false; confirmed.len()];
    let mut doubted = BTreeSet::new();
    for endpoint in &after.endpoints {
        if let KnownEndpoint::Usual(usual) = endpoint {
            // Of a duplicate endpoint, at most one is confirmed, and the pod is compared.
            let end = confirmed.partition_point(|(pod, _)| *pod <= usual.pod());
            let place = end.checked_sub(1);
            let before = place.and_then(|place| confirmed.get(place));
            let before = before.filter(|(pod, _)| *pod == usual.pod());
            let taken = place.and_then(|place| is_taken.get_mut(place));
            let is_same = before.is_some_and(|(_, before)| before.is_same(usual))
                && taken.is_some_and(|taken| !core::mem::replace(taken, true));
            if !is_same {
                doubted.insert(usual.pod());
            }
        }
    }
    SliceComparison::Touched(doubted)
}

/// All slices that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownSlices {
    slices: Slab<SliceId, KnownSlice>,
    by_hash: IdsByHash<SliceId>,
}

impl KnownSlices {
    pub(super) fn get(&self, id: SliceId) -> Option<&KnownSlice> {
        self.slices.get(id)
    }

    pub(super) fn get_mut(&mut self, id: SliceId) -> Option<&mut KnownSlice> {
        self.slices.get_mut(id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (SliceId, &KnownSlice)> {
        self.slices.iter()
    }

    pub(super) fn find(&self, namespace: &str, name: &str) -> Option<SliceId> {
        let is_it = |id| {
            self.slices.get(id).is_some_and(|slice| {
                slice.name() == name && *slice.head.metadata.namespace == *namespace
            })
        };
        self.by_hash.find(slice_hash(namespace, name), is_it)
    }

    pub(super) fn insert(&mut self, slice: KnownSlice) -> SliceId {
        let hash = slice_hash(&slice.head.metadata.namespace, slice.name());
        let id = self.slices.insert(slice);
        self.by_hash.insert(hash, id);
        id
    }

    pub(super) fn remove(&mut self, id: SliceId) -> Option<KnownSlice> {
        let slice = self.slices.remove(id)?;
        let hash = slice_hash(&slice.head.metadata.namespace, slice.name());
        self.by_hash.remove(hash, id);
        Some(slice)
    }

    /// Is there no slice?
    pub(super) fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// The whole slice as read.
    pub(super) fn whole<'s>(
        &'s self,
        names: &'s NameTable,
        pods: &'s Pods,
        id: SliceId,
    ) -> EndpointSlice<'s> {
        self.part(names, pods, id, |_, _| true)
    }

    /// The slice with some of its endpoints.
    pub(super) fn part<'s>(
        &'s self,
        names: &'s NameTable,
        pods: &'s Pods,
        id: SliceId,
        takes: impl Fn(&KnownSlice, &KnownEndpoint) -> bool,
    ) -> EndpointSlice<'s> {
        let Some(slice) = self.slices.get(id) else {
            return EndpointSlice::default();
        };
        let endpoints = slice.endpoints.iter();
        let endpoints = endpoints.filter(|endpoint| takes(slice, endpoint));
        let mut part = slice.head.borrowed();
        part.endpoints = endpoints
            .map(|endpoint| whole(names, pods, endpoint))
            .collect();
        part
    }
}

impl KnownSlice {
    pub(super) fn name(&self) -> &str {
        &self.head.metadata.name
    }
}

fn slice_hash(namespace: &str, name: &str) -> u64 {
    hash(&[namespace.as_bytes(), name.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_slices_share_a_hash() {
        let of = [("shop", "cart-a"), ("shop", "cart-b"), ("bank", "cart-a")];
        let hashes = of.map(|(namespace, name)| slice_hash(namespace, name));
        assert_eq!(BTreeSet::from(hashes).len(), 3);
    }
}
