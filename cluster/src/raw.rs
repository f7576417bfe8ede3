//! Objects as the API server sends them. Only what a watch needs is parsed here; the planner's own reader parses the
//! rest, so that nothing else of a Pod is ever stored.

use std::borrow::Cow;

use kube::api::{ApiResource, ObjectMeta};
use kube::core::DynamicResourceScope;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use slicewise::model::NamespacedName;
use slicewise_live::controller::{ClusterEvent, Kind};

/// An object of any kind, as JSON text.
#[derive(Clone, Debug)]
pub struct RawObject {
    /// Name, namespace and version; nothing else.
    metadata: ObjectMeta,
    text: Box<RawValue>,
}

impl RawObject {
    /// Namespace and name, for messages.
    pub fn name(&self) -> String {
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        format!(
            "{}/{}",
            part(&self.metadata.namespace),
            part(&self.metadata.name)
        )
    }

    /// Its namespace and name.
    pub fn key(&self) -> NamespacedName {
        NamespacedName {
            namespace: self.metadata.namespace.clone().unwrap_or_default(),
            name: self.metadata.name.clone().unwrap_or_default(),
        }
    }

    /// The event for its removal.
    pub fn removal(&self, kind: Kind) -> ClusterEvent<'_> {
        ClusterEvent::Removed {
            kind,
            key: self.key(),
            resource_version: self
                .metadata
                .resource_version
                .as_deref()
                .unwrap_or_default()
                .into(),
        }
    }

    /// Its JSON.
    pub fn text(&self) -> &str {
        self.text.get()
    }
}

#[derive(Deserialize)]
struct Head {
    metadata: HeadMeta,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HeadMeta {
    name: Option<String>,
    namespace: Option<String>,
    resource_version: Option<String>,
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let head: Head = serde_json::from_str(text.get()).map_err(D::Error::custom)?;
        let HeadMeta {
            name,
            namespace,
            resource_version,
        } = head.metadata;
        let metadata = ObjectMeta {
            name,
            namespace,
            resource_version,
            ..ObjectMeta::default()
        };
        Ok(Self { metadata, text })
    }
}

impl kube::Resource for RawObject {
    type DynamicType = ApiResource;
    type Scope = DynamicResourceScope;

    fn kind(resource: &ApiResource) -> Cow<'_, str> {
        resource.kind.as_str().into()
    }

    fn group(resource: &ApiResource) -> Cow<'_, str> {
        resource.group.as_str().into()
    }

    fn version(resource: &ApiResource) -> Cow<'_, str> {
        resource.version.as_str().into()
    }

    fn api_version(resource: &ApiResource) -> Cow<'_, str> {
        resource.api_version.as_str().into()
    }

    fn plural(resource: &ApiResource) -> Cow<'_, str> {
        resource.plural.as_str().into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[cfg(test)]
mod tests {
    use kube::core::WatchEvent;

    use super::*;

    #[test]
    fn a_watch_event_keeps_the_object_as_it_came() {
        let object = r#"{"kind":"Pod", "metadata": {"name":"p","namespace":"shop","resourceVersion":"7","managedFields":[]}, "new": 1}"#;
        let line = format!(r#"{{"type":"MODIFIED","object":{object}}}"#);
        let WatchEvent::Modified(raw) =
            serde_json::from_str::<WatchEvent<RawObject>>(&line).unwrap()
        else {
            panic!("the type is told")
        };
        assert_eq!(raw.text(), object);
        assert_eq!(raw.metadata.name.as_deref(), Some("p"));
        assert_eq!(raw.metadata.namespace.as_deref(), Some("shop"));
        assert_eq!(raw.metadata.resource_version.as_deref(), Some("7"));
    }
}
