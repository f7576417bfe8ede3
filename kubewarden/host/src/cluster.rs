//! A cluster behind a host's Kubernetes capabilities: lists as the policy server returns them, limited to what a policy may see.

use std::collections::BTreeMap;
use std::sync::Mutex;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The resources that a policy may see: `contextAwareResources` in its metadata.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Granted {
    context_aware_resources: Vec<Resource>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
struct Resource {
    api_version: String,
    kind: String,
}

impl Granted {
    /// Reads a policy's metadata.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(metadata: &str) -> Result<Self> {
        serde_yaml::from_str(metadata).context("the metadata cannot be read")
    }
}

/// How a list can fail.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The host returns an error.
    Error(String),
    /// The host returns these bytes instead of a list.
    Bytes(Vec<u8>),
}

/// A request of the policy.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// `v1`, or a group and version.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The namespace; the whole cluster if absent.
    #[serde(default)]
    pub namespace: Option<String>,
    /// A label selector, which the policy does not use.
    label_selector: Option<String>,
    /// A field selector.
    #[serde(default)]
    pub field_selector: Option<String>,
    /// The fields to keep; empty keeps all.
    #[serde(default)]
    pub field_masks: Vec<String>,
}

/// A cluster, the part of it that may be seen, and the requests so far.
#[derive(Debug, Default)]
pub struct Cluster {
    objects: Vec<Value>,
    granted: Granted,
    faults: BTreeMap<String, Fault>,
    asked: Mutex<Vec<Listing>>,
}

impl Cluster {
    /// The objects of a `List`.
    ///
    /// # Errors
    /// If it is not one.
    pub fn read(list: &str, granted: Granted) -> Result<Self> {
        let mut list: Value = serde_json::from_str(list).context("the cluster cannot be read")?;
        let items = list.get_mut("items").and_then(Value::as_array_mut);
        let objects = items
            .map(std::mem::take)
            .context("the cluster is not a `List`")?;
        Ok(Self {
            objects,
            granted,
            ..Self::default()
        })
    }

    /// The same cluster, with lists of one kind failing.
    #[must_use]
    pub fn with_fault(mut self, kind: &str, fault: Fault) -> Self {
        self.faults.insert(kind.to_owned(), fault);
        self
    }

    /// All objects.
    pub fn objects(&self) -> &[Value] {
        &self.objects
    }

    /// The requests since the last call.
    pub fn asked(&self) -> Vec<Listing> {
        let mut asked = self
            .asked
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        std::mem::take(&mut asked)
    }

    /// Answers a call of the policy.
    pub(crate) fn answer(
        &self,
        binding: &str,
        namespace: &str,
        operation: &str,
        payload: &[u8],
    ) -> Result<Vec<u8>, String> {
        if binding != "kubewarden" || namespace != "kubernetes" {
            return Err(format!("there is no {binding} {namespace}"));
        }
        let listing: Listing =
            serde_json::from_slice(payload).map_err(|error| error.to_string())?;
        match operation {
            "list_resources_by_namespace"
                if listing.namespace.is_some() && listing.kind != "Node" => {}
            "list_resources_all" if listing.namespace.is_none() => {}
            _ => {
                return Err(format!(
                    "{operation} of {} cannot be asked for so",
                    listing.kind
                ));
            }
        }
        let mut asked = self.asked.lock().map_err(|error| error.to_string())?;
        asked.push(listing.clone());
        drop(asked);
        let resource = Resource {
            api_version: listing.api_version.clone(),
            kind: listing.kind.clone(),
        };
        if !self.granted.context_aware_resources.contains(&resource) {
            return Err(format!(
                "Policy has not been granted access to Kubernetes {}/{} resources. The violation has been reported.",
                listing.api_version, listing.kind
            ));
        }
        match self.faults.get(&listing.kind) {
            Some(Fault::Error(error)) => Err(error.clone()),
            Some(Fault::Bytes(bytes)) => Ok(bytes.clone()),
            None => Ok(self.list(&listing).to_string().into_bytes()),
        }
    }

    /// A list from the server's cache, which has no version of the list as a whole.
    fn list(&self, listing: &Listing) -> Value {
        let is_wanted = |object: &&Value| {
            let namespace = listing.namespace.as_deref();
            let of_namespace =
                namespace.is_none_or(|wanted| object["metadata"]["namespace"] == wanted);
            object["kind"] == *listing.kind
                && object["apiVersion"] == *listing.api_version
                && of_namespace
                && is_selected(
                    object,
                    listing.field_selector.as_deref().unwrap_or_default(),
                )
        };
        let objects = self.objects.iter().filter(is_wanted).enumerate();
        let items = objects.map(|(index, object)| {
            let mut object = object.clone();
            keep(&mut object, &listing.field_masks, index % 2 == 0);
            object
        });
        json!({
            "apiVersion": listing.api_version,
            "kind": format!("{}List", listing.kind),
            "metadata": {},
            "items": items.collect::<Vec<_>>()
        })
    }
}

/// Whether the object matches a selector of the form `field!=value,…`. Other selectors match nothing.
fn is_selected(object: &Value, selector: &str) -> bool {
    let mut requirements = selector.split(',').filter(|text| !text.is_empty());
    requirements.all(|requirement| {
        requirement.split_once("!=").is_some_and(|(path, value)| {
            let pointer = format!("/{}", path.replace('.', "/"));
            object.pointer(&pointer).and_then(Value::as_str) != Some(value)
        })
    })
}

/// Reduces an object to what the server's cache keeps. Objects from the initial list lack `kind` and `apiVersion`; those
/// from watch events have them.
fn keep(object: &mut Value, masks: &[String], is_listed: bool) {
    let Some(fields) = object.as_object_mut() else {
        return;
    };
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.insert("managedFields".into(), json!([]));
        let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
        if let Some(annotations) = annotations.as_object_mut() {
            annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        }
    }
    if is_listed {
        fields.remove("kind");
        fields.remove("apiVersion");
    }
    if !masks.is_empty() {
        let of_every_object = ["apiVersion", "kind", "metadata"];
        let masks: Vec<&str> = masks
            .iter()
            .map(String::as_str)
            .chain(of_every_object)
            .collect();
        prune(object, &masks);
    }
}

/// Keeps only the values on these paths, which also lead through lists.
fn prune(value: &mut Value, paths: &[&str]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| prune(item, paths)),
        Value::Object(fields) => fields.retain(|key, value| {
            let below = paths.iter().filter_map(|path| match path.split_once('.') {
                Some((first, rest)) => (first == key).then_some(rest),
                None => (path == key).then_some(""),
            });
            let below: Vec<&str> = below.collect();
            if !below.contains(&"") {
                prune(value, &below);
            }
            !below.is_empty()
        }),
        _ => {}
    }
}
