//! Endpoints of slices as the session stores them: the usual ones compactly, all others in full.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter::once_with;
use core::net::IpAddr;

use slicewise::model::of_pod::OfPod;
use slicewise::model::text::same;
use slicewise::model::{Endpoint, EndpointHints, Few, NameRef, ObjectReference, Text, ip};
use slicewise::reconcile::existing::HintsOf;
use slicewise::reconcile::hint_facts::EndpointView;

use super::ids::{Name, PodId};
use super::names::NameTable;
use super::pods::{KnownPod, Pods};

/// An endpoint.
#[derive(Clone, Debug)]
pub(super) enum KnownEndpoint {
    /// One address that targets a pod.
    Usual(Usual),
    /// Anything else, with the pod that it names if it names one in the slice's namespace.
    Other(Box<Endpoint<'static>>, Option<PodId>),
}

/// The fields that differ between the endpoints of pods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Usual {
    address: IpAddr,
    pod: PodId,
    node: Name,
    zone: Name,
    hint: Name,
    ready: Option<bool>,
    serving: Option<bool>,
    terminating: Option<bool>,
    /// The hostname is the pod's name.
    has_hostname: bool,
    /// It is hinted to its node.
    hints_node: bool,
}

impl KnownEndpoint {
    /// The pod it names.
    pub(super) fn pod(&self) -> Option<PodId> {
        match self {
            Self::Usual(usual) => Some(usual.pod),
            Self::Other(_, pod) => *pod,
        }
    }
}

impl Usual {
    /// The pod it targets.
    pub(super) const fn pod(&self) -> PodId {
        self.pod
    }

    /// Its address.
    pub(super) const fn address(&self) -> IpAddr {
        self.address
    }

    /// Is it the same endpoint, ignoring hints?
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let but_for_hints = |usual: &Self| Self {
            hint: Name::EMPTY,
            hints_node: false,
            ..*usual
        };
        but_for_hints(self) == but_for_hints(other)
    }
}

/// Stores an endpoint of a slice in that namespace; from now on, the pod it names is known. `before` is the endpoint
/// previously at its index, which is usually the same.
pub(super) fn take(
    names: &mut NameTable,
    pods: &mut Pods,
    namespace: &str,
    endpoint: &Endpoint<'_>,
    before: Option<&KnownEndpoint>,
) -> KnownEndpoint {
    if let Some(KnownEndpoint::Usual(before)) = before
        && let Some(usual) = before.like(names, pods, namespace, endpoint)
    {
        return KnownEndpoint::Usual(usual);
    }
    let target = endpoint.target_ref.as_ref();
    let target = target.filter(|target| target.namespace == *namespace && !target.name.is_empty());
    let pod = target.map(|target| pods.id_of(names, namespace, &target.name, &target.uid));
    let found = target.zip(pod);
    let plain = found.and_then(|(target, pod)| Some((plain(pods, pod, target, endpoint)?, pod)));
    let usual = plain.map(|(plain, pod)| {
        let texts = [
            endpoint.node_name.as_deref().unwrap_or_default(),
            endpoint.zone.as_deref().unwrap_or_default(),
            plain.hint,
        ];
        plain.usual(pod, texts.map(|text| names.take(text)))
    });
    usual.map_or_else(
        || KnownEndpoint::Other(Box::new(endpoint.clone().into_owned()), pod),
        KnownEndpoint::Usual,
    )
}

/// A usual endpoint without its names.
struct UsualEndpoint<'e> {
    address: IpAddr,
    hint: &'e str,
    hints_node: bool,
    conditions: [Option<bool>; 3],
    has_hostname: bool,
}

impl UsualEndpoint<'_> {
    fn usual(&self, pod: PodId, [node, zone, hint]: [Name; 3]) -> Usual {
        let [ready, serving, terminating] = self.conditions;
        Usual {
            address: self.address,
            pod,
            node,
            zone,
            hint,
            ready,
            serving,
            terminating,
            has_hostname: self.has_hostname,
            hints_node: self.hints_node,
        }
    }
}

