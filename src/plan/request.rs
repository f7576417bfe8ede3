//! What a plan is made from, as JSON: a Service, pods, nodes, the slices there are, and options.

use serde::{Deserialize, Deserializer};

use super::State;
use crate::model::object::OnlyObject;
use crate::model::{
    EndpointConditions, EndpointPort, EndpointSlice, Node, ObjectReference, Pod, Service, Text,
    Timestamp, keys,
};

/// The API's validation allows no more endpoints in a slice.
pub const MAX_ENDPOINTS_LIMIT: u32 = 1000;

/// One Service and everything its plan depends on.
#[derive(Debug, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object (plan request)"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanRequest<'a> {
    /// The Service.
    #[serde(borrow)]
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::KubernetesObject"))]
    pub service: Service<'a>,
    /// Pods; those the selector does not pick out are ignored.
    #[serde(borrow, default, deserialize_with = "or_default")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<crate::schema::KubernetesObject>>")
    )]
    pub pods: Vec<Pod<'a>>,
    /// All nodes of the cluster.
    #[serde(borrow, default, deserialize_with = "or_default")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<crate::schema::KubernetesObject>>")
    )]
    pub nodes: Vec<Node<'a>>,
    /// Slices that exist; those of other Services or managers are ignored.
    #[serde(borrow, default, deserialize_with = "or_default")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<crate::schema::KubernetesObject>>")
    )]
    pub slices: Vec<EndpointSlice<'a>>,
    /// Endpoints that are no pods.
    #[serde(borrow, default, deserialize_with = "objects_or_default")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<RequestEndpoint<'static>>>")
    )]
    pub endpoints: Vec<RequestEndpoint<'a>>,
    /// Written to changed slices; the annotation is cleared when there is none.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub trigger_time: Option<Timestamp>,
    /// `state` of this Service's previous plan.
    #[serde(default, deserialize_with = "object_or_default")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<std::collections::BTreeMap<String, serde_json::Value>>")
    )]
    pub state: State,
    /// Options.
    #[serde(borrow, default, deserialize_with = "object_or_default")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Options<'static>>"))]
    pub options: Options<'a>,
}

/// An endpoint that is no pod.
#[derive(Debug, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object (endpoint)"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RequestEndpoint<'a> {
    /// IP addresses; each goes to the slices of its family.
    #[serde(borrow)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub addresses: Vec<Text<'a>>,
    /// Conditions; without any the endpoint is ready and serving.
    #[serde(borrow, default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<std::collections::BTreeMap<String, bool>>")
    )]
    pub conditions: Option<EndpointConditions<'a>>,
    /// Node.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub node_name: Option<Text<'a>>,
    /// Zone; else that of the node.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub zone: Option<Text<'a>>,
    /// Hostname.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub hostname: Option<Text<'a>>,
    /// What it stands for.
    #[serde(borrow, default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<crate::schema::KubernetesObject>")
    )]
    pub target_ref: Option<ObjectReference<'a>>,
    /// Its ports; else the Service's ports with a numeric target.
    #[serde(borrow, default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<crate::schema::KubernetesObject>>")
    )]
    pub ports: Option<Vec<EndpointPort<'a>>>,
}

/// How plans are made. Each option left out has the reference's default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "an object (options)"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Options<'a> {
    /// Value of the managed-by label. Default `endpointslice-controller.k8s.io`.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub managed_by: Option<Text<'a>>,
    /// Endpoints per slice, 1 to 1000. Default 100.
    #[serde(default)]
    pub max_endpoints_per_slice: Option<u32>,
    /// Give `Auto` hints. Default true; false is the reference without a topology cache.
    #[serde(default)]
    pub topology_hints: Option<bool>,
    /// Act on `PreferSameZone` and `PreferSameNode`. Default true.
    #[serde(default)]
    pub prefer_same_traffic_distribution: Option<bool>,
    /// How slices are packed. Only `upstream`, the default, so far.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub packing: Option<Text<'a>>,
    /// Not supported yet; `false` is accepted.
    #[serde(default)]
    pub explain: Option<bool>,
    /// Not supported yet; an empty list is accepted.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    pub patches: Option<Vec<Text<'a>>>,
}

impl<'a> Options<'a> {
    /// These options, but for what `overrides` sets.
    #[must_use]
    pub fn overridden_by(self, overrides: &Self) -> Self {
        let overrides = overrides.clone();
        Self {
            managed_by: overrides.managed_by.or(self.managed_by),
            max_endpoints_per_slice: overrides
                .max_endpoints_per_slice
                .or(self.max_endpoints_per_slice),
            topology_hints: overrides.topology_hints.or(self.topology_hints),
            prefer_same_traffic_distribution: overrides
                .prefer_same_traffic_distribution
                .or(self.prefer_same_traffic_distribution),
            packing: overrides.packing.or(self.packing),
            explain: overrides.explain.or(self.explain),
            patches: overrides.patches.or(self.patches),
        }
    }

    /// The settings these options stand for, unchecked.
    pub fn settings(&self) -> crate::reconcile::Settings<'_> {
        crate::reconcile::Settings {
            managed_by: self
                .managed_by
                .as_deref()
                .unwrap_or(keys::DEFAULT_MANAGED_BY),
            max_endpoints_per_slice: self.max_endpoints_per_slice.unwrap_or(100) as usize,
            topology_hints: self.topology_hints.unwrap_or(true),
            prefer_same_traffic_distribution: self.prefer_same_traffic_distribution.unwrap_or(true),
        }
    }
}

/// `null` is absent, in our envelopes too.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    reader: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(reader)?.unwrap_or_default())
}

/// An object, never an array of its fields' values.
fn object_or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    reader: D,
) -> Result<T, D::Error> {
    Ok(Option::<OnlyObject<T>>::deserialize(reader)?
        .map(|read| read.0)
        .unwrap_or_default())
}

/// Objects, never arrays of their fields' values.
fn objects_or_default<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    reader: D,
) -> Result<Vec<T>, D::Error> {
    let read = Option::<Vec<OnlyObject<T>>>::deserialize(reader)?;
    Ok(read
        .unwrap_or_default()
        .into_iter()
        .map(|read| read.0)
        .collect())
}
