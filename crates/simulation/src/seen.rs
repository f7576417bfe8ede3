//! The slices of one Service from an observer's point of view: what is new since the last look.
//!
//! Zones, nodes, pods and slices are reported by name once; from then on they are numbers, in that order.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use slicewise::model::{AddressType, Endpoint, EndpointSlice, EndpointState, NamespacedName};
use slicewise::plan::{HintsMode, HintsReport};

macro_rules! seen {
    ($($(#[$meta:meta])* pub struct $Name:ident { $($(#[$field_meta:meta])* pub $field:ident: $Type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $Name {
            $($(#[$field_meta])* pub $field: $Type,)*
        }
    )*};
}
pub(super) use seen;

seen! {
    /// A node, reported once.
    #[non_exhaustive]
    pub struct NodeSeen {
        /// Its name.
        pub name: String,
        /// The number of its zone; `null` if it has no zone.
        pub zone: Option<usize>,
    }

    /// A pod that is or was in a slice, reported once.
    #[non_exhaustive]
    pub struct PodSeen {
        /// Its name.
        pub name: String,
        /// The number of its node; `null` if it has no node.
        pub node: Option<usize>,
    }

    /// A slice, reported once.
    #[non_exhaustive]
    pub struct SliceSeen {
        /// Its name.
        pub name: String,
        /// The address family.
        pub address_type: String,
        /// Its ports, such as `http 8080/TCP`, separated by commas.
        pub ports: String,
    }

    /// A change of a slice.
    #[non_exhaustive]
    pub struct SliceDelta {
        /// The number of the slice.
        pub slice: usize,
        /// How the slice has changed.
        pub is: SliceFate,
        /// The endpoints that are new or have changed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub put: Vec<EndpointSeen>,
        /// The numbers of the pods that are no longer in it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub drop: Vec<usize>,
    }

    /// Whether a family has hints.
    #[non_exhaustive]
    pub struct HintsSeen {
        /// The family.
        pub address_type: AddressType,
        /// The requested rule.
        pub mode: HintsMode,
        /// Whether the rule assigns hints.
        pub applied: bool,
        /// Why the rule assigns no hints, worded as in the reference; `null` if it does.
        pub reason: Option<String>,
    }
}

/// An endpoint: the number of its pod, its state, and the numbers of the zones and the nodes that it is hinted to.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a tuple in the JSON, whose length is its type"
)]
pub struct EndpointSeen(pub usize, pub EndpointState, pub Vec<usize>, pub Vec<usize>);

/// How a slice has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum SliceFate {
    /// It was created.
    Created,
    /// It was updated.
    Updated,
    /// It was deleted.
    Deleted,
}

impl HintsSeen {
    pub(super) fn of(report: &HintsReport<'_>) -> Self {
        Self {
            address_type: report.address_type,
            mode: report.mode,
            applied: report.applied,
            reason: report.reason.clone(),
        }
    }
}

/// Names that have been reported, and their numbers.
#[derive(Debug, Default)]
pub(super) struct NumberedNames {
    numbers: BTreeMap<String, usize>,
}

impl NumberedNames {
    /// The number of a name, if it has been reported.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The number of a name; `tell` is called if it is new.
    pub(super) fn number(&mut self, name: &str, tell: impl FnOnce()) -> usize {
        if let Some(number) = self.find(name) {
            return number;
        }
        tell();
        let number = self.numbers.len();
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// A slice as last seen.
#[derive(Debug)]
struct ReportedSlice {
    number: usize,
    endpoints: BTreeMap<usize, EndpointSeen>,
}

/// What has been reported so far.
#[derive(Debug, Default)]
pub(super) struct ReportMemory {
    pub(super) zones: NumberedNames,
    pub(super) nodes: NumberedNames,
    pods: NumberedNames,
    slices: BTreeMap<NamespacedName, ReportedSlice>,
    slices_told: usize,
}

/// What is reported for the first time.
#[derive(Debug, Default)]
pub(super) struct FirstReports {
    pub(super) pods: Vec<PodSeen>,
    pub(super) slices: Vec<SliceSeen>,
}

impl ReportMemory {
    /// Updates a slice; `None` if it was deleted. Returns what differs from when it was last seen.
    pub(super) fn look(
        &mut self,
        key: &NamespacedName,
        slice: Option<&EndpointSlice<'_>>,
        news: &mut FirstReports,
    ) -> Option<SliceDelta> {
        let Some(slice) = slice else {
            let known = self.slices.remove(key)?;
            return Some(SliceDelta {
                slice: known.number,
                is: SliceFate::Deleted,
                put: Vec::new(),
                drop: Vec::new(),
            });
        };
        let seen: BTreeMap<usize, EndpointSeen> = slice
            .endpoints
            .iter()
            .map(|endpoint| {
                let endpoint = self.endpoint(endpoint, news);
                (endpoint.0, endpoint)
            })
            .collect();
        let (fate, number, before) = match self.slices.remove(key) {
            Some(known) => (SliceFate::Updated, known.number, known.endpoints),
            None => {
                news.slices.push(told(slice));
                self.slices_told += 1;
                let number = self.slices_told - 1;
                (SliceFate::Created, number, BTreeMap::new())
            }
        };
        let differs = |endpoint: &&EndpointSeen| before.get(&endpoint.0) != Some(*endpoint);
        let put: Vec<EndpointSeen> = seen.values().filter(differs).cloned().collect();
        let left = before.into_keys().filter(|pod| !seen.contains_key(pod));
        let drop: Vec<usize> = left.collect();
        let known = ReportedSlice {
            number,
            endpoints: seen,
        };
        self.slices.insert(key.clone(), known);
        Some(SliceDelta {
            slice: number,
            is: fate,
            put,
            drop,
        })
    }

    fn endpoint(&mut self, endpoint: &Endpoint<'_>, news: &mut FirstReports) -> EndpointSeen {
        let target = endpoint.target_ref.as_ref();
        let address = || endpoint.addresses.first();
        let name = target.map(|target| &target.name).or_else(address);
        let name = name.map_or("", |name| name.as_str());
        let node = endpoint.node_name.as_deref();
        let node = node.and_then(|node| self.nodes.find(node));
        let pod = self.pods.number(name, || {
            let name = name.to_owned();
            news.pods.push(PodSeen { name, node });
        });
        let hints = endpoint.hints.as_ref();
        let zones = hints.iter().flat_map(|hints| &hints.for_zones);
        let nodes = hints.iter().flat_map(|hints| &hints.for_nodes);
        EndpointSeen(
            pod,
            endpoint.conditions.state(),
            zones
                .filter_map(|zone| self.zones.find(&zone.name))
                .collect(),
            nodes
                .filter_map(|node| self.nodes.find(&node.name))
                .collect(),
        )
    }
}

fn told(slice: &EndpointSlice<'_>) -> SliceSeen {
    let ports = slice.ports.iter().map(|port| {
        let number = port
            .port
            .map_or_else(|| "any".into(), |port| port.to_string());
        let protocol = port.protocol.as_deref().unwrap_or("TCP");
        match port.name.as_deref() {
            Some(name) if !name.is_empty() => format!("{name} {number}/{protocol}"),
            _ => format!("{number}/{protocol}"),
        }
    });
    SliceSeen {
        name: slice.name().to_owned(),
        address_type: slice.address_type.to_string(),
        ports: ports.collect::<Vec<_>>().join(", "),
    }
}
