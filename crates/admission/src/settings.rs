//! What the policies may do: modes and thresholds, parsed strictly from the configuration.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::users::NamedUsers;
use slicewise::model::dns::is_label;
use slicewise::model::object::slim_object;
use slicewise::model::read::{one_of, scalar_fields};
use slicewise::{Code, Error};

/// What happens to a policy's findings, strictest first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename_all = "lowercase")]
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

impl Mode {
    /// As the configuration names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Warn => "warn",
            Self::Audit => "audit",
            Self::Off => "off",
        }
    }
}

one_of!(
    Mode, "a mode", "is not a mode", "`enforce`, `warn`, `audit` or `off`",
    { "enforce" => Enforce, "warn" => Warn, "audit" => Audit, "off" => Off }
);

/// What a policy reports if it needs to know the cluster and the cluster is not known well enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, schemars::JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[non_exhaustive]
pub enum WhenStale {
    /// Nothing.
    Allow,
    /// A warning that says what could not be checked.
    #[default]
    Warn,
    /// A reason to refuse the change.
    Deny,
    /// A reason to refuse the change if a cluster is watched or asked, and a warning if there is none, so that reviews
    /// without one still pass. The default of some policies; it cannot be written.
    #[schemars(skip)]
    DenyIfWatched,
}

one_of!(
    WhenStale, "`allow`, `warn` or `deny`", "is unknown", "`allow`, `warn` or `deny`",
    { "allow" => Allow, "warn" => Warn, "deny" => Deny }
);

scalar_fields!(Mode, WhenStale);

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
        is_among(&self.names, namespace)
    }
}

/// Is a namespace one of these: names, or prefixes that end in `*`?
pub(super) fn is_among(names: &[String], namespace: &str) -> bool {
    names.iter().any(|known| match known.strip_suffix('*') {
        Some(beginning) => namespace.starts_with(beginning),
        None => known == namespace,
    })
}

/// The first of these names that no namespace can have, with its path below the field.
pub(super) fn check_namespaces(field: &str, names: &[String]) -> Result<(), (String, String)> {
    let is_wrong = |name: &String| match name.strip_suffix('*') {
        // A letter stands for what follows: `dev-*` is the beginning of `dev-a`.
        Some(beginning) => !is_label(&format!("{beginning}a")),
        None => !is_label(name),
    };
    match names.iter().position(is_wrong) {
        Some(number) => {
            let message = "no namespace can have this name; write a name, or the beginning of names followed by `*`, \
                           such as `dev-*`";
            Err((format!("{field}/{number}"), message.into()))
        }
        None => Ok(()),
    }
}

/// The settings that all policies have.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Common<'s> {
    /// What happens to findings.
    pub mode: Mode,
    /// What is reported if the cluster is not known well enough.
    pub when_stale: WhenStale,
    /// Whose changes are not judged.
    pub exempt: NamedUsers<'s>,
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
}

/// Settings of a policy.
pub trait PolicySettings {
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
        exempt $exempt:expr $(, when stale $stale:ident)? $(, mode $mode:ident)?;
        $($more:item)*
    ) => {
        slicewise::model::object::slim_object! {
            $(#[$($meta)*])*
            #[derive(Clone, Debug)]
            pub struct $Name($what) refuse {
                /// What happens to findings. Default `enforce`; for `workload-traffic` it is `warn`.
                "mode" pub mode: $crate::settings::Mode;
                /// What is reported if the cluster is not known well enough for a check. Default `warn`; for
                /// `slice-addresses` and `endpoints-legacy` it is `deny`, or `warn` if there is no cluster to watch.
                "whenStale" pub when_stale: $crate::settings::WhenStale;
                /// Users whose changes are not judged: user names, or all service accounts of a namespace as
                /// `system:serviceaccount:NAMESPACE:*`. The control plane's users are exempt from policies about slices
                /// and Endpoints in any case.
                "exemptUsers" pub exempt_users: alloc::vec::Vec<alloc::string::String>;
                /// Groups whose members' changes are not judged, such as `system:serviceaccounts:kube-system`.
                "exemptGroups" pub exempt_groups: alloc::vec::Vec<alloc::string::String>;
                /// Different modes for some namespaces. If several match a namespace, the strictest applies.
                "namespaces" pub namespaces: alloc::vec::Vec<$crate::settings::NamespaceMode>;
                $( $(#[$($field_meta)*])* $key pub $field: $type; )*
            }
        }

        impl Default for $Name {
            fn default() -> Self {
                Self {
                    mode: $crate::settings::policy_settings!(@mode $($mode)?),
                    when_stale: $crate::settings::policy_settings!(@stale $($stale)?),
                    exempt_users: alloc::vec::Vec::new(),
                    exempt_groups: alloc::vec::Vec::new(),
                    namespaces: alloc::vec::Vec::new(),
                    $( $field: $default, )*
                }
            }
        }

        impl $crate::settings::PolicySettings for $Name {
            fn common(&self) -> $crate::settings::Common<'_> {
                $crate::settings::Common {
                    mode: self.mode,
                    when_stale: self.when_stale,
                    exempt: $crate::users::NamedUsers {
                        built_in: $exempt,
                        users: &self.exempt_users,
                        groups: &self.exempt_groups,
                    },
                    namespaces: &self.namespaces,
                }
            }

            $($more)*
        }
    };
    (@mode) => { $crate::settings::Mode::Enforce };
    (@mode $mode:ident) => { $crate::settings::Mode::$mode };
    (@stale) => { $crate::settings::WhenStale::Warn };
    (@stale $stale:ident) => { $crate::settings::WhenStale::$stale };
}
pub(super) use policy_settings;

/// Checks the settings of the policy of that name.
pub(super) fn check_settings(name: &str, settings: &dyn PolicySettings) -> Result<(), Error> {
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
    let Common {
        exempt, namespaces, ..
    } = settings.common();
    for (place, exception) in namespaces.iter().enumerate() {
        check_namespaces(&format!("namespaces/{place}/names"), &exception.names)
            .map_err(|(field, message)| wrong(&field, message))?;
    }
    exempt
        .check("exemptUsers", "exemptGroups")
        .and_then(|()| settings.check())
        .map_err(|(field, message)| wrong(&field, message))
}
