//! Writes that a cluster lives by, and that would wait for the webhook.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::needed::{NEEDED, Needed, Where};
use super::reach::{Called, Namespaces, Perhaps, Place, User, Write, called};
use super::{Report, Said, Severity, listed, said};
use crate::model::webhooks::Webhook;

/// How long the API server waits when nothing is said.
pub(super) const DEFAULT_TIMEOUT: i32 = 10;

/// What it means that a webhook is called for the writes of a rule.
struct Concern {
    rule: &'static str,
    /// When it fails closed, and when it fails open.
    severity: (Severity, Option<Severity>),
    /// What happens while it does not answer, and refuses.
    consequence: &'static str,
    remedy: Remedy,
}

/// How to mend it.
enum Remedy {
    /// Leave namespaces out: the webhook's own, and these.
    Namespaces(bool, &'static [&'static str]),
    /// Leave users out.
    Users,
    /// Leave out of the rules what is matched.
    Rules(&'static str),
}

const CONCERNS: [Concern; 12] = [
    Concern {
        rule: "own-pods",
        severity: (Severity::Error, Some(Severity::Info)),
        consequence: "once its pods are gone, none can start again",
        remedy: Remedy::Namespaces(true, &[]),
    },
    Concern {
        rule: "own-endpoints",
        severity: (Severity::Error, Some(Severity::Info)),
        consequence: "its Service keeps the endpoints of pods that are gone, and never gets those of new ones",
        remedy: Remedy::Namespaces(true, &[]),
    },
    Concern {
        rule: "own-repair",
        severity: (Severity::Warning, None),
        consequence: "what is wrong with it cannot be mended without deleting this configuration",
        remedy: Remedy::Namespaces(true, &[]),
    },
    Concern {
        rule: "kube-system",
        severity: (Severity::Error, Some(Severity::Info)),
        consequence: "the network, DNS and the control plane's add-ons, which it needs itself, cannot be brought back",
        remedy: Remedy::Namespaces(false, &["kube-system"]),
    },
    Concern {
        rule: "leases",
        severity: (Severity::Error, Some(Severity::Warning)),
        consequence: "nodes count as dead, and the scheduler and the controllers lose their leaders",
        remedy: Remedy::Namespaces(false, &["kube-node-lease", "kube-system"]),
    },
    Concern {
        rule: "node-status",
        severity: (Severity::Error, Some(Severity::Warning)),
        consequence: "kubelets cannot tell that their nodes are ready; every one of them calls it all the time",
        remedy: Remedy::Rules("match `nodes`, not `nodes/status`, `nodes/*` or `*/*`"),
    },
    Concern {
        rule: "nodes",
        severity: (Severity::Error, None),
        consequence: "no node can join, and the pods of a node that is dead, its own included, are not moved away",
        remedy: Remedy::Rules("match nodes in a webhook of their own with `failurePolicy: Ignore`"),
    },
    Concern {
        rule: "namespaces",
        severity: (Severity::Warning, None),
        consequence: "no namespace can be created, and none that is being deleted goes",
        remedy: Remedy::Rules(
            "match namespaces in a webhook of their own with `failurePolicy: Ignore`",
        ),
    },
    Concern {
        rule: "outage-path",
        severity: (Severity::Error, Some(Severity::Warning)),
        consequence: "pods that fail keep their traffic, in every namespace that is matched",
        remedy: Remedy::Users,
    },
    Concern {
        rule: "authentication",
        severity: (Severity::Error, Some(Severity::Warning)),
        consequence: "nobody who shows a token gets in anywhere, before Kubernetes v1.37; later versions do not ask",
        remedy: Remedy::Rules(
            "leave the groups authentication.k8s.io and authorization.k8s.io out of the rules",
        ),
    },
    Concern {
        rule: "events",
        severity: (Severity::Warning, Some(Severity::Info)),
        consequence: "events are lost, those that tell of the outage first",
        remedy: Remedy::Rules(
            "leave events out of the rules: they are many, and a webhook that writes some calls itself",
        ),
    },
    Concern {
        rule: "connect",
        severity: (Severity::Warning, Some(Severity::Info)),
        consequence: "nobody can look into a pod to find out why",
        remedy: Remedy::Rules("leave CONNECT out of the operations"),
    },
];

/// Looks for writes that a cluster lives by.
pub(super) fn check(report: &mut Report<'_>, namespaces: &Namespaces<'_>) {
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
            (false, Severity::Error) => Some(Severity::Warning),
            (false, Severity::Warning) => Some(Severity::Info),
            // That something nobody minds may be so is nothing to tell.
            (false, Severity::Info) => None,
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

fn write_of<'w>(needed: &'w Needed, webhook: &'w Webhook<'_>) -> Option<Write<'w>> {
    let place = match needed.place {
        Where::Own => Place::In(own_namespace(webhook)?),
        Where::In(namespace) => Place::In(namespace),
        Where::Somewhere => Place::Somewhere,
        Where::Cluster => Place::Cluster,
    };
    Some(Write {
        group: needed.group,
        resource: needed.resource,
        operation: needed.operation,
        user: needed.user,
        place,
    })
}

fn tell(concern: &Concern, calls: &[(Write<'_>, Called)], webhook: &Webhook<'_>) -> Said {
    let mut writes: Vec<String> = Vec::new();
    for (write, _) in calls {
        let text = match write.place {
            Place::In(namespace) => {
                format!("{} of {} in {namespace}", write.operation, write.resource)
            }
            Place::Somewhere | Place::Cluster => {
                format!("{} of {}", write.operation, write.resource)
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
        "may be called"
    } else {
        "is called"
    };
    let message = if webhook.fails_closed() {
        let consequence = concern.consequence;
        format!(
            "it {what} for {writes}{unless}, and fails closed: while it does not answer, {consequence}"
        )
    } else {
        let seconds = webhook.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT);
        format!(
            "it {what} for {writes}{unless}: while it does not answer, each of these waits up to {seconds} s"
        )
    };
    let own = own_namespace(webhook).unwrap_or_default();
    match concern.remedy {
        Remedy::Namespaces(is_own, others) => {
            let own = Some(own).filter(|_| is_own);
            let names: Vec<&str> = own.into_iter().chain(others.iter().copied()).collect();
            let mend = format!(
                "leave {} out by the label that every namespace has",
                listed_names(&names)
            );
            said(message, mend).with(excluding_namespaces(&names))
        }
        Remedy::Users => {
            let users: Vec<User> = calls.iter().map(|(write, _)| write.user).collect();
            said(message, "leave out those who write it").with(excluding_users(&users))
        }
        Remedy::Rules(mend) => said(message, mend),
    }
}

const fn unless(perhaps: Perhaps) -> &'static str {
    match perhaps {
        Perhaps::NamespaceSelector => {
            " unless the namespace's labels exempt it, which are not known (give the Namespace in the same input)"
        }
        Perhaps::ObjectSelector => " unless the labels of the object exempt it",
        Perhaps::MatchConditions => {
            " unless a match condition exempts it, by more than names of users, namespaces and resources"
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

/// A selector that leaves namespaces out.
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
    use crate::lint::RULES;

    #[test]
    fn what_is_needed_concerns_somebody() {
        for needed in &NEEDED {
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
