//! What the author of a selector or target port that matches nothing most likely meant, judged by the pods of the
//! namespace.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::context::ClusterView;
use crate::reach::protocol;
use slicewise::membership::nearest::nearest;
use slicewise::model::order::sorted_unique;
use slicewise::model::{Service, ServicePort, StringMap, TargetPort, Text};

/// Why a changed selector matches no pod, and what to do.
pub(super) fn selector_hint(
    old: &Service<'_>,
    new: &Service<'_>,
    cluster: &ClusterView<'_>,
) -> String {
    if let Some(hint) = slip(new, cluster) {
        return hint;
    }
    let was = old.spec.selector.as_ref().map(pairs).unwrap_or_default();
    let wanted = new.spec.selector.as_ref().map(pairs).unwrap_or_default();
    let namespace = cluster.namespace();
    format!(
        "no pod in namespace {namespace} has {wanted}; the selector was {was}; label the pods first"
    )
}

/// The typo in a selector that matches no pod, if one pair is close to an existing one.
pub(super) fn slip(service: &Service<'_>, cluster: &ClusterView<'_>) -> Option<String> {
    /// Each pair is tried without the others; selectors written by hand do not have more.
    const MOST_PAIRS: usize = 16;
    let selector = service
        .spec
        .selector
        .as_ref()
        .filter(|selector| selector.len() <= MOST_PAIRS)?;
    selector.iter().find_map(|(key, value)| {
        let others: StringMap<'_> = selector
            .iter()
            .filter(|(other, _)| *other != key)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let candidates = cluster.labels(&others);
        let meant = meant(key, value, &candidates)?;
        let has_it = |labels: &StringMap<'_>| {
            let value = labels.get(meant.0.as_str());
            value.is_some_and(|value| **value == *meant.1)
        };
        let having = candidates.iter().filter(|(labels, _)| has_it(labels));
        let pods = match having.map(|(_, pods)| pods).sum() {
            1 => "1 pod has".to_owned(),
            count => format!("{count} pods have"),
        };
        Some(format!(
            "no pod in namespace {} has {}; did you mean {}={}, which {pods}?",
            cluster.namespace(),
            pairs(selector),
            meant.0,
            meant.1
        ))
    })
}

/// The label pair closest to the wanted one: by value if any candidate has the key, otherwise by key.
fn meant(
    key: &Text<'_>,
    value: &Text<'_>,
    candidates: &[(StringMap<'_>, usize)],
) -> Option<(String, String)> {
    let labels = || candidates.iter().map(|(labels, _)| labels);
    let values = sorted_unique(
        labels()
            .filter_map(|labels| labels.get(key))
            .map(Text::as_str),
    );
    if values.binary_search(&value.as_str()).is_ok() {
        return None;
    }
    if !values.is_empty() {
        return nearest(value, &values).map(|value| (key.to_string(), value.to_owned()));
    }
    let with_value = labels()
        .flat_map(StringMap::iter)
        .filter(|(_, other)| *other == value);
    let keys = sorted_unique(with_value.map(|(key, _)| key.as_str()));
    nearest(key, &keys).map(|key| (key.to_owned(), value.to_string()))
}

/// Why a port leads nowhere; `None` for a number, which exists on every pod.
pub(super) fn port_hint(
    port: &ServicePort<'_>,
    service: &Service<'_>,
    cluster: &ClusterView<'_>,
) -> Option<String> {
    let TargetPort::Name(name) = &port.target_port else {
        return None;
    };
    let wanted = protocol(&port.protocol);
    let selector = service.spec.selector.as_ref();
    let pods = selector.map_or_else(Vec::new, |selector| cluster.select(selector));
    let ports = pods.iter().flat_map(|pod| pod.ports());
    let ports = ports.filter(|port| protocol(port.protocol) == wanted);
    let names = sorted_unique(ports.map(|port| port.name));
    let meant = nearest(name, &names)
        .map(|name| format!("; did you mean `{name}`?"))
        .unwrap_or_default();
    Some(format!(
        "no selected pod has a {wanted} port named `{name}`{meant}"
    ))
}

/// The key of a port in slices: its name and protocol.
pub(super) fn port_key<'p>(port: &'p ServicePort<'_>) -> (&'p str, &'p str) {
    (&port.name, protocol(&port.protocol))
}

/// A port as messages name it: `http/TCP`.
pub(super) fn port_title(port: &ServicePort<'_>) -> String {
    let (name, protocol) = port_key(port);
    if name.is_empty() {
        format!("(unnamed)/{protocol}")
    } else {
        format!("{name}/{protocol}")
    }
}

/// `app=cart,tier=web`.
fn pairs(selector: &StringMap<'_>) -> String {
    if selector.is_empty() {
        return "any label at all".to_owned();
    }
    selector
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect::<Vec<_>>()
        .join(",")
}
