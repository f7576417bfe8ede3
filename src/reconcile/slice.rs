//! New slices, labels, names and ownership.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Input;
use super::draft::{Draft, DraftEndpoints, DraftHints, Reasons};
use crate::kubernetes::Behavior;
use crate::model::dns;
use crate::model::{
    AddressType, EndpointPort, EndpointSlice, OwnerReference, Service, StringMap, Text, keys,
};

/// A new slice without endpoints.
pub(crate) fn new<'d, 'a>(
    address_type: AddressType,
    ports: &[EndpointPort<'a>],
    labels: &StringMap<'a>,
) -> Draft<'d, 'a> {
    Draft {
        base: None,
        address_type,
        recycled: false,
        ports: ports.to_vec(),
        labels: Some(labels.clone()),
        endpoints: DraftEndpoints::List(Vec::new()),
        hints: DraftHints::Clear,
        reasons: Reasons::default(),
    }
}

/// The labels of the Service's slices: its own except the reserved ones, and those that identify Service and manager.
pub(crate) fn labels<'a>(service: &'a Service<'a>, managed_by: &'a str) -> StringMap<'a> {
    let own = service
        .metadata
        .labels
        .iter()
        .filter(|(key, _)| !keys::is_reserved_label(key));
    let mut labels: StringMap<'a> = own
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if service.is_headless() {
        labels.insert(keys::HEADLESS_LABEL.into(), Text::default());
    }
    labels.insert(
        keys::SERVICE_NAME_LABEL.into(),
        service.metadata.name.clone(),
    );
    labels.insert(keys::MANAGED_BY_LABEL.into(), managed_by.into());
    labels
}

/// Do a slice's labels differ from its Service's, ignoring the reserved ones?
///
/// A slice is not rewritten only for its reserved labels (reference: `setEndpointSliceLabels`).
pub(crate) fn labels_differ(slice: &StringMap<'_>, service: &StringMap<'_>) -> bool {
    let own = |(key, _): &(&Text<'_>, &Text<'_>)| !keys::is_reserved_label(key);
    !slice.iter().filter(own).eq(service.iter().filter(own))
}

/// Is the slice owned by this very Service, not by an older one with the same name?
pub fn is_owned_by(slice: &EndpointSlice<'_>, service: &Service<'_>) -> bool {
    slice.metadata.owner_references.iter().any(|owner| {
        owner.uid == service.metadata.uid && owner.kind == "Service" && owner.api_version == "v1"
    })
}

/// The owner reference of every slice we create.
pub(crate) fn owner_reference<'a>(service: &'a Service<'a>) -> OwnerReference<'a> {
    OwnerReference {
        api_version: "v1".into(),
        kind: "Service".into(),
        name: service.metadata.name.clone(),
        uid: service.metadata.uid.clone(),
        controller: Some(true),
        block_owner_deletion: Some(true),
        ..OwnerReference::default()
    }
}

/// The prefix from which the API server generates a name: the Service's name and a dash, or only the name if that would
/// not be a DNS subdomain (reference: `getEndpointSlicePrefix`).
pub fn generate_name(service_name: &str) -> String {
    // The reference tests the prefix with its last two characters replaced by one letter, so 253 characters still pass.
    let end = service_name.len().checked_sub(1);
    let masked = end.and_then(|end| service_name.get(..end));
    if masked.is_some_and(|start| dns::is_subdomain(&format!("{start}a"))) {
        format!("{service_name}-")
    } else {
        service_name.to_owned()
    }
}

