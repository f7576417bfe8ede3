//! The rules, each one of Kubernetes' good practices for admission webhooks that a configuration shows.

/// A rule.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LintRule {
    /// Its name.
    pub id: &'static str,
    /// The practice.
    pub practice: &'static str,
    /// Is it only about mutating webhooks?
    pub mutating_only: bool,
}

impl LintRule {
    /// Is it about configurations of this kind?
    pub fn applies_to(&self, kind: &str) -> bool {
        !self.mutating_only || kind.starts_with("Mutating")
    }
}

const fn rule(id: &'static str, practice: &'static str) -> LintRule {
    LintRule {
        id,
        practice,
        mutating_only: false,
    }
}

/// All rules: what could deadlock, what is matched, how the webhook is called, where it is.
pub const RULES: [LintRule; 33] = [
    rule("own-pods", "the webhook's own pods can start without it"),
    rule(
        "own-endpoints",
        "the webhook's own Service gets its endpoints without it",
    ),
    rule("own-repair", "the webhook can be repaired while it is down"),
    rule("kube-system", "objects in kube-system are not matched"),
    rule(
        "kubernetes-service",
        "the API servers can publish their own addresses without the webhook",
    ),
    rule(
        "leases",
        "node heartbeats and leader election are not matched",
    ),
    rule("node-status", "status updates of nodes are not matched"),
    rule("nodes", "nodes can join and be tainted without the webhook"),
    rule(
        "namespaces",
        "namespaces can be created and deleted without the webhook",
    ),
    rule(
        "outage-path",
        "failed pods are taken out of service without the webhook",
    ),
    rule(
        "dependency-loop",
        "no two webhooks intercept each other's pods",
    ),
    rule("authentication", "token and access reviews are not matched"),
    rule(
        "events",
        "events, which webhooks may emit themselves, are not matched",
    ),
    rule(
        "connect",
        "exec, port forwarding and proxying work without the webhook",
    ),
    rule("wildcard", "rules name groups, resources and operations"),
    rule("rules", "every rule is valid and matches something"),
    rule(
        "namespace-selector",
        "the webhook is limited to some namespaces",
    ),
    rule(
        "kubernetes-guarded",
        "a webhook that guards slices also guards those of `default/kubernetes`",
    ),
    rule(
        "object-selector",
        "the author of an object cannot exempt it",
    ),
    rule(
        "match-conditions",
        "requests are filtered before the webhook is called",
    ),
    rule("match-policy", "all versions of a resource match"),
    rule("failure-policy", "the failure policy is set explicitly"),
    LintRule {
        mutating_only: true,
        ..rule(
            "fail-open",
            "mutating webhooks fail open; a validating one checks the final state",
        )
    },
    rule("timeout", "the timeout is a few seconds at most"),
    rule("side-effects", "dry runs have no side effects"),
    rule("review-versions", "the webhook reads admission.k8s.io/v1"),
    LintRule {
        mutating_only: true,
        ..rule(
            "reinvocation",
            "mutation is idempotent and order-independent",
        )
    },
    rule(
        "consolidate",
        "webhooks that differ only in their rules are merged",
    ),
    rule("names", "names are fully qualified and unique"),
    rule("unknown-field", "all fields are known to the API server"),
    rule("client", "the webhook has one valid address, over HTTPS"),
    rule("balanced", "the webhook is load-balanced behind a Service"),
    rule(
        "ca-bundle",
        "the CA of the webhook's certificate is present and valid",
    ),
];
