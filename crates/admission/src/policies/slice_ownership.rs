//! `slice-ownership`: only a controller writes the slices it manages, and a slice stays with its Service.
//!
//! A slice labelled with another manager is taken over by that controller, or keeps getting traffic unnoticed. A slice
//! that changes its Service moves its endpoints into that Service's traffic. The Service `default/kubernetes`, its slices
//! and its Endpoints are the API servers' own.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{COLLECTORS, CONTROL_PLANE};
use crate::context::ClusterView;
use crate::objects::ReviewedSlice;
use crate::request::{Request, ReviewSubject};
use crate::settings::policy_settings;
use crate::users::NamedUsers;
use crate::verdict::{CauseType, Finding, PolicyVerdict};
use crate::writers::Writers;
use slicewise::model::keys;
use slicewise::model::object::slim_object;
use slicewise::model::text::shorten;

slim_object! {
    /// A value of the managed-by label, and the users that may write slices with it.
    #[derive(Clone, Debug, Default)]
    pub struct Manager("manager") refuse {
        /// The value of the label `endpointslice.kubernetes.io/managed-by`.
        "managedBy" pub managed_by: String = required;
        /// Users, written as in `exemptUsers`, such as `system:serviceaccount:shop:slices`.
        "users" pub users: Vec<String>;
        /// Groups whose members may write them as well.
        "groups" pub groups: Vec<String>;
    }
}

policy_settings! {
    /// Settings of `slice-ownership`.
    Settings("settings of slice-ownership") {
        /// Managers of slices and their users, besides the control plane: its controllers manage slices without being
        /// listed, and its users may write the slices of every manager. Slices of other managers may be written by anyone.
        "managers" managers: Vec<Manager> = Vec::new();
    }
    exempt &[];
    fn check(&self) -> Result<(), (String, String)> {
        for (number, manager) in self.managers.iter().enumerate() {
            if manager.managed_by.is_empty() {
                let message = "a manager needs the value of its label".into();
                return Err((format!("managers/{number}/managedBy"), message));
            }
            if manager.users.is_empty() && manager.groups.is_empty() {
                let message = "nobody is this manager; list its `users` or its `groups`".into();
                return Err((format!("managers/{number}/users"), message));
            }
            let field = |name| format!("managers/{number}/{name}");
            manager.named().check(&field("users"), &field("groups"))?;
        }
        Ok(())
    }
}

impl Manager {
    /// Does this manager make the request?
    pub(crate) fn is(&self, request: &Request<'_>) -> bool {
        self.named().has(request)
    }

    fn named(&self) -> NamedUsers<'_> {
        NamedUsers {
            built_in: &[],
            users: &self.users,
            groups: &self.groups,
        }
    }
}

/// The managers that need not be listed: the control plane's controllers.
const BUILT_IN: [&str; 2] = [keys::DEFAULT_MANAGED_BY, keys::MIRRORING_MANAGED_BY];

/// Does the control plane make the request? It may write the slices of every manager.
fn is_of_control_plane(request: &Request<'_>) -> bool {
    [CONTROL_PLANE, COLLECTORS]
        .into_iter()
        .any(|built_in| NamedUsers::only(built_in).has(request))
}

/// Judges who writes an EndpointSlice, or the API servers' own Service.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    if request.is_of_api_servers() && !CONTROL_PLANE.contains(&request.user.as_str()) {
        return [of_api_servers(request)].into_iter().collect();
    }
    let ReviewSubject::EndpointSlice(change) = &request.subject else {
        return PolicyVerdict::allow();
    };
    let managers = Managers {
        settings,
        request,
        writers: cluster.writers(),
    };
    let (old, new) = (change.before(), change.after());
    let finding = match (old, new) {
        (None, Some(new)) => managers.forged(new),
        (Some(old), Some(new)) => managers.changed(old, new),
        (Some(old), None) => managers.deleted(old),
        (None, None) => None,
    };
    finding.into_iter().collect()
}

