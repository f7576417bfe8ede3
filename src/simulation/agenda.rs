//! What is to happen, and when.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::time::Duration;

use super::api_server::Change;
use crate::controller::{Controller, Event, Kind, Reception};
use crate::model::NamespacedName;
use crate::plan::Plan;

/// What a watch tells.
#[derive(Clone, Debug)]
pub(super) enum News {
    Event(Box<Event<'static>>),
    /// A slice, shared with the server that stores it.
    Slice(Change),
}

impl News {
    /// Tells a controller.
    pub(super) fn tell(self, controller: &mut Controller, now: Duration) -> Reception {
        match self {
            Self::Event(event) => controller.handle(*event, now),
            Self::Slice(change) => change.tell(controller, now),
        }
    }
}

/// Something that happens at its time.
#[derive(Debug)]
pub(super) enum Happening {
    /// An action of the scenario, by its number.
    Act(usize),
    /// A pod has its address.
    Address(u32),
    /// A pod is ready.
    Ready(u32),
    /// A pod passes its readiness probe again.
    Recovered(u32),
    /// A pod that was deleted ends.
    Gone(u32),
    /// The pods of a workload are brought nearer to what they should be.
    Step(usize),
    /// The next pod of a node is evicted, and those after it so long apart.
    Evict(usize, Duration),
    /// Nodes that do not run are marked not ready.
    Noticed(Vec<usize>),
    /// The pods of nodes that do not run are deleted.
    Abandoned(Vec<usize>),
    /// News come to the controller, if their watch is still the one it was sent on.
    Deliver {
        /// What is watched.
        kind: Kind,
        /// Which watch of it.
        watch: u32,
        /// What it tells.
        news: News,
    },
    /// A broken watch is noticed, and the kind listed.
    Relist(Kind),
    /// The writes of a sync take effect.
    Write(NamespacedName, Box<Plan<'static>>),
    /// Gauges are noted.
    Sample,
}

/// Happenings in the order of their times; those of one time as they were entered.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    entries: BTreeMap<(Duration, u64), Happening>,
    entered: u64,
    /// How many entries are samples, which alone do not keep a run going.
    samples: usize,
}

impl Agenda {
    pub(super) fn enter(&mut self, at: Duration, happening: Happening) {
        self.samples += usize::from(matches!(happening, Happening::Sample));
        self.entries.insert((at, self.entered), happening);
        self.entered += 1;
    }

    pub(super) fn next_time(&self) -> Option<Duration> {
        self.entries.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn take_due(&mut self, now: Duration) -> Option<Happening> {
        let entry = self.entries.first_entry()?;
        if entry.key().0 > now {
            return None;
        }
        let happening = entry.remove();
        self.samples -= usize::from(matches!(happening, Happening::Sample));
        Some(happening)
    }

    /// Is there nothing but samples to come?
    pub(super) fn is_idle(&self) -> bool {
        self.entries.len() == self.samples
    }
}
