//! Which writes a webhook is called for.

use alloc::string::String;

use super::conditions::{KnownText, RequestFacts, Truth, holds};
use crate::webhooks::{LabelRequirement, LabelSelector, RuleWithOperations, Webhook};
use slicewise::model::SortedMap;
use slicewise::model::StringMap;

/// The immutable label that every namespace has.
const NAME_LABEL: &str = "kubernetes.io/metadata.name";

/// The group of all authenticated users.
const AUTHENTICATED: &str = "system:authenticated";
/// The groups of the control plane's service accounts, which are all in one namespace.
const ACCOUNTS: [&str; 3] = [
    "system:serviceaccounts",
    "system:serviceaccounts:kube-system",
    AUTHENTICATED,
];

/// The labels of namespaces, as far as they are known.
pub(super) type Namespaces<'n> = SortedMap<String, StringMap<'n>>;

/// Who writes.
#[derive(Clone, Copy, Debug)]
pub(super) enum User {
    /// A component of the cluster with this name.
    Named(&'static str),
    /// A kubelet.
    Kubelet,
    /// Anyone, for example an administrator.
    Anybody,
}

/// Where an object is.
#[derive(Clone, Copy, Debug)]
pub(super) enum ObjectLocation<'p> {
    /// In this namespace.
    In(&'p str),
    /// In some namespace that the webhook is called for.
    Somewhere,
    /// Cluster-scoped.
    Cluster,
}

/// A write that a cluster depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct NeededWrite<'w> {
    pub(super) group: &'w str,
    /// `pods`, or `pods/status`.
    pub(super) resource: &'w str,
    pub(super) operation: &'w str,
    pub(super) user: User,
    pub(super) place: ObjectLocation<'w>,
}

/// A webhook is called, or may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct WebhookCall {
    /// The rule that matches.
    pub(super) rule: usize,
    /// What may exempt the write; `None` if nothing does.
    pub(super) perhaps: Option<Perhaps>,
}

/// What the configuration alone does not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Perhaps {
    /// The labels of a namespace.
    NamespaceSelector,
    /// The labels of an object.
    ObjectSelector,
    /// The inputs of a CEL expression.
    MatchConditions,
}

/// Is a webhook called for a write?
pub(super) fn called(
    webhook: &Webhook<'_>,
    write: &NeededWrite<'_>,
    namespaces: &Namespaces<'_>,
) -> Option<WebhookCall> {
    let rule = webhook.rules.iter().position(|rule| matches(rule, write))?;
    let selector = webhook.namespace_selector.as_ref();
    let by_namespace = selector.map_or(Truth::Yes, |selector| {
        selects_place(selector, write.place, namespaces)
    });
    let object_selector = webhook.object_selector.as_ref();
    let has_selector = object_selector.is_some_and(|selector| !selector.is_empty());
    let by_object = if has_selector {
        Truth::Maybe
    } else {
        Truth::Yes
    };
    let by_conditions = conditions(webhook, write);
    if by_namespace.and(by_object).and(by_conditions) == Truth::No {
        return None;
    }
    let perhaps = [
        (by_namespace, Perhaps::NamespaceSelector),
        (by_object, Perhaps::ObjectSelector),
        (by_conditions, Perhaps::MatchConditions),
    ];
    let perhaps = perhaps
        .into_iter()
        .find(|(truth, _)| *truth == Truth::Maybe);
    Some(WebhookCall {
        rule,
        perhaps: perhaps.map(|(_, perhaps)| perhaps),
    })
}

