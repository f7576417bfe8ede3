//! One file per policy: `check(&Request, &ClusterView, &Settings) -> PolicyVerdict`, its settings above and its tests below it.
//!
//! A policy judges what concerns it and ignores the rest. Whether a finding refuses the change, warns or is only
//! recorded depends on the mode, not on the policy.

mod addresses;
mod pod_places;
mod reserved;
mod service_labels;
mod slice_parts;
mod slice_service;
mod slice_siblings;

use alloc::format;
use alloc::string::String;

use super::Asking;
use super::context::{ClusterUnknown, ClusterView};
use super::exceptions::{self, Exception};
use super::request::Request;
use super::response::ResponseBuilder;
use super::settings::{Common, Mode, PolicySettings as _, WhenStale, check_settings};
use super::step::{PolicyResult, PolicyStep};
use super::verdict::{CauseType, Finding};
use slicewise::Error;
use slicewise::model::object::slim_object;
use slicewise::model::text::shorten;

/// Declares the policies. This is the only list of them.
macro_rules! policies {
    ($( #[doc = $about:literal] $name:literal $module:ident: $($kind:literal),+; )*) => {
        $( pub mod $module; )*

        /// The policies by name, in the order in which they run.
        pub const NAMES: &[&str] = &[$( $name, )*];

        /// One line about each of them.
        pub const ABOUT: &[&str] = &[$( $about, )*];

        /// The kinds that each of them judges.
        pub const KINDS: &[&[&str]] = &[$( &[$( $kind, )+], )*];

        slim_object! {
            /// Settings of each policy.
            #[derive(Clone, Debug, Default)]
            pub struct Policies("policies by name") refuse {
                $( #[doc = $about] $name pub $module: $module::Settings; )*
            }
        }

        impl Policies {
            /// Checks what the types cannot express.
            ///
            /// # Errors
            /// `InvalidValue` for a number that is out of range, and similar mistakes.
            pub fn check(&self) -> Result<(), Error> {
                $( check_settings($name, &self.$module)?; )*
                Ok(())
            }

            /// Runs the policies that are enabled and apply to the change: all of them, or only the named one.
            pub(super) fn judge(
                &self,
                request: &Request<'_>,
                cluster: &ClusterView<'_>,
                asking: Asking<'_>,
                exceptions: &[Exception],
                response: &mut ResponseBuilder<'_, '_>,
            ) {
                $(
                    let common = self.$module.common();
                    let mode = common.mode_in(&request.namespace);
                    let standing = standing_of($name, &[$( $kind, )+], &common, mode, request, asking);
                    if standing == PolicyResult::Asked {
                        let verdict = $module::check(request, cluster, &self.$module);
                        let exception = (!verdict.is_silent())
                            .then(|| exceptions::find(exceptions, $name, request, asking.now));
                        response.add($name, mode, &verdict, exception.flatten());
                    }
                    response.note_step(|findings| PolicyStep {
                        policy: $name,
                        about: $about.trim(),
                        kinds: &[$( $kind, )+],
                        standing,
                        mode,
                        looked_at: cluster.take_looked_at().collect(),
                        findings,
                        said: String::new(),
                    });
                )*
            }
        }
    };
}

policies! {
    /// Slices that others than their manager write or move, and the API servers' own Service.
    "slice-ownership" slice_ownership: "EndpointSlice", "Service", "Endpoints";
    /// Addresses that do not belong to pods of the namespace.
    "slice-addresses" slice_addresses: "EndpointSlice";
    /// Slices that do not match their Service or its other slices, or are invalid by themselves.
    "slice-shape" slice_shape: "EndpointSlice";
    /// Hints that no consumer can follow.
    "slice-hints" slice_hints: "EndpointSlice";
    /// Changes of Services that remove endpoints.
    "service-blast-radius" service_blast_radius: "Service";
    /// The external addresses of a Service, and whether the hints it requests will be set.
    "service-traffic" service_traffic: "Service";
    /// Changes of Nodes that switch hints off.
    "node-topology" node_topology: "Node";
    /// Changes of workloads and pods that take endpoints away.
    "workload-traffic" workload_traffic: "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Scale", "Pod", "Eviction";
    /// Addresses in `v1` Endpoints that do not belong to pods of the namespace.
    "endpoints-legacy" endpoints_legacy: "Endpoints";
    /// Custom rules in CEL.
    "expression" expression: "Service", "EndpointSlice", "Endpoints", "Node";
}

/// The message for a name that no policy has.
pub(crate) fn unknown(name: &str) -> Option<String> {
    (!NAMES.contains(&name)).then(|| {
        format!(
            "there is no policy `{}`; the policies are {}",
            shorten(name),
            NAMES.join(", ")
        )
    })
}

/// Policies that judge who writes, not what is written.
const OF_WRITERS: &[&str] = &["slice-ownership"];

/// Policies that judge only changes and deletions, whatever an object looks like.
const OF_CHANGES: &[&str] = &["workload-traffic"];

/// Does any policy judge existing objects of the kind by what they say?
pub fn judge_existing(kind: &str) -> bool {
    let mut policies = NAMES.iter().zip(KINDS);
    policies.any(|(name, kinds)| {
        let is_silent = OF_WRITERS.contains(name) || OF_CHANGES.contains(name);
        !is_silent && kinds.contains(&kind)
    })
}

fn standing_of(
    name: &str,
    kinds: &[&str],
    common: &Common<'_>,
    mode: Mode,
    request: &Request<'_>,
    asking: Asking<'_>,
) -> PolicyResult {
    let concerns = |kind: &str| kinds.contains(&kind);
    if !request.subject.kind().is_some_and(concerns) {
        PolicyResult::OtherKind
    } else if asking.policy.is_some_and(|only| only != name) {
        PolicyResult::NotChosen
    } else if mode == Mode::Off {
        PolicyResult::Off
    } else if common.exempt.has(request) {
        PolicyResult::Exempt
    } else if is_api_servers_own(request, asking) {
        PolicyResult::ApiServers
    } else if !READ_EVERYTHING.contains(&name) && request.changes_nothing() {
        PolicyResult::Unchanged
    } else if asking.at_rest && OF_WRITERS.contains(&name) {
        PolicyResult::NobodyWrites
    } else {
        PolicyResult::Asked
    }
}

/// Policies that look at more of an object than is read for the others: they judge every update.
const READ_EVERYTHING: &[&str] = &["expression"];

/// The user as which API servers keep `default/kubernetes`. Refused, they could not restore it, and nothing in the
/// cluster would reach them any more.
const API_SERVER: &str = "system:apiserver";

/// Do the API servers write their own Service, or is it what they wrote? At rest, that is only what has its name.
fn is_api_servers_own(request: &Request<'_>, asking: Asking<'_>) -> bool {
    let is_theirs = if asking.at_rest {
        request.name == *"kubernetes"
    } else {
        request.user == *API_SERVER
    };
    is_theirs && request.is_of_api_servers()
}

/// The users as which the control plane writes slices and Endpoints.
pub(crate) const CONTROL_PLANE: &[&str] = &[
    "system:apiserver",
    "system:kube-controller-manager",
    "system:serviceaccount:kube-system:endpoint-controller",
    "system:serviceaccount:kube-system:endpointslice-controller",
    "system:serviceaccount:kube-system:endpointslicemirroring-controller",
];

/// The users as which the control plane deletes what has lost its owner or its namespace.
pub(crate) const COLLECTORS: &[&str] = &[
    "system:serviceaccount:kube-system:generic-garbage-collector",
    "system:serviceaccount:kube-system:namespace-controller",
];

/// The rules of findings that say what could not be judged; no rule of a configuration has such a name.
pub(crate) const UNDECIDED: [&str; 2] = ["not-checked", "not-evaluated"];

/// The finding if the cluster is not known well enough for a check.
pub(super) fn not_checked(when: WhenStale, why: &ClusterUnknown, what: &str) -> Option<Finding> {
    let message = format!("{why}, so {what}");
    let finding = match when {
        WhenStale::Allow => return None,
        WhenStale::DenyIfWatched if !why.is_watched => Finding::warn,
        WhenStale::Warn => Finding::warn,
        WhenStale::Deny | WhenStale::DenyIfWatched => Finding::deny,
    };
    let cause = CauseType::FieldValueForbidden;
    Some(finding("not-checked", cause, "metadata", message))
}
