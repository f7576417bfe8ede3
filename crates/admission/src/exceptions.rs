//! Exceptions from policies, which end by themselves: what a matching change is refused for is recorded, and let pass.
//!
//! They come with the configuration, or as objects of the cluster that the webhook reads (`SliceException`), so that
//! whoever is on call can let a change pass without a rollout.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::policies;
use crate::request::{ObjectChange, Request, ReviewSubject};
use crate::settings::{check_namespaces, is_among};
use crate::users::NamedUsers;
use slicewise::membership::label_selector::LabelSelector;
use slicewise::model::StringMap;
use slicewise::model::Timestamp;
use slicewise::model::object::slim_object;
use slicewise::model::text::{is_obeyed, shorten};

slim_object! {
    /// An exception from policies. It applies to changes that match all of what it names.
    #[derive(Clone, Debug, Default)]
    pub struct Exception("exception") refuse {
        /// Its name, for messages and audit annotations.
        "name" pub name: String = required;
        /// The policies that it is from.
        "policies" pub policies: Vec<String> = required;
        /// Why, for whoever reads the audit log.
        "reason" pub reason: String = required;
        /// When it ends (RFC 3339). It never applies where the time is unknown.
        "until" pub until: String = required;
        /// Namespaces of the object: names, or prefixes that end in `*`. Nodes have none.
        "namespaces" pub namespaces: Vec<String>;
        /// Users who make the change, written as in `exemptUsers`.
        "users" pub users: Vec<String>;
        /// Groups of the user who makes the change.
        "groups" pub groups: Vec<String>;
        /// The object's labels before and after the change, as in `kubectl --selector`: `team=web,tier!=db`.
        "selector" pub selector: String;
    }
}

impl Exception {
    fn named(&self) -> NamedUsers<'_> {
        NamedUsers {
            built_in: &[],
            users: &self.users,
            groups: &self.groups,
        }
    }

    /// Which one it is, for messages.
    pub(crate) fn said(&self) -> String {
        let Self {
            name,
            until,
            reason,
            ..
        } = self;
        format!("exception {name} until {until}: {reason}")
    }

    fn check(&self) -> Result<(), (String, String)> {
        let wrong = |field: &str, message: &str| Err((field.into(), message.into()));
        for (field, text) in [("name", &self.name), ("reason", &self.reason)] {
            if text.trim().is_empty() || text.chars().any(is_obeyed) {
                return wrong(field, "write it in a line of text");
            }
        }
        if self.policies.is_empty() {
            return wrong("policies", "name the policies that the exception is from");
        }
        let mut numbered = self.policies.iter().enumerate();
        let unknown = numbered.find_map(|(place, name)| Some((place, policies::unknown(name)?)));
        if let Some((place, message)) = unknown {
            return Err((format!("policies/{place}"), message));
        }
        if Timestamp::parse(&self.until).is_none() {
            let given = shorten(&self.until);
            let message = format!("`{given}` is no time; write it like `2026-01-02T03:04:05Z`");
            return Err(("until".into(), message));
        }
        let is_everything = self.namespaces.is_empty()
            && self.users.is_empty()
            && self.groups.is_empty()
            && self.selector.trim().is_empty();
        if is_everything {
            let message =
                "it would let everything pass; name namespaces, users, groups or a selector";
            return wrong("", message);
        }
        if let Err(error) = LabelSelector::parse(&self.selector) {
            return wrong("selector", error.message());
        }
        check_namespaces("namespaces", &self.namespaces)?;
        self.named().check("users", "groups")
    }

    fn applies(&self, policy: &str, request: &Request<'_>, now: Timestamp) -> bool {
        let is_over = || Timestamp::parse(&self.until).is_none_or(|until| until <= now);
        let is_by =
            || (self.users.is_empty() && self.groups.is_empty()) || self.named().has(request);
        self.policies.iter().any(|named| named == policy)
            && !is_over()
            && (self.namespaces.is_empty() || is_among(&self.namespaces, &request.namespace))
            && is_by()
            && self.selects(&request.subject)
    }

    fn selects(&self, subject: &ReviewSubject<'_>) -> bool {
        let Ok(selector) = LabelSelector::parse(&self.selector) else {
            return false;
        };
        // Without labels to look at, only what selects everything.
        let known = labels_of(subject);
        let mut labels = known.iter().flatten();
        selector.is_empty()
            || known != [None, None] && labels.all(|labels| selector.matches(labels))
    }
}

/// The labels of the object, as it is and as it will be.
fn labels_of<'s>(subject: &'s ReviewSubject<'s>) -> [Option<&'s StringMap<'s>>; 2] {
    fn both<'s, T>(
        change: &'s ObjectChange<T>,
        labels: impl Fn(&'s T) -> &'s StringMap<'s>,
    ) -> [Option<&'s StringMap<'s>>; 2] {
        [change.before(), change.after()].map(|object| object.map(&labels))
    }
    match subject {
        ReviewSubject::EndpointSlice(change) => both(change, |slice| &slice.metadata.labels),
        ReviewSubject::Service(change) => both(change, |of| &of.service.metadata.labels),
        ReviewSubject::Node(change) => both(change, |node| &node.metadata.labels),
        ReviewSubject::Endpoints(change) => both(change, |of| &of.metadata.labels),
        ReviewSubject::Workload(_, change) => both(change, |of| &of.metadata.labels),
        ReviewSubject::Scale(change) => both(change, |of| &of.metadata.labels),
        ReviewSubject::Pod(change) | ReviewSubject::Eviction(change) => {
            both(change, |pod| &pod.metadata.labels)
        }
        ReviewSubject::Other => [None, None],
    }
}

/// The first mistake in a list of exceptions, with its path below the configuration.
pub(crate) fn check(exceptions: &[Exception]) -> Result<(), (String, String)> {
    let mut numbered = exceptions.iter().enumerate();
    let wrong = numbered.find_map(|(number, exception)| Some((number, exception.check().err()?)));
    match wrong {
        Some((number, (field, message))) if field.is_empty() => {
            Err((format!("exceptions/{number}"), message))
        }
        Some((number, (field, message))) => Err((format!("exceptions/{number}/{field}"), message)),
        None => Ok(()),
    }
}

/// The first exception from the policy that a change matches.
pub(crate) fn find<'e>(
    exceptions: &'e [Exception],
    policy: &str,
    request: &Request<'_>,
    now: Option<Timestamp>,
) -> Option<&'e Exception> {
    let now = now?;
    let mut applying = exceptions.iter();
    applying.find(|exception| exception.applies(policy, request, now))
}

#[cfg(test)]
mod tests;
