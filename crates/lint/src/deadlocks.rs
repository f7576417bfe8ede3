//! Writes that a cluster depends on, and that would wait for the webhook.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::needed::{NEEDED, Needed, WriteLocation};
use super::reach::{Namespaces, NeededWrite, ObjectLocation, Perhaps, User, WebhookCall, called};
use super::{FindingText, LintSeverity, WebhookReport, listed, said};
use crate::webhooks::Webhook;

/// The API server's default timeout.
pub(super) const DEFAULT_TIMEOUT: i32 = 10;

/// The consequences if a webhook is called for the writes of a rule.
struct DeadlockConcern {
    rule: &'static str,
    /// The severity if it fails closed, and if it fails open.
    severity: (LintSeverity, Option<LintSeverity>),
    /// What happens while it does not answer and fails closed.
    consequence: &'static str,
    remedy: Remedy,
}

/// A way to fix it.
enum Remedy {
    /// Exclude namespaces: the webhook's own, and these.
    Namespaces(bool, &'static [&'static str]),
    /// Exclude users.
    Users,
    /// Exclude the matched resources from the rules.
    Rules(&'static str),
}

const CONCERNS: [DeadlockConcern; 13] = [
    DeadlockConcern {
        rule: "own-pods",
        severity: (LintSeverity::Error, Some(LintSeverity::Info)),
        consequence: "its own pods cannot start",
        remedy: Remedy::Namespaces(true, &[]),
    },
    DeadlockConcern {
        rule: "own-endpoints",
        severity: (LintSeverity::Error, Some(LintSeverity::Info)),
        consequence: "its own Service keeps stale endpoints and never gets those of new pods",
        remedy: Remedy::Namespaces(true, &[]),
    },
    DeadlockConcern {
        rule: "own-repair",
        severity: (LintSeverity::Warning, None),
        consequence: "it cannot be repaired without deleting this configuration first",
        remedy: Remedy::Namespaces(true, &[]),
    },
    DeadlockConcern {
        rule: "kube-system",
        severity: (LintSeverity::Error, Some(LintSeverity::Info)),
        consequence: "the network, DNS and other add-ons that it depends on cannot be restored",
        remedy: Remedy::Namespaces(false, &["kube-system"]),
    },
    DeadlockConcern {
        rule: "kubernetes-service",
        severity: (LintSeverity::Error, None),
        consequence: "the API servers cannot restore `default/kubernetes` after they move, and nothing in the cluster, the webhook included, finds them",
        remedy: Remedy::Users,
    },
    DeadlockConcern {
        rule: "leases",
        severity: (LintSeverity::Error, Some(LintSeverity::Warning)),
        consequence: "nodes are marked dead, and the scheduler and controllers lose their leader leases",
        remedy: Remedy::Namespaces(false, &["kube-node-lease", "kube-system"]),
    },
    DeadlockConcern {
        rule: "node-status",
        severity: (LintSeverity::Error, Some(LintSeverity::Warning)),
        consequence: "kubelets cannot report their nodes as ready; each of them triggers it every few seconds",
        remedy: Remedy::Rules("match `nodes`, not `nodes/status`, `nodes/*` or `*/*`"),
    },
    DeadlockConcern {
        rule: "nodes",
        severity: (LintSeverity::Error, None),
        consequence: "no node can join, and pods on a dead node, its own included, are not evicted",
        remedy: Remedy::Rules("match nodes in a separate webhook with `failurePolicy: Ignore`"),
    },
    DeadlockConcern {
        rule: "namespaces",
        severity: (LintSeverity::Warning, None),
        consequence: "namespaces can be neither created nor deleted",
        remedy: Remedy::Rules(
            "match namespaces in a separate webhook with `failurePolicy: Ignore`",
        ),
    },
    DeadlockConcern {
        rule: "outage-path",
        severity: (LintSeverity::Error, Some(LintSeverity::Warning)),
        consequence: "failed pods keep receiving traffic in every namespace it matches",
        remedy: Remedy::Users,
    },
    DeadlockConcern {
        rule: "authentication",
        severity: (LintSeverity::Error, Some(LintSeverity::Warning)),
        consequence: "token authentication and access reviews fail (before Kubernetes v1.37, which no longer sends them to webhooks)",
        remedy: Remedy::Rules(
            "remove the groups authentication.k8s.io and authorization.k8s.io from the rules",
        ),
    },
    DeadlockConcern {
        rule: "events",
        severity: (LintSeverity::Warning, Some(LintSeverity::Info)),
        consequence: "events are lost, including those about the outage",
        remedy: Remedy::Rules(
            "remove events from the rules: there are many of them, and a webhook that emits events triggers itself",
        ),
    },
    DeadlockConcern {
        rule: "connect",
        severity: (LintSeverity::Warning, Some(LintSeverity::Info)),
        consequence: "nobody can exec into a pod to find out why",
        remedy: Remedy::Rules("remove CONNECT from the operations"),
    },
];

/// Looks for writes that a cluster depends on.
pub(super) fn check(report: &mut WebhookReport<'_>, namespaces: &Namespaces<'_>) {
    let webhook = report.webhook;
    for concern in &CONCERNS {
        let writes = NEEDED.iter().filter(|needed| needed.rule == concern.rule);
        let calls: Vec<_> = writes
            .filter_map(|needed| {
                let write = write_of(needed, webhook)?;
                Some((write, called(webhook, &write, namespaces)?))
            })
            .collect();
        let is_certain = calls.iter().any(|(_, called)| called.perhaps.is_none());
        let calls: Vec<_> = calls
            .into_iter()
            .filter(|(_, called)| called.perhaps.is_none() == is_certain)
            .collect();
        let closed = webhook.fails_closed();
        let severity = match (closed, concern.severity) {
            (true, (severity, _)) => Some(severity),
            (false, (_, severity)) => severity,
        };
        let severity = severity.and_then(|severity| match (is_certain, severity) {
            (true, severity) => Some(severity),
            (false, LintSeverity::Error) => Some(LintSeverity::Warning),
            (false, LintSeverity::Warning) => Some(LintSeverity::Info),
            // A possibility without harm is not worth reporting.
            (false, LintSeverity::Info) => None,
        });
        if let (Some(severity), Some((_, first))) = (severity, calls.first()) {
            let path = format!("/rules/{}", first.rule);
            let said = tell(concern, &calls, webhook);
            report.add(concern.rule, severity, &path, said);
        }
    }
}

