//! What makes two endpoints "the same", and what makes the same endpoint "changed".
//!
//! Identity is addresses, hostname and the target's namespace and name; everything else is updated in place
//! (reference: `hashEndpoint` and `EndpointsEqualBeyondHash`). Addresses are compared by their text there, so an
//! existing endpoint whose addresses are not spelt canonically equals nothing we could want.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::{BuildHasher, Hash, Hasher};
use core::net::IpAddr;

use super::endpoint_slice::Endpoint;
use super::ip;
use super::meta::ObjectReference;
use super::order::{self, Index};
use super::pod::Pod;
use super::text::{Text, same};

/// The addresses of one endpoint of one family, in the order of their text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Addresses {
    /// By far the most common case.
    One(IpAddr),
    /// Several, or none.
    Many(Vec<IpAddr>),
}

impl Addresses {
    /// Puts addresses in order.
    pub fn new(mut addresses: Vec<IpAddr>) -> Self {
        if let [address] = addresses.as_slice() {
            return Self::One(*address);
        }
        order::sort_by(&mut addresses, |a, b| ip::to_text(a).cmp(&ip::to_text(b)));
        Self::Many(addresses)
    }

    /// Reads the addresses of an existing endpoint; `None` when one is not spelt canonically.
    pub fn of_existing(endpoint: &Endpoint<'_>) -> Option<Self> {
        if let [address] = endpoint.addresses.as_slice() {
            return ip::parse_canonical(address).map(Self::One);
        }
        endpoint
            .addresses
            .iter()
            .map(|address| ip::parse_canonical(address))
            .collect::<Option<_>>()
            .map(Self::new)
    }

    /// The addresses in order.
    pub const fn as_slice(&self) -> &[IpAddr] {
        match self {
            Self::One(address) => core::slice::from_ref(address),
            Self::Many(addresses) => addresses.as_slice(),
        }
    }
}

/// What an endpoint stands for.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// Nothing the API knows.
    None,
    /// A Pod.
    Pod(&'a Pod<'a>),
    /// Whatever the caller says.
    Reference(&'a ObjectReference<'a>),
}

impl Target<'_> {
    /// Namespace and name, both empty when there is no target.
    pub fn key(&self) -> (&str, &str) {
        match self {
            Target::None => ("", ""),
            Target::Pod(pod) => (&pod.metadata.namespace, &pod.metadata.name),
            Target::Reference(reference) => (&reference.namespace, &reference.name),
        }
    }

    /// Given that namespace and name are equal: is the rest, too?
    fn equals_beyond_key(&self, existing: Option<&ObjectReference<'_>>) -> bool {
        match (self, existing) {
            (Target::None, None) => true,
            (Target::Pod(pod), Some(existing)) => {
                existing.uid == pod.metadata.uid
                    && existing.kind == "Pod"
                    && existing.api_version.is_empty()
                    && existing.field_path.is_empty()
            }
            (Target::Reference(wanted), Some(existing)) => {
                existing.uid == wanted.uid
                    && existing.kind == wanted.kind
                    && existing.api_version == wanted.api_version
                    && existing.field_path == wanted.field_path
            }
            _ => false,
        }
    }
}

/// An endpoint as it should be.
#[derive(Clone, Debug)]
pub struct DesiredEndpoint<'a> {
    /// Of one family.
    pub addresses: Addresses,
    /// The `ready` condition.
    pub ready: Option<bool>,
    /// The `serving` condition.
    pub serving: Option<bool>,
    /// The `terminating` condition.
    pub terminating: Option<bool>,
    /// Set for pods that a headless Service names.
    pub hostname: Option<&'a str>,
    /// What it stands for.
    pub target: Target<'a>,
    /// Node it runs on.
    pub node_name: Option<&'a str>,
    /// Zone of that Node.
    pub zone: Option<&'a str>,
}

