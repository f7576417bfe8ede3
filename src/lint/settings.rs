//! How a webhook is called: policies, timeout, versions, names.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::deadlocks::DEFAULT_TIMEOUT;
use super::{Finding, Report, Severity, listed, said};
use crate::model::object::Unknown;
use crate::model::webhooks::{Webhook, WebhookConfiguration};

/// Longer than any webhook should take.
const LONG_TIMEOUT: i32 = 5;
/// The longest that the API server takes.
const MAX_TIMEOUT: i32 = 30;

/// Looks at everything that is said of one webhook but its rules.
pub(super) fn check(report: &mut Report<'_>, configuration: &WebhookConfiguration<'_>) {
    let is_mutating = configuration.kind.starts_with("Mutating");
    check_failure_policy(report, is_mutating);
    check_timeout(report);
    check_values(report);
    check_reinvocation(report, is_mutating);
    check_consolidation(report, configuration);
    check_names(report, configuration);
    check_unknown(report);
}

fn check_failure_policy(report: &mut Report<'_>, is_mutating: bool) {
    let policy = report
        .webhook
        .failure_policy
        .as_ref()
        .map(|policy| policy.as_str());
    let path = "/failurePolicy";
    match policy {
        None => {
            let message = "nothing is said of failures: it fails closed, so that whatever it is called for stops when it does";
            let said = said(
                message,
                "choose: Ignore to begin with, Fail once it has proved itself",
            )
            .with("failurePolicy: Ignore\n");
            report.add("failure-policy", Severity::Warning, path, said);
        }
        Some("Ignore" | "Fail") => {}
        Some(_) => refused(report, "failure-policy", path, "Ignore or Fail"),
    }
    if is_mutating && report.webhook.fails_closed() {
        let message = "it mutates and fails closed: objects that need no mutation are refused while it does not answer";
        let said = said(
            message,
            "let it fail open, and have a validating webhook or policy check the final state",
        )
        .with("failurePolicy: Ignore\n");
        report.add("fail-open", Severity::Warning, path, said);
    }
}

fn check_timeout(report: &mut Report<'_>) {
    let given = report.webhook.timeout_seconds;
    let seconds = given.unwrap_or(DEFAULT_TIMEOUT);
    let path = "/timeoutSeconds";
    if !(1..=MAX_TIMEOUT).contains(&seconds) {
        return refused(report, "timeout", path, "between 1 and 30");
    }
    if seconds > LONG_TIMEOUT {
        let by = if given.is_some() { "" } else { ", the default" };
        let message = format!(
            "the API server waits up to {seconds} s{by}: each write that it is called for takes that long while it hangs, and controllers fall behind"
        );
        let said =
            said(message, "wait no longer than a slow answer takes").with("timeoutSeconds: 2\n");
        report.add("timeout", Severity::Warning, path, said);
    }
}

fn check_values(report: &mut Report<'_>) {
    let webhook = report.webhook;
    match webhook.match_policy.as_ref().map(|policy| policy.as_str()) {
        None | Some("Equivalent") => {}
        Some("Exact") => {
            let message = "only the versions that the rules name match: who writes another version of the same resource is not checked";
            let said = said(message, "match equivalent versions, or leave it out")
                .with("matchPolicy: Equivalent\n");
            report.add("match-policy", Severity::Warning, "/matchPolicy", said);
        }
        Some(_) => refused(
            report,
            "match-policy",
            "/matchPolicy",
            "Equivalent or Exact",
        ),
    }
    match webhook
        .side_effects
        .as_ref()
        .map(|effects| effects.as_str())
    {
        Some("None") => {}
        Some("NoneOnDryRun") => {
            let message =
                "it has side effects, which other requests that fail later cannot take back";
            let said = said(
                message,
                "leave them to a controller, which sees what was written",
            );
            report.add("side-effects", Severity::Info, "/sideEffects", said);
        }
        _ => refused(
            report,
            "side-effects",
            "/sideEffects",
            "None or NoneOnDryRun",
        ),
    }
    let versions = &webhook.review_versions;
    if !versions.iter().any(|version| *version == "v1") {
        let message = "it does not read admission.k8s.io/v1, the only version that API servers speak since v1.22";
        let said = said(message, "let it read v1").with("admissionReviewVersions: [v1]\n");
        report.add(
            "review-versions",
            Severity::Error,
            "/admissionReviewVersions",
            said,
        );
    }
}

fn check_reinvocation(report: &mut Report<'_>, is_mutating: bool) {
    let policy = report
        .webhook
        .reinvocation_policy
        .as_ref()
        .map(|policy| policy.as_str());
    let path = "/reinvocationPolicy";
    match policy {
        Some(_) if !is_mutating => {
            let message = "a validating webhook has no reinvocationPolicy: the API server drops or refuses it";
            report.add(
                "unknown-field",
                Severity::Warning,
                path,
                said(message, "take it out"),
            );
        }
        None | Some("Never") => {}
        Some("IfNeeded") => {
            let message = "it is called again when others have changed the object after it: it sees its own changes";
            let said = said(message, "make sure that a second call changes nothing");
            report.add("reinvocation", Severity::Info, path, said);
        }
        Some(_) => refused(report, "reinvocation", path, "Never or IfNeeded"),
    }
}

