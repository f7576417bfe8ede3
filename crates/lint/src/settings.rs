//! How a webhook is called: policies, timeout, versions, names.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::deadlocks::DEFAULT_TIMEOUT;
use super::{LintFinding, LintSeverity, WebhookReport, listed, said};
use crate::webhooks::{Webhook, WebhookConfiguration};
use slicewise::model::unknown::Unknown;

/// No webhook should take longer.
const LONG_TIMEOUT: i32 = 5;
/// The maximum that the API server accepts.
const MAX_TIMEOUT: i32 = 30;

/// Checks everything about one webhook except its rules.
pub(super) fn check(report: &mut WebhookReport<'_>, configuration: &WebhookConfiguration<'_>) {
    let is_mutating = configuration.kind.starts_with("Mutating");
    check_failure_policy(report, is_mutating);
    check_timeout(report);
    check_values(report);
    check_reinvocation(report, is_mutating);
    check_consolidation(report, configuration);
    check_names(report, configuration);
    check_unknown(report);
}

fn check_failure_policy(report: &mut WebhookReport<'_>, is_mutating: bool) {
    let policy = report
        .webhook
        .failure_policy
        .as_ref()
        .map(|policy| policy.as_str());
    let path = "/failurePolicy";
    match policy {
        None => {
            let message = "failurePolicy is not set, so it defaults to Fail: everything it matches stops when it does";
            let said = said(
                message,
                "set it: Ignore to begin with, Fail once the webhook has proved itself",
            )
            .with("failurePolicy: Ignore\n");
            report.add("failure-policy", LintSeverity::Warning, path, said);
        }
        Some("Ignore" | "Fail") => {}
        Some(_) => refused(report, "failure-policy", path, "Ignore or Fail"),
    }
    if is_mutating && report.webhook.fails_closed() {
        let message = "it mutates and fails closed: while it is down, even objects that need no mutation are rejected";
        let said = said(
            message,
            "let it fail open, and check the final state with a validating webhook or policy",
        )
        .with("failurePolicy: Ignore\n");
        report.add("fail-open", LintSeverity::Warning, path, said);
    }
}

fn check_timeout(report: &mut WebhookReport<'_>) {
    let given = report.webhook.timeout_seconds;
    let seconds = given.unwrap_or(DEFAULT_TIMEOUT);
    let path = "/timeoutSeconds";
    if !(1..=MAX_TIMEOUT).contains(&seconds) {
        return refused(report, "timeout", path, "a number from 1 to 30");
    }
    if seconds > LONG_TIMEOUT {
        let by = if given.is_some() { "" } else { ", the default" };
        let message = format!(
            "the API server waits up to {seconds} s{by}: while it hangs, every write it matches takes that long, and controllers fall behind"
        );
        let said = said(message, "allow no more time than a slow answer needs")
            .with("timeoutSeconds: 2\n");
        report.add("timeout", LintSeverity::Warning, path, said);
    }
}

