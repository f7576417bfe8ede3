//! The EndpointSlice controller as a state machine: events and the time go in, plans, events to publish and timers come
//! out, and the results of writes go back in. No threads, sockets or clock.
//!
//! There are four kinds of calls: [`Controller::handle`] takes an event; [`Controller::due`] returns what to do or
//! report, until it returns nothing; [`Controller::complete`] takes the result of a plan; [`Controller::next_timer`]
//! says when to call `due` again if nothing else happens. They may come in any order. Every call gets the time since
//! the controller's start; a time before the last one counts as that one.
//!
//! Invariants: a Service never has two syncs at once; a Service that needs a sync is in the queue; the state of a
//! Service is dropped with it. Reference: `pkg/controller/endpointslice/endpointslice_controller.go`.
//!
//! ```
//! use core::time::Duration;
//! use slicewise_live::controller::{Command, Config, Controller, ClusterEvent, Kind, PlanObject, Versioned};
//! use slicewise::model::Service;
//!
//! let mut controller = Controller::new(Config::default());
//! let now = Duration::ZERO;
//! for kind in [Kind::Pod, Kind::Node, Kind::EndpointSlice] {
//!     controller.handle(ClusterEvent::Listed { kind, objects: vec![], resource_version: "7".into() }, now);
//! }
//! let text = r#"{"metadata": {"namespace": "shop", "name": "cart"}, "spec": {"selector": {"app": "cart"}}}"#;
//! let service: Service<'_> = serde_json::from_str(text)?;
//! let objects = vec![Versioned::new(PlanObject::Service(service), "7")];
//! controller.handle(ClusterEvent::Listed { kind: Kind::Service, objects, resource_version: "7".into() }, now);
//!
//! let Some(Command::Sync { service, plan }) = controller.due(now) else { panic!("the Service is due") };
//! let outcome = plan.writing::<String>().finish(); // nothing is written in this example
//! assert!(controller.complete(&service, outcome, now));
//! assert!(matches!(controller.due(now), Some(Command::Ended { .. })));
//! assert!(controller.due(now).is_none());
//! # Ok::<(), serde_json::Error>(())
//! ```

#[cfg(doctest)]
mod guide;

mod change;
mod command;
mod config;
mod enqueue;
mod limiter;
#[doc(hidden)]
pub mod queue;
mod sync;

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use core::time::Duration;

pub use crate::session::event::{ClusterEvent, Kind, PlanObject, Reception, Versioned};
use command::Notice;
pub use command::{Command, ListError};
pub use config::{Config, RetryLimits};

pub use crate::metrics::SyncOutcome;

use slicewise::model::{EndpointSlice, NamespacedName};
use slicewise::plan::Plan;
use slicewise::tracker::{ListMoment, SliceTracker};

use crate::metrics::Metrics;
use crate::session::Session;
use crate::session::event::VersionedRef;
use crate::session::follow;
use queue::Queue;
use sync::PlanUnderWay;

/// The controller's state.
#[derive(Debug)]
pub struct Controller {
    config: Config,
    session: Session,
    tracker: SliceTracker,
    metrics: Metrics,
    queue: Queue<NamespacedName>,
    /// Kinds that must be listed before work begins.
    unsynced: BTreeSet<Kind>,
    /// The version of the list of slices that is being taken.
    slice_list: Option<ListMoment>,
    /// Pods that arrived before work began.
    early_pods: BTreeSet<NamespacedName>,
    /// Deleted Services; their state is dropped at their next sync.
    deleted: BTreeSet<NamespacedName>,
    /// Nodes have changed in a way that may overload Services (reference: the topology queue, whose one item this is).
    nodes_changed: bool,
    under_way: BTreeMap<NamespacedName, PlanUnderWay>,
    /// What to report before anything else.
    told: VecDeque<Notice>,
    now: Duration,
}

impl Controller {
    /// A controller that knows no objects yet.
    pub fn new(config: Config) -> Self {
        let waits_for = if config.wait_for_sync {
            &Kind::ALL[..]
        } else {
            &[]
        };
        let settings = config.options.settings();
        let metrics = Metrics::new(settings.max_endpoints_per_slice, settings.kubernetes);
        Self {
            session: Session::new(config.options.clone()),
            metrics,
            tracker: SliceTracker::default(),
            queue: Queue::new(config.retry),
            unsynced: waits_for.iter().copied().collect(),
            slice_list: None,
            early_pods: BTreeSet::new(),
            deleted: BTreeSet::new(),
            nodes_changed: false,
            under_way: BTreeMap::new(),
            told: VecDeque::new(),
            now: Duration::ZERO,
            config,
        }
    }

