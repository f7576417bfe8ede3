//! Scheduled events.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::model::NamespacedName;
use slicewise::plan::Plan;
use slicewise_live::api_server::StoredChange;
use slicewise_live::controller::{ClusterEvent, Controller, Kind, Reception};

/// What a watch delivers.
#[derive(Clone, Debug)]
pub(super) enum News {
    Event(Box<ClusterEvent<'static>>),
    /// A slice, shared with the server that stores it.
    Slice(StoredChange),
}

impl News {
    /// Delivers it to a controller.
    pub(super) fn tell(self, controller: &mut Controller, now: Duration) -> Reception {
        match self {
            Self::Event(event) => controller.handle(*event, now),
            Self::Slice(change) => controller.handle_change(&change, now),
        }
    }
}

/// Something that happens at a scheduled time.
#[derive(Debug)]
pub(super) enum Happening {
    /// An action of the scenario, by its number.
    Act(usize),
    /// A pod gets its address.
    Address(u32),
    /// A pod becomes ready.
    Ready(u32),
    /// A pod passes its readiness probe again.
    Recovered(u32),
    /// A deleted pod ends.
    Gone(u32),
    /// The pods of a workload move a step closer to the desired state.
    Step(usize),
    /// The next pod of a node is evicted, and the following ones at this interval.
    Evict(usize, Duration),
    /// Nodes that are down are marked not ready.
    Noticed(Vec<usize>),
    /// The pods of nodes that are down are deleted.
    Abandoned(Vec<usize>),
    /// News reach the controller, if they were sent on the current watch.
    Deliver {
        /// The watched kind.
        kind: Kind,
        /// The number of the watch.
        watch: u32,
        /// The news.
        news: News,
    },
    /// A broken watch is detected, and the kind is listed.
    Relist(Kind),
    /// The writes of a sync take effect.
    Write(NamespacedName, Box<Plan<'static>>),
    /// Gauges are sampled.
    Sample,
}

/// Scheduled events sorted by time; those at the same time stay in the order they were entered.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    entries: BTreeMap<(Duration, u64), Happening>,
    entered: u64,
    /// The number of samples, which do not keep a run going by themselves.
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

    /// Are only samples left?
    pub(super) fn is_idle(&self) -> bool {
        self.entries.len() == self.samples
    }
}
