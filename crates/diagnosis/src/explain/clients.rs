//! The pods that a question names as clients.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::Error;
use slicewise::model::Pod;
use slicewise::topology::nodes::NodeIndex;
use slicewise_traffic::routing::{Client, ClientSelector};

/// The pods that requests come from, by node.
pub(crate) struct ClientPods<'a> {
    /// As they were asked for.
    pub(super) text: String,
    pub(super) clients: Vec<Client<'a>>,
}

impl<'a> ClientPods<'a> {
    /// The pods that are asked for.
    ///
    /// # Errors
    /// As for [`ClientSelector::parse`] and [`ClientSelector::clients`].
    pub(crate) fn find(
        asked: &str,
        pods: &[&'a Pod<'a>],
        nodes: &'a NodeIndex<'a>,
        named: &[Client<'a>],
    ) -> Result<Self, Error> {
        let selector = ClientSelector::parse(asked)?;
        let selected = pods.iter().filter(|pod| selector.selects(pod));
        let names = selected.map(|pod| pod.spec.node_name.as_str());
        let named = |node: &str| {
            let mut named = named.iter();
            named.find(|one| one.node == node).map(|one| one.zone)
        };
        let zone = |node| nodes.zone(node).flatten().or_else(|| named(node));
        let zone = |node| zone(node).unwrap_or_default();
        Ok(Self {
            text: selector.to_string(),
            clients: selector.clients(names, pods.len(), zone)?,
        })
    }
}
