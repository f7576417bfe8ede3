//! Groups nodes that route alike, without evaluating each of them.
//!
//! Rules depend on a node's zone, and some on its name, if an endpoint is on it or hinted to it. So one node of each
//! kind is evaluated, and equal results are reported once.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use slicewise::model::order::{sort, sort_by};

use super::choice::{Choice, choose};
use super::{Backend, Client, Situation, SliceReader, words};
use crate::proxy::{ServicePortInfo, Topology};

/// Nodes that use the same endpoints of a port for the same reason.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeGroup {
    /// The nodes, as indexes into the list of clients, in ascending order.
    pub nodes: Vec<usize>,
    /// Their share of the traffic, 0 to 1.
    pub share: f64,
    /// How close their traffic stays.
    pub topology: Topology,
    /// Why they use the endpoints that they use.
    pub rule: String,
    /// How many of the endpoints they use, and why, as a sentence.
    pub message: String,
    /// The endpoints they use, in equal shares, as indexes into the list of endpoints.
    pub uses: Vec<usize>,
}

/// Limits on the answer and the work for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// Nodes, endpoints and uses of endpoints that an answer may list, over all its ports.
    pub entries: usize,
    /// Endpoints that may be evaluated; those of a port count once for each kind of node.
    pub steps: usize,
}

/// The answer or the work for it would exceed the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooMuch;

impl Budget {
    /// No limits.
    pub const UNLIMITED: Self = Self {
        entries: usize::MAX,
        steps: usize::MAX,
    };

    fn tell(&mut self, entries: usize) -> Result<(), TooMuch> {
        self.entries = self.entries.checked_sub(entries).ok_or(TooMuch)?;
        Ok(())
    }

    fn work(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.steps = self.steps.checked_sub(steps).ok_or(TooMuch)?;
        Ok(())
    }
}

/// Some tens of megabytes of JSON, and a few seconds.
impl Default for Budget {
    fn default() -> Self {
        Self {
            entries: 4_000_000,
            steps: 1 << 28,
        }
    }
}

/// The groups of nodes, without their shares yet.
pub(super) fn groups(
    situation: &Situation<'_>,
    port: &ServicePortInfo,
    backends: &[Backend<'_>],
    clients: &[Client<'_>],
    budget: &mut Budget,
) -> Result<Vec<NodeGroup>, TooMuch> {
    budget.tell(clients.len().saturating_add(backends.len()))?;
    let looks_at_nodes = port.internal_policy_local
        || matches!(situation.reader, SliceReader::Cilium | SliceReader::Istio);
    let kinds = kinds(backends, clients, looks_at_nodes);
    budget.work(kinds.len().saturating_mul(backends.len()))?;
    let mut found: BTreeMap<(String, Vec<usize>), (Topology, Vec<usize>)> = BTreeMap::new();
    for places in kinds.into_values() {
        let Some(client) = places.first().and_then(|place| clients.get(*place)) else {
            continue;
        };
        let Choice {
            used,
            topology,
            rule,
        } = choose(situation, port, backends, client);
        let count = used.len();
        let (_, nodes) = found.entry((rule, used)).or_insert((topology, Vec::new()));
        if nodes.is_empty() {
            budget.tell(count)?;
        }
        nodes.extend(places);
    }
    let group = |((rule, uses), (topology, mut nodes)): ((String, Vec<usize>), (_, Vec<usize>))| {
        sort(&mut nodes);
        NodeGroup {
            message: words::group(&nodes, &uses, backends.len(), &rule),
            nodes,
            share: 0.0,
            topology,
            rule,
            uses,
        }
    };
    let mut groups: Vec<NodeGroup> = found.into_iter().map(group).collect();
    sort_by(&mut groups, |one, other| one.nodes.cmp(&other.nodes));
    Ok(groups)
}

/// Groups the indices of clients that no rule can distinguish; some rules depend on the nodes of endpoints.
fn kinds<'n>(
    backends: &[Backend<'n>],
    clients: &[Client<'n>],
    looks_at_nodes: bool,
) -> BTreeMap<(&'n str, &'n str), Vec<usize>> {
    let named: BTreeSet<&str> = backends
        .iter()
        .flat_map(|backend| {
            let hints = backend.endpoint.node_hints().iter();
            let own = looks_at_nodes.then_some(backend.node);
            hints.map(|hint| &**hint).chain(own)
        })
        .collect();
    let mut kinds: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (place, client) in clients.iter().enumerate() {
        let node = named.get(client.node).map_or("", |_| client.node);
        kinds.entry((node, client.zone)).or_default().push(place);
    }
    kinds
}