/// Another webhook before this one that differs in name and rules alone.
fn check_consolidation(report: &mut Report<'_>, configuration: &WebhookConfiguration<'_>) {
    fn essence<'w, 'a>(webhook: &'w Webhook<'a>) -> impl PartialEq + use<'w, 'a> {
        (
            (
                webhook.client.as_ref(),
                webhook.failure_policy.as_ref(),
                webhook.match_policy.as_ref(),
            ),
            (
                webhook.namespace_selector.as_ref(),
                webhook.object_selector.as_ref(),
            ),
            (webhook.timeout_seconds, webhook.match_conditions.as_slice()),
        )
    }
    let own = essence(report.webhook);
    let twin = configuration
        .webhooks
        .iter()
        .take(report.index)
        .find(|other| essence(other) == own);
    if let Some(twin) = twin {
        let message = format!(
            "it differs from `{}` in its rules alone: what both match is sent twice",
            twin.name
        );
        report.add(
            "consolidate",
            Severity::Info,
            "/rules",
            said(message, "write the rules of both into one"),
        );
    }
}

fn check_names(report: &mut Report<'_>, configuration: &WebhookConfiguration<'_>) {
    let name = &report.webhook.name;
    let is_label = |label: &str| {
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !label.is_empty()
            && label.bytes().all(is_plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if name.split('.').count() < 3 || !name.split('.').all(is_label) {
        let message = "its name has no three labels with dots between them: the API server refuses the configuration";
        let said = said(message, "name it under a domain of yours")
            .with("name: slices.webhook.example.com\n");
        report.add("names", Severity::Error, "/name", said);
    }
    if configuration
        .webhooks
        .iter()
        .take(report.index)
        .any(|other| other.name == *name)
    {
        let message = "another webhook of the configuration has its name: the API server refuses the configuration";
        report.add(
            "names",
            Severity::Error,
            "/name",
            said(message, "give each a name of its own"),
        );
    }
}

fn check_unknown(report: &mut Report<'_>) {
    let webhook = report.webhook;
    unknown(report, &webhook.unknown, "");
    if let Some(client) = &webhook.client {
        unknown(report, &client.unknown, "/clientConfig");
        if let Some(service) = &client.service {
            unknown(report, &service.unknown, "/clientConfig/service");
        }
    }
    for (number, rule) in webhook.rules.iter().enumerate() {
        unknown(report, &rule.unknown, &format!("/rules/{number}"));
    }
    let selectors = [
        ("/namespaceSelector", &webhook.namespace_selector),
        ("/objectSelector", &webhook.object_selector),
    ];
    for (path, selector) in selectors {
        let Some(selector) = selector else { continue };
        unknown(report, &selector.unknown, path);
        for (number, requirement) in selector.match_expressions.iter().enumerate() {
            unknown(
                report,
                &requirement.unknown,
                &format!("{path}/matchExpressions/{number}"),
            );
        }
    }
    for (number, condition) in webhook.match_conditions.iter().enumerate() {
        unknown(
            report,
            &condition.unknown,
            &format!("/matchConditions/{number}"),
        );
    }
}

fn unknown(report: &mut Report<'_>, fields: &Unknown<'_>, path: &str) {
    let names: Vec<String> = fields.iter().map(|(name, _)| format!("`{name}`")).collect();
    if !names.is_empty() {
        let message = format!(
            "the API server does not know {}, and drops or refuses it",
            listed(&names)
        );
        report.add(
            "unknown-field",
            Severity::Warning,
            path,
            said(message, "look for a slip of the keyboard"),
        );
    }
}

/// A value that the API server does not take.
fn refused(report: &mut Report<'_>, rule: &'static str, path: &str, taken: &str) {
    let field = path.trim_start_matches('/');
    let message = format!("{field} is missing, or has a value that the API server refuses");
    report.add(
        rule,
        Severity::Error,
        path,
        said(message, format!("{field} is {taken}")),
    );
}

/// What is about no webhook of it.
pub(super) fn of_configuration(configuration: &WebhookConfiguration<'_>) -> Vec<Finding> {
    let names: Vec<String> = configuration
        .unknown
        .iter()
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let mut findings = Vec::new();
    let mut add = |rule, path: &str, message: String, mend: &str| {
        findings.push(Finding {
            rule,
            severity: Severity::Warning,
            path: path.into(),
            webhook: String::new(),
            message,
            mend: mend.to_string(),
            yaml: String::new(),
        });
    };
    if !names.is_empty() {
        let message = format!(
            "the API server does not know {}, and drops or refuses it",
            listed(&names)
        );
        add(
            "unknown-field",
            "",
            message,
            "look for a slip of the keyboard",
        );
    }
    if configuration.webhooks.is_empty() {
        add(
            "rules",
            "/webhooks",
            "there are no webhooks in it: nothing is checked".into(),
            "write webhooks, or delete it",
        );
    }
    findings
}
