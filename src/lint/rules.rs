//! The rules, each a row of Kubernetes' good practices for admission webhooks that can be seen in a configuration.

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name.
    pub id: &'static str,
    /// The practice.
    pub practice: &'static str,
    /// Is it about mutating webhooks alone?
    pub mutating_only: bool,
}

impl Rule {
    /// Is it about configurations of this kind?
    pub fn applies_to(&self, kind: &str) -> bool {
        !self.mutating_only || kind.starts_with("Mutating")
    }
}

const fn rule(id: &'static str, practice: &'static str) -> Rule {
    Rule {
        id,
        practice,
        mutating_only: false,
    }
}

/// All rules: what could deadlock, what is matched, how it is called, where it is.
pub const RULES: [Rule; 31] = [
    rule("own-pods", "the webhook's pods start without it"),
    rule(
        "own-endpoints",
        "the endpoints of the webhook's own Service are published without it",
    ),
    rule(
        "own-repair",
        "what the webhook runs on can be mended without it",
    ),
    rule("kube-system", "objects in kube-system are left alone"),
    rule(
        "leases",
        "heartbeats of nodes and elections of leaders are left alone",
    ),
    rule("node-status", "status updates of nodes are left alone"),
    rule("nodes", "nodes can join and be tainted without the webhook"),
    rule(
        "namespaces",
        "namespaces can be created and deleted without the webhook",
    ),
    rule(
        "outage-path",
        "pods that fail lose their traffic without the webhook",
    ),
    rule(
        "dependency-loop",
        "no two webhooks wait for each other's pods",
    ),
    rule(
        "authentication",
        "reviews of tokens and access are left alone",
    ),
    rule(
        "events",
        "events, which webhooks cause themselves, are left alone",
    ),
    rule(
        "connect",
        "exec, port forwarding and proxying work without the webhook",
    ),
    rule("wildcard", "rules name groups, resources and operations"),
    rule("rules", "every rule matches something"),
    rule(
        "namespace-selector",
        "the webhook is limited to some namespaces",
    ),
    rule(
        "object-selector",
        "those who write an object cannot exempt it",
    ),
    rule(
        "match-conditions",
        "requests are filtered before the webhook is called",
    ),
    rule("match-policy", "all versions of a resource match"),
    rule(
        "failure-policy",
        "the failure policy is chosen, not defaulted",
    ),
    Rule {
        mutating_only: true,
        ..rule(
            "fail-open",
            "mutating webhooks fail open; a validating one checks the final state",
        )
    },
    rule("timeout", "the API server waits a few seconds at most"),
    rule("side-effects", "dry runs have no side effects"),
    rule("review-versions", "the webhook reads admission.k8s.io/v1"),
    Rule {
        mutating_only: true,
        ..rule(
            "reinvocation",
            "mutation is idempotent, and independent of order",
        )
    },
    rule("consolidate", "webhooks that differ in rules alone are one"),
    rule("names", "names are fully qualified, and each is there once"),
    rule("unknown-field", "all fields are known to the API server"),
    rule(
        "client",
        "the webhook is reached over HTTPS, by Service or by URL",
    ),
    rule(
        "balanced",
        "several replicas behind a ClusterIP Service answer",
    ),
    rule(
        "ca-bundle",
        "the authority of the webhook's certificate is known and valid",
    ),
];
