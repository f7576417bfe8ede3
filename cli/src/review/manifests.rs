//! Turns manifests into reviews: those an API server would send if the manifests were applied.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};
use slicewise::{Code, Error};
use slicewise_json::find_ambiguity;

use super::defaults;
use super::given::objects;

/// The namespaced kinds that are judged; for others it is unknown whether they are namespaced.
const NAMESPACED: [&str; 8] = [
    "Service",
    "EndpointSlice",
    "Endpoints",
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "ReplicaSet",
    "Pod",
];
/// Where `kubectl` puts objects without a namespace, if nothing else is said.
const NAMESPACE: &str = "default";

/// One change made by the manifests.
pub(super) struct ManifestChange {
    /// `Service shop/cart`, for messages.
    pub(super) title: String,
    /// Its namespace; empty for cluster-scoped objects.
    pub(super) namespace: String,
    /// The AdmissionReview.
    pub(super) review: String,
    /// The watch event that would report it.
    pub(super) event: String,
    /// The place of its kind among those that depend on each other.
    pub(super) rank: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ManifestHead<'m> {
    #[serde(borrow, default)]
    api_version: Cow<'m, str>,
    #[serde(borrow, default)]
    kind: Cow<'m, str>,
    #[serde(borrow, default)]
    metadata: ManifestMeta<'m>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ManifestMeta<'m> {
    #[serde(borrow, default)]
    name: Cow<'m, str>,
    #[serde(borrow, default)]
    generate_name: Cow<'m, str>,
    #[serde(borrow, default)]
    namespace: Option<Cow<'m, str>>,
}

/// The identity of an object in manifests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ManifestKey {
    group: String,
    kind: String,
    namespace: String,
    name: String,
}

/// A manifest with its kind and metadata.
struct Manifest<'m> {
    text: Cow<'m, str>,
    version: String,
    key: ManifestKey,
}

impl<'m> Manifest<'m> {
    /// `namespace` is where objects without one belong.
    fn read(text: Cow<'m, str>, number: usize, namespace: &str) -> Result<Self, Error> {
        let wrong =
            |code, message: String| Err(Error::new(code, format!("manifest {number}: {message}")));
        let head: ManifestHead<'_> = match serde_json::from_str(&text) {
            Ok(head) => head,
            Err(error) => return wrong(Code::InvalidType, error.to_string()),
        };
        let metadata = &head.metadata;
        let has_name = !metadata.name.is_empty() || !metadata.generate_name.is_empty();
        if head.kind.is_empty() || head.api_version.is_empty() || !has_name {
            return wrong(
                Code::MissingField,
                "it needs apiVersion, kind and metadata.name".into(),
            );
        }
        let (group, version) = head
            .api_version
            .split_once('/')
            .unwrap_or(("", &head.api_version));
        let written = metadata.namespace.as_deref();
        let is_namespaced = NAMESPACED.contains(&head.kind.as_ref());
        let key = ManifestKey {
            group: group.into(),
            kind: head.kind.as_ref().into(),
            namespace: written
                .unwrap_or(if is_namespaced { namespace } else { "" })
                .into(),
            name: metadata.name.as_ref().into(),
        };
        let version = version.into();
        Ok(Self { text, version, key })
    }

    /// Fills in what the API server would, as far as policies read it. Duplicates are kept, to be refused later.
    fn defaulted(&self, old: Option<&Value>) -> String {
        if find_ambiguity(&self.text).is_some() {
            return self.text.clone().into_owned();
        }
        let Ok(mut object) = serde_json::from_str::<Value>(&self.text) else {
            return self.text.clone().into_owned();
        };
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
            && !self.key.namespace.is_empty()
        {
            metadata.insert("namespace".into(), self.key.namespace.clone().into());
        }
        match self.key.kind.as_str() {
            "Service" => defaults::of_service(&mut object, old),
            "EndpointSlice" => defaults::of_slice(&mut object),
            "Endpoints" => defaults::of_endpoints(&mut object),
            _ => {}
        }
        object.to_string()
    }
}

/// Who applies manifests, and where.
#[derive(Clone, Copy)]
pub(super) struct AppliedManifests<'a> {
    pub(super) user: &'a str,
    /// The namespace of objects that name none.
    pub(super) namespace: Option<&'a str>,
}

