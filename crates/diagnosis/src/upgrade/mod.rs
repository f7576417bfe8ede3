//! What another version of Kubernetes changes for the objects of an input: plans, traffic, settings and writes.
//!
//! Nothing is decided here: each version plans and routes with the functions that decide everywhere else, and the answer
//! is the difference. What differs whatever the objects is the table of
//! [`behaviors`](slicewise::kubernetes::BEHAVIORS).

mod refused;
mod services;
mod traffic;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use slicewise::api::Warning;
use slicewise::kubernetes::{BEHAVIORS, Behavior, KubernetesVersion};
use slicewise::plan::request::Options;

pub use refused::RefusedValue;
pub use services::{PlannedWrites, ServiceUpgrade};
pub use traffic::{NodesUpgrade, PortFigures, PortUpgrade, UsedEndpoints};

pub(crate) use refused::refused;
pub(crate) use services::{UpgradeInput, services};

/// What changes from one version of Kubernetes to another.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Upgrade<'a> {
    /// The version to come from, such as `1.37`.
    pub from: &'static str,
    /// The version to go to.
    pub to: &'static str,
    /// Whether anything changes for these objects and settings: a Service, a setting or a value that is refused.
    /// `metrics` and `behaviors`, which do not depend on them, do not count.
    pub changes: bool,
    /// The Services, sorted by namespace and name, with their plans under both versions.
    pub services: Vec<ServiceUpgrade<'a>>,
    /// Settings that were given and stop working.
    pub settings: Vec<LostSetting>,
    /// Values of these objects that API servers refuse from now on if they are new or changed.
    pub refused: Vec<RefusedValue>,
    /// Metrics that are renamed.
    pub metrics: Vec<RenamedMetric>,
    /// All behaviours in which the versions differ, whatever the objects.
    pub behaviors: Vec<ChangedBehavior>,
    /// Warnings about the input.
    pub warnings: Vec<Warning>,
}

/// A setting that stops working.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LostSetting {
    /// Its name among the options.
    pub setting: &'static str,
    /// The feature gate of Kubernetes that it stands for.
    pub feature_gate: &'static str,
    /// What follows, and what to do.
    pub message: String,
}

/// A metric that is renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct RenamedMetric {
    /// Its name before.
    pub before: &'static str,
    /// Its name after.
    pub after: &'static str,
}

/// A behaviour in which the versions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct ChangedBehavior {
    /// Its name, as in the documentation.
    pub behavior: &'static str,
    /// Whether the new version begins to behave that way; otherwise it no longer does.
    pub begins: bool,
    /// Where the reference decides it.
    pub source: &'static str,
    /// What it means.
    pub message: &'static str,
}

/// The options under the version to come from, and under the one to go to, which may lack some of them.
pub(crate) fn both<'a>(options: &Options<'a>, to: KubernetesVersion) -> [Options<'a>; 2] {
    let mut after = options.clone();
    after.kubernetes = Some(to);
    if !to.has(Behavior::PreferSameGate) {
        after.prefer_same_traffic_distribution = None;
    }
    [options.clone(), after]
}

impl<'a> Upgrade<'a> {
    pub(crate) fn new(
        [from, to]: &[Options<'_>; 2],
        services: Vec<ServiceUpgrade<'a>>,
        refused: Vec<RefusedValue>,
        warnings: Vec<Warning>,
    ) -> Self {
        let settings = lost(from, to);
        let versions = [from, to].map(|options| options.kubernetes.unwrap_or_default());
        let changes = !settings.is_empty()
            || !refused.is_empty()
            || services.iter().any(ServiceUpgrade::changes);
        let [from, to] = versions.map(KubernetesVersion::name);
        let [before, after] = versions.map(KubernetesVersion::changes_metric);
        let renamed = RenamedMetric { before, after };
        Self {
            from,
            to,
            changes,
            services,
            settings,
            refused,
            metrics: [renamed].into_iter().filter(|_| before != after).collect(),
            behaviors: behaviors(versions),
            warnings,
        }
    }
}

/// The settings that were given and are not known any more.
fn lost(from: &Options<'_>, to: &Options<'_>) -> Vec<LostSetting> {
    let given = from.prefer_same_traffic_distribution;
    let Some(is_on) = given.filter(|_| to.prefer_same_traffic_distribution.is_none()) else {
        return Vec::new();
    };
    let message = match is_on {
        true => {
            "it is always on, and components that are given the feature gate do not start; leave both out"
        }
        false => {
            "it cannot be turned off any more: `PreferSameZone` and `PreferSameNode` are honored, and kube-proxy follows hints for nodes; leave it out"
        }
    };
    let lost = LostSetting {
        setting: "preferSameTrafficDistribution",
        feature_gate: "PreferSameTrafficDistribution",
        message: message.to_string(),
    };
    [lost].into()
}

fn behaviors([from, to]: [KubernetesVersion; 2]) -> Vec<ChangedBehavior> {
    let differ = BEHAVIORS
        .iter()
        .filter(|row| row.is_in(from) != row.is_in(to));
    let changed = differ.map(|row| ChangedBehavior {
        behavior: row.name,
        begins: row.is_in(to),
        source: row.source,
        message: row.sentence,
    });
    changed.collect()
}