/// Returns the parts of an endpoint if it is a usual one of that pod.
fn plain<'e>(
    pods: &Pods,
    pod: PodId,
    target: &ObjectReference<'_>,
    endpoint: &'e Endpoint<'_>,
) -> Option<UsualEndpoint<'e>> {
    let [address] = endpoint.addresses.as_slice() else {
        return None;
    };
    let address = ip::parse_canonical(address)?;
    let is_plain_target = target.kind == "Pod"
        && target.api_version.is_empty()
        && target.resource_version.is_empty()
        && target.field_path.is_empty()
        && target.unknown.is_empty()
        && same(pods.get(pod)?.uid(), &target.uid);
    let hostname = endpoint.hostname.as_deref();
    let is_plain = endpoint.unknown.is_empty()
        && endpoint.conditions.unknown.is_empty()
        && endpoint.deprecated_topology.is_empty()
        && hostname.is_none_or(|hostname| *hostname == *target.name);
    if !is_plain_target || !is_plain {
        return None;
    }
    // An empty text differs from an absent one.
    let is_blank = |text: &Option<Text<'_>>| text.as_ref().is_some_and(|text| text.is_empty());
    if is_blank(&endpoint.node_name) || is_blank(&endpoint.zone) {
        return None;
    }
    let node_name = endpoint.node_name.as_deref().unwrap_or_default();
    let (hint, hints_node) = plain_hints(endpoint.hints.as_ref(), node_name)?;
    let conditions = &endpoint.conditions;
    Some(UsualEndpoint {
        address,
        hint,
        hints_node,
        conditions: [conditions.ready, conditions.serving, conditions.terminating],
        has_hostname: hostname.is_some(),
    })
}

/// The hinted zone, empty if there is none, and whether the endpoint's node is hinted.
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

/// Releases what [`take`] stored, except the pod.
pub(super) fn release(names: &mut NameTable, endpoint: &KnownEndpoint) {
    if let KnownEndpoint::Usual(usual) = endpoint {
        for name in [usual.node, usual.zone, usual.hint] {
            names.release(name);
        }
    }
}

/// Is there a hint to a zone?
pub(super) fn has_zone_hint(endpoint: &KnownEndpoint) -> bool {
    match endpoint {
        KnownEndpoint::Usual(usual) => !usual.hint.is_empty(),
        KnownEndpoint::Other(endpoint, _) => {
            let hints = endpoint.hints.as_ref();
            hints.is_some_and(|hints| !hints.for_zones.is_empty())
        }
    }
}

/// The view for hint rules.
pub(super) fn view<'s>(names: &'s NameTable, endpoint: &'s KnownEndpoint) -> EndpointView<'s> {
    match endpoint {
        KnownEndpoint::Other(endpoint, _) => EndpointView::existing(endpoint),
        KnownEndpoint::Usual(usual) => usual.view(names),
    }
}

/// Counts the ready ones among endpoints by zone, an absent one as the empty text.
pub(super) fn count_ready<'s>(
    names: &'s NameTable,
    endpoints: impl Iterator<Item = &'s KnownEndpoint>,
    count: &mut dyn FnMut(&'s str, i64),
) {
    let mut zones: Vec<(Name, i64)> = Vec::new();
    for endpoint in endpoints {
        match endpoint {
            KnownEndpoint::Usual(usual) if usual.ready == Some(true) => {
                // Nearly always one of few.
                match zones.iter_mut().find(|(zone, _)| *zone == usual.zone) {
                    Some((_, ready)) => *ready += 1,
                    None => zones.push((usual.zone, 1)),
                }
            }
            KnownEndpoint::Other(endpoint, _) if endpoint.is_ready() => {
                count(endpoint.zone.as_deref().unwrap_or_default(), 1);
            }
            _ => {}
        }
    }
    for (zone, ready) in zones {
        count(optional(names, zone).unwrap_or_default(), ready);
    }
}

