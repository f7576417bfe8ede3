//! Webhooks that wait for each other: each has to run before the other's pods can start.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::deadlocks::{excluding_namespaces, own_namespace};
use super::reach::{NeededWrite, ObjectLocation, User, called};
use super::{LintInput, LintSeverity, WebhookReport, listed, said};
use crate::webhooks::Webhook;
use slicewise::model::order::{sort, sorted_unique};

/// The indices of a configuration and of a webhook in it.
type Position = (usize, usize);

/// Which webhooks wait for which.
pub(super) struct Loops {
    webhooks: Vec<LoopMember>,
}

struct LoopMember {
    at: Position,
    /// `ValidatingWebhookConfiguration/name, webhook`.
    title: String,
    namespace: String,
    /// The webhooks whose pods do not start without this one, and whether that is certain.
    blocks: Vec<(usize, bool)>,
}

/// Finds out which webhooks wait for which. A webhook that fails open blocks nothing.
pub(super) fn find(given: &LintInput<'_>) -> Loops {
    let mut found: Vec<(Position, String, &str, &Webhook<'_>)> = Vec::new();
    for (place, configuration) in given.configurations.iter().enumerate() {
        for (index, webhook) in configuration.webhooks.iter().enumerate() {
            if let Some(namespace) = own_namespace(webhook).filter(|_| webhook.fails_closed()) {
                let title = format!("{} of {}", webhook.name, configuration.metadata.name);
                found.push(((place, index), title, namespace, webhook));
            }
        }
    }
    let blocks = |blocker: &(Position, String, &str, &Webhook<'_>)| {
        let others = found
            .iter()
            .enumerate()
            .filter(|(_, (.., namespace, _))| *namespace != blocker.2);
        let blocked = others.filter_map(|(other, (.., namespace, _))| {
            let write = NeededWrite {
                group: "",
                resource: "pods",
                operation: "CREATE",
                user: User::Named("system:serviceaccount:kube-system:replicaset-controller"),
                place: ObjectLocation::In(namespace),
            };
            let called = called(blocker.3, &write, &given.namespaces)?;
            Some((other, called.perhaps.is_none()))
        });
        blocked.collect()
    };
    let webhooks = found.iter().map(|each| LoopMember {
        at: each.0,
        title: each.1.clone(),
        namespace: each.2.into(),
        blocks: blocks(each),
    });
    Loops {
        webhooks: webhooks.collect(),
    }
}

impl Loops {
    /// Reports the loop that a webhook is in, if any.
    pub(super) fn check(&self, at: Position, report: &mut WebhookReport<'_>) {
        let Some(own) = self.webhooks.iter().position(|member| member.at == at) else {
            return;
        };
        for is_certain in [true, false] {
            let reached = self.reached(own, is_certain);
            let members = reached
                .iter()
                .filter(|other| **other != own && self.reached(**other, is_certain).contains(&own));
            let members: Vec<&LoopMember> = members
                .filter_map(|other| self.webhooks.get(*other))
                .collect();
            if members.is_empty() {
                continue;
            }
            let titles: Vec<String> = members
                .iter()
                .map(|member| format!("`{}`", member.title))
                .collect();
            let namespaces = sorted_unique(members.iter().map(|member| member.namespace.as_str()));
            let (severity, may) = if is_certain {
                (LintSeverity::Error, "")
            } else {
                (LintSeverity::Warning, "may ")
            };
            let message = format!(
                "it and {} {may}intercept the creation of each other's pods, and fail closed: once all of them are down, none can start",
                listed(&titles)
            );
            let mend = "exclude the namespaces of the others from at least one of them";
            let said = said(message, mend).with(excluding_namespaces(&namespaces));
            report.add("dependency-loop", severity, "/namespaceSelector", said);
            return;
        }
    }

    /// The webhooks that wait for one, directly or indirectly.
    fn reached(&self, from: usize, only_certain: bool) -> Vec<usize> {
        let (mut reached, mut open) = (Vec::new(), Vec::from([from]));
        while let Some(member) = open.pop() {
            let blocks = self
                .webhooks
                .get(member)
                .map(|member| member.blocks.as_slice());
            for (other, is_certain) in blocks.unwrap_or_default() {
                if (*is_certain || !only_certain) && !reached.contains(other) {
                    reached.push(*other);
                    open.push(*other);
                }
            }
        }
        sort(&mut reached);
        reached
    }
}
