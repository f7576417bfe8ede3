//! What the policies may do: modes and thresholds, read strictly from the configuration.

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

one_of!(
    Mode, "a mode", "is not a mode", "`enforce`, `warn`, `audit` or `off`",
    { "enforce" => Enforce, "warn" => Warn, "audit" => Audit, "off" => Off }
);

/// What a policy says where it needs to know the cluster and does not.
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
    /// Refuse what cannot be checked.
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
    /// Another mode for some namespaces.
    #[derive(Clone, Debug, Default)]
    pub struct NamespaceMode("mode of namespaces") refuse {
        /// Names, or beginnings of names with a `*` at the end.
        "names" pub names: Vec<String> = required;
        /// The mode there.
        "mode" pub mode: Mode = required;
    }
}

impl NamespaceMode {
    fn is_of(&self, namespace: &str) -> bool {
        is_any_of(&self.names, namespace)
    }
}

/// Is a name one of these, or does it begin as one with a `*` at the end?
pub(super) fn is_any_of(names: &[String], name: &str) -> bool {
    names.iter().any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => known == name,
    })
}

/// What all policies have in their settings.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Common<'s> {
    /// What happens to findings.
    pub mode: Mode,
    /// What is said where the cluster would have to be known and is not.
    pub when_stale: WhenStale,
    /// User names whose changes are not judged.
    pub exempt_users: &'s [String],
    /// Other modes for some namespaces.
    pub namespaces: &'s [NamespaceMode],
}

impl Common<'_> {
    /// The mode in a namespace. Where several are said for it the strictest counts, so that no exception opens what another
    /// closes.
    pub fn mode_in(&self, namespace: &str) -> Mode {
        let said = self
            .namespaces
            .iter()
            .filter(|other| other.is_of(namespace));
        said.map(|other| other.mode).min().unwrap_or(self.mode)
    }

    /// Is what that user changes not judged?
    pub fn is_exempt(&self, user: &str) -> bool {
        self.exempt_users.iter().any(|exempt| exempt == user)
    }
}

/// Settings of a policy.
pub trait Settings {
    /// What all policies have.
    fn common(&self) -> Common<'_>;

    /// Numbers that have a range: field, value, least and most.
    fn ranges(&self) -> Vec<(&'static str, u32, u32, u32)> {
        Vec::new()
    }

    /// Whatever else types cannot say: the field below the policy and the mistake.
    ///
    /// # Errors
    /// When a value cannot be used.
    fn check(&self) -> Result<(), (String, String)> {
        Ok(())
    }
}

/// Declares the settings of a policy: what all have, and its own.
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
                /// What is said where the cluster would have to be known and is not. Default `warn`.
                "whenStale" pub when_stale: $crate::admission::settings::WhenStale;
                /// User names whose changes are not judged; a list given here replaces the default.
                "exemptUsers" pub exempt_users: alloc::vec::Vec<alloc::string::String>;
                /// Other modes for some namespaces; of several for one namespace the strictest counts.
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