    /// The cluster as last seen.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Is a kind being listed in pieces?
    pub fn is_listing(&self, kind: Kind) -> bool {
        self.session.is_listing(kind)
    }

    /// Is any object of a kind known? A deleted Service that waits for its last sync is not.
    pub fn knows(&self, kind: Kind) -> bool {
        if kind != Kind::Service || self.deleted.is_empty() {
            return self.session.knows(kind);
        }
        let services = self.session.keys(kind);
        services
            .iter()
            .any(|service| !self.deleted.contains(service))
    }

    /// The metrics.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Kinds that must be listed before work begins, in order.
    pub fn unsynced(&self) -> impl Iterator<Item = Kind> {
        self.unsynced.iter().copied()
    }

    /// Takes an event and returns its effect; the state is consistent in any case.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "an event is taken once; callers have no use for it afterwards"
    )]
    pub fn handle(&mut self, event: ClusterEvent<'_>, now: Duration) -> Reception {
        self.advance(now);
        follow::take(self, &event)
    }

    /// Like [`Controller::handle`] for a slice that was added or changed, which is only borrowed.
    pub fn handle_slice(&mut self, slice: &EndpointSlice<'_>, now: Duration) -> Reception {
        self.advance(now);
        follow::set(self, VersionedRef::slice(slice))
    }

    /// The next thing to do or report; `None` if there is nothing until [`Controller::next_timer`], an event, or the
    /// result of a plan in progress.
    pub fn due(&mut self, now: Duration) -> Option<Command> {
        self.due_with(now, |plan| Box::new(plan.into_owned()))
    }

    /// Like [`Controller::due`], for callers that need not own a plan to write it: `keep` gets it while it borrows from
    /// the controller's state, and the command holds what `keep` returns.
    pub fn due_with<P>(
        &mut self,
        now: Duration,
        keep: impl FnOnce(Plan<'_>) -> P,
    ) -> Option<Command<P>> {
        self.advance(now);
        let service = loop {
            if let Some(told) = self.told.pop_front() {
                return Some(told.for_any());
            }
            if !self.unsynced.is_empty() {
                return None;
            }
            self.begin_work();
            if !self.config.has_room(self.under_way.len()) {
                return None;
            }
            let service = self.queue.get()?;
            if self.needs_plan(&service) {
                break service;
            }
        };
        let synced = self.session.sync_with(&service, |plan| {
            let under_way = PlanUnderWay::new(&plan);
            (under_way, keep(plan))
        });
        let Some((under_way, plan)) = synced else {
            self.queue.done(&service);
            return None;
        };
        self.under_way.insert(service.clone(), under_way);
        Some(Command::Sync { service, plan })
    }

    /// When to call [`Controller::due`] next if nothing else happens; the time of the last call if there is something
    /// to do already, `None` if there is nothing to wait for.
    pub fn next_timer(&self) -> Option<Duration> {
        if !self.told.is_empty() {
            return Some(self.now);
        }
        if !self.unsynced.is_empty() {
            return None;
        }
        let has_room = self.config.has_room(self.under_way.len());
        let has_work = self.nodes_changed || !self.early_pods.is_empty();
        if has_work || has_room && self.queue.ready() > 0 {
            return Some(self.now);
        }
        self.queue.next_timer()
    }

    /// Services whose plans are being written, by name.
    pub fn under_way(&self) -> impl Iterator<Item = &NamespacedName> {
        self.under_way.keys()
    }

    /// Are there no known objects, no remaining state, and nothing to do?
    pub fn is_empty(&self) -> bool {
        self.session.is_empty()
            && self.tracker.is_empty()
            && self.metrics.services() == 0
            && self.queue.is_empty()
            && self.early_pods.is_empty()
            && self.deleted.is_empty()
            && self.under_way.is_empty()
            && self.told.is_empty()
    }

    fn advance(&mut self, now: Duration) {
        self.now = self.now.max(now);
        self.queue.advance(self.now);
    }
}
