//! EndpointSlices as the session keeps them: the usual endpoint in a few words, any other whole.
//!
//! Nothing of a slice is lost: what the few words cannot say is kept as it was read.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::names::{Name, Names};
use super::pods::{PodNumber, Pods};
use super::slab::{Numbers, Slab};
use crate::model::order::hash;
use crate::model::{
    AddressType, Endpoint, EndpointConditions, EndpointHints, EndpointSlice, NameRef,
    ObjectReference, PortMapKey, StringMap, Text, ip,
};
use crate::reconcile::draft::EndpointView;
use crate::reconcile::existing::HintFacts;

/// A slice by number.
pub(super) type SliceNumber = u32;

/// A slice of this manager, or the head of another's.
#[derive(Clone, Debug)]
pub(super) struct KnownSlice {
    /// All of it but the endpoints.
    pub(super) head: EndpointSlice<'static>,
    pub(super) endpoints: Vec<KnownEndpoint>,
    /// Number of the Service it belongs to; `None` for slices that no plan looks at, whose endpoints are not kept.
    pub(super) service: Option<u32>,
    /// The family, if it is one a Service can have.
    pub(super) family: Option<AddressType>,
    /// What makes it part of a port group.
    pub(super) ports: PortMapKey<'static>,
    /// What hint rules look at.
    pub(super) facts: HintFacts,
    pub(super) comparison: Comparison,
}

/// What is known of a slice next to what is wanted.
#[derive(Clone, Debug)]
pub(super) enum Comparison {
    /// Nothing.
    Open,
    /// It was settled, and only these pods may have changed since.
    Touched(BTreeSet<PodNumber>),
    /// It holds what it should.
    Settled,
}

impl KnownSlice {
    pub(super) const fn is_settled(&self) -> bool {
        matches!(self.comparison, Comparison::Settled)
    }

    /// The pods whose endpoints must be compared.
    pub(super) fn doubtful(&self) -> impl Iterator<Item = PodNumber> + '_ {
        let is_doubtful = |endpoint: &&KnownEndpoint| !self.is_confirmed(endpoint);
        let endpoints = self.endpoints.iter().filter(is_doubtful);
        endpoints.filter_map(KnownEndpoint::pod)
    }

    /// Is the endpoint wanted as it is?
    pub(super) fn is_confirmed(&self, endpoint: &KnownEndpoint) -> bool {
        match (&self.comparison, endpoint) {
            (Comparison::Open, _) | (Comparison::Touched(_), KnownEndpoint::Other(..)) => false,
            (Comparison::Touched(pods), KnownEndpoint::Usual(usual)) => !pods.contains(&usual.pod),
            (Comparison::Settled, _) => true,
        }
    }
}

/// An endpoint.
#[derive(Clone, Debug)]
pub(super) enum KnownEndpoint {
    /// One address that leads to a pod.
    Usual(Usual),
    /// Anything else, with the pod that it names if it names one of the slice's namespace.
    Other(Box<Endpoint<'static>>, Option<PodNumber>),
}

/// What differs between the endpoints of pods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Usual {
    address: IpAddr,
    pod: PodNumber,
    node: Name,
    zone: Name,
    hint: Name,
    ready: Option<bool>,
    serving: Option<bool>,
    terminating: Option<bool>,
    /// The hostname is the pod's name.
    has_hostname: bool,
    /// There is a hint to the node.
    hints_node: bool,
}

impl KnownEndpoint {
    /// The pod it names.
    pub(super) fn pod(&self) -> Option<PodNumber> {
        match self {
            Self::Usual(usual) => Some(usual.pod),
            Self::Other(_, pod) => *pod,
        }
    }
}

impl Usual {
    /// Is it the same endpoint, whatever its hints?
    fn is_same(&self, other: &Self) -> bool {
        let but_for_hints = |usual: &Self| Self {
            hint: Name::EMPTY,
            hints_node: false,
            ..*usual
        };
        but_for_hints(self) == but_for_hints(other)
    }
}

