//! What the policies may do: modes and thresholds, read strictly from the configuration.

use serde::Deserialize;

use crate::{Code, Error};

/// The configuration of a reviewer: `{"policies": {…}}`. What is left out has its default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "an object (reviewer configuration)"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewerConfig {
    /// The policies by name.
    pub policies: Policies,
}

/// Settings of each policy.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    rename_all = "kebab-case",
    expecting = "an object (policies by name)"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Policies {
    /// EndpointSlices written by hand.
    pub slice_shape: SliceShape,
    /// Changes of Services.
    pub service_blast_radius: ServiceBlastRadius,
}

/// What becomes of a policy's findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// What a policy says where it needs to know the cluster and does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum WhenStale {
    /// Nothing.
    Allow,
    /// A warning that says what could not be checked.
    #[default]
    Warn,
    /// Refuse what cannot be checked.
    Deny,
}

/// Settings of `slice-shape`.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    rename_all = "camelCase",
    expecting = "an object (settings of slice-shape)"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SliceShape {
    /// Default `enforce`.
    pub mode: Mode,
    /// Default `warn`.
    pub when_stale: WhenStale,
    /// Endpoints in one slice, 1 to 1000. Default 1000.
    pub max_endpoints: u32,
    /// User names whose slices are not judged. Default: the controllers of the control plane, which write siblings in
    /// an order that holds an endpoint twice for a moment.
    pub exempt_users: Vec<String>,
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

/// Settings of `service-blast-radius`.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    rename_all = "camelCase",
    expecting = "an object (settings of service-blast-radius)"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServiceBlastRadius {
    /// Default `enforce`.
    pub mode: Mode,
    /// Default `warn`.
    pub when_stale: WhenStale,
    /// Warn when more than this share of the ready endpoints would go, 0 to 100. Default 20.
    pub removed_percent: u32,
    /// But only when at least so many would go. Default 2.
    pub removed_at_least: u32,
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
                let name = path.rsplit('/').next().unwrap_or(path);
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
