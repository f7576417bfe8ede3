//! What happened, in a sentence.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slicewise::words::counted_in_thousands;
use slicewise_live::controller::SyncOutcome;

use super::report::{ActionEntry, EditEntry, SyncEntry, TimelineEntryKind};

impl TimelineEntryKind {
    /// What happened, as a sentence for people, without a full stop.
    pub fn message(&self) -> String {
        match self {
            Self::Action(action) => action.message(),
            Self::Sync(sync) => sync.message(),
            Self::Retry(retry) => format!(
                "{}: retry {} in {} ms",
                retry.service, retry.retries, retry.after
            ),
            Self::Event(event) => format!(
                "{}: event {:?} {}: {}",
                event.service, event.event_type, event.reason, event.message
            ),
            Self::List(list) => {
                format!(
                    "the controller lists {}",
                    counted_in_thousands(list.objects, &list.kind)
                )
            }
            Self::Edit(edit) => edit.message(),
        }
    }
}

impl ActionEntry {
    fn message(&self) -> String {
        let service = self.service.as_deref().unwrap_or_default();
        let pods = || counted_in_thousands(self.count.unwrap_or(1), "pod");
        match self.action.as_str() {
            "scale" => format!("{service} is scaled to {}", pods()),
            "rollingUpdate" => format!("a rolling update of {service} begins"),
            "unreadyPods" => format!("{} of {service} fail readiness probes", pods()),
            "deletePods" => format!("{} of {service} deleted", pods()),
            "relabelPods" => format!("{} of {service} relabeled", pods()),
            "changeService" => format!("Service {service} is changed"),
            "createService" => format!("Service {service} is created"),
            "deleteService" => format!("Service {service} is deleted"),
            "editSlices" => format!("someone edits slices of {service}"),
            "drainNodes" => format!("{} drained", self.nodes()),
            "failNodes" => format!("{} down", self.nodes()),
            "recoverNodes" => format!("{} back", self.nodes()),
            "changeNodes" => format!("{} get a different CPU", self.nodes()),
            "removeNodes" => format!("{} removed", self.nodes()),
            "addNodes" => format!("{} added", self.nodes()),
            "refuseWrites" => "the API server refuses writes".into(),
            "setWatch" => "the watches behave differently".into(),
            "restartController" => "the controller restarts".into(),
            "resync" => "the controller receives all objects again".into(),
            "deleteEverything" => "everything is deleted".into(),
            other => other.into(),
        }
    }

    /// The affected nodes.
    fn nodes(&self) -> String {
        let zone = self.zone.as_deref().unwrap_or_default();
        match (&self.node, self.count) {
            (Some(node), _) => format!("node {node}"),
            (None, Some(count)) => {
                format!("{} of zone {zone}", counted_in_thousands(count, "node"))
            }
            (None, None) => format!("all nodes of zone {zone}"),
        }
    }
}

impl SyncEntry {
    fn message(&self) -> String {
        let (writes, result) = (&self.writes, self.result.as_deref());
        let counts = [
            (writes.create, "created"),
            (writes.update, "updated"),
            (writes.delete, "deleted"),
        ];
        let made = counts.into_iter().filter(|(count, _)| *count > 0);
        let mut parts: Vec<String> = made
            .enumerate()
            .map(|(number, (count, verb))| match number {
                0 => format!("{} {verb}", counted_in_thousands(count, "slice")),
                _ => format!("{count} {verb}"),
            })
            .collect();
        if self.bytes > 0 {
            parts.push(counted_in_thousands(self.bytes, "byte"));
        }
        if writes.refused > 0 {
            let reason = self.refused.first().map(|refused| refused.reason.as_str());
            let why = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
            parts.push(format!(
                "{} refused{why}",
                counted_in_thousands(writes.refused, "write")
            ));
        }
        let wrote = parts.len();
        match result {
            None => parts.push("abandoned".into()),
            Some("stale") => parts.push("skipped: the known slices are out of date".into()),
            Some("dropped") => parts.push("given up after too many failures".into()),
            Some(result) if result == SyncOutcome::Success.as_str() => {}
            Some(_) if wrote == 0 => parts.push("failed".into()),
            Some(_) => parts.push("to be retried".into()),
        }
        format!("{}: {}", self.service, parts.join(", "))
    }
}

impl EditEntry {
    fn message(&self) -> String {
        let done = match self.edit.as_str() {
            "empty" => "emptied",
            "label" => "labeled",
            "annotate" => "annotated",
            "delete" => "deleted",
            other => other,
        };
        format!("slice {} {done} by hand", self.slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Writes;

    #[test]
    fn syncs_tell_what_was_written_and_how_they_ended() {
        let check = |writes: [u64; 4], bytes, result: Option<&str>, expected: &str| {
            let [create, update, delete, refused] = writes;
            let sync = SyncEntry {
                service: "shop/cart".into(),
                result: result.map(Into::into),
                writes: Writes {
                    create,
                    update,
                    delete,
                    refused,
                },
                created: Vec::new(),
                updated: Vec::new(),
                deleted: Vec::new(),
                refused: Vec::new(),
                endpoints: 0,
                bytes,
            };
            assert_eq!(TimelineEntryKind::Sync(sync).message(), expected);
        };
        check(
            [1, 2, 0, 0],
            1_234_567,
            Some("success"),
            "shop/cart: 1 slice created, 2 updated, 1,234,567 bytes",
        );
        check(
            [0, 0, 1, 1],
            0,
            Some("error"),
            "shop/cart: 1 slice deleted, 1 write refused, to be retried",
        );
        check(
            [0; 4],
            0,
            Some("stale"),
            "shop/cart: skipped: the known slices are out of date",
        );
        check([0; 4], 0, Some("error"), "shop/cart: failed");
        check(
            [0, 1, 0, 0],
            999,
            None,
            "shop/cart: 1 slice updated, 999 bytes, abandoned",
        );
    }

    #[test]
    fn actions_name_what_they_are_about() {
        let check = |action: &str, zone: Option<&str>, count, expected: &str| {
            let entry = ActionEntry {
                action: action.into(),
                number: 0,
                service: zone.is_none().then(|| "shop/cart".into()),
                node: None,
                zone: zone.map(Into::into),
                count,
            };
            assert_eq!(TimelineEntryKind::Action(entry).message(), expected);
        };
        check("scale", None, Some(1), "shop/cart is scaled to 1 pod");
        check("failNodes", Some("c"), None, "all nodes of zone c down");
        check("addNodes", Some("c"), Some(8), "8 nodes of zone c added");
        check(
            "unreadyPods",
            None,
            Some(1200),
            "1,200 pods of shop/cart fail readiness probes",
        );
    }
}
