//! What the policies may do: modes and thresholds, parsed strictly from the configuration.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::model::Text;
use crate::model::object::slim_object;
use crate::model::read::{Scalar, one_of, scalar_fields};
use crate::{Code, Error};

/// What happens to a policy's findings, strictest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum Mode {
    /// Findings with severity `deny` refuse the change; the others are warnings.
    #[default]
    Enforce,
    /// All findings are warnings.
    Warn,
    /// All findings are only recorded in the audit annotations.
    Audit,
    /// The policy is disabled.
    Off,
}

one_of!(
    Mode, "a mode", "is not a mode", "`enforce`, `warn`, `audit` or `off`",
    { "enforce" => Enforce, "warn" => Warn, "audit" => Audit, "off" => Off }
);

/// What a policy reports if it needs to know the cluster and the cluster is not known well enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum WhenStale {
    /// Nothing.
    Allow,
    /// A warning that says what could not be checked.
    #[default]
    Warn,
    /// A reason to refuse the change.
    Deny,
}

one_of!(
    WhenStale, "`allow`, `warn` or `deny`", "is unknown", "`allow`, `warn` or `deny`",
    { "allow" => Allow, "warn" => Warn, "deny" => Deny }
);

impl<'a> Scalar<'a> for String {
    fn what(&self) -> &'static str {
        "a string"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        text.as_str().clone_into(self);
        Ok(())
    }
}

scalar_fields!(Mode, WhenStale, String);

slim_object! {
    /// A different mode for some namespaces.
    #[derive(Clone, Debug, Default)]
    pub struct NamespaceMode("mode of namespaces") refuse {
        /// Namespace names, or prefixes that end in `*`.
        "names" pub names: Vec<String> = required;
        /// The mode in these namespaces.
        "mode" pub mode: Mode = required;
    }
}

impl NamespaceMode {
    fn is_of(&self, namespace: &str) -> bool {
        is_any_of(&self.names, namespace)
    }
}

/// Does a name match one of these, either exactly or by a prefix that ends in `*`?
pub(super) fn is_any_of(names: &[String], name: &str) -> bool {
    names.iter().any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => known == name,
    })
}

/// The settings that all policies have.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Common<'s> {
    /// What happens to findings.
    pub mode: Mode,
    /// What is reported if the cluster is not known well enough.
    pub when_stale: WhenStale,
    /// User names whose changes are not judged.
    pub exempt_users: &'s [String],
    /// Other modes for some namespaces.
    pub namespaces: &'s [NamespaceMode],
}

impl Common<'_> {
    /// The mode in a namespace. If several match, the strictest applies, so that no exception opens what another
    /// closes.
    pub fn mode_in(&self, namespace: &str) -> Mode {
        let said = self
            .namespaces
            .iter()
            .filter(|other| other.is_of(namespace));
        said.map(|other| other.mode).min().unwrap_or(self.mode)
    }

    /// Are changes by that user exempt?
    pub fn is_exempt(&self, user: &str) -> bool {
        self.exempt_users.iter().any(|exempt| exempt == user)
    }
}

/// Settings of a policy.
pub trait Settings {
    /// The settings that all policies have.
    fn common(&self) -> Common<'_>;

    /// Numbers with a range: field, value, minimum and maximum.
    fn ranges(&self) -> Vec<(&'static str, u32, u32, u32)> {
        Vec::new()
    }

    /// Anything else that the types cannot express: the field below the policy, and the mistake.
    ///
    /// # Errors
    /// When a value cannot be used.
    fn check(&self) -> Result<(), (String, String)> {
        Ok(())
    }
}

/// Declares the settings of a policy: the common ones and its own.
macro_rules! policy_settings {
    (
        $(#[$($meta:tt)*])* $Name:ident ($what:literal) {
            $( $(#[$($field_meta:tt)*])* $key:literal $field:ident : $type:ty = $default:expr; )*
        }
        exempt $exempt:expr;
        $($more:item)*
    ) => {
        $crate::model::object::slim_object! {
            $(#[$($meta)*])*
            #[derive(Clone, Debug)]
            pub struct $Name($what) refuse {
                /// What happens to findings. Default `enforce`.
                "mode" pub mode: $crate::admission::settings::Mode;
                /// What is reported if the cluster is not known well enough for a check. Default `warn`.
                "whenStale" pub when_stale: $crate::admission::settings::WhenStale;
                /// User names whose changes are not judged. A list given here replaces the default.
                "exemptUsers" pub exempt_users: alloc::vec::Vec<alloc::string::String>;
                /// Different modes for some namespaces. If several match a namespace, the strictest applies.
                "namespaces" pub namespaces: alloc::vec::Vec<$crate::admission::settings::NamespaceMode>;
                $( $(#[$($field_meta)*])* $key pub $field: $type; )*
            }
        }

        impl Default for $Name {
            fn default() -> Self {
                let exempt: &[&str] = $exempt;
                Self {
                    mode: Default::default(),
                    when_stale: Default::default(),
                    exempt_users: exempt.iter().map(|user| (*user).into()).collect(),
                    namespaces: alloc::vec::Vec::new(),
                    $( $field: $default, )*
                }
            }
        }

        impl $crate::admission::settings::Settings for $Name {
            fn common(&self) -> $crate::admission::settings::Common<'_> {
                $crate::admission::settings::Common {
                    mode: self.mode,
                    when_stale: self.when_stale,
                    exempt_users: &self.exempt_users,
                    namespaces: &self.namespaces,
                }
            }

            $($more)*
        }
    };
}
pub(super) use policy_settings;

/// Checks the settings of the policy of that name.
pub(super) fn check_settings(name: &str, settings: &dyn Settings) -> Result<(), Error> {
    let wrong = |field: &str, message: String| {
        Error::new(Code::InvalidValue, message).at(format!("/policies/{name}/{field}"))
    };
    for (field, value, least, most) in settings.ranges() {
        if !(least..=most).contains(&value) {
            let range = if most == u32::MAX {
                format!("at least {least}")
            } else {
                format!("between {least} and {most}")
            };
            return Err(wrong(
                field,
                format!("{field} must be {range}, got {value}"),
            ));
        }
    }
    settings
        .check()
        .map_err(|(field, message)| wrong(&field, message))
}
