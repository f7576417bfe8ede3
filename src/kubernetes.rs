//! The versions of Kubernetes whose decisions are reproduced, and every behaviour in which they differ.
//!
//! To add a version: a variant of [`KubernetesVersion`], the rows of [`Behavior`] that it begins or ends, the module
//! files of `pkg-tests` that build the reference from it, and the goldens that change.

use alloc::string::String;
use core::str::FromStr;

use crate::model::Text;
use crate::model::own::own_themselves;
use crate::model::read::{Scalar, scalar_fields};

/// A minor version of Kubernetes.
///
/// ```
/// use slicewise::kubernetes::KubernetesVersion;
///
/// assert_eq!("1.38".parse(), Ok(KubernetesVersion::V1_38));
/// assert_eq!(KubernetesVersion::default().name(), "1.37");
/// assert!("1.36".parse::<KubernetesVersion>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum KubernetesVersion {
    /// The newest release.
    #[default]
    V1_37,
    /// The next one, as of v1.38.0-beta.0.
    V1_38,
}

impl KubernetesVersion {
    /// All versions, oldest first.
    pub const ALL: [Self; 2] = [Self::V1_37, Self::V1_38];

    /// Its name in the options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1_37 => "1.37",
            Self::V1_38 => "1.38",
        }
    }

    /// Are hints for `PreferSameZone` and `PreferSameNode` assigned and followed, if that was asked for or not?
    #[doc(hidden)]
    pub fn prefers_same(self, asked: Option<bool>) -> bool {
        !self.has(Behavior::PreferSameGate) || asked.unwrap_or(true)
    }

    /// The metric that counts the writes of slices.
    #[doc(hidden)]
    pub fn changes_metric(self) -> &'static str {
        match self.has(Behavior::ChangesTotal) {
            true => "endpoint_slice_controller_changes_total",
            false => "endpoint_slice_controller_changes",
        }
    }

    /// Does this version behave that way?
    #[doc(hidden)]
    pub fn has(self, behavior: Behavior) -> bool {
        self.is_in(behavior.lifetime())
    }

    fn is_in(self, (since, until): Lifetime) -> bool {
        since <= self && until.is_none_or(|until| self < until)
    }
}

/// No such version is reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownKubernetesVersion;

impl FromStr for KubernetesVersion {
    type Err = UnknownKubernetesVersion;

    fn from_str(name: &str) -> Result<Self, UnknownKubernetesVersion> {
        let found = Self::ALL.into_iter().find(|version| version.name() == name);
        found.ok_or(UnknownKubernetesVersion)
    }
}

impl<'a> Scalar<'a> for Option<KubernetesVersion> {
    fn what(&self) -> &'static str {
        "a string"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        // A test holds the names to be all.
        let unknown = |_| "the version of Kubernetes must be `1.37` or `1.38`";
        let version = text.parse().map_err::<&str, _>(unknown)?;
        *self = Some(version);
        Ok(())
    }
}

scalar_fields!(Option<KubernetesVersion>);
own_themselves!(KubernetesVersion);

/// The first version that has a behaviour, and the first that no longer has it.
type Lifetime = (KubernetesVersion, Option<KubernetesVersion>);

/// A row of the table of behaviours.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "documentation is generated from it"
)]
#[doc(hidden)]
pub struct BehaviorRow {
    /// Its name.
    pub name: &'static str,
    /// The first version that has it.
    pub since: KubernetesVersion,
    /// The first version that no longer has it.
    pub until: Option<KubernetesVersion>,
    /// Where the reference decides it.
    pub source: &'static str,
    /// What it means, and for what.
    pub sentence: &'static str,
}

impl BehaviorRow {
    /// Does the version behave that way?
    #[doc(hidden)]
    pub fn is_in(&self, version: KubernetesVersion) -> bool {
        version.is_in((self.since, self.until))
    }
}

