//! Reviews made of manifests: what an API server would ask if they were applied.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use slicewise::{Code, Error};

use super::given::objects;

/// Kinds of objects that live in no namespace, of those that are judged.
const CLUSTER_SCOPED: [&str; 1] = ["Node"];
/// Where `kubectl` puts what names no namespace.
const NAMESPACE: &str = "default";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head<'m> {
    #[serde(borrow, default)]
    api_version: Cow<'m, str>,
    #[serde(borrow, default)]
    kind: Cow<'m, str>,
    #[serde(borrow, default)]
    metadata: Meta<'m>,
}

#[derive(Default, Deserialize)]
struct Meta<'m> {
    #[serde(borrow, default)]
    name: Cow<'m, str>,
    #[serde(borrow, default)]
    namespace: Option<Cow<'m, str>>,
}

/// API group, kind, namespace, name.
type Key = (String, String, String, String);

fn key_of(object: &str) -> Result<Key, Error> {
    let head: Head<'_> = serde_json::from_str(object).map_err(|error| {
        Error::new(
            Code::InvalidType,
            format!("a manifest cannot be read: {error}"),
        )
    })?;
    if head.kind.is_empty() || head.metadata.name.is_empty() {
        let message = "a manifest needs apiVersion, kind and metadata.name";
        return Err(Error::new(Code::MissingField, message));
    }
    let group = head
        .api_version
        .split_once('/')
        .map_or("", |(group, _)| group);
    let namespace = if CLUSTER_SCOPED.contains(&head.kind.as_ref()) {
        ""
    } else {
        head.metadata.namespace.as_deref().unwrap_or(NAMESPACE)
    };
    let key = [group, &head.kind, namespace, &head.metadata.name];
    let [group, kind, namespace, name] = key.map(str::to_owned);
    Ok((group, kind, namespace, name))
}

/// A review for each object: of its change, where it was there before, else of its creation; and of the end of those
/// that are not there any more. Without manifests from before, the cluster says what was there.
pub(super) fn reviews<'i>(
    new: &[&str],
    old: Option<&[u8]>,
    known: Option<&[u8]>,
    user: &str,
) -> Result<Vec<Cow<'i, str>>, Error> {
    let mut before = BTreeMap::new();
    for object in objects(old.or(known).unwrap_or_default()) {
        // What of a cluster says no name is its reader's to refuse.
        if let Ok(key) = key_of(object) {
            before.insert(key, object);
        }
    }
    let mut reviews = Vec::new();
    for object in new {
        let key = key_of(object)?;
        let was = before.remove(&key);
        reviews.push(review(&key, Some(object), was, user)?);
    }
    // What is left is gone only if all there was has been told.
    for (key, was) in before.iter().filter(|_| old.is_some()) {
        reviews.push(review(key, None, Some(was), user)?);
    }
    let numbered = reviews.into_iter().enumerate();
    Ok(numbered
        .map(|(number, review)| {
            review
                .replace(
                    "\"uid\":\"\"",
                    &format!("\"uid\":\"manifest-{}\"", number + 1),
                )
                .into()
        })
        .collect())
}

fn review(
    (group, kind, namespace, name): &Key,
    object: Option<&str>,
    old: Option<&str>,
    user: &str,
) -> Result<String, Error> {
    let raw = |object: &str| {
        let namespaced = with_namespace(object, namespace)?;
        RawValue::from_string(namespaced)
            .map_err(|error| Error::new(Code::InvalidJson, error.to_string()))
    };
    let operation = match (object, old) {
        (Some(_), None) => "CREATE",
        (Some(_), Some(_)) => "UPDATE",
        _ => "DELETE",
    };
    let review = json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "",
            "kind": {"group": group, "version": "v1", "kind": kind},
            "name": name,
            "namespace": namespace,
            "operation": operation,
            "userInfo": {"username": user},
        },
    });
    // The objects as they stand: a value would put their keys in another order, and lose what is there twice.
    let mut text = review.to_string();
    text.truncate(text.len() - 2);
    for (field, object) in [("object", object), ("oldObject", old)] {
        if let Some(object) = object {
            text.push_str(&format!(",\"{field}\":{}", raw(object)?.get()));
        }
    }
    text.push_str("}}");
    Ok(text)
}

/// The API server fills the namespace in.
fn with_namespace(object: &str, namespace: &str) -> Result<String, Error> {
    let head: Head<'_> = serde_json::from_str(object)
        .map_err(|error| Error::new(Code::InvalidType, error.to_string()))?;
    if namespace.is_empty() || head.metadata.namespace.is_some() {
        return Ok(object.to_owned());
    }
    let mut value: serde_json::Value = serde_json::from_str(object)
        .map_err(|error| Error::new(Code::InvalidJson, error.to_string()))?;
    if let Some(metadata) = value
        .get_mut("metadata")
        .and_then(|metadata| metadata.as_object_mut())
    {
        metadata.insert("namespace".into(), namespace.into());
    }
    Ok(value.to_string())
}
