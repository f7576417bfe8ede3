//! Conversions of single objects.

use std::fmt::Debug;

use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::discovery::v1::EndpointSlice as KubeSlice;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::noise::among_others;
use super::requests;
use super::routes::known;
use crate::model::EndpointSlice;
use crate::{Code, k8s, model};

/// All slices of all requests, with all kinds of metadata.
fn slices() -> Vec<Value> {
    let mut slices = Vec::new();
    for (_, mut request) in requests::all() {
        for list in ["pods", "slices"] {
            if request[list].is_null() {
                request[list] = json!([]);
            }
        }
        slices.extend(request["slices"].as_array().unwrap().iter().cloned());
        slices.extend(
            among_others(request)["slices"]
                .as_array()
                .unwrap()
                .iter()
                .cloned(),
        );
    }
    assert!(slices.len() > 50);
    slices
}

#[test]
fn slices_survive_the_way_there_and_back() {
    for slice in slices() {
        let theirs: KubeSlice = serde_json::from_value(slice).unwrap();
        let ours = EndpointSlice::from(&theirs);
        let back = KubeSlice::try_from(&ours).unwrap();
        let normal = |slice: &KubeSlice| {
            // Both spellings of "none" are equal in the model.
            let text = serde_json::to_string(&EndpointSlice::from(slice)).unwrap();
            serde_json::from_str::<Value>(&text).unwrap()
        };
        assert_eq!(normal(&back), normal(&theirs));
        assert_eq!(back.metadata.managed_fields, theirs.metadata.managed_fields);
        assert_eq!(back.metadata.finalizers, theirs.metadata.finalizers);
        assert_eq!(
            back.metadata.creation_timestamp,
            theirs.metadata.creation_timestamp
        );
        assert_eq!(
            back.metadata.deletion_timestamp,
            theirs.metadata.deletion_timestamp
        );
    }
}

#[test]
fn slices_read_as_json_are_the_slices_read_as_objects() {
    for slice in slices() {
        let text = known(&slice).to_string();
        let by_json: EndpointSlice<'_> = serde_json::from_str(&text).unwrap();
        let theirs: KubeSlice = serde_json::from_value(slice).unwrap();
        let by_types = EndpointSlice::from(&theirs);
        let value = |slice: &EndpointSlice<'_>| serde_json::to_value(slice).unwrap();
        assert_eq!(value(&by_types), value(&by_json));
    }
}

/// The object converted directly and through its JSON gives the same model.
#[track_caller]
fn check<'a, K, M>(object: &'a K, text: &'a str)
where
    M: TryFrom<&'a K, Error: Debug> + Deserialize<'a> + Debug,
{
    let by_types = M::try_from(object).unwrap();
    let by_json: M = serde_json::from_str(text).unwrap();
    assert_eq!(format!("{by_types:?}"), format!("{by_json:?}"));
}

fn each<K: DeserializeOwned + Serialize>(objects: &Value, check: impl Fn(&K, &str)) -> usize {
    let objects = objects.as_array().into_iter().flatten();
    objects
        .map(|object| {
            let theirs: K = serde_json::from_value(object.clone()).unwrap();
            check(&theirs, &serde_json::to_string(&theirs).unwrap());
        })
        .count()
}

#[test]
fn objects_read_as_json_are_the_objects_read_as_types() {
    let mut count = 0;
    for (_, request) in requests::all() {
        count += each::<core::Pod>(&request["pods"], |object, text| {
            check::<_, model::Pod<'_>>(object, text)
        });
        count += each::<core::Node>(&request["nodes"], |object, text| {
            check::<_, model::Node<'_>>(object, text)
        });
        let services = json!([request["service"]]);
        count += each::<core::Service>(&services, |object, text| {
            check::<_, model::Service<'_>>(object, text)
        });
    }
    assert!(count > 100, "{count}");
}

#[test]
fn metadata_that_is_none_is_an_error_with_a_place() {
    for broken in [
        r#"{"creationTimestamp": "yesterday"}"#,
        r#"{"finalizers": 7}"#,
    ] {
        let text = format!(r#"{{"metadata": {broken}, "addressType": "IPv4"}}"#);
        let slice: EndpointSlice<'_> = serde_json::from_str(&text).unwrap();
        let error = KubeSlice::try_from(&slice).unwrap_err();
        assert_eq!(
            (error.code(), error.path()),
            (Code::InvalidValue, Some("/metadata"))
        );
    }
}

#[test]
fn an_api_server_says_that_a_namespace_is_terminating() {
    let status = |causes: Value| {
        serde_json::from_value(json!({"code": 403, "details": {"causes": causes}})).unwrap()
    };
    let terminating = json!([{"reason": "Other"}, {"reason": "NamespaceTerminating", "field": "metadata.namespace"}]);
    assert!(k8s::is_namespace_terminating(&status(terminating)));
    assert!(!k8s::is_namespace_terminating(&status(
        json!([{"reason": "Other"}])
    )));
    assert!(!k8s::is_namespace_terminating(&status(Value::Null)));
    assert!(!k8s::is_namespace_terminating(&Default::default()));
}
