//! What an input lacks: lists that continue elsewhere, kinds and namespaces that were not fetched.
//!
//! A plan made from half a cluster looks like any other, and deletes slices whose pods it has not seen. So every answer
//! includes the warnings, and [`refuse`] withholds writes that depend on missing objects.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::received::Received;
use super::snapshot::Snapshot;
use super::warning::{Warning, WarningCode};
use crate::model::order::sorted_unique;
use crate::model::text::shorten;
use crate::model::{EndpointSlice, Named, Text, keys};
use crate::plan::Plan;
use crate::{Code, Error};

/// Objects of one kind that other objects in the namespace need.
#[expect(clippy::exhaustive_structs, reason = "what a message says")]
pub struct Need<'n> {
    /// The kind.
    pub kind: &'static str,
    /// As `kubectl get` calls it.
    pub resource: &'static str,
    /// The warning code.
    pub code: WarningCode,
    /// The consequence of their absence.
    pub consequence: &'static str,
    /// Do writes depend on them?
    pub blocks_writes: bool,
    /// The namespaces that need them, sorted and without duplicates.
    pub needed: Vec<&'n str>,
    /// The namespaces that have some, likewise.
    pub present: Vec<&'n str>,
}

impl Need<'_> {
    /// Warns of namespaces that have none, unless a list confirms that there are none.
    pub fn warn(&self, received: &Received, warnings: &mut Vec<Warning>) {
        let is_lacking = |name: &&&str| self.present.binary_search(name).is_err();
        let lacking: Vec<&str> = self.needed.iter().filter(is_lacking).copied().collect();
        let Some(first) = lacking.first() else { return };
        if received.has_all(self.kind) {
            return;
        }
        let Self {
            kind,
            resource,
            consequence,
            ..
        } = self;
        let mut warning = Warning::new(self.code, String::new()).blocking(self.blocks_writes);
        warning.message = if self.present.is_empty() {
            format!("the input has no {kind}, so {consequence}; include `{resource}` in the input")
        } else {
            warning.namespaces = lacking.iter().map(ToString::to_string).collect();
            let others = match lacking.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            format!(
                "the input has no {kind} in namespace {}{others}, although it has some in other namespaces; there {consequence}; fetch `{resource}` from all namespaces (-A)",
                shorten(first)
            )
        };
        warnings.push(warning);
    }
}

/// What it means that there are no Services.
pub const NO_SERVICES: &str = "the input has no Service";

/// What it means for plans that there are no slices.
pub(super) const CREATED_ANEW: &str = "every slice is created again";

/// What a snapshot lacks; `without_slices` is the consequence if it lacks slices.
pub fn of_snapshot(snapshot: &Snapshot<'_>, without_slices: &'static str) -> Vec<Warning> {
    let received = &snapshot.received;
    let mut warnings = Vec::new();
    let kinds = [
        ("EndpointSlice", true),
        ("Node", true),
        ("Pod", true),
        // The other Services are still planned.
        ("Service", false),
    ];
    received.warn_of_cuts(&kinds, &mut warnings);
    if snapshot.services.is_empty() {
        let message = received.none("Service", NO_SERVICES, "services");
        warnings.push(Warning::new(WarningCode::NoServices, message));
    }
    let services = snapshot.services.iter();
    let services = services.filter(|service| service.is_reconciled());
    let services = sorted_unique(services.map(Named::full_name));
    let is_planned = |slice: &&EndpointSlice<'_>| {
        let service = slice.metadata.labels.get(keys::SERVICE_NAME_LABEL);
        let service = service.map_or("", Text::as_str);
        !slice.endpoints.is_empty()
            && services
                .binary_search(&(&*slice.metadata.namespace, service))
                .is_ok()
    };
    let (planned, pods) = (
        snapshot.slices.iter().filter(is_planned),
        snapshot.pods.iter(),
    );
    Need {
        kind: "Pod",
        resource: "pods",
        code: WarningCode::NoPods,
        consequence: "every slice is emptied",
        blocks_writes: true,
        needed: each_once(planned.map(|slice| &*slice.metadata.namespace)),
        present: each_once(pods.map(|pod| &*pod.metadata.namespace)),
    }
    .warn(received, &mut warnings);
    if snapshot.nodes.is_empty() && !snapshot.pods.is_empty() && !received.has_all("Node") {
        let message =
            "the input has no Node, so every pod is left out; include `nodes` in the input";
        warnings.push(Warning::new(WarningCode::NoNodes, message).blocking(true));
    }
    Need {
        kind: "EndpointSlice",
        resource: "endpointslices",
        code: WarningCode::NoSlices,
        consequence: without_slices,
        blocks_writes: true,
        needed: each_once(services.iter().map(|(namespace, _)| *namespace)),
        present: namespaces(&snapshot.slices),
    }
    .warn(received, &mut warnings);
    if snapshot.pods.is_empty() {
        warnings.extend(only_workloads(snapshot));
    }
    received.warn_of_several(&mut warnings);
    received.warn_of_left_out(&mut warnings);
    warnings
}

/// In a cluster, workloads create pods; here they do not.
fn only_workloads(snapshot: &Snapshot<'_>) -> Option<Warning> {
    const WORKLOADS: [&str; 7] = [
        "CronJob",
        "DaemonSet",
        "Deployment",
        "Job",
        "ReplicaSet",
        "ReplicationController",
        "StatefulSet",
    ];
    let mut kinds = snapshot.ignored.iter().map(|(kind, _)| kind.as_str());
    let kind = kinds.find(|kind| WORKLOADS.contains(kind))?;
    let message = format!(
        "the input has a {kind} but no Pods: plans are made from pods, which the cluster creates; fetch them with `kubectl get services,pods,nodes,endpointslices -A -o json`"
    );
    Some(Warning::new(WarningCode::OnlyWorkloads, message))
}

/// The namespaces of slices.
pub fn namespaces<'s>(slices: &'s [EndpointSlice<'_>]) -> Vec<&'s str> {
    let slices = slices.iter();
    each_once(slices.map(|slice| &*slice.metadata.namespace))
}

/// The items, sorted and without duplicates: many items, but few distinct values.
pub fn each_once<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for item in items {
        if let Err(place) = found.binary_search(&item) {
            found.insert(place, item);
        }
    }
    found
}

/// Refuses to apply plans that depend on missing objects.
///
/// # Errors
/// When a plan that writes something is in a namespace with a warning that blocks writes, or leaves out pods because
/// their nodes are not in the input.
pub fn refuse<'p>(
    plans: impl IntoIterator<Item = &'p Plan<'p>>,
    warnings: &[Warning],
) -> Result<(), Error> {
    let blocks = |namespace: &str| {
        let mut blocking = warnings.iter().filter(|warning| warning.blocks_writes);
        let is_about = |warning: &&Warning| {
            let mut namespaces = warning.namespaces.iter();
            warning.namespaces.is_empty() || namespaces.any(|name| *name == *namespace)
        };
        blocking
            .find(is_about)
            .map(|warning| warning.message.clone())
    };
    for plan in plans.into_iter().filter(|plan| !plan.is_empty()) {
        let errors = || plan.errors.first().map(|error| error.message.to_string());
        if let Some(why) = blocks(&plan.service.namespace).or_else(errors) {
            return Err(incomplete(&why));
        }
    }
    Ok(())
}

/// The input is incomplete, and the request depends on what is missing.
pub(super) fn incomplete(why: &str) -> Error {
    let message = format!("{why}; the writes depend on that, so they are not printed");
    Error::new(Code::IncompleteInput, message)
}
