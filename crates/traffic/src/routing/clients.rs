//! Client pods: where requests come from, if it is known better than by nodes.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slicewise::membership::label_selector::LabelSelector;
use slicewise::model::dns::is_label;
use slicewise::model::text::shorten;
use slicewise::model::{EndpointSlice, Pod};
use slicewise::topology::nodes::{NodeFacts, zone_shares};
use slicewise::words::counted;
use slicewise::{Code, Error, Mistake};

use super::Client;

/// The pods that requests come from: `app=web`, or `shop/app=web` for those of a namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSelector {
    text: String,
    namespace: Option<String>,
    labels: LabelSelector,
}

impl ClientSelector {
    /// Reads `[NAMESPACE/]SELECTOR`, whose selector has the form of `kubectl --selector`. What precedes the first slash
    /// is a namespace if it has the form of one; prefixes of labels have a dot.
    ///
    /// # Errors
    /// `InvalidValue` if the selector cannot be read.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let of_namespace = text.split_once('/').filter(|(first, _)| is_label(first));
        let (namespace, labels) = match of_namespace {
            Some((namespace, labels)) => (Some(namespace.to_owned()), labels),
            None => (None, text),
        };
        let labels = LabelSelector::parse(labels).map_err(|error| mistake(error.message()))?;
        Ok(Self {
            text: text.to_owned(),
            namespace,
            labels,
        })
    }

    /// Does it select a pod that can send requests?
    pub fn selects(&self, pod: &Pod<'_>) -> bool {
        let namespace = self.namespace.as_deref();
        namespace.is_none_or(|namespace| pod.metadata.namespace == *namespace)
            && !pod.is_terminal()
            && self.labels.matches(&pod.metadata.labels)
    }

    /// The nodes of the selected pods, each with its zone and the number of pods. `nodes` has the node of each, empty if
    /// it has none yet; `among` is the number of all pods.
    ///
    /// # Errors
    /// `InvalidValue` if no pod is selected, or none of them is on a node.
    pub fn clients<'n>(
        &self,
        nodes: impl Iterator<Item = &'n str>,
        among: usize,
        zone: impl Fn(&'n str) -> &'n str,
    ) -> Result<Vec<Client<'n>>, Error> {
        let mut by_node: BTreeMap<&str, usize> = BTreeMap::new();
        for node in nodes {
            *by_node.entry(node).or_default() += 1;
        }
        let pending = by_node.remove("").unwrap_or_default();
        if by_node.is_empty() {
            let text = shorten(&self.text);
            return Err(mistake(&match pending {
                0 => format!(
                    "`{text}` selects none of the {} in the input",
                    counted(among, "pod")
                ),
                1 => format!("`{text}` selects 1 pod, which is on no node yet"),
                several => {
                    format!("`{text}` selects {several} pods, none of which is on a node yet")
                }
            }));
        }
        let client = |(node, count)| {
            let mut client = Client::new(node, zone(node));
            client.weight = count as f64;
            client
        };
        Ok(by_node.into_iter().map(client).collect())
    }
}

/// The nodes of a cluster as clients. Each sends as much as it has CPU, and those that hints do not count send nothing, as
/// the reference assumes; all send alike if the nodes say too little for that.
pub fn node_clients<'n>(
    nodes: impl Iterator<Item = (&'n str, NodeFacts<'n>)> + Clone,
) -> Vec<Client<'n>> {
    let is_known = zone_shares(nodes.clone().map(|(_, facts)| facts)).is_some();
    let client = |(name, facts): (&'n str, NodeFacts<'n>)| {
        let mut client = Client::new(name, facts.zone.unwrap_or_default());
        if is_known {
            let cpu = Some(facts.cpu).filter(|_| facts.counts());
            client.weight = cpu.map_or(0.0, |cpu| cpu.milli_value() as f64);
        }
        client
    };
    nodes.map(client).collect()
}