impl AppliedManifests<'_> {
    /// Changes of existing objects, creations of new ones, and deletions of those that are missing. Without old manifests,
    /// the cluster provides the existing objects.
    ///
    /// # Errors
    /// If a manifest cannot be read, or occurs twice.
    pub(super) fn changes(
        self,
        new: Vec<Cow<'_, str>>,
        old: Option<&[u8]>,
        known: Option<&[u8]>,
    ) -> Result<Vec<ManifestChange>, Error> {
        let namespace = self.namespace.unwrap_or(NAMESPACE);
        let mut before = BTreeMap::new();
        let there = objects(old.or(known).unwrap_or_default());
        let what = if old.is_some() {
            "--from"
        } else {
            "--snapshot"
        };
        for (number, text) in (1..).zip(there.map_err(|error| error.told_of(what))?) {
            match Manifest::read(text, number, namespace) {
                Ok(manifest) => insert(&mut before, manifest, "--from")?,
                // The cluster's reader refuses objects without a name.
                Err(_) if old.is_none() => {}
                Err(error) => {
                    let message = format!("--from: {}", error.message());
                    return Err(Error::new(error.code(), message));
                }
            }
        }
        let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
        for (number, text) in (1..).zip(new) {
            let manifest = Manifest::read(text, number, namespace)?;
            if manifest.key.name.is_empty() {
                order.push((manifest, None));
                continue;
            }
            let was = before.remove(&manifest.key);
            if !seen.insert(manifest.key.clone()) {
                return Err(given_twice("the input", &manifest.key));
            }
            order.push((manifest, was));
        }
        let mut changes: Vec<ManifestChange> = Vec::new();
        for (manifest, was) in &order {
            let number = changes.len() + 1;
            changes.push(change(number, manifest, true, was.as_ref(), self.user));
        }
        // What remains counts as deleted only if the list is complete.
        for was in before.values().filter(|_| old.is_some()) {
            let number = changes.len() + 1;
            changes.push(change(number, was, false, Some(was), self.user));
        }
        Ok(changes)
    }
}

fn insert<'m>(
    known: &mut BTreeMap<ManifestKey, Manifest<'m>>,
    manifest: Manifest<'m>,
    what: &str,
) -> Result<(), Error> {
    if known.contains_key(&manifest.key) {
        return Err(given_twice(what, &manifest.key));
    }
    known.insert(manifest.key.clone(), manifest);
    Ok(())
}

fn given_twice(what: &str, key: &ManifestKey) -> Error {
    let ManifestKey {
        kind,
        namespace,
        name,
        ..
    } = key;
    let message = format!("{what} has {kind} {namespace}/{name} twice");
    Error::new(Code::DuplicateName, message)
}

/// The change between an object's old and new state, either of which may be missing.
fn change(
    number: usize,
    manifest: &Manifest<'_>,
    is_there: bool,
    was: Option<&Manifest<'_>>,
    user: &str,
) -> ManifestChange {
    let (operation, options) = match (is_there, was) {
        (true, None) => ("CREATE", "CreateOptions"),
        (true, Some(_)) => ("UPDATE", "UpdateOptions"),
        (false, _) => ("DELETE", "DeleteOptions"),
    };
    let was = was.map(|was| was.defaulted(None));
    let value = was.as_ref().and_then(|was| serde_json::from_str(was).ok());
    let object = is_there.then(|| manifest.defaulted(value.as_ref()));
    let Manifest { key, version, .. } = manifest;
    let ManifestKey {
        group,
        kind,
        namespace,
        name,
    } = key;
    let mut request = json!({
        "uid": format!("manifest-{number}"),
        "kind": {"group": group, "version": version, "kind": kind},
        "requestKind": {"group": group, "version": version, "kind": kind},
        "operation": operation,
        "userInfo": {"username": user, "groups": defaults::groups(user)},
        "dryRun": false,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": options},
    });
    if let Some(resource) = defaults::resource(kind)
        && let Some(request) = request.as_object_mut()
    {
        let resource = json!({"group": group, "version": version, "resource": resource});
        request.insert("requestResource".into(), resource.clone());
        request.insert("resource".into(), resource);
    }
    for (field, text) in [("name", name), ("namespace", namespace)] {
        if let Some(request) = request.as_object_mut().filter(|_| !text.is_empty()) {
            request.insert(field.into(), text.clone().into());
        }
    }
    // Objects stay text: a parsed value would lose duplicate keys.
    let mut request = request.to_string();
    request.pop();
    for (field, object) in [("object", &object), ("oldObject", &was)] {
        if let Some(object) = object {
            request.push_str(&format!(",\"{field}\":{object}"));
        }
    }
    let review = format!(
        r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{request}}}}}"#
    );
    let what = if operation == "DELETE" {
        "DELETED"
    } else {
        "MODIFIED"
    };
    let seen = object.or(was).unwrap_or_default();
    let title = if namespace.is_empty() {
        format!("{kind} {name}")
    } else {
        format!("{kind} {namespace}/{name}")
    };
    ManifestChange {
        title,
        namespace: namespace.clone(),
        review,
        event: format!(r#"{{"type":"{what}","object":{seen}}}"#),
        rank: match kind.as_str() {
            "Namespace" => 0,
            "Service" => 1,
            _ => 2,
        },
    }
}