impl DesiredEndpoint<'_> {
    /// Is the existing endpoint the same one?
    fn is_same(&self, addresses: &Addresses, existing: &Endpoint<'_>) -> bool {
        let (namespace, name) = existing
            .target_ref
            .as_ref()
            .map_or(("", ""), |target| (&target.namespace, &target.name));
        let (own_namespace, own_name) = self.target.key();
        self.addresses == *addresses
            && same(own_name, name)
            && same(own_namespace, namespace)
            && same(self.hostname.unwrap_or_default(), existing.hostname())
    }

    /// Given that it is the same one: does it look as it should, hints aside?
    pub fn equals_beyond_identity(&self, existing: &Endpoint<'_>) -> bool {
        same_option(self.node_name, existing.node_name.as_ref())
            && same_option(self.zone, existing.zone.as_ref())
            && self.ready == existing.conditions.ready
            && self.serving == existing.conditions.serving
            && self.terminating == existing.conditions.terminating
            && self.target.equals_beyond_key(existing.target_ref.as_ref())
    }

    /// The order in which endpoints are placed: by address, then hostname, then target. Equal are those with the same
    /// identity.
    pub fn placement_order(&self, other: &Self) -> Ordering {
        let hostname = |endpoint: &'_ Self| endpoint.hostname.unwrap_or_default();
        self.addresses
            .cmp(&other.addresses)
            .then_with(|| hostname(self).cmp(hostname(other)))
            .then_with(|| self.target.key().cmp(&other.target.key()))
    }
}

fn same_option(wanted: Option<&str>, existing: Option<&Text<'_>>) -> bool {
    match (wanted, existing) {
        (Some(wanted), Some(existing)) => same(wanted, existing),
        (None, None) => true,
        _ => false,
    }
}

/// Finds desired endpoints by identity, each of them once.
pub struct EndpointSet {
    index: Index,
    taken: Vec<bool>,
}

impl EndpointSet {
    /// A set of all endpoints of the list.
    pub fn new(desired: &[DesiredEndpoint<'_>]) -> Self {
        let hash = |endpoint: &DesiredEndpoint<'_>| {
            identity_hash(&endpoint.addresses, endpoint.target.key().1)
        };
        Self {
            index: Index::new(desired.iter().map(hash)),
            taken: vec![false; desired.len()],
        }
    }

    /// Takes the endpoint that is the same as an existing one out of the set.
    pub fn take(
        &mut self,
        desired: &[DesiredEndpoint<'_>],
        existing: &Endpoint<'_>,
    ) -> Option<u32> {
        let addresses = Addresses::of_existing(existing)?;
        let name = existing
            .target_ref
            .as_ref()
            .map_or("", |target| target.name.as_str());
        let same = |index: u32| {
            desired
                .get(index as usize)
                .is_some_and(|endpoint| endpoint.is_same(&addresses, existing))
        };
        let index = self.index.find(identity_hash(&addresses, name), same)?;
        let taken = self.taken.get_mut(index as usize)?;
        (!core::mem::replace(taken, true)).then_some(index)
    }

    /// What has not been taken, in placement order.
    pub fn remaining(&self, desired: &[DesiredEndpoint<'_>]) -> Vec<u32> {
        let all = (0_u32..).zip(&self.taken);
        let mut remaining: Vec<u32> = all
            .filter(|(_, taken)| !**taken)
            .map(|(index, _)| index)
            .collect();
        order::sort_indices(&mut remaining, &Placement(desired));
        remaining
    }
}

struct Placement<'d, 'a>(&'d [DesiredEndpoint<'a>]);

impl order::Compare for Placement<'_, '_> {
    fn compare(&self, a: u32, b: u32) -> Ordering {
        match (self.0.get(a as usize), self.0.get(b as usize)) {
            (Some(a), Some(b)) => a.placement_order(b),
            _ => Ordering::Equal,
        }
    }
}

fn identity_hash(addresses: &Addresses, name: &str) -> u64 {
    let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
    match addresses.as_slice().first() {
        Some(IpAddr::V4(address)) => hasher.write_u32(address.to_bits()),
        Some(IpAddr::V6(address)) => hasher.write_u128(address.to_bits()),
        None => {}
    }
    name.hash(&mut hasher);
    hasher.finish()
}