/// What is known of a slice that takes another's place: an endpoint that was confirmed is so still, and the others
/// must be compared, if nothing else of the slice has changed that is.
pub(super) fn compared(before: &KnownSlice, after: &KnownSlice) -> Comparison {
    let is_same_kind = before.service == after.service
        && before.family == after.family
        && before.ports == after.ports
        && before.head.metadata.labels == after.head.metadata.labels
        && before.head.metadata.owner_references == after.head.metadata.owner_references;
    if !is_same_kind || matches!(before.comparison, Comparison::Open) {
        return Comparison::Open;
    }
    let mut confirmed: BTreeMap<PodNumber, &Usual> = BTreeMap::new();
    for endpoint in &before.endpoints {
        if let KnownEndpoint::Usual(usual) = endpoint
            && before.is_confirmed(endpoint)
        {
            confirmed.insert(usual.pod, usual);
        }
    }
    let mut doubted = BTreeSet::new();
    for endpoint in &after.endpoints {
        if let KnownEndpoint::Usual(usual) = endpoint {
            // Of an endpoint that is there twice, one is confirmed at most, and the pod is compared.
            let before = confirmed.remove(&usual.pod);
            if !before.is_some_and(|before| before.is_same(usual)) {
                doubted.insert(usual.pod);
            }
        }
    }
    Comparison::Touched(doubted)
}

/// Takes an endpoint of a slice in that namespace; the pod it names is known from now on.
pub(super) fn take(
    names: &mut Names,
    pods: &mut Pods,
    namespace: &str,
    endpoint: &Endpoint<'_>,
) -> KnownEndpoint {
    let target = endpoint.target_ref.as_ref();
    let target = target.filter(|target| target.namespace == *namespace && !target.name.is_empty());
    let pod = target.map(|target| pods.number_of(names, namespace, &target.name, &target.uid));
    let usual = target
        .zip(pod)
        .and_then(|(target, pod)| usual(names, pods, pod, target, endpoint));
    usual.map_or_else(
        || KnownEndpoint::Other(Box::new(endpoint.clone().into_owned()), pod),
        KnownEndpoint::Usual,
    )
}

fn usual(
    names: &mut Names,
    pods: &Pods,
    pod: PodNumber,
    target: &ObjectReference<'_>,
    endpoint: &Endpoint<'_>,
) -> Option<Usual> {
    let [address] = endpoint.addresses.as_slice() else {
        return None;
    };
    let address = ip::parse_canonical(address)?;
    let is_plain_target = target.kind == "Pod"
        && target.api_version.is_empty()
        && target.resource_version.is_empty()
        && target.field_path.is_empty()
        && target.unknown.is_empty()
        && pods.get(pod)?.uid() == target.uid.as_str();
    let hostname = endpoint.hostname.as_deref();
    let is_plain = endpoint.unknown.is_empty()
        && endpoint.conditions.unknown.is_empty()
        && endpoint.deprecated_topology.is_empty()
        && hostname.is_none_or(|hostname| *hostname == *target.name);
    if !is_plain_target || !is_plain {
        return None;
    }
    // An empty text is not the same as none.
    let is_blank = |text: &Option<Text<'_>>| text.as_ref().is_some_and(|text| text.is_empty());
    if is_blank(&endpoint.node_name) || is_blank(&endpoint.zone) {
        return None;
    }
    let node_name = endpoint.node_name.as_deref().unwrap_or_default();
    let (hint, hints_node) = plain_hints(endpoint.hints.as_ref(), node_name)?;
    Some(Usual {
        address,
        pod,
        node: names.take(node_name),
        zone: names.take(endpoint.zone.as_deref().unwrap_or_default()),
        hint: names.take(hint),
        ready: endpoint.conditions.ready,
        serving: endpoint.conditions.serving,
        terminating: endpoint.conditions.terminating,
        has_hostname: hostname.is_some(),
        hints_node,
    })
}

/// The zone hinted to, empty for none, and whether the own node is hinted to.
fn plain_hints<'e>(hints: Option<&'e EndpointHints<'_>>, node: &str) -> Option<(&'e str, bool)> {
    let Some(hints) = hints else {
        return Some(("", false));
    };
    let only = |names: &'e [NameRef<'_>]| match names {
        [] => Some(""),
        [only] if only.unknown.is_empty() && !only.name.is_empty() => Some(only.name.as_str()),
        _ => None,
    };
    let (zone, hinted) = (only(&hints.for_zones)?, only(&hints.for_nodes)?);
    let is_plain = hints.unknown.is_empty()
        && (hinted.is_empty() || hinted == node)
        && (!zone.is_empty() || !hinted.is_empty());
    is_plain.then_some((zone, !hinted.is_empty()))
}

/// Gives back what [`take`] took, but for the pod.
pub(super) fn release(names: &mut Names, endpoint: &KnownEndpoint) {
    if let KnownEndpoint::Usual(usual) = endpoint {
        for name in [usual.node, usual.zone, usual.hint] {
            names.release(name);
        }
    }
}