/// The namespace of a webhook's Service.
pub(super) fn own_namespace<'w>(webhook: &'w Webhook<'_>) -> Option<&'w str> {
    let service = webhook.client.as_ref()?.service.as_ref()?;
    Some(service.namespace.as_str()).filter(|namespace| !namespace.is_empty())
}

fn write_of<'w>(needed: &'w Needed, webhook: &'w Webhook<'_>) -> Option<NeededWrite<'w>> {
    let place = match needed.place {
        WriteLocation::Own => ObjectLocation::In(own_namespace(webhook)?),
        WriteLocation::In(namespace) => ObjectLocation::In(namespace),
        WriteLocation::Somewhere => ObjectLocation::Somewhere,
        WriteLocation::Cluster => ObjectLocation::Cluster,
    };
    Some(NeededWrite {
        group: needed.group,
        resource: needed.resource,
        operation: needed.operation,
        user: needed.user,
        place,
    })
}

fn tell(
    concern: &DeadlockConcern,
    calls: &[(NeededWrite<'_>, WebhookCall)],
    webhook: &Webhook<'_>,
) -> FindingText {
    let mut writes: Vec<String> = Vec::new();
    for (write, _) in calls {
        let text = match write.place {
            ObjectLocation::In(namespace) => {
                format!("{} {} in {namespace}", write.operation, write.resource)
            }
            ObjectLocation::Somewhere | ObjectLocation::Cluster => {
                format!("{} {}", write.operation, write.resource)
            }
        };
        if !writes.contains(&text) {
            writes.push(text);
        }
    }
    let writes = listed(&writes);
    let perhaps = calls.iter().find_map(|(_, called)| called.perhaps);
    let unless = perhaps.map(unless).unwrap_or_default();
    let what = if perhaps.is_some() {
        "may intercept"
    } else {
        "intercepts"
    };
    let message = if webhook.fails_closed() {
        let consequence = concern.consequence;
        format!("it {what} {writes}{unless}, and fails closed: while it is down, {consequence}")
    } else {
        let seconds = webhook.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT);
        format!(
            "it {what} {writes}{unless}: while it is down, each of these writes waits up to {seconds} s"
        )
    };
    let own = own_namespace(webhook).unwrap_or_default();
    match concern.remedy {
        Remedy::Namespaces(is_own, others) => {
            let own = Some(own).filter(|_| is_own);
            let names: Vec<&str> = own.into_iter().chain(others.iter().copied()).collect();
            let mend = format!(
                "exclude {} by the name label that every namespace has",
                listed_names(&names)
            );
            said(message, mend).with(excluding_namespaces(&names))
        }
        Remedy::Users => {
            let users: Vec<User> = calls.iter().map(|(write, _)| write.user).collect();
            said(
                message,
                "exclude the control plane components that make these writes",
            )
            .with(excluding_users(&users))
        }
        Remedy::Rules(mend) => said(message, mend),
    }
}

const fn unless(perhaps: Perhaps) -> &'static str {
    match perhaps {
        Perhaps::NamespaceSelector => {
            " unless the labels of the namespace exempt it (add the Namespace to the input to find out)"
        }
        Perhaps::ObjectSelector => " unless the labels of the object exempt it",
        Perhaps::MatchConditions => {
            " unless a match condition that cannot be evaluated here exempts it"
        }
    }
}

fn listed_names(names: &[&str]) -> String {
    listed(
        &names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>(),
    )
}

/// A selector that excludes namespaces.
pub(super) fn excluding_namespaces(names: &[&str]) -> String {
    let names = names.join(", ");
    format!(
        "namespaceSelector:\n  matchExpressions:\n  - key: kubernetes.io/metadata.name\n    operator: NotIn\n    values: [{names}]\n"
    )
}

fn excluding_users(users: &[User]) -> String {
    let mut yaml = String::from("matchConditions:\n");
    let mut names: Vec<String> = Vec::new();
    for user in users {
        if let User::Named(name) = user {
            let quoted = format!("'{name}'");
            if !names.contains(&quoted) {
                names.push(quoted);
            }
        }
    }
    if !names.is_empty() {
        let names = names.join(", ");
        yaml.push_str(&format!(
            "- name: not-the-control-plane\n  expression: \"!(request.userInfo.username in [{names}])\"\n"
        ));
    }
    if users.iter().any(|user| matches!(user, User::Kubelet)) {
        yaml.push_str(
            "- name: no-kubelet\n  expression: \"!('system:nodes' in request.userInfo.groups)\"\n",
        );
    }
    yaml
}

#[cfg(test)]
mod tests {
    use super::{CONCERNS, NEEDED};
    use crate::RULES;

    #[test]
    fn what_is_needed_concerns_somebody() {
        for needed in NEEDED {
            assert!(
                CONCERNS.iter().any(|concern| concern.rule == needed.rule),
                "{}",
                needed.rule
            );
        }
        for concern in &CONCERNS {
            assert!(
                RULES.iter().any(|rule| rule.id == concern.rule),
                "{}",
                concern.rule
            );
        }
    }
}