/// The nodes that slices name, each with its zone, sorted by name: some of those that requests come from, if no others
/// are known.
pub fn named_nodes<'s>(slices: &'s [EndpointSlice<'s>]) -> Vec<Client<'s>> {
    let mut zones: BTreeMap<&str, &str> = BTreeMap::new();
    for endpoint in slices.iter().flat_map(|slice| &slice.endpoints) {
        if let Some(node) = endpoint.node_name.as_deref() {
            let zone = zones.entry(node).or_default();
            if zone.is_empty() {
                *zone = endpoint.zone.as_deref().unwrap_or_default();
            }
        }
    }
    let zones = zones.into_iter();
    zones.map(|(node, zone)| Client::new(node, zone)).collect()
}

impl core::fmt::Display for ClientSelector {
    fn fmt(&self, to: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        to.write_str(&self.text)
    }
}

fn mistake(message: &str) -> Error {
    let error = Error::new(Code::InvalidValue, message.to_string());
    error.at("/clients").known_as(Mistake::Clients)
}

/// A pod of an input, and where it sends requests from if it is a client.
#[derive(PartialEq)]
pub(crate) struct ClientPod {
    namespace: String,
    name: String,
    version: String,
    /// Its node, empty if it has none yet; `None` if it is no client.
    pub(crate) node: Option<String>,
}

impl ClientPod {
    pub(crate) fn new(pod: &Pod<'_>, selector: &ClientSelector) -> Self {
        let node = selector
            .selects(pod)
            .then(|| pod.spec.node_name.to_string());
        Self {
            namespace: pod.metadata.namespace.to_string(),
            name: pod.metadata.name.to_string(),
            version: pod.metadata.resource_version.to_string(),
            node,
        }
    }
}

impl slicewise::model::Named for ClientPod {
    const KIND: &'static str = "Pod";

    fn full_name(&self) -> (&str, &str) {
        (&self.namespace, &self.name)
    }

    fn version(&self) -> &str {
        &self.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pod(namespace: &str, app: &str, phase: &str) -> Pod<'static> {
        let json = format!(
            r#"{{"metadata": {{"namespace": "{namespace}", "name": "p", "labels": {{"app": "{app}", "example.com/tier": "x"}}}},
                "status": {{"phase": "{phase}"}}}}"#
        );
        serde_json::from_str(json.leak()).unwrap()
    }

    #[track_caller]
    fn check(text: &str, expected: [bool; 4]) {
        let selector = ClientSelector::parse(text).unwrap();
        let pods = [
            pod("shop", "web", "Running"),
            pod("bank", "web", "Running"),
            pod("shop", "cart", "Running"),
            pod("shop", "web", "Succeeded"),
        ];
        assert_eq!(pods.map(|pod| selector.selects(&pod)), expected, "{text}");
    }

    #[test]
    fn pods_of_all_namespaces_or_of_one() {
        check("app=web", [true, true, false, false]);
        check("shop/app=web", [true, false, false, false]);
        check("shop/app in (web, cart)", [true, false, true, false]);
        check("example.com/tier=x", [true, true, true, false]);
        check("bank/example.com/tier=x", [false, true, false, false]);
        check("shop/", [true, false, true, false]);
    }

    #[test]
    fn clients_are_counted_by_node() {
        let selector = ClientSelector::parse("app=web").unwrap();
        let clients = selector.clients(["n2", "n1", "", "n2"].into_iter(), 9, |node| match node {
            "n1" => "a",
            _ => "",
        });
        let clients = clients.unwrap();
        let found: Vec<_> = clients
            .iter()
            .map(|one| (one.node, one.zone, one.weight))
            .collect();
        assert_eq!(found, [("n1", "a", 1.0), ("n2", "", 2.0)]);
        let none = |nodes: &[&'static str]| {
            let clients = selector.clients(nodes.iter().copied(), 9, |_| "");
            clients.unwrap_err().message().to_owned()
        };
        assert_eq!(
            none(&[]),
            "`app=web` selects none of the 9 pods in the input"
        );
        assert_eq!(
            none(&[""]),
            "`app=web` selects 1 pod, which is on no node yet"
        );
        let error = ClientSelector::parse("app=a b").unwrap_err();
        assert_eq!(error.path(), Some("/clients"));
    }
}
