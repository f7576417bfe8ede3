//! An EndpointSlice as far as its shape goes: what it belongs to, its family, addresses and ports.
//!
//! Reviews are read in full on every write of a slice, so that what no policy looks at is passed over unread.

use serde::{Deserialize, Deserializer};

use crate::model::{EndpointPort, StringMap, Text, keys};

/// The slice of a review.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object (EndpointSlice)")]
pub struct ReviewedSlice<'r> {
    /// `EndpointSlice`, or nothing where the position says so.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub kind: Text<'r>,
    /// Name and labels.
    #[serde(borrow)]
    pub metadata: ReviewedMeta<'r>,
    /// `IPv4`, `IPv6` or `FQDN`.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub address_type: Text<'r>,
    /// The endpoints, for their addresses.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub endpoints: Vec<ReviewedEndpoint<'r>>,
    /// The ports.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub ports: Vec<EndpointPort<'r>>,
}

/// Metadata of a slice.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "an object (ObjectMeta)")]
pub struct ReviewedMeta<'r> {
    /// Name.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub name: Text<'r>,
    /// Namespace.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub namespace: Text<'r>,
    /// Labels, for the Service's name.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub labels: StringMap<'r>,
}

/// An endpoint of a slice.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(expecting = "an object (Endpoint)")]
pub struct ReviewedEndpoint<'r> {
    /// Its addresses.
    #[serde(borrow, default, deserialize_with = "or_default")]
    pub addresses: Vec<Text<'r>>,
}

impl ReviewedSlice<'_> {
    /// The Service it says it belongs to.
    pub fn service_name(&self) -> Option<&str> {
        let name = self.metadata.labels.get(keys::SERVICE_NAME_LABEL)?;
        Some(name.as_str()).filter(|name| !name.is_empty())
    }

    /// Do both belong to the same Service, with the same family, addresses and ports?
    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.service_name() == other.service_name()
            && self.address_type == other.address_type
            && self.ports == other.ports
            && self.endpoints == other.endpoints
    }
}

/// `null` is absent, as Go writes it for empty lists.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
