//! One EndpointSlice as a proxy stores it: ports, and endpoints sorted and without duplicates.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slicewise::model::order::{sort_by, sorted_unique};
use slicewise::model::{Endpoint, EndpointHints, EndpointPort, EndpointSlice};

use super::endpoint::{ConditionBits, HintTargets, UDP};
use super::fingerprint::{fingerprint, version};
use super::host::Host;

/// The settings for reading slices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SliceView {
    /// The node whose endpoints are local.
    pub(super) node_name: Box<str>,
    /// Are hints for nodes used?
    pub(super) with_node_hints: bool,
}

/// A slice.
///
/// If an address is in the slice more than once, only the record that may be chosen is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProxiedSlice {
    /// The hash of its `resourceVersion`; see [`version`].
    version: u64,
    /// The hash of its contents for the API; see [`fingerprint`].
    fingerprint: u64,
    pub(super) ports: Box<[UsablePort]>,
    /// Sorted by host.
    pub(super) records: Box<[AddressRecord]>,
    /// The distinct hints of its endpoints.
    hints: Box<[HintTargets]>,
}

/// A usable port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UsablePort {
    pub(super) key: PortKey,
    pub(super) number: i32,
}

/// What distinguishes a Service's ports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PortKey {
    pub(super) name: Box<str>,
    pub(super) protocol: Box<str>,
}

impl PortKey {
    pub(super) fn is_udp(&self) -> bool {
        *self.protocol == *UDP
    }
}

/// The record of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AddressRecord {
    pub(super) host: Host,
    pub(super) state: ConditionBits,
    hints: u32,
}

impl AddressRecord {
    /// Is the later of two records chosen? It is unless it is terminating: a running pod is preferred to a terminating
    /// one whose address it may have got (reference: `addEndpoints`).
    pub(super) const fn is_replaced_by(self, later: Self) -> bool {
        replaces(later.state.is_terminating())
    }
}

/// Does the later of two records for one address count?
const fn replaces(is_terminating: bool) -> bool {
    !is_terminating
}

/// The endpoints of a slice that count, by address, with the fields that a proxy does not keep.
pub(crate) fn chosen<'s>(slice: &'s EndpointSlice<'s>) -> BTreeMap<Host, &'s Endpoint<'s>> {
    let mut chosen: BTreeMap<Host, &Endpoint<'_>> = BTreeMap::new();
    for endpoint in &slice.endpoints {
        let Some(address) = endpoint.addresses.first() else {
            continue;
        };
        let is_terminating = endpoint.conditions.is_terminating();
        let host = Host::read(address);
        if replaces(is_terminating) || !chosen.contains_key(&host) {
            chosen.insert(host, endpoint);
        }
    }
    chosen
}

impl ProxiedSlice {
    pub(super) fn new(slice: &EndpointSlice<'_>, view: &SliceView) -> Self {
        let mut hints = HintSets::default();
        let mut records = Vec::with_capacity(slice.endpoints.len());
        for endpoint in &slice.endpoints {
            if let Some(record) = record(endpoint, view, &mut hints) {
                records.push(record);
            }
        }
        sort_by(&mut records, |one: &AddressRecord, other| {
            one.host.cmp(&other.host)
        });
        records.dedup_by(|later, kept| {
            let is_same = later.host == kept.host;
            if is_same && kept.is_replaced_by(*later) {
                *kept = *later;
            }
            is_same
        });
        let ports = sorted_unique(slice.ports.iter().filter_map(port));
        Self {
            version: version(&slice.metadata.resource_version),
            fingerprint: fingerprint(slice),
            ports: ports.into(),
            records: records.into(),
            hints: hints.sets.into(),
        }
    }

    /// The hash of its version: if it differs, so do the slices.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// The hints of an endpoint, if it has any.
    pub(super) fn hints_of(&self, record: AddressRecord) -> Option<&HintTargets> {
        self.hints.get(record.hints as usize)
    }

