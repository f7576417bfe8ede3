//! When two endpoints are the same, and when the same endpoint has changed.
//!
//! Identity is addresses, hostname and the target's namespace and name; everything else is updated in place (reference:
//! `hashEndpoint` and `EndpointsEqualBeyondHash`). The reference compares addresses as text, so an existing endpoint
//! whose addresses are not spelt canonically never equals a desired one.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::{BuildHasher, Hash, Hasher};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::endpoint_slice::Endpoint;
use super::index::Index;
use super::ip;
use super::meta::ObjectReference;
use super::order;
use super::text::{Text, same};

/// The addresses of one endpoint in one family, sorted by their text.
///
/// A single address is not an `IpAddr`, which is copied in two overlapping moves: the processor cannot forward them to a
/// second copy, and waiting for that took a fifth of the time of a decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum EndpointAddresses {
    /// One IPv4 address as a number, by far the most common case.
    V4(u32),
    /// One IPv6 address.
    V6(Ipv6Addr),
    /// Several, or none.
    Many(Vec<IpAddr>),
}

impl EndpointAddresses {
    /// Sorts addresses.
    pub fn new(mut addresses: Vec<IpAddr>) -> Self {
        if let [address] = addresses.as_slice() {
            return Self::from(*address);
        }
        order::sort_by(&mut addresses, |a, b| ip::to_text(a).cmp(&ip::to_text(b)));
        Self::Many(addresses)
    }

    /// Parses the addresses of an existing endpoint; `None` if one is not spelt canonically.
    pub fn of_existing(endpoint: &Endpoint<'_>) -> Option<Self> {
        if let [address] = endpoint.addresses.as_slice() {
            return ip::parse_canonical(address).map(Self::from);
        }
        endpoint
            .addresses
            .iter()
            .map(|address| ip::parse_canonical(address))
            .collect::<Option<_>>()
            .map(Self::new)
    }

    /// The address, if there is exactly one.
    pub fn only(&self) -> Option<IpAddr> {
        match self {
            Self::V4(bits) => Some(Ipv4Addr::from_bits(*bits).into()),
            Self::V6(address) => Some((*address).into()),
            Self::Many(_) => None,
        }
    }

    /// The sorted addresses.
    pub fn iter(&self) -> impl Iterator<Item = IpAddr> {
        let several = match self {
            Self::Many(addresses) => addresses.as_slice(),
            _ => &[],
        };
        self.only().into_iter().chain(several.iter().copied())
    }
}

impl From<IpAddr> for EndpointAddresses {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => Self::V6(address),
        }
    }
}

/// The target of an endpoint.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum EndpointTarget<'a> {
    /// A Pod, by namespace, name and uid.
    Pod {
        /// Its namespace.
        namespace: &'a str,
        /// Its name.
        name: &'a str,
        /// Its uid.
        uid: &'a str,
    },
    /// The caller's reference, if any.
    Reference(Option<&'a ObjectReference<'a>>),
}

impl EndpointTarget<'_> {
    /// Namespace and name, both empty if there is no target.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub fn key(&self) -> (&str, &str) {
        match self {
            EndpointTarget::Pod {
                namespace, name, ..
            } => (namespace, name),
            EndpointTarget::Reference(Some(reference)) => (&reference.namespace, &reference.name),
            EndpointTarget::Reference(None) => ("", ""),
        }
    }

    /// The texts that differ between targets.
    pub fn texts(&self) -> [&str; 2] {
        match self {
            EndpointTarget::Pod { name, uid, .. } => [name, uid],
            EndpointTarget::Reference(Some(reference)) => [&reference.name, &reference.uid],
            EndpointTarget::Reference(None) => ["", ""],
        }
    }

    /// Given equal namespace and name: is the rest equal, too?
    fn equals_beyond_key(&self, existing: Option<&ObjectReference<'_>>) -> bool {
        match (self, existing) {
            (EndpointTarget::Reference(None), None) => true,
            (EndpointTarget::Pod { uid, .. }, Some(existing)) => {
                existing.uid == **uid
                    && existing.kind == "Pod"
                    && existing.api_version.is_empty()
                    && existing.field_path.is_empty()
            }
            (EndpointTarget::Reference(Some(wanted)), Some(existing)) => {
                existing.uid == wanted.uid
                    && existing.kind == wanted.kind
                    && existing.api_version == wanted.api_version
                    && existing.field_path == wanted.field_path
            }
            _ => false,
        }
    }
}