/// The endpoint as it was read.
pub(super) fn whole<'s>(
    names: &'s NameTable,
    pods: &'s Pods,
    endpoint: &'s KnownEndpoint,
) -> Endpoint<'s> {
    match endpoint {
        KnownEndpoint::Usual(usual) => {
            let address = ip::to_text(&usual.address).into();
            usual.whole(names, pods, address, &|_| usual.hints(names))
        }
        KnownEndpoint::Other(endpoint, _) => (**endpoint).clone(),
    }
}

/// Appends the endpoint with the hints that follow from its view. `address` is the text of its address if it is a usual
/// one.
pub(super) fn push_with_hints<'s>(
    names: &'s NameTable,
    pods: &'s Pods,
    endpoint: &'s KnownEndpoint,
    address: &'s str,
    hints: HintsOf<'_, 's>,
    to: &mut Vec<Endpoint<'s>>,
) {
    match endpoint {
        KnownEndpoint::Usual(usual) => {
            to.extend(once_with(|| {
                usual.whole(names, pods, address.into(), hints)
            }));
        }
        KnownEndpoint::Other(endpoint, _) => {
            let mut whole = (**endpoint).clone();
            whole.hints = hints(EndpointView::existing(endpoint));
            to.push(whole);
        }
    }
}

impl Usual {
    fn view<'s>(&self, names: &'s NameTable) -> EndpointView<'s> {
        EndpointView {
            ready: self.ready == Some(true),
            zone: optional(names, self.zone),
            node_name: optional(names, self.node),
        }
    }

    fn hints<'s>(&self, names: &'s NameTable) -> Option<EndpointHints<'s>> {
        let named =
            |name: Name| Few::from(optional(names, name).map(|name| NameRef::new(name.into())));
        let has_hints = !self.hint.is_empty() || self.hints_node;
        has_hints.then(|| {
            let mut hints = EndpointHints::default();
            hints.for_zones = named(self.hint);
            hints.for_nodes = named(if self.hints_node {
                self.node
            } else {
                Name::EMPTY
            });
            hints
        })
    }

    // Sets every field once, after all calls: this runs for each endpoint of a slice that is written, and what is built
    // before a call is copied by way of the stack.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn whole<'s>(
        &self,
        names: &'s NameTable,
        pods: &'s Pods,
        address: Text<'s>,
        hints: HintsOf<'_, 's>,
    ) -> Endpoint<'s> {
        let view = self.view(names);
        let hints = hints(view);
        let known = pods.get(self.pod);
        let name = known.map_or("", KnownPod::name);
        let target = known.map(|known| (names.text(known.namespace), known.uid()));
        Endpoint::of_pod(OfPod {
            address,
            ready: self.ready,
            serving: self.serving,
            terminating: self.terminating,
            hostname: self.has_hostname.then_some(name),
            target: target.map(|(namespace, uid)| (namespace, name, uid)),
            node_name: view.node_name,
            zone: view.zone,
            hints,
        })
    }

    /// The endpoint as a copy of a known one, if they are equal: without looking up any text.
    fn like(
        &self,
        names: &mut NameTable,
        pods: &Pods,
        namespace: &str,
        endpoint: &Endpoint<'_>,
    ) -> Option<Self> {
        let known = pods.get(self.pod)?;
        let target = endpoint.target_ref.as_ref()?;
        let is_pod = names.text(known.namespace) == namespace
            && target.namespace == *namespace
            && target.name == *known.name();
        let node = endpoint.node_name.as_deref().unwrap_or_default();
        let zone = endpoint.zone.as_deref().unwrap_or_default();
        let is_there = same(names.text(self.node), node) && same(names.text(self.zone), zone);
        if !is_pod || !is_there {
            return None;
        }
        let plain = plain(pods, self.pod, target, endpoint)?;
        if !same(names.text(self.hint), plain.hint) {
            return None;
        }
        for name in [self.node, self.zone, self.hint] {
            names.again(name);
        }
        Some(plain.usual(self.pod, [self.node, self.zone, self.hint]))
    }
}

fn optional(names: &NameTable, name: Name) -> Option<&str> {
    (!name.is_empty()).then(|| names.text(name))
}