macro_rules! behaviors {
    ($($(#[$doc:meta])* $name:ident $since:ident .. $($until:ident)?, $source:literal, $sentence:literal;)+) => {
        /// What only some versions do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(clippy::exhaustive_enums, reason = "it is internal to these crates")]
        #[doc(hidden)]
        pub enum Behavior {
            $(
                #[doc = $sentence]
                $name,
            )+
        }

        impl Behavior {
            const fn lifetime(self) -> Lifetime {
                match self {
                    $(Self::$name => (KubernetesVersion::$since, behaviors!(@until $($until)?)),)+
                }
            }
        }

        /// All rows.
        #[doc(hidden)]
        pub const BEHAVIORS: &[BehaviorRow] = &[
            $(BehaviorRow {
                name: stringify!($name),
                since: KubernetesVersion::$since,
                until: behaviors!(@until $($until)?),
                source: $source,
                sentence: $sentence,
            },)+
        ];
    };
    (@until) => { None };
    (@until $until:ident) => { Some(KubernetesVersion::$until) };
}

behaviors! {
    PreferSameGate V1_37..V1_38, "`WithPreferSameTrafficDistributionEnabled`, `topologyModeFromHints`",
        "`preferSameTrafficDistribution: false` turns `PreferSameZone` and `PreferSameNode` off, and hints for nodes in kube-proxy; without this, it is refused.";
    SloppyAddresses V1_37..V1_38, "`IsValidIPForLegacyField`",
        "With the feature gate `StrictIPCIDRValidation` off, API servers accept `010.0.0.1`, `::ffff:10.0.0.1` and `10.0.0.1/8` in new values; without this, they never do.";
    PlaceholderOwners V1_38.., "`placeholderSliceCompare`",
        "A single empty slice only counts as the placeholder if the Service is its only owner, by uid; without this, owners do not matter.";
    PodEligibility V1_38.., "`GetPodUpdateProjectionKey`, `podEndpointsChanged`",
        "A pod that could be no endpoint before or after its change causes no sync, and becoming able or unable to be one is a change by itself; without this, only addresses, readiness and deletion count.";
    ServiceUid V1_38.., "`EndpointSliceTracker.StaleSlices`",
        "A Service with another uid than its predecessor of the same name does not wait for that one's slices; without this, it waits until the deletion has been processed.";
    DeletedPorts V1_38.., "`UpdateServiceMapResult.DeletedServices`, `CleanStaleEntries`",
        "kube-proxy deletes the flows to UDP ports that are removed, with their Service or from it; without this, they stay until they time out.";
    MissingDeletes V1_38.., "`Reconciler.deleteEndpointSlice`",
        "A delete that finds no slice succeeds, without being counted or waited for; without this, it is an error, and the sync is retried.";
    ChangesTotal V1_38.., "`EndpointSliceChangesTotal`",
        "The metric that counts writes is `endpoint_slice_controller_changes_total`, and the deprecated one is hidden; without this, it is `endpoint_slice_controller_changes`.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_behavior_lasts_from_its_first_version_to_before_its_last() {
        for (behavior, expected) in [
            (Behavior::PreferSameGate, [true, false]),
            (Behavior::PlaceholderOwners, [false, true]),
        ] {
            let found = KubernetesVersion::ALL.map(|version| version.has(behavior));
            assert_eq!(found, expected, "{behavior:?}");
        }
    }

    #[test]
    fn an_unknown_version_names_those_that_are_supported() {
        let mut version = None::<KubernetesVersion>;
        let refused = version.set("1.36".into(), false);
        let names = KubernetesVersion::ALL.map(|version| alloc::format!("`{}`", version.name()));
        let expected = alloc::format!("the version of Kubernetes must be {}", names.join(" or "));
        assert_eq!(refused, Err(expected));
        for known in KubernetesVersion::ALL {
            assert_eq!(version.set(known.name().into(), false), Ok(()));
            assert_eq!(version, Some(known));
        }
    }

    #[test]
    fn every_row_is_a_difference_between_versions() {
        for row in BEHAVIORS {
            let count = KubernetesVersion::ALL
                .into_iter()
                .filter(|version| row.is_in(*version))
                .count();
            assert!(
                (1..KubernetesVersion::ALL.len()).contains(&count),
                "{}",
                row.name
            );
            assert!(row.sentence.ends_with('.') && row.source.starts_with('`'));
        }
    }
}