fn check_values(report: &mut WebhookReport<'_>) {
    let webhook = report.webhook;
    match webhook.match_policy.as_ref().map(|policy| policy.as_str()) {
        None | Some("Equivalent") => {}
        Some("Exact") => {
            let message = "only the versions named in the rules match: writing another version of the same resource bypasses it";
            let said = said(message, "use Equivalent, which is the default")
                .with("matchPolicy: Equivalent\n");
            report.add("match-policy", LintSeverity::Warning, "/matchPolicy", said);
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
            let message = "it has side effects, which remain if the request fails later";
            let said = said(
                message,
                "move them to a controller, which acts on what was actually written",
            );
            report.add("side-effects", LintSeverity::Info, "/sideEffects", said);
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
        let message = "it does not accept admission.k8s.io/v1, the only version that API servers have sent since v1.22";
        let said = said(message, "accept v1").with("admissionReviewVersions: [v1]\n");
        report.add(
            "review-versions",
            LintSeverity::Error,
            "/admissionReviewVersions",
            said,
        );
    }
}

fn check_reinvocation(report: &mut WebhookReport<'_>, is_mutating: bool) {
    let policy = report
        .webhook
        .reinvocation_policy
        .as_ref()
        .map(|policy| policy.as_str());
    let path = "/reinvocationPolicy";
    match policy {
        Some(_) if !is_mutating => {
            let message = "validating webhooks have no reinvocationPolicy: the API server drops or rejects it";
            report.add(
                "unknown-field",
                LintSeverity::Warning,
                path,
                said(message, "remove it"),
            );
        }
        None | Some("Never") => {}
        Some("IfNeeded") => {
            let message = "it is called again if later webhooks change the object, and then sees its own changes";
            let said = said(message, "make sure that a second call changes nothing more");
            report.add("reinvocation", LintSeverity::Info, path, said);
        }
        Some(_) => refused(report, "reinvocation", path, "Never or IfNeeded"),
    }
}

/// An earlier webhook that only differs in name and rules.
fn check_consolidation(report: &mut WebhookReport<'_>, configuration: &WebhookConfiguration<'_>) {
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
            "it differs from `{}` only in its rules: requests that both match are sent twice",
            twin.name
        );
        report.add(
            "consolidate",
            LintSeverity::Info,
            "/rules",
            said(message, "merge the rules into one webhook"),
        );
    }
}

fn check_names(report: &mut WebhookReport<'_>, configuration: &WebhookConfiguration<'_>) {
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
        let message = "its name is not fully qualified (three labels at least): the API server rejects the configuration";
        let said = said(message, "name it under a domain that you own")
            .with("name: slices.webhook.example.com\n");
        report.add("names", LintSeverity::Error, "/name", said);
    }
    if configuration
        .webhooks
        .iter()
        .take(report.index)
        .any(|other| other.name == *name)
    {
        let message = "another webhook of the configuration has the same name: the API server rejects the configuration";
        report.add(
            "names",
            LintSeverity::Error,
            "/name",
            said(message, "give each its own name"),
        );
    }
}

fn check_unknown(report: &mut WebhookReport<'_>) {
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

fn unknown(report: &mut WebhookReport<'_>, fields: &Unknown<'_>, path: &str) {
    let names: Vec<String> = fields.iter().map(|(name, _)| format!("`{name}`")).collect();
    if !names.is_empty() {
        let message = format!(
            "the API server does not know {} and drops or rejects it",
            listed(&names)
        );
        report.add(
            "unknown-field",
            LintSeverity::Warning,
            path,
            said(message, "check the spelling"),
        );
    }
}

/// A value that the API server does not accept.
fn refused(report: &mut WebhookReport<'_>, rule: &'static str, path: &str, taken: &str) {
    let field = path.trim_start_matches('/');
    let message = format!("{field} is missing or has a value that the API server rejects");
    report.add(
        rule,
        LintSeverity::Error,
        path,
        said(message, format!("use {taken}")),
    );
}

/// Findings about the configuration rather than one of its webhooks.
pub(super) fn of_configuration(configuration: &WebhookConfiguration<'_>) -> Vec<LintFinding> {
    let names: Vec<String> = configuration
        .unknown
        .iter()
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    let mut findings = Vec::new();
    let mut add = |rule, path: &str, message: String, mend: &str| {
        findings.push(LintFinding {
            rule,
            severity: LintSeverity::Warning,
            path: path.into(),
            webhook: String::new(),
            message,
            mend: mend.to_string(),
            yaml: String::new(),
        });
    };
    if !names.is_empty() {
        let message = format!(
            "the API server does not know {} and drops or rejects it",
            listed(&names)
        );
        add("unknown-field", "", message, "check the spelling");
    }
    if configuration.webhooks.is_empty() {
        add(
            "rules",
            "/webhooks",
            "it has no webhooks, so nothing is checked".into(),
            "add webhooks, or delete it",
        );
    }
    findings
}