/// A desired endpoint.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DesiredEndpoint<'a> {
    /// Addresses of one family.
    pub addresses: EndpointAddresses,
    /// The `ready` condition.
    pub ready: Option<bool>,
    /// The `serving` condition.
    pub serving: Option<bool>,
    /// The `terminating` condition.
    pub terminating: Option<bool>,
    /// Set for pods with a hostname under a headless Service.
    pub hostname: Option<&'a str>,
    /// Its target.
    pub target: EndpointTarget<'a>,
    /// Node it runs on.
    pub node_name: Option<&'a str>,
    /// Zone of that Node.
    pub zone: Option<&'a str>,
}

impl<'a> DesiredEndpoint<'a> {
    /// One of which nothing else is known.
    #[doc(hidden)]
    pub const fn new(addresses: EndpointAddresses, target: EndpointTarget<'a>) -> Self {
        Self {
            addresses,
            ready: None,
            serving: None,
            terminating: None,
            hostname: None,
            target,
            node_name: None,
            zone: None,
        }
    }

    /// Given equal addresses: is the existing endpoint the same one?
    fn is_same(&self, existing: &Endpoint<'_>) -> bool {
        let (namespace, name) = existing
            .target_ref
            .as_ref()
            .map_or(("", ""), |target| (&target.namespace, &target.name));
        let (own_namespace, own_name) = self.target.key();
        same(own_name, name)
            && same(own_namespace, namespace)
            && same(self.hostname.unwrap_or_default(), existing.hostname())
    }

    /// Given the same identity: is the rest equal, hints aside?
    pub fn equals_beyond_identity(&self, existing: &Endpoint<'_>) -> bool {
        same_option(self.node_name, existing.node_name.as_ref())
            && same_option(self.zone, existing.zone.as_ref())
            && self.ready == existing.conditions.ready
            && self.serving == existing.conditions.serving
            && self.terminating == existing.conditions.terminating
            && self.target.equals_beyond_key(existing.target_ref.as_ref())
    }

