//! Since when something could have been written, and when its slice was last written, as far as the input tells.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::Scene;
use super::unwritten::Item;
use slicewise::model::time::Timestamp;
use slicewise::model::{EndpointSlice, Text, keys};
use slicewise::plan::explanation::ExplanationCode as Code;
use slicewise::slim_object;

slim_object! {
    /// Who wrote an object, and when.
    #[derive(Clone, Debug, Default)]
    struct Managed<'a>("managed fields entry") {
        "manager" manager: Text<'a>;
        "time" time: Option<Timestamp>;
    }
}

/// The usual controller's name as a writer and of its lease.
const CONTROLLER: &str = "kube-controller-manager";

/// A write of a slice.
pub(super) struct SliceWrite {
    pub(super) time: Timestamp,
    /// Who wrote it, if known.
    pub(super) by: String,
}

/// When a slice was last written: the latest of its managed fields, otherwise its creation.
pub(super) fn last_write(slice: &EndpointSlice<'_>) -> Option<SliceWrite> {
    let unknown = &slice.metadata.unknown;
    let managed = unknown.iter().find(|(key, _)| *key == "managedFields");
    let managed = managed.and_then(|(_, raw)| serde_json::from_str::<Vec<Managed<'_>>>(raw).ok());
    let writes = managed.into_iter().flatten().filter_map(|managed| {
        Some(SliceWrite {
            time: managed.time?,
            by: managed.manager.to_string(),
        })
    });
    let created = slice.metadata.creation_timestamp.as_deref();
    let created = created.and_then(Timestamp::parse).map(|time| SliceWrite {
        time,
        by: String::new(),
    });
    writes.chain(created).max_by_key(|write| write.time)
}

/// Since when it could have been written, and the evidence for that.
fn since(scene: &Scene<'_>, item: &Item<'_>) -> Option<(Timestamp, String)> {
    // Hints and zones depend on nodes, ports and labels on the Service: no pod shows when those changed.
    if !matches!(
        item.code,
        Code::NotWrittenEndpoint | Code::NotWrittenCondition
    ) {
        return None;
    }
    of_pod(scene, &item.name)
}

/// Since when a pod could have been in a slice as it is.
fn of_pod(scene: &Scene<'_>, name: &str) -> Option<(Timestamp, String)> {
    let namespace = &*scene.case.service.metadata.namespace;
    let detail = scene.case.details.pod((namespace, name))?;
    let ready = detail.condition("Ready");
    let changed = ready.and_then(|ready| Timestamp::parse(&ready.last_transition_time));
    if let Some(time) = changed {
        return Some((time, format!("Ready condition of Pod {name}")));
    }
    let created = Timestamp::parse(&detail.metadata.creation_timestamp)?;
    Some((created, format!("creation of Pod {name}")))
}

/// Since when the first of what is not written could have been written.
pub(super) fn first_due(scene: &Scene<'_>) -> Option<Timestamp> {
    let due = scene.unwritten.iter().filter_map(|item| since(scene, item));
    // A whole slice could have been written for the first of its pods.
    let mut items = scene.unwritten.iter();
    let is_slice = items.any(|item| item.code == Code::NotWrittenSlice);
    let pods = scene.case.selected.iter().filter(|_| is_slice);
    let pods = pods.filter_map(|pod| of_pod(scene, &pod.metadata.name));
    due.chain(pods).map(|(time, _)| time).min()
}

/// What the input tells about the time of some differences, in a sentence or two; empty if nothing.
pub(super) fn in_words(scene: &Scene<'_>, items: &[&Item<'_>]) -> String {
    let due = items
        .iter()
        .filter_map(|item| since(scene, item))
        .max_by_key(|(time, _)| *time);
    let slices = scene.own.iter().filter(|slice| {
        let mut items = items.iter();
        items.any(|item| {
            item.slice
                .as_deref()
                .is_none_or(|name| name == slice.name())
        })
    });
    let last = slices
        .filter_map(|slice| last_write(slice).map(|write| (write, slice)))
        .max_by(|(one, _), (other, _)| one.time.cmp(&other.time));
    let mut words = String::new();
    if let Some((time, what)) = &due {
        words.push_str(&format!(
            " It could have been written since {time} ({what})."
        ));
    }
    if let Some((write, slice)) = &last {
        let by = if write.by.is_empty() {
            String::new()
        } else {
            format!(" by {}", write.by)
        };
        let name = slice.name();
        words.push_str(&format!(
            " Slice {name} was last written at {}{by}",
            write.time
        ));
        if let Some(trigger) = slice
            .metadata
            .annotations
            .get(keys::TRIGGER_TIME_ANNOTATION)
        {
            words.push_str(&format!(", for a change of {trigger}"));
        }
        if let Some(generation) = slice.metadata.generation {
            words.push_str(&format!(", generation {generation}"));
        }
        match &due {
            Some((time, _)) if *time > write.time => words.push_str(
                ": before that. Its controller is behind, has stopped, or has lost its lease.",
            ),
            Some(_) => words.push_str(
                ": after that. Its writer saw something else (a stale cache, another selector), or another client has overwritten it.",
            ),
            None => words.push('.'),
        }
        let manager = scene.case.options.settings().managed_by;
        if manager == keys::DEFAULT_MANAGED_BY && !matches!(&*write.by, "" | CONTROLLER) {
            words.push_str(" That was not the controller.");
        }
    }
    if let Some(lease) = scene.case.details.lease(CONTROLLER) {
        let (holder, renewed) = (&lease.spec.holder, &lease.spec.renewed);
        words.push_str(&format!(
            " The lease {CONTROLLER} was last renewed at {renewed} by {holder}"
        ));
        let is_lost = due.as_ref().is_some_and(|(time, _)| {
            Timestamp::parse(renewed).is_some_and(|renewed| renewed < *time)
        });
        words.push_str(if is_lost {
            ", before this could have been written: no controller is working."
        } else {
            "."
        });
    }
    words.trim_start().to_string()
}