fn conditions(webhook: &Webhook<'_>, write: &NeededWrite<'_>) -> Truth {
    let (resource, subresource) = parts(write.resource);
    let (user, groups): (_, Option<&[&str]>) = match write.user {
        User::Named(name) if name.starts_with("system:serviceaccount:") => {
            (KnownText::Text(name), Some(&ACCOUNTS))
        }
        User::Named("system:apiserver") => (
            KnownText::Text("system:apiserver"),
            Some(&[AUTHENTICATED, "system:masters"]),
        ),
        User::Named(name) => (KnownText::Text(name), Some(&[AUTHENTICATED])),
        User::Kubelet => (
            KnownText::Beginning("system:node:"),
            Some(&["system:nodes", AUTHENTICATED]),
        ),
        User::Anybody => (KnownText::Unnamed, None),
    };
    let namespace = match write.place {
        ObjectLocation::In(name) => KnownText::Text(name),
        ObjectLocation::Somewhere => KnownText::Unnamed,
        ObjectLocation::Cluster => KnownText::Text(""),
    };
    let facts = RequestFacts {
        namespace,
        user,
        groups,
        group: KnownText::Text(write.group),
        resource: KnownText::Text(resource),
        subresource: KnownText::Text(subresource),
        operation: KnownText::Text(write.operation),
    };
    let each = webhook.match_conditions.iter();
    each.map(|condition| holds(&condition.expression, &facts))
        .fold(Truth::Yes, Truth::and)
}

/// A resource and its subresource.
pub(super) fn parts(resource: &str) -> (&str, &str) {
    resource.split_once('/').unwrap_or((resource, ""))
}

/// Matches like the API server: `*` does not cover subresources, `*/*` covers everything.
fn matches(rule: &RuleWithOperations<'_>, write: &NeededWrite<'_>) -> bool {
    let (resource, subresource) = parts(write.resource);
    let is_any_of = |one: &str, value: &str| one == "*" || one == value;
    let is_namespaced = !matches!(write.place, ObjectLocation::Cluster);
    let in_scope = match rule.scope.as_deref() {
        Some("Cluster") => !is_namespaced,
        Some("Namespaced") => is_namespaced,
        _ => true,
    };
    in_scope
        && rule
            .api_groups
            .iter()
            .any(|group| is_any_of(group, write.group))
        && rule
            .operations
            .iter()
            .any(|operation| is_any_of(operation, write.operation))
        && rule.resources.iter().any(|pattern| {
            let (one, sub) = parts(pattern);
            is_any_of(one, resource) && is_any_of(sub, subresource)
        })
}

fn selects_place(
    selector: &LabelSelector<'_>,
    place: ObjectLocation<'_>,
    namespaces: &Namespaces<'_>,
) -> Truth {
    match place {
        ObjectLocation::In(namespace) => selects(selector, namespace, namespaces.get(namespace)),
        // The namespace is one that is selected; cluster-scoped objects always are.
        ObjectLocation::Somewhere | ObjectLocation::Cluster => Truth::Yes,
    }
}

fn selects(selector: &LabelSelector<'_>, namespace: &str, labels: Option<&StringMap<'_>>) -> Truth {
    // Checks whether a label exists, and its value.
    let value_is = |key: &str, is_it: &dyn Fn(Option<&str>) -> bool| {
        if key == NAME_LABEL {
            return is_it(Some(namespace)).into();
        }
        labels.map_or(Truth::Maybe, |labels| {
            is_it(labels.get(key).map(|value| value.as_str())).into()
        })
    };
    let pairs = selector
        .match_labels
        .iter()
        .map(|(key, wanted)| value_is(key, &|value| value == Some(wanted.as_str())));
    let expressions = selector
        .match_expressions
        .iter()
        .map(|requirement| value_is(&requirement.key, &|value| satisfies(requirement, value)));
    pairs.chain(expressions).fold(Truth::Yes, Truth::and)
}

fn satisfies(requirement: &LabelRequirement<'_>, value: Option<&str>) -> bool {
    let is_listed = requirement
        .values
        .iter()
        .any(|listed| Some(listed.as_str()) == value);
    match requirement.operator.as_str() {
        "In" => is_listed,
        "NotIn" => !is_listed,
        "Exists" => value.is_some(),
        "DoesNotExist" => value.is_none(),
        // The API server refuses others.
        _ => true,
    }
}
