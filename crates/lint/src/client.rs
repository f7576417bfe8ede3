//! The address of a webhook, and the CA that its certificate is verified with.

use super::{LintSeverity, WebhookReport, certificate, said};
use crate::webhooks::{ClientConfig, WebhookConfiguration};
use slicewise::model::Timestamp;

/// Annotations that make another component inject the CA bundle.
const INJECTED: [&str; 4] = [
    "cert-manager.io/inject-ca-from",
    "cert-manager.io/inject-ca-from-secret",
    "cert-manager.io/inject-apiserver-ca",
    "service.beta.openshift.io/inject-cabundle",
];

/// Checks the address and the CA bundle.
pub(super) fn check(
    report: &mut WebhookReport<'_>,
    configuration: &WebhookConfiguration<'_>,
    now: Option<Timestamp>,
) {
    let path = "/clientConfig";
    let Some(client) = &report.webhook.client else {
        let mend = "name a Service, or a URL";
        return report.add(
            "client",
            LintSeverity::Error,
            path,
            said(
                "clientConfig is missing: the API server rejects the configuration",
                mend,
            ),
        );
    };
    match (&client.service, &client.url) {
        (Some(service), None) => {
            if service.namespace.is_empty() || service.name.is_empty() {
                let message = "its Service has no namespace or no name: the API server rejects the configuration";
                report.add(
                    "client",
                    LintSeverity::Error,
                    "/clientConfig/service",
                    said(message, "set both"),
                );
            }
        }
        (None, Some(url)) => check_url(report, url),
        _ => {
            let message = "it has both a Service and a URL, or neither: the API server rejects the configuration";
            report.add(
                "client",
                LintSeverity::Error,
                path,
                said(message, "set exactly one of them"),
            );
        }
    }
    check_authority(report, client, configuration, now);
}

fn check_url(report: &mut WebhookReport<'_>, url: &str) {
    let path = "/clientConfig/url";
    let rest = url.strip_prefix("https://");
    let host = rest
        .and_then(|rest| rest.split('/').next())
        .unwrap_or_default();
    if host.is_empty() || url.contains(['?', '#', '@']) {
        let message = "the URL is not https://HOST/PATH, or has a user, query or fragment: the API server rejects it";
        return report.add(
            "client",
            LintSeverity::Error,
            path,
            said(message, "write https://HOST:PORT/PATH"),
        );
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if name == "localhost" || name.starts_with("127.") || name == "[::1]" {
        let message = "localhost is the API server's own machine: with several API servers, each calls its own";
        let mend = "run it on every control plane machine, or use a Service";
        return report.add("balanced", LintSeverity::Warning, path, said(message, mend));
    }
    let message =
        "it is called by URL: load balancing, and reachability when DNS is down, are up to you";
    report.add(
        "balanced",
        LintSeverity::Info,
        path,
        said(
            message,
            "inside the cluster, use a Service with several replicas",
        ),
    );
}

fn check_authority(
    report: &mut WebhookReport<'_>,
    client: &ClientConfig<'_>,
    configuration: &WebhookConfiguration<'_>,
    now: Option<Timestamp>,
) {
    let path = "/clientConfig/caBundle";
    let bundle = client
        .ca_bundle
        .as_ref()
        .map(|bundle| bundle.as_str())
        .filter(|bundle| !bundle.is_empty());
    let Some(bundle) = bundle else {
        let annotations = &configuration.metadata.annotations;
        let is_injected = INJECTED.iter().any(|name| annotations.contains_key(*name));
        if client.service.is_some() && !is_injected {
            let message = "caBundle is missing: the API server falls back to its system roots, none of which signs for a Service";
            let said = said(message, "set it to the CA in base64, or have cert-manager inject it")
                .with("metadata:\n  annotations:\n    cert-manager.io/inject-ca-from: NAMESPACE/CERTIFICATE\n");
            report.add("ca-bundle", LintSeverity::Warning, path, said);
        }
        return;
    };
    for (severity, message, mend) in certificate::check(bundle, now) {
        report.add("ca-bundle", severity, path, said(message, mend));
    }
}