    /// The record of a host.
    pub(super) fn find(&self, host: Host) -> Option<AddressRecord> {
        let place = self
            .records
            .binary_search_by(|record| record.host.cmp(&host));
        self.records.get(place.ok()?).copied()
    }

    /// The distinct keys of its ports; none if it has no endpoints, because it then contributes nothing to the merged
    /// lists.
    pub(super) fn keys(&self) -> impl Iterator<Item = &PortKey> {
        let ports: &[UsablePort] = if self.records.is_empty() {
            &[]
        } else {
            &self.ports
        };
        ports
            .chunk_by(|one, other| one.key == other.key)
            .filter_map(|ports| ports.first().map(|port| &port.key))
    }

    /// Its port numbers for a service port: one, except in unusual slices.
    pub(super) fn numbers<'s>(&'s self, key: &'s PortKey) -> impl Iterator<Item = i32> + 's {
        let ports = self.ports.iter();
        ports
            .filter(move |port| port.key == *key)
            .map(|port| port.number)
    }
}

/// The distinct sets of hints in a slice.
#[derive(Default)]
struct HintSets {
    sets: Vec<HintTargets>,
    numbers: BTreeMap<HintTargets, u32>,
}

impl HintSets {
    /// The index of an endpoint's set. Without hints, it is one that no set has.
    fn number(&mut self, hints: Option<&EndpointHints<'_>>, with_nodes: bool) -> u32 {
        let Some(hints) = hints else {
            return NO_HINTS;
        };
        // There are nearly always as many sets as zones.
        let mut few = self.sets.iter().take(FEW);
        if let Some(number) = few.position(|set| set.are(hints, with_nodes)) {
            return number as u32;
        }
        let hints = HintTargets::read(hints, with_nodes);
        if hints.is_empty() {
            return NO_HINTS;
        }
        if let Some(number) = self.numbers.get(&hints) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(hints.clone());
        self.numbers.insert(hints, number);
        number
    }
}

const FEW: usize = 4;
const NO_HINTS: u32 = u32::MAX;

/// The record of an endpoint's first address; other addresses are ignored. `None` if it has none.
fn record(
    endpoint: &Endpoint<'_>,
    view: &SliceView,
    hints: &mut HintSets,
) -> Option<AddressRecord> {
    let address = endpoint.addresses.first()?;
    let conditions = &endpoint.conditions;
    let node_name = endpoint.node_name.as_deref().unwrap_or_default();
    let state = ConditionBits::new(
        conditions.ready.unwrap_or(true),
        conditions.serving.unwrap_or(true),
        conditions.terminating.unwrap_or(false),
        !view.node_name.is_empty() && *view.node_name == *node_name,
    );
    Some(AddressRecord {
        host: Host::read(address),
        state,
        hints: hints.number(endpoint.hints.as_ref(), view.with_node_hints),
    })
}

/// A port without a name or a number is ignored. Without a protocol it is TCP, the API server's default.
fn port(port: &EndpointPort<'_>) -> Option<UsablePort> {
    let number = port.port.filter(|number| *number != 0)?;
    Some(UsablePort {
        key: PortKey {
            name: port.name.as_deref()?.into(),
            protocol: port.protocol.as_deref().unwrap_or("TCP").into(),
        },
        number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_that_name_nothing_are_none() {
        let mut sets = HintSets::default();
        let of = |json: &'static str| serde_json::from_str::<EndpointHints<'_>>(json).unwrap();
        let (zones, nodes) = (
            of(r#"{"forZones": [{"name": "a"}]}"#),
            of(r#"{"forNodes": [{"name": "n"}]}"#),
        );
        assert_eq!(sets.number(None, true), NO_HINTS);
        assert_eq!(sets.number(Some(&of("{}")), true), NO_HINTS);
        assert_eq!(sets.number(Some(&nodes), false), NO_HINTS);
        for _ in 0..2 {
            assert_eq!(sets.number(Some(&zones), true), 0);
            assert_eq!(sets.number(Some(&nodes), true), 1);
        }
    }
}
