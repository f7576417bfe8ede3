//! What happened in a run, in order, as data.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use serde::Serialize;

use slicewise::model::{NamespacedName, Text};
use slicewise::plan::apply::FailedWrite;
use slicewise::plan::writing::StoredSlice;
use slicewise::topology::events::EventType;
use slicewise_live::api_server::{ApiError, Refusal, StoreOutcome};
use slicewise_live::controller::SyncOutcome;

use super::clock::millis;
use super::scenario::Act;
use super::sums::Writes;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
#[schemars(rename = "Entry")]
pub struct TimelineEntry {
    /// The time, in virtual milliseconds since the start.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: TimelineEntryKind,
}

/// What happened, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "what", rename_all = "camelCase")]
#[non_exhaustive]
#[schemars(rename = "What")]
pub enum TimelineEntryKind {
    /// An action of the scenario.
    Action(ActionEntry),
    /// A sync of a Service ended, and wrote something or failed.
    Sync(SyncEntry),
    /// A retry of a Service was scheduled.
    Retry(RetryEntry),
    /// The controller published an event.
    Event(EventEntry),
    /// The controller listed a kind.
    List(ListEntry),
    /// A slice was edited manually.
    Edit(EditEntry),
}

macro_rules! entries {
    ($($(#[$meta:meta])* pub struct $Name:ident { $($(#[$field_meta:meta])* pub $field:ident: $Type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(inline)]
        pub struct $Name {
            $($(#[$field_meta])* pub $field: $Type,)*
        }
    )*};
}

entries! {
    /// An action of the scenario.
    #[non_exhaustive]
    pub struct ActionEntry {
        /// The name of the action, such as `deletePods`.
        pub action: String,
        /// Its index in the scenario's `actions`, from 0.
        pub number: u64,
        /// The Service it is about.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub service: Option<String>,
        /// The node it is about.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub node: Option<String>,
        /// The zone it is about.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub zone: Option<String>,
        /// The number of replicas, pods or nodes it names.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub count: Option<u64>,
    }

    /// A sync that wrote something or failed.
    #[non_exhaustive]
    pub struct SyncEntry {
        /// The Service, as `namespace/name`.
        pub service: String,
        /// `success`, `stale`, `error`, or `dropped` if it failed too often; `null` if the sync was abandoned because
        /// the controller restarted.
        pub result: Option<String>,
        /// The number of writes, as the API server saw them. A write that was made but reported as refused counts as
        /// both.
        pub writes: Writes,
        /// The names of the slices created.
        pub created: Vec<String>,
        /// The names of the slices updated.
        pub updated: Vec<String>,
        /// The names of the slices deleted.
        pub deleted: Vec<String>,
        /// Writes that were refused, except creates that were refused because the namespace is being deleted, which is
        /// not an error.
        pub refused: Vec<RefusedWrite>,
        /// The number of endpoints in the slices created and updated.
        pub endpoints: u64,
        /// The bytes of these slices, as JSON.
        pub bytes: u64,
    }

    /// A write that was refused.
    #[non_exhaustive]
    pub struct RefusedWrite {
        /// `create`, `update` or `delete`.
        pub operation: String,
        /// The name of the slice; for a create, the prefix of its name.
        pub slice: String,
        /// The API server's reason, such as `Conflict`.
        pub reason: String,
        /// The API server's message.
        pub message: String,
    }

    /// A scheduled retry of a Service.
    #[non_exhaustive]
    pub struct RetryEntry {
        /// The Service, as `namespace/name`.
        pub service: String,
        /// The number of the retry, from 1.
        pub retries: u32,
        /// The delay in milliseconds.
        pub after: u64,
    }

    /// An event that was published.
    #[non_exhaustive]
    pub struct EventEntry {
        /// The Service it is about.
        pub service: String,
        /// The severity.
        #[serde(rename = "type")]
        pub event_type: EventType,
        /// The reason, in CamelCase.
        pub reason: String,
        /// The message.
        pub message: String,
    }

    /// A list of all objects of a kind.
    #[non_exhaustive]
    pub struct ListEntry {
        /// The kind: `Service`, `Pod`, `Node` or `EndpointSlice`.
        pub kind: String,
        /// The number of objects listed.
        pub objects: u64,
    }

    /// A slice that was edited manually.
    #[non_exhaustive]
    pub struct EditEntry {
        /// Its Service.
        pub service: String,
        /// Its name.
        pub slice: String,
        /// The edit: `empty`, `label`, `annotate` or `delete`.
        pub edit: String,
    }
}

impl ActionEntry {
    pub(super) fn new(number: usize, name: &str, act: Act<'_, '_>) -> Self {
        let own = |text: &Text<'_>| Some(text.to_string());
        let mut entry = Self {
            action: name.to_owned(),
            number: number as u64,
            service: None,
            node: None,
            zone: None,
            count: None,
        };
        match act {
            Act::Scale(act) => {
                entry.service = own(&act.service);
                entry.count = Some(act.replicas.into());
            }
            Act::UnreadyPods(act) | Act::DeletePods(act) => {
                entry.service = own(&act.service);
                entry.count = Some(act.count.unwrap_or(1).into());
            }
            Act::RelabelPods(act) => {
                entry.service = own(&act.service);
                entry.count = Some(act.count.unwrap_or(1).into());
            }
            Act::RollingUpdate(act) => entry.service = own(&act.service),
            Act::ChangeService(act) => entry.service = own(&act.service),
            Act::CreateService(act) => entry.service = own(&act.service),
            Act::DeleteService(act) => entry.service = own(&act.service),
            Act::EditSlices(act) => entry.service = own(&act.service),
            Act::DrainNodes(choice)
            | Act::FailNodes(choice)
            | Act::RecoverNodes(choice)
            | Act::ChangeNodes(choice)
            | Act::RemoveNodes(choice) => {
                entry.node = choice.node.as_ref().and_then(own);
                entry.zone = choice.zone.as_ref().and_then(own);
                entry.count = choice.count.map(u64::from);
            }
            Act::AddNodes(act) => {
                entry.zone = own(&act.zone);
                entry.count = Some(act.count.unwrap_or(1).into());
            }
            Act::RefuseWrites(_)
            | Act::SetWatch(_)
            | Act::RestartController
            | Act::Resync
            | Act::DeleteEverything => {}
        }
        entry
    }
}

impl SyncEntry {
    fn empty(service: &NamespacedName) -> Self {
        Self {
            service: service.to_string(),
            result: None,
            writes: Writes::default(),
            created: Vec::new(),
            updated: Vec::new(),
            deleted: Vec::new(),
            refused: Vec::new(),
            endpoints: 0,
            bytes: 0,
        }
    }

    /// The writes of a sync; its result, counts and bytes follow later.
    pub(super) fn of(service: &NamespacedName, outcome: &StoreOutcome) -> Self {
        let (applied, failures) = match outcome {
            Ok(applied) => (applied, &[][..]),
            Err(error) => (&error.applied, &error.failures[..]),
        };
        let names = |slices: &[StoredSlice]| {
            let names = slices.iter().map(|slice| slice.metadata.name.to_string());
            names.collect()
        };
        let written = applied.created.iter().chain(&applied.updated);
        Self {
            created: names(&applied.created),
            updated: names(&applied.updated),
            deleted: applied
                .deleted
                .iter()
                .map(|slice| slice.name.to_string())
                .collect(),
            refused: failures.iter().map(RefusedWrite::of).collect(),
            endpoints: written.map(|slice| slice.endpoints.len() as u64).sum(),
            ..Self::empty(service)
        }
    }
}

impl RefusedWrite {
    fn of(failure: &FailedWrite<ApiError>) -> Self {
        Self {
            operation: failure.operation.to_owned(),
            slice: failure.slice.clone(),
            reason: reason(failure.error.refusal).to_owned(),
            message: failure.error.to_string(),
        }
    }
}

const fn reason(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Conflict => "Conflict",
        Refusal::AlreadyExists => "AlreadyExists",
        Refusal::NotFound => "NotFound",
        Refusal::NamespaceTerminating => "NamespaceTerminating",
        Refusal::Invalid => "Invalid",
        Refusal::ServerError => "ServerError",
    }
}

/// What has happened so far, if it is recorded.
#[derive(Debug)]
pub(super) struct TimelineLog {
    /// `None` if it is not recorded.
    entries: Option<Vec<TimelineEntry>>,
    /// The index of a Service's latest writes, if their sync has not ended yet.
    open: BTreeMap<NamespacedName, usize>,
}

impl TimelineLog {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self {
            entries: is_wanted.then(Vec::new),
            open: BTreeMap::new(),
        }
    }

    pub(super) const fn is_wanted(&self) -> bool {
        self.entries.is_some()
    }

    pub(super) fn note(&mut self, at: Duration, what: impl FnOnce() -> TimelineEntryKind) {
        if let Some(entries) = &mut self.entries {
            entries.push(TimelineEntry {
                at: millis(at),
                what: what(),
            });
        }
    }

    /// Records the writes of a sync, whether made or refused.
    pub(super) fn written(&mut self, at: Duration, service: &NamespacedName, written: SyncEntry) {
        let place = self.entries.as_ref().map(Vec::len);
        if let Some(place) = place {
            self.open.insert(service.clone(), place);
        }
        self.note(at, || TimelineEntryKind::Sync(written));
    }

    /// Records the end of a sync, which is immediately after its writes. Successful syncs without writes are not
    /// recorded.
    pub(super) fn ended(&mut self, at: Duration, service: &NamespacedName, result: &str) {
        let place = self.open.remove(service);
        let entries = self.entries.as_mut();
        let entry = entries.and_then(|entries| entries.get_mut(place?));
        if let Some(TimelineEntry { at: then, what }) = entry
            && let TimelineEntryKind::Sync(sync) = what
            && *then == millis(at)
        {
            sync.result = Some(result.to_owned());
        } else if result != SyncOutcome::Success.as_str() {
            let ended = || SyncEntry {
                result: Some(result.to_owned()),
                ..SyncEntry::empty(service)
            };
            self.note(at, || TimelineEntryKind::Sync(ended()));
        }
    }

    /// The controller restarts: the ends of pending syncs will not be reported.
    pub(super) fn forget_syncs(&mut self) {
        self.open.clear();
    }

    /// What has happened since the last call. A sync that ends later gets its own entry, unless it succeeds.
    pub(super) fn drain(&mut self) -> Vec<TimelineEntry> {
        self.open.clear();
        self.entries.as_mut().map(mem::take).unwrap_or_default()
    }

    pub(super) fn take(&mut self) -> Vec<TimelineEntry> {
        mem::take(&mut self.entries).unwrap_or_default()
    }
}