struct Managers<'s> {
    settings: &'s Settings,
    request: &'s Request<'s>,
    writers: Writers,
}

impl Managers<'_> {
    /// The manager of the slice, if the user is not that manager.
    fn another<'o>(&self, slice: &'o ReviewedSlice<'_>) -> Option<&'o str> {
        let managed_by = slice.managed_by()?;
        let listed = || {
            let managers = self.settings.managers.iter();
            managers.filter(|manager| manager.managed_by == managed_by)
        };
        let writer = self.writers.managing(managed_by);
        let is_managed =
            BUILT_IN.contains(&managed_by) || writer.is_some() || listed().next().is_some();
        let is_its = || {
            is_of_control_plane(self.request)
                || writer.is_some_and(|writer| writer.is(self.request, &self.settings.managers))
                || listed().any(|manager| manager.is(self.request))
        };
        (is_managed && !is_its()).then_some(managed_by)
    }

    fn is_any_manager(&self) -> bool {
        let mut managers = self.settings.managers.iter();
        is_of_control_plane(self.request)
            || self.writers.writing().next().is_some()
            || managers.any(|manager| manager.is(self.request))
    }

    fn forged(&self, new: &ReviewedSlice<'_>) -> Option<Finding> {
        let managed_by = self.another(new)?;
        let message = format!(
            "only {managed_by} itself may write slices that say it manages them; give yours a different value, such \
             as `staff`"
        );
        Some(managed_by_finding("forged-manager", message))
    }

    fn changed(&self, old: &ReviewedSlice<'_>, new: &ReviewedSlice<'_>) -> Option<Finding> {
        if let Some(managed_by) = self.another(old) {
            let message = format!(
                "{managed_by} manages this slice and would undo the change; change the Service or its pods, or write a \
                 separate slice"
            );
            return Some(managed_by_finding("managed", message));
        }
        if old.managed_by() != new.managed_by()
            && let Some(finding) = self.forged(new)
        {
            return Some(finding);
        }
        if old.service_name() == new.service_name() || self.is_any_manager() {
            return None;
        }
        let name = |slice: &ReviewedSlice<'_>| match slice.service_name() {
            Some(name) => format!("Service {}", shorten(name)),
            None => "no Service".into(),
        };
        let message = format!(
            "the slice would move from {} to {}, with its endpoints; delete it, and create another for the new Service",
            name(old),
            name(new)
        );
        Some(Finding::deny(
            "service-changed",
            CauseType::FieldValueForbidden,
            format!("metadata.labels[{}]", keys::SERVICE_NAME_LABEL),
            message,
        ))
    }

    /// The controller creates the slice again at once, so a deletion need not be refused.
    fn deleted(&self, old: &ReviewedSlice<'_>) -> Option<Finding> {
        let managed_by = self.another(old)?;
        let message = format!(
            "{managed_by} manages this slice and will create it again; until then its endpoints get no traffic"
        );
        Some(Finding::warn(
            "managed",
            CauseType::FieldValueForbidden,
            "metadata.name",
            message,
        ))
    }
}

/// Every client in the cluster reaches the API servers through this Service, so that whoever writes it reads their
/// tokens. Cluster administrators are not exempt: they would do so by accident.
fn of_api_servers(request: &Request<'_>) -> Finding {
    let field = match request.subject {
        ReviewSubject::EndpointSlice(_) => format!("metadata.labels[{}]", keys::SERVICE_NAME_LABEL),
        _ => "metadata.name".into(),
    };
    let message = "only the API servers write the Service default/kubernetes, its slices and its Endpoints, through which \
                   every client reaches them; use a Service of your own";
    Finding::deny("api-servers", CauseType::FieldValueForbidden, field, message)
}

fn managed_by_finding(rule: &'static str, message: String) -> Finding {
    let field = format!("metadata.labels[{}]", keys::MANAGED_BY_LABEL);
    Finding::deny(rule, CauseType::FieldValueForbidden, field, message)
}

#[cfg(test)]
mod tests;