/// What hint rules look at.
pub(super) fn view<'s>(names: &'s Names, endpoint: &'s KnownEndpoint) -> EndpointView<'s> {
    match endpoint {
        KnownEndpoint::Other(endpoint, _) => EndpointView::existing(endpoint),
        KnownEndpoint::Usual(usual) => {
            let text = |name: Name| (!name.is_empty()).then(|| names.text(name));
            EndpointView {
                ready: usual.ready == Some(true),
                zone: text(usual.zone),
                node_name: text(usual.node),
            }
        }
    }
}

/// The endpoint as it was read, or without its hints.
pub(super) fn whole<'s>(
    names: &'s Names,
    pods: &'s Pods,
    endpoint: &'s KnownEndpoint,
    with_hints: bool,
) -> Endpoint<'s> {
    let usual = match endpoint {
        KnownEndpoint::Usual(usual) => usual,
        KnownEndpoint::Other(endpoint, _) => return (**endpoint).clone(),
    };
    let text = |name: Name| (!name.is_empty()).then(|| Text::from(names.text(name)));
    let known = pods.get(usual.pod);
    let name = known.map_or("", |pod| pod.name());
    let named = |name: Option<Text<'s>>| -> Vec<NameRef<'s>> {
        let named = name.map(|name| NameRef {
            name,
            ..NameRef::default()
        });
        named.into_iter().collect()
    };
    let has_hints = with_hints && (!usual.hint.is_empty() || usual.hints_node);
    Endpoint {
        addresses: vec![ip::to_text(&usual.address).into()],
        conditions: EndpointConditions {
            ready: usual.ready,
            serving: usual.serving,
            terminating: usual.terminating,
            ..EndpointConditions::default()
        },
        hostname: usual.has_hostname.then(|| name.into()),
        target_ref: known.map(|known| ObjectReference {
            kind: "Pod".into(),
            namespace: names.text(known.namespace).into(),
            name: name.into(),
            uid: known.uid().into(),
            ..ObjectReference::default()
        }),
        deprecated_topology: StringMap::default(),
        node_name: text(usual.node),
        zone: text(usual.zone),
        hints: has_hints.then(|| EndpointHints {
            for_zones: named(text(usual.hint)),
            for_nodes: named(text(usual.node).filter(|_| usual.hints_node)),
            ..EndpointHints::default()
        }),
        ..Endpoint::default()
    }
}

/// All slices that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Slices {
    slices: Slab<KnownSlice>,
    numbers: Numbers,
}

impl Slices {
    pub(super) fn get(&self, number: SliceNumber) -> Option<&KnownSlice> {
        self.slices.get(number)
    }

    pub(super) fn get_mut(&mut self, number: SliceNumber) -> Option<&mut KnownSlice> {
        self.slices.get_mut(number)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (SliceNumber, &KnownSlice)> {
        self.slices.iter()
    }

    pub(super) fn find(&self, namespace: &str, name: &str) -> Option<SliceNumber> {
        let is_it = |number| {
            self.slices.get(number).is_some_and(|slice| {
                slice.name() == name && *slice.head.metadata.namespace == *namespace
            })
        };
        self.numbers.find(slice_hash(namespace, name), is_it)
    }

    pub(super) fn insert(&mut self, slice: KnownSlice) -> SliceNumber {
        let hash = slice_hash(&slice.head.metadata.namespace, slice.name());
        let number = self.slices.insert(slice);
        self.numbers.insert(hash, number);
        number
    }

    pub(super) fn remove(&mut self, number: SliceNumber) -> Option<KnownSlice> {
        let slice = self.slices.remove(number)?;
        let hash = slice_hash(&slice.head.metadata.namespace, slice.name());
        self.numbers.remove(hash, number);
        Some(slice)
    }

    /// Is nothing kept?
    pub(super) const fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// The whole slice as it was read.
    pub(super) fn whole<'s>(
        &'s self,
        names: &'s Names,
        pods: &'s Pods,
        number: SliceNumber,
    ) -> EndpointSlice<'s> {
        self.part(names, pods, number, |_, _| true)
    }

    /// The slice with some of its endpoints.
    pub(super) fn part<'s>(
        &'s self,
        names: &'s Names,
        pods: &'s Pods,
        number: SliceNumber,
        takes: impl Fn(&KnownSlice, &KnownEndpoint) -> bool,
    ) -> EndpointSlice<'s> {
        let Some(slice) = self.slices.get(number) else {
            return EndpointSlice::default();
        };
        let endpoints = slice.endpoints.iter();
        let endpoints = endpoints.filter(|endpoint| takes(slice, endpoint));
        let mut part = slice.head.borrowed();
        part.endpoints = endpoints
            .map(|endpoint| whole(names, pods, endpoint, true))
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
