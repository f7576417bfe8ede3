//! The reference's flags and feature gates, as types that cannot hold invalid values: those are refused when they are
//! read or created.

use alloc::string::String;
use core::fmt;

use super::packing::{Packing, UnknownPacking};
use crate::kubernetes::KubernetesVersion;
use crate::model::own::{Keeper, Own, own_themselves};
use crate::model::read::{Field, Integer, Scalar, Slot, scalar_fields};
use crate::model::{Text, dns, keys};

/// The maximum number of endpoints in a slice: 1 to 1000.
///
/// ```
/// use slicewise::reconcile::EndpointsPerSlice;
///
/// assert_eq!(EndpointsPerSlice::default().get(), 100);
/// assert_eq!(EndpointsPerSlice::new(250).map(EndpointsPerSlice::get), Some(250));
/// assert!(EndpointsPerSlice::new(0).is_none());
/// assert!(EndpointsPerSlice::new(1001).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EndpointsPerSlice(u32);

impl EndpointsPerSlice {
    /// The maximum that the API's validation allows.
    pub const MAX: u32 = 1000;

    /// A maximum of `number`; `None` if slices cannot have that size.
    pub const fn new(number: u32) -> Option<Self> {
        match number {
            1..=Self::MAX => Some(Self(number)),
            _ => None,
        }
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl Default for EndpointsPerSlice {
    /// The reference's default.
    fn default() -> Self {
        Self(100)
    }
}

impl Integer for EndpointsPerSlice {
    fn what(&self) -> &'static str {
        "a whole number between 1 and 1000"
    }

    fn set(&mut self, number: i64) -> Option<()> {
        *self = Self::new(number.try_into().ok()?)?;
        Some(())
    }
}

/// Whose slices are planned: the value of the managed-by label.
///
/// ```
/// use slicewise::reconcile::ManagedBy;
///
/// assert_eq!(ManagedBy::default().as_str(), "endpointslice-controller.k8s.io");
/// assert!(ManagedBy::new("cart-endpoints.example.com").is_ok());
/// assert!(ManagedBy::new("no label value").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedBy<'a>(Text<'a>);

impl<'a> ManagedBy<'a> {
    /// A manager with that name.
    ///
    /// # Errors
    /// When the name is not a valid label value.
    pub fn new(name: impl Into<Text<'a>>) -> Result<Self, NoLabelValue> {
        let name = name.into();
        if dns::is_label_value(&name) {
            Ok(Self(name))
        } else {
            Err(NoLabelValue)
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// This name without borrowing from its source.
    pub fn into_owned(self) -> ManagedBy<'static> {
        ManagedBy(self.0.into_owned())
    }
}

impl Default for ManagedBy<'_> {
    /// The reference's default.
    fn default() -> Self {
        Self(keys::DEFAULT_MANAGED_BY.into())
    }
}

/// A name that is not a valid label value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoLabelValue;

impl fmt::Display for NoLabelValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("managedBy must be a label value: 1 to 63 letters, digits, `-`, `_` or `.`, with a letter or digit first and last")
    }
}

impl core::error::Error for NoLabelValue {}

impl<'a> Scalar<'a> for Option<ManagedBy<'a>> {
    fn what(&self) -> &'static str {
        "a string"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        let name = ManagedBy::new(text);
        *self = Some(name.map_err(|wrong| alloc::format!("{wrong}"))?);
        Ok(())
    }
}

impl<'a> Scalar<'a> for Option<Packing> {
    fn what(&self) -> &'static str {
        "a string"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        let packing = text.parse().map_err(|UnknownPacking| {
            let is_elsewhere = matches!(&*text, "compact" | "balanced");
            String::from(match is_elsewhere {
                true => "packing must be `upstream` here; other packings are in `slicewise/tools` and the command",
                false => "packing must be `upstream`, `compact` or `balanced`",
            })
        })?;
        *self = Some(packing);
        Ok(())
    }
}

scalar_fields!(Option<ManagedBy<'a>>, Option<Packing>);

impl<'a> Field<'a> for Option<EndpointsPerSlice> {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::Integer(self)
    }
}

own_themselves!(EndpointsPerSlice, Packing);

impl<'k> Own<'k> for ManagedBy<'_> {
    type Owned = ManagedBy<'k>;

    fn own(self, keeper: &dyn Keeper<'k>) -> ManagedBy<'k> {
        ManagedBy(keeper.keep(self.0))
    }
}

/// The reference's flags and feature gates, as values. [`Options::settings`](crate::plan::request::Options::settings)
/// creates them.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Settings<'a> {
    /// Value of the managed-by label.
    pub managed_by: &'a str,
    /// The maximum number of endpoints in a slice.
    #[doc(hidden)]
    pub max_endpoints_per_slice: EndpointsPerSlice,
    /// `false` stands for the reference without a topology cache.
    pub topology_hints: bool,
    /// The version whose behaviour is reproduced.
    #[doc(hidden)]
    pub kubernetes: KubernetesVersion,
    /// Do `PreferSameZone` and `PreferSameNode` take effect?
    #[doc(hidden)]
    pub prefer_same_traffic_distribution: bool,
    /// How endpoints are distributed over slices.
    pub packing: Packing,
}

impl<'a> Settings<'a> {
    /// Value of the managed-by label.
    pub const fn managed_by(&self) -> &'a str {
        self.managed_by
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::own::Alone;
    use crate::reconcile::testing::{input, nodes};
    use serde_json::json;

    #[test]
    fn the_manager_has_its_name_wherever_it_is_kept() {
        let name = ManagedBy::new("someone").unwrap();
        assert_eq!(name.clone().own(&Alone).as_str(), "someone");
        assert_eq!(name.into_owned().as_str(), "someone");
        let input = input(&json!({}), nodes(&[]));
        assert_eq!(input.settings.managed_by(), "me");
    }
}
