//! What a webhook is called for, and what not.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::deadlocks::{excluding_namespaces, own_namespace};
use super::reach::{Namespaces, NeededWrite, ObjectLocation, User, called, parts};
use super::{LintSeverity, WebhookReport, listed, said};
use crate::webhooks::{RuleWithOperations, WebhookConfiguration};
use slicewise::model::Text;

/// Cluster-scoped resources in the groups that every cluster has.
const CLUSTER_RESOURCES: [&str; 22] = [
    "nodes",
    "namespaces",
    "persistentvolumes",
    "componentstatuses",
    "clusterroles",
    "clusterrolebindings",
    "storageclasses",
    "csinodes",
    "csidrivers",
    "volumeattachments",
    "ingressclasses",
    "priorityclasses",
    "runtimeclasses",
    "customresourcedefinitions",
    "apiservices",
    "certificatesigningrequests",
    "validatingwebhookconfigurations",
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
];
/// Resources that the API server never sends to webhooks, so that they can always be repaired.
const NEVER_ASKED: [&str; 6] = [
    "validatingwebhookconfigurations",
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
];

/// Checks rules, selectors and conditions.
pub(super) fn check(
    report: &mut WebhookReport<'_>,
    configuration: &WebhookConfiguration<'_>,
    namespaces: &Namespaces<'_>,
) {
    let webhook = report.webhook;
    if !configuration.kind.starts_with("Mutating") {
        check_guarded(report, namespaces);
    }
    if webhook.rules.is_empty() {
        let message = "it has no rules, so it is never called";
        report.add(
            "rules",
            LintSeverity::Warning,
            "/rules",
            said(message, "add rules, or remove the webhook"),
        );
    }
    for (number, rule) in webhook.rules.iter().enumerate() {
        check_wildcards(report, number, rule);
        check_rule(report, number, rule);
    }
    let is_namespaced = webhook.rules.iter().any(is_namespaced);
    let selects_all = |selector: &Option<_>| {
        selector
            .as_ref()
            .is_none_or(|selector: &crate::webhooks::LabelSelector<'_>| selector.is_empty())
    };
    if is_namespaced && selects_all(&webhook.namespace_selector) {
        let own = own_namespace(webhook);
        let mut names: Vec<&str> = own
            .into_iter()
            .chain(["kube-system", "kube-node-lease"])
            .collect();
        names.dedup();
        let message = "it matches every namespace, including those of the system and its own";
        let said = said(
            message,
            "select namespaces by an opt-in label, or exclude those of the system",
        )
        .with(excluding_namespaces(&names));
        report.add(
            "namespace-selector",
            LintSeverity::Warning,
            "/namespaceSelector",
            said,
        );
    }
    if !selects_all(&webhook.object_selector) && !configuration.kind.starts_with("Mutating") {
        let message = "it selects by labels of the object, so whoever writes the object decides whether it is checked";
        let said = said(
            message,
            "use namespaceSelector or matchConditions for checks that must not be bypassed",
        );
        report.add(
            "object-selector",
            LintSeverity::Info,
            "/objectSelector",
            said,
        );
    }
    if webhook.match_conditions.is_empty() && !webhook.rules.is_empty() {
        let message = "every request that the rules match is sent, even if it changes nothing the webhook looks at";
        let said = said(message, "filter requests with matchConditions").with(
            "matchConditions:\n- name: not-the-garbage-collector\n  expression: \"request.userInfo.username != 'system:serviceaccount:kube-system:generic-garbage-collector'\"\n",
        );
        report.add(
            "match-conditions",
            LintSeverity::Info,
            "/matchConditions",
            said,
        );
    }
}

/// A webhook that judges slices elsewhere, but not in `default`, leaves open where the traffic to the API servers goes.
fn check_guarded(report: &mut WebhookReport<'_>, namespaces: &Namespaces<'_>) {
    let guarded = [("discovery.k8s.io", "endpointslices"), ("", "endpoints")];
    for (group, resource) in guarded {
        let write = |place| NeededWrite {
            group,
            resource,
            operation: "UPDATE",
            user: User::Anybody,
            place,
        };
        let webhook = report.webhook;
        let Some(elsewhere) = called(webhook, &write(ObjectLocation::Somewhere), namespaces) else {
            continue;
        };
        // Whoever matches everything is after something else.
        let is_meant = webhook.rules.get(elsewhere.rule).is_some_and(|rule| {
            let mut resources = rule.resources.iter();
            resources.any(|pattern| *pattern == *resource)
        });
        if is_meant && called(webhook, &write(ObjectLocation::In("default")), namespaces).is_none()
        {
            let message = format!(
                "it judges {resource}, but none in `default`: whoever may write them there can take over the traffic to the \
                 API servers, which `default/kubernetes` leads to"
            );
            let mend =
                "match the namespace `default`, and exclude only the API servers' own writes";
            let said = said(message, mend).with(
                "matchConditions:\n- name: not-the-control-plane\n  expression: \"!(request.userInfo.username in ['system:apiserver'])\"\n",
            );
            let path = format!("/rules/{}", elsewhere.rule);
            report.add("kubernetes-guarded", LintSeverity::Warning, &path, said);
            return;
        }
    }
}

fn check_wildcards(report: &mut WebhookReport<'_>, number: usize, rule: &RuleWithOperations<'_>) {
    let is_star = |texts: &[Text<'_>]| texts.iter().any(|text| *text == "*");
    let mut wide: Vec<String> = Vec::new();
    if is_star(&rule.api_groups) {
        wide.push("every group".into());
    }
    if rule
        .resources
        .iter()
        .any(|resource| matches!(parts(resource), ("*", "" | "*")))
    {
        wide.push("every resource".into());
    }
    let path = format!("/rules/{number}");
    if !wide.is_empty() {
        let closed = report.webhook.fails_closed();
        let severity = if closed {
            LintSeverity::Error
        } else {
            LintSeverity::Warning
        };
        let why = if closed {
            "fails closed: resources it was never meant for, including future ones, stop with it"
        } else {
            "delays writes it was never meant for"
        };
        let message = format!("the rule matches {}, and {why}", listed(&wide));
        let mend = "name groups and resources";
        report.add("wildcard", severity, &path, said(message, mend));
    }
    if is_star(&rule.operations) {
        let message = "the rule matches every operation, including CONNECT and DELETE, whose requests have a different shape";
        let mend = "name the operations";
        report.add(
            "wildcard",
            LintSeverity::Warning,
            &path,
            said(message, mend).with("operations: [CREATE, UPDATE]\n"),
        );
    }
    if is_star(&rule.api_versions) {
        let message = "the rule matches every version, including ones the webhook has never seen";
        let mend = "name the version that it reads; with matchPolicy: Equivalent, others are converted to it";
        report.add("wildcard", LintSeverity::Info, &path, said(message, mend));
    }
}

fn check_rule(report: &mut WebhookReport<'_>, number: usize, rule: &RuleWithOperations<'_>) {
    let path = format!("/rules/{number}");
    for (what, list) in [
        ("operations", &rule.operations),
        ("apiGroups", &rule.api_groups),
        ("apiVersions", &rule.api_versions),
        ("resources", &rule.resources),
    ] {
        if list.is_empty() {
            let message =
                format!("the rule has no {what}: the API server rejects the configuration");
            report.add(
                "rules",
                LintSeverity::Error,
                &path,
                said(message, format!("add {what}")),
            );
        }
    }
    for operation in &rule.operations {
        if !["CREATE", "UPDATE", "DELETE", "CONNECT", "*"].contains(&operation.as_str()) {
            let message = format!(
                "`{operation}` is not an operation: the API server rejects the configuration"
            );
            let mend = "use CREATE, UPDATE, DELETE or CONNECT; a patch is an UPDATE";
            report.add("rules", LintSeverity::Error, &path, said(message, mend));
        }
    }
    let is_registration = rule
        .api_groups
        .iter()
        .any(|group| *group == "admissionregistration.k8s.io");
    let never: Vec<String> = rule
        .resources
        .iter()
        .filter(|resource| is_registration && NEVER_ASKED.contains(&resource.as_str()))
        .map(ToString::to_string)
        .collect();
    if !never.is_empty() {
        let message = format!(
            "the API server never calls webhooks for {}, so that configurations can always be repaired",
            listed(&never)
        );
        report.add(
            "rules",
            LintSeverity::Info,
            &path,
            said(message, "remove it from the rule"),
        );
    }
}

/// Can a rule match a namespaced object?
fn is_namespaced(rule: &RuleWithOperations<'_>) -> bool {
    rule.scope.as_ref().is_none_or(|scope| *scope != "Cluster")
        && rule
            .resources
            .iter()
            .any(|resource| !CLUSTER_RESOURCES.contains(&parts(resource).0))
}
