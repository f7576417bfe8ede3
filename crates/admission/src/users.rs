//! Whom a list of names means: every setting that names users has the same syntax, and is matched and checked here.
//!
//! Users and groups are separate lists, as in RBAC: a user could have the name of a group. An entry of a list of users is
//! a user name, or `system:serviceaccount:NAMESPACE:*` for all service accounts of a namespace. There are no other
//! patterns: a prefix of arbitrary user names could be chosen by whoever creates users. Groups are written out; those of
//! nodes and service accounts cover what patterns would.

use alloc::format;
use alloc::string::String;

use super::request::Request;
use slicewise::model::dns::{is_label, is_subdomain};
use slicewise::model::text::{is_obeyed, shorten};

/// The prefix of the user names of service accounts; namespace and name follow, separated by a colon.
const ACCOUNT: &str = "system:serviceaccount:";
/// The prefix of the group of a namespace's service accounts.
const ACCOUNTS_OF: &str = "system:serviceaccounts:";

/// Groups that Kubernetes defines, which no user has as a name.
const GROUPS: [&str; 7] = [
    "system:authenticated",
    "system:bootstrappers",
    "system:masters",
    "system:monitoring",
    "system:nodes",
    "system:serviceaccounts",
    "system:unauthenticated",
];
/// Users that Kubernetes defines, which no group has as a name.
const USERS: [&str; 7] = [
    "system:admin",
    "system:anonymous",
    "system:apiserver",
    "system:cloud-controller-manager",
    "system:kube-controller-manager",
    "system:kube-proxy",
    "system:kube-scheduler",
];

/// The users whom a setting names.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct NamedUsers<'s> {
    /// Those who are always meant, whatever is configured.
    pub built_in: &'static [&'static str],
    /// User names, and patterns of service accounts.
    pub users: &'s [String],
    /// Names of groups.
    pub groups: &'s [String],
}

impl NamedUsers<'_> {
    /// Only users that need no configuration.
    pub(super) const fn only(built_in: &'static [&'static str]) -> Self {
        Self {
            built_in,
            users: &[],
            groups: &[],
        }
    }

    /// Is the user who makes the request one of them?
    pub fn has(&self, request: &Request<'_>) -> bool {
        let user = request.user.as_str();
        self.built_in.iter().any(|named| means(named, user))
            || self.users.iter().any(|named| means(named, user))
            || (self.groups.iter()).any(|group| request.groups.iter().any(|its| *its == **group))
    }

    /// Checks that each entry can match a user or a group. The arguments are the names of both lists.
    ///
    /// # Errors
    /// The path of the first that cannot, and what to write instead.
    pub(super) fn check(&self, users: &str, groups: &str) -> Result<(), (String, String)> {
        let check = |field: &str, list: &[String], wrong: &dyn Fn(&str) -> Option<String>| {
            let mut places = list.iter().enumerate();
            let found = places.find_map(|(place, name)| Some((place, wrong(name)?)));
            match found {
                Some((place, message)) => Err((format!("{field}/{place}"), message)),
                None => Ok(()),
            }
        };
        check(users, self.users, &|name| wrong_user(name, last(groups)))?;
        check(groups, self.groups, &|name| wrong_group(name, last(users)))
    }
}

/// The field itself, without its path.
fn last(field: &str) -> &str {
    field.rsplit('/').next().unwrap_or_default()
}

fn means(named: &str, user: &str) -> bool {
    match named.strip_suffix('*') {
        Some(beginning) => user
            .strip_prefix(beginning)
            .is_some_and(|rest| !rest.is_empty()),
        None => named == user,
    }
}

/// Why an entry of a list of users can match no user.
fn wrong_user(name: &str, groups: &str) -> Option<String> {
    if let Some(message) = unwritable(name, "user") {
        return Some(message);
    }
    let given = shorten(name);
    let account = name.strip_prefix(ACCOUNT);
    let pattern = account.and_then(|account| account.strip_suffix(":*"));
    if GROUPS.contains(&name) || name.starts_with(ACCOUNTS_OF) {
        return Some(format!("`{given}` is a group; write it in `{groups}`"));
    }
    if let Some(namespace) = pattern {
        let message =
            || format!("`{given}` matches no service account: the namespace must be a DNS label");
        return (!is_label(namespace)).then(message);
    }
    if name.contains('*') {
        return Some(format!(
            "`{given}` matches nobody: the only pattern is `{ACCOUNT}NAMESPACE:*`; write user names out, or a group in \
             `{groups}`, such as `system:nodes` or `system:serviceaccounts`"
        ));
    }
    let (namespace, own) = account?.split_once(':').unwrap_or_default();
    (!is_label(namespace) || !is_subdomain(own)).then(|| {
        format!(
            "`{given}` is the name of no service account; write `{ACCOUNT}NAMESPACE:NAME`, in lower case"
        )
    })
}

/// Why an entry of a list of groups can match no group.
fn wrong_group(name: &str, users: &str) -> Option<String> {
    if let Some(message) = unwritable(name, "group") {
        return Some(message);
    }
    let given = shorten(name);
    let is_node = name.starts_with("system:node:");
    if USERS.contains(&name) || name.starts_with(ACCOUNT) || is_node {
        return Some(format!("`{given}` is a user; write it in `{users}`"));
    }
    if name.contains('*') {
        return Some(format!(
            "`{given}` matches no group: groups have no patterns; write the group itself"
        ));
    }
    let namespace = name.strip_prefix(ACCOUNTS_OF)?;
    (!is_label(namespace))
        .then(|| format!("`{given}` matches no service account: the namespace must be a DNS label"))
}

/// Why a name is no name at all.
fn unwritable(name: &str, what: &str) -> Option<String> {
    if name.trim().is_empty() {
        return Some(format!(
            "the name of the {what} is empty; write it, or remove the entry"
        ));
    }
    let is_wrong = name.trim() != name || name.chars().any(is_obeyed);
    is_wrong.then(|| {
        let given = shorten(name);
        format!("`{given}` begins or ends with a space, or contains a control character; remove it")
    })
}

#[cfg(test)]
mod tests;