    /// The order in which endpoints are placed: by address, then hostname, then target. Endpoints with the same
    /// identity are equal.
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

/// Finds each desired endpoint by identity, once.
pub struct EndpointSet {
    index: Index,
    /// Do the hashes of the index include names?
    by_name: bool,
    taken: Vec<bool>,
}

impl EndpointSet {
    /// A set of all endpoints of the list.
    pub fn new(desired: &[DesiredEndpoint<'_>]) -> Self {
        let mut set = Self {
            index: Index::default(),
            by_name: false,
            taken: vec![false; desired.len()],
        };
        // Names are far apart in memory, and not accessed if each endpoint has its own address.
        if !set.fill(desired) {
            set.by_name = true;
            set.fill(desired);
        }
        set
    }

    /// Builds the index. Stops if two endpoints have the same hash and names are not included.
    fn fill(&mut self, desired: &[DesiredEndpoint<'_>]) -> bool {
        self.index = Index::with_room(desired.len());
        for (item, endpoint) in (0..).zip(desired) {
            let hash = self.hash(endpoint);
            let is_shared = |other: u32| {
                let other = desired.get(other as usize);
                other.is_some_and(|other| self.hash(other) == hash)
            };
            if !self.by_name && self.index.find(hash, is_shared).is_some() {
                return false;
            }
            self.index.insert(hash, item);
        }
        true
    }

    fn hash(&self, endpoint: &DesiredEndpoint<'_>) -> u64 {
        self.hash_of(&endpoint.addresses, || endpoint.target.key().1)
    }

    fn hash_of<'n>(&self, addresses: &EndpointAddresses, name: impl FnOnce() -> &'n str) -> u64 {
        let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
        match addresses {
            EndpointAddresses::V4(bits) => hasher.write_u32(*bits),
            EndpointAddresses::V6(address) => hasher.write_u128(address.to_bits()),
            EndpointAddresses::Many(addresses) => addresses.first().hash(&mut hasher),
        }
        if self.by_name {
            name().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The only endpoint that may be the same as an existing one. Names are only accessed if necessary.
    pub fn find(&self, desired: &[DesiredEndpoint<'_>], existing: &Endpoint<'_>) -> Option<u32> {
        let addresses = EndpointAddresses::of_existing(existing)?;
        let name = || {
            let target = existing.target_ref.as_ref();
            target.map_or("", |target| target.name.as_str())
        };
        let may_be_same = |index: u32| {
            desired.get(index as usize).is_some_and(|endpoint| {
                endpoint.addresses == addresses && (!self.by_name || endpoint.is_same(existing))
            })
        };
        self.index.find(self.hash_of(&addresses, name), may_be_same)
    }

    /// Takes what was found for an existing endpoint out of the set, if it is the same one and was not taken before.
    pub fn take<'d, 'a>(
        &mut self,
        desired: &'d [DesiredEndpoint<'a>],
        found: u32,
        existing: &Endpoint<'_>,
    ) -> Option<&'d DesiredEndpoint<'a>> {
        let endpoint = desired.get(found as usize)?;
        let taken = self.taken.get_mut(found as usize)?;
        let is_free = endpoint.is_same(existing) && !core::mem::replace(taken, true);
        is_free.then_some(endpoint)
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A desired endpoint for a pod, given as an object reference.
    fn desired<'a>(addresses: &[&str], reference: &'a ObjectReference<'a>) -> DesiredEndpoint<'a> {
        let addresses = addresses.iter().map(|text| text.parse().unwrap());
        DesiredEndpoint {
            addresses: EndpointAddresses::new(addresses.collect()),
            ready: Some(true),
            serving: Some(true),
            terminating: Some(false),
            hostname: None,
            target: EndpointTarget::Reference(Some(reference)),
            node_name: Some("node"),
            zone: Some("a"),
        }
    }

    fn reference(name: &'static str) -> ObjectReference<'static> {
        ObjectReference {
            kind: "Pod".into(),
            namespace: "shop".into(),
            name: name.into(),
            uid: "uid".into(),
            ..ObjectReference::default()
        }
    }

    /// The index of the endpoint that is found and taken.
    fn take(
        set: &mut EndpointSet,
        desired: &[DesiredEndpoint<'_>],
        existing: &Endpoint<'_>,
    ) -> Option<u32> {
        let found = set.find(desired, existing)?;
        set.take(desired, found, existing).map(|_| found)
    }

    /// The endpoint that [`desired`] makes of `10.0.0.1` and the pod `p`, as in a slice.
    fn existing() -> Value {
        json!({
            "addresses": ["10.0.0.1"], "conditions": {"ready": true, "serving": true, "terminating": false},
            "targetRef": {"kind": "Pod", "namespace": "shop", "name": "p", "uid": "uid"},
            "nodeName": "node", "zone": "a",
        })
    }

    /// Is the existing endpoint with another value at `pointer` found, and does it match?
    #[track_caller]
    fn check(pointer: &str, value: Value, expected: (bool, bool)) {
        let mut endpoint = existing();
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        endpoint.pointer_mut(parent).unwrap()[field] = value;
        let text = endpoint.to_string();
        let endpoint: Endpoint<'_> = serde_json::from_str(&text).unwrap();
        let target = reference("p");
        let wanted = [desired(&["10.0.0.1"], &target)];
        let found = take(&mut EndpointSet::new(&wanted), &wanted, &endpoint);
        assert_eq!(
            (found.is_some(), wanted[0].equals_beyond_identity(&endpoint)),
            expected
        );
    }

    #[test]
    fn identity_is_addresses_hostname_and_target() {
        check("/zone", json!("a"), (true, true));
        check("/addresses", json!(["10.0.0.2"]), (false, true));
        check("/addresses", json!([]), (false, true));
        check("/hostname", json!("p"), (false, true));
        check("/hostname", json!(""), (true, true));
        check("/targetRef/name", json!("q"), (false, true));
        check("/targetRef/namespace", json!("bank"), (false, true));
        check("/targetRef", Value::Null, (false, false));
    }

    #[test]
    fn the_rest_is_a_change() {
        check("/conditions/ready", json!(false), (true, false));
        check("/conditions/serving", Value::Null, (true, false));
        check("/conditions/terminating", json!(true), (true, false));
        check("/nodeName", json!("other"), (true, false));
        check("/nodeName", Value::Null, (true, false));
        check("/zone", json!("b"), (true, false));
        check("/targetRef/uid", json!("other"), (true, false));
        check("/targetRef/kind", json!("Node"), (true, false));
        check("/targetRef/fieldPath", json!("spec"), (true, false));
    }

    #[test]
    fn hints_and_the_targets_version_are_no_change() {
        check("/hints", json!({"forZones": [{"name": "b"}]}), (true, true));
        check("/targetRef/resourceVersion", json!("7"), (true, true));
    }

    #[test]
    fn addresses_spelt_another_way_are_others() {
        let target = reference("p");
        let wanted = [desired(&["fd00::1"], &target)];
        let found = |address: &str| {
            let text =
                json!({"addresses": [address], "targetRef": existing()["targetRef"]}).to_string();
            let endpoint = serde_json::from_str(&text).unwrap();
            take(&mut EndpointSet::new(&wanted), &wanted, &endpoint).is_some()
        };
        assert!(found("fd00::1"));
        assert!(!found("fd00:0::1"));
        assert!(!found("FD00::1"));
    }

    #[test]
    fn the_order_of_addresses_does_not_matter() {
        let target = reference("p");
        let wanted = [desired(&["10.0.0.2", "10.0.0.10"], &target)];
        for addresses in [["10.0.0.2", "10.0.0.10"], ["10.0.0.10", "10.0.0.2"]] {
            let text =
                json!({"addresses": addresses, "targetRef": existing()["targetRef"]}).to_string();
            let endpoint = serde_json::from_str(&text).unwrap();
            let found = take(&mut EndpointSet::new(&wanted), &wanted, &endpoint);
            assert_eq!(found, Some(0));
        }
    }

    #[test]
    fn each_is_taken_once() {
        let target = reference("p");
        let wanted = [desired(&["10.0.0.1"], &target)];
        let mut set = EndpointSet::new(&wanted);
        let text = existing().to_string();
        let endpoint = serde_json::from_str(&text).unwrap();
        assert_eq!(take(&mut set, &wanted, &endpoint), Some(0));
        assert_eq!(take(&mut set, &wanted, &endpoint), None);
        assert!(set.remaining(&wanted).is_empty());
    }

    #[test]
    fn of_those_that_share_an_address_names_decide() {
        let (p, q) = (reference("p"), reference("q"));
        let text = existing().to_string();
        let endpoint: Endpoint<'_> = serde_json::from_str(&text).unwrap();
        for (wanted, expected) in [([&q, &p], Some(1)), ([&p, &q], Some(0)), ([&q, &q], None)] {
            let wanted = wanted.map(|target| desired(&["10.0.0.1"], target));
            let mut set = EndpointSet::new(&wanted);
            assert_eq!(take(&mut set, &wanted, &endpoint), expected);
        }
    }

    #[test]
    fn what_remains_is_in_the_order_of_addresses_then_targets() {
        let (p, q) = (reference("p"), reference("q"));
        let wanted = [
            desired(&["10.0.0.10"], &p),
            desired(&["10.0.0.2"], &q),
            desired(&["10.0.0.2"], &p),
        ];
        assert_eq!(EndpointSet::new(&wanted).remaining(&wanted), [2, 1, 0]);
    }
}