/// Does an existing slice equal the placeholder that we would create? Only compares what the reference does: namespace,
/// labels (a missing one equals an empty one), family, endpoints and ports; the uids of its owners only in some versions.
pub(crate) fn is_placeholder(
    slice: &EndpointSlice<'_>,
    input: &Input<'_>,
    labels: &StringMap<'_>,
    address_type: AddressType,
) -> bool {
    let service = input.service;
    let owners = slice.metadata.owner_references.as_slice();
    let is_only_ours = || matches!(owners, [only] if only.uid == service.metadata.uid);
    let covers = |a: &StringMap<'_>, b: &StringMap<'_>| {
        a.iter()
            .all(|(key, value)| b.get(key).map_or("", |other| other.as_str()) == value.as_str())
    };
    slice.endpoints.is_empty()
        && slice.ports.is_empty()
        && slice.address_type == address_type.as_str()
        && slice.metadata.namespace == service.metadata.namespace
        && covers(&slice.metadata.labels, labels)
        && covers(labels, &slice.metadata.labels)
        && (!input.settings.kubernetes.has(Behavior::PlaceholderOwners) || is_only_ours())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::KubernetesVersion;
    use crate::reconcile::testing::{input, nodes};

    #[test]
    fn generated_names() {
        assert_eq!(generate_name("web"), "web-");
        assert_eq!(generate_name("a"), "a-");
        assert_eq!(generate_name("a.b"), "a.b-");
        assert_eq!(generate_name("Web"), "Web");
        assert_eq!(generate_name("é"), "é");
        for no_subdomain in ["-a", "a_bc", "a.-b.c", "a-.bc", "a..bc"] {
            assert_eq!(generate_name(no_subdomain), no_subdomain);
        }
        let longest = "a".repeat(253);
        assert_eq!(generate_name(&longest), format!("{longest}-"));
        let too_long = "a".repeat(255);
        assert_eq!(generate_name(&too_long), too_long);
    }

    fn service(headless: bool) -> Service<'static> {
        let text = if headless {
            r#"{"metadata": {"namespace": "shop", "name": "cart", "uid": "u", "labels": {"team": "checkout"}}}"#
        } else {
            r#"{"metadata": {"namespace": "shop", "name": "cart", "uid": "u",
                "labels": {"team": "checkout", "kubernetes.io/service-name": "other", "service.kubernetes.io/headless": ""}},
                "spec": {"clusterIP": "10.96.0.1"}}"#
        };
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn reserved_labels_are_not_copied() {
        assert_eq!(
            serde_json::to_string(&labels(&service(false), "me")).unwrap(),
            r#"{"endpointslice.kubernetes.io/managed-by":"me","kubernetes.io/service-name":"cart","team":"checkout"}"#
        );
    }

    #[test]
    fn headless_services_mark_their_slices() {
        let service = service(true);
        let labels = labels(&service, "me");
        assert_eq!(labels.get(keys::HEADLESS_LABEL).map(Text::as_str), Some(""));
    }

    #[track_caller]
    fn check_labels(slice: &str, service: &str, differ: bool) {
        let [slice, service] = [slice, service].map(|json| serde_json::from_str(json).unwrap());
        assert_eq!(labels_differ(&slice, &service), differ);
    }

    #[test]
    fn labels_differ_in_any_pair_that_is_not_reserved() {
        check_labels(r#"{"a": "1"}"#, r#"{"a": "1"}"#, false);
        check_labels(r#"{"a": "1"}"#, r#"{"a": "2"}"#, true);
        check_labels(r#"{"a": "1"}"#, "{}", true);
        check_labels("{}", r#"{"a": "1"}"#, true);
        check_labels(r#"{"kubernetes.io/service-name": "cart"}"#, "{}", false);
        check_labels("{}", r#"{"service.kubernetes.io/headless": ""}"#, false);
    }

    #[test]
    fn an_owner_is_a_service_of_that_uid() {
        let check = |owner: &str, expected| {
            let text =
                format!(r#"{{"metadata": {{"ownerReferences": [{{"kind": "Pod"}}, {owner}]}}}}"#);
            let slice = serde_json::from_str(&text).unwrap();
            assert_eq!(is_owned_by(&slice, &service(false)), expected, "{owner}");
        };
        check(
            r#"{"apiVersion": "v1", "kind": "Service", "name": "renamed", "uid": "u"}"#,
            true,
        );
        check(
            r#"{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "older"}"#,
            false,
        );
        check(
            r#"{"apiVersion": "v2", "kind": "Service", "name": "cart", "uid": "u"}"#,
            false,
        );
        check(
            r#"{"apiVersion": "v1", "kind": "Deployment", "name": "cart", "uid": "u"}"#,
            false,
        );
    }

    #[test]
    fn the_placeholder_is_the_services_alone_in_some_versions() {
        let check = |owners: &[&str], expected: [bool; 2]| {
            let owners: Vec<_> = owners
                .iter()
                .map(|uid| serde_json::json!({"uid": uid}))
                .collect();
            let text = serde_json::json!({
                "metadata": {"namespace": "shop", "ownerReferences": owners}, "addressType": "IPv4",
            })
            .to_string();
            let slice = serde_json::from_str(&text).unwrap();
            let mut input = input(&serde_json::json!({}), nodes(&[]));
            let found = KubernetesVersion::ALL.map(|version| {
                input.settings.kubernetes = version;
                is_placeholder(&slice, &input, &StringMap::default(), AddressType::IPv4)
            });
            assert_eq!(found, expected, "{text}");
        };
        check(&["u"], [true, true]);
        check(&["older"], [true, false]);
        check(&["u", "another"], [true, false]);
        check(&[], [true, false]);
    }

    #[test]
    fn the_placeholder_is_empty_and_has_the_labels() {
        let check = |slice: serde_json::Value, expected| {
            let text = slice.to_string();
            let slice = serde_json::from_str(&text).unwrap();
            let labels = serde_json::from_str(r#"{"a": "1", "empty": ""}"#).unwrap();
            let input = input(&serde_json::json!({}), nodes(&[]));
            let found = is_placeholder(&slice, &input, &labels, AddressType::IPv4);
            assert_eq!(found, expected, "{text}");
        };
        let with = |field: &str, value: serde_json::Value| {
            let mut slice = serde_json::json!({
                "metadata": {"namespace": "shop", "labels": {"a": "1", "empty": ""}}, "addressType": "IPv4",
                "endpoints": [], "ports": [],
            });
            *slice.pointer_mut(field).unwrap() = value;
            slice
        };
        check(with("/endpoints", serde_json::Value::Null), true);
        check(
            with(
                "/endpoints",
                serde_json::json!([{"addresses": ["10.0.0.1"]}]),
            ),
            false,
        );
        check(with("/ports", serde_json::json!([{"port": 1}])), false);
        check(with("/addressType", "IPv6".into()), false);
        check(with("/metadata/namespace", "bank".into()), false);
        check(
            with("/metadata/labels", serde_json::json!({"a": "1"})),
            true,
        );
        check(
            with("/metadata/labels", serde_json::json!({"empty": ""})),
            false,
        );
        check(
            with("/metadata/labels", serde_json::json!({"a": "1", "b": "2"})),
            false,
        );
        check(
            with("/metadata/labels", serde_json::json!({"a": "1", "b": ""})),
            true,
        );
    }
}
