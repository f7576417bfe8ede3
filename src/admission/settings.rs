//! What the policies may do: modes and thresholds, read strictly from the configuration.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::model::Text;
use crate::model::object::slim_object;
use crate::model::read::{Scalar, scalar_fields};
use crate::model::text::shorten;
use crate::{Code, Error};

slim_object! {
    /// The configuration of a reviewer: `{"policies": {…}}`. What is left out has its default.
    #[derive(Clone, Debug, Default)]
    pub struct ReviewerConfig("reviewer configuration") refuse {
        /// The policies by name.
        "policies" pub policies: Policies;
    }
}

slim_object! {
    /// Settings of each policy.
    #[derive(Clone, Debug, Default)]
    pub struct Policies("policies by name") refuse {
        /// EndpointSlices written by hand.
        "slice-shape" pub slice_shape: SliceShape;
        /// Changes of Services.
        "service-blast-radius" pub service_blast_radius: ServiceBlastRadius;
    }
}

/// What becomes of a policy's findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "lowercase")
)]
pub enum Mode {
    /// Reasons to refuse refuse; the rest are warnings.
    #[default]
    Enforce,
    /// Everything is a warning.
    Warn,
    /// Everything goes to the audit annotations only.
    Audit,
    /// The policy is not asked.
    Off,
}

impl<'a> Scalar<'a> for Mode {
    fn what(&self) -> &'static str {
        "a mode"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        *self = match text.as_str() {
            "enforce" => Self::Enforce,
            "warn" => Self::Warn,
            "audit" => Self::Audit,
            "off" => Self::Off,
            other => {
                let other = shorten(other);
                return Err(format!(
                    "`{other}` is no mode; write `enforce`, `warn`, `audit` or `off`"
                ));
            }
        };
        Ok(())
    }
}

/// What a policy says where it needs to know the cluster and does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "lowercase")
)]
pub enum WhenStale {
    /// Nothing.
    Allow,
    /// A warning that says what could not be checked.
    #[default]
    Warn,
    /// Refuse what cannot be checked.
    Deny,
}

impl<'a> Scalar<'a> for WhenStale {
    fn what(&self) -> &'static str {
        "`allow`, `warn` or `deny`"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        *self = match text.as_str() {
            "allow" => Self::Allow,
            "warn" => Self::Warn,
            "deny" => Self::Deny,
            other => {
                let other = shorten(other);
                return Err(format!(
                    "`{other}` is unknown; write `allow`, `warn` or `deny`"
                ));
            }
        };
        Ok(())
    }
}

scalar_fields!(Mode, WhenStale);

slim_object! {
    /// Settings of `slice-shape`.
    #[derive(Clone, Debug)]
    pub struct SliceShape("settings of slice-shape") refuse {
        /// Default `enforce`.
        "mode" pub mode: Mode;
        /// Default `warn`.
        "whenStale" pub when_stale: WhenStale;
        /// Endpoints in one slice, 1 to 1000. Default 1000.
        "maxEndpoints" pub max_endpoints: u32;
        /// User names whose slices are not judged. Default: the controllers of the control plane, which write siblings
        /// in an order that holds an endpoint twice for a moment.
        "exemptUsers" pub exempt_users: Vec<String>;
    }
}

impl Default for SliceShape {
    fn default() -> Self {
        let system = [
            "system:apiserver",
            "system:kube-controller-manager",
            "system:serviceaccount:kube-system:endpointslice-controller",
            "system:serviceaccount:kube-system:endpointslicemirroring-controller",
        ];
        Self {
            mode: Mode::default(),
            when_stale: WhenStale::default(),
            max_endpoints: MAX_ENDPOINTS,
            exempt_users: system.map(str::to_owned).to_vec(),
        }
    }
}

slim_object! {
    /// Settings of `service-blast-radius`.
    #[derive(Clone, Debug)]
    pub struct ServiceBlastRadius("settings of service-blast-radius") refuse {
        /// Default `enforce`.
        "mode" pub mode: Mode;
        /// Default `warn`.
        "whenStale" pub when_stale: WhenStale;
        /// Warn when more than this share of the ready endpoints would go, 0 to 100. Default 20.
        "removedPercent" pub removed_percent: u32;
        /// But only when at least so many would go. Default 2.
        "removedAtLeast" pub removed_at_least: u32;
    }
}

impl Default for ServiceBlastRadius {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            when_stale: WhenStale::default(),
            removed_percent: 20,
            removed_at_least: 2,
        }
    }
}

/// The API's validation takes no more endpoints in a slice.
pub const MAX_ENDPOINTS: u32 = 1000;

impl Policies {
    /// Checks what types cannot say.
    ///
    /// # Errors
    /// `InvalidValue` for a number out of range.
    pub fn check(&self) -> Result<(), Error> {
        let ranges = [
            (
                "slice-shape/maxEndpoints",
                self.slice_shape.max_endpoints,
                1,
                MAX_ENDPOINTS,
            ),
            (
                "service-blast-radius/removedPercent",
                self.service_blast_radius.removed_percent,
                0,
                100,
            ),
            (
                "service-blast-radius/removedAtLeast",
                self.service_blast_radius.removed_at_least,
                1,
                u32::MAX,
            ),
        ];
        for (path, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                let name = path.split_once('/').map_or(path, |(_, name)| name);
                let range = if most == u32::MAX {
                    format!("at least {least}")
                } else {
                    format!("between {least} and {most}")
                };
                return Err(Error::new(
                    Code::InvalidValue,
                    format!("{name} must be {range}, got {value}"),
                )
                .at(format!("/policies/{path}")));
            }
        }
        Ok(())
    }
}
