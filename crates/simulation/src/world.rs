//! The world of a scenario: a cluster, an API server, a controller, and the watches between them, in virtual time.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;

use slicewise::model::NamespacedName;
use slicewise_live::api_server::ApiServer;
use slicewise_live::controller::{
    ClusterEvent, Command, Config, Controller, Kind, Reception, Versioned,
};

use super::DAY;
use super::agenda::{Agenda, Happening, News};
use super::clock::{EPOCH, millis};
use super::cluster::Cluster;
use super::measure::Measured;
use super::report::{EventEntry, ListEntry, RetryEntry, TimelineEntryKind};
use super::scenario::Scenario;
use super::watch::Watches;
use super::writer::Trouble;

pub(super) struct World {
    pub(super) scenario: Arc<Scenario<'static>>,
    config: Config,
    pub(super) cluster: Cluster,
    pub(super) agenda: Agenda,
    pub(super) watches: Watches,
    pub(super) server: ApiServer,
    pub(super) trouble: Trouble,
    pub(super) controller: Controller,
    pub(super) measured: Measured,
    pub(super) under_way: SyncsUnderWay,
    pub(super) now: Duration,
    /// How often each action has happened.
    pub(super) done: Vec<u32>,
    pub(super) was_cut_off: bool,
    /// Has a pod, node or Service changed since this was last taken?
    pub(super) is_stirred: bool,
}

impl World {
    pub(super) fn new(scenario: Scenario<'static>, with_timeline: bool) -> Self {
        let scenario = Arc::new(scenario);
        let config = scenario.controller.config();
        let settings = config.options.settings();
        let max = settings.max_endpoints_per_slice.get();
        let mut server = ApiServer::default();
        server.set_kubernetes(settings.kubernetes);
        let mut world = Self {
            cluster: Cluster::new(scenario.seed.unwrap_or(1)),
            agenda: Agenda::default(),
            watches: Watches::new(&scenario.watches),
            server,
            trouble: Trouble::default(),
            controller: Controller::new(config.clone()),
            config,
            measured: Measured::new(max, with_timeline),
            under_way: SyncsUnderWay::default(),
            now: Duration::ZERO,
            done: vec![0; scenario.actions.len()],
            was_cut_off: false,
            is_stirred: true,
            scenario,
        };
        world.begin();
        world
    }

    /// Sets up the cluster at the start of the scenario; the controller starts with its lists, then the Services are
    /// created.
    fn begin(&mut self) {
        let scenario = Arc::clone(&self.scenario);
        let named = scenario.zones.iter().flat_map(|zone| &zone.node_names);
        self.cluster
            .node_names
            .extend(named.map(ToString::to_string));
        for zone in &scenario.zones {
            let (names, cpu) = (&zone.node_names, zone.cpu.unwrap_or_default());
            self.cluster.add_nodes(&zone.name, names, cpu.0, zone.nodes);
        }
        self.cluster.news.clear();
        self.list_everything();
        for workload in &scenario.services {
            self.create_service(workload);
        }
        for (number, action) in scenario.actions.iter().enumerate() {
            let at = action.at.unwrap_or_default().0;
            self.agenda.enter(at, Happening::Act(number));
        }
        if scenario.sample_every.is_some() {
            self.agenda.enter(Duration::ZERO, Happening::Sample);
        }
        self.settle();
    }

    /// Runs until no events are left, or the scenario's time is up.
    pub(super) fn run(&mut self) {
        self.work();
        while self.advance() {
            self.work();
        }
        self.rest();
    }

    /// When the next event happens; `None` if none is left.
    pub(super) fn next_time(&self) -> Option<Duration> {
        let timer = self.controller.next_timer();
        if self.agenda.is_idle() && timer.is_none() {
            return None;
        }
        let next = [self.agenda.next_time(), timer].into_iter().flatten().min();
        Some(next.map_or(self.now, |next| next.max(self.now)))
    }

    /// Advances to the next time, and handles what is due then; returns false if no events are left, or the time is up.
    pub(super) fn advance(&mut self) -> bool {
        let Some(next) = self.next_time() else {
            return false;
        };
        let until = self.scenario.until.map_or(DAY, |until| until.0);
        if next > until {
            self.pass(until);
            self.was_cut_off = true;
            return false;
        }
        self.pass(next);
        while let Some(happening) = self.agenda.take_due(self.now) {
            self.happen(happening);
            self.settle();
        }
        true
    }

    /// Ends the run.
    pub(super) fn rest(&mut self) {
        if self.scenario.sample_every.is_some() {
            self.measured.sample(self.now, self.watchers());
        }
    }

    fn pass(&mut self, now: Duration) {
        self.now = now;
        self.cluster.now = now;
        self.measured.traffic.pass(now);
        self.server.set_time(EPOCH + now);
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Act(number) => self.act(number),
            Happening::Address(pod) => self.cluster.pod_addressed(pod),
            Happening::Ready(pod) => self.cluster.pod_ready(pod),
            Happening::Recovered(pod) => self.recover_pod(pod),
            Happening::Gone(pod) => self.cluster.pod_ends(pod),
            Happening::Step(workload) => self.cluster.step(workload),
            Happening::Evict(node, pace) => self.evict(node, pace),
            Happening::Noticed(nodes) => self.notice_failure(&nodes),
            Happening::Abandoned(nodes) => self.abandon_pods(&nodes),
            Happening::Deliver { kind, watch, news } => self.deliver(kind, watch, news),
            Happening::Relist(kind) => self.list(kind),
            Happening::Write(service, plan) => self.write(&service, &plan),
            Happening::Sample => {
                self.measured.sample(self.now, self.watchers());
                let goes_on = !self.agenda.is_idle() || self.controller.next_timer().is_some();
                if let Some(every) = self.scenario.sample_every.filter(|_| goes_on) {
                    self.agenda
                        .enter(self.now.saturating_add(every.0), Happening::Sample);
                }
            }
        }
    }

    /// Sends out the cluster's events, and schedules their consequences.
    pub(super) fn settle(&mut self) {
        self.is_stirred |= !self.cluster.touched.is_empty() || !self.cluster.news.is_empty();
        for pod in core::mem::take(&mut self.cluster.touched) {
            let is_wanted = self.cluster.is_wanted(pod);
            self.measured.traffic.set_wanted(pod, is_wanted);
        }
        let news = core::mem::take(&mut self.cluster.news);
        if !news.is_empty() {
            self.measured.note_cause(self.now);
        }
        for event in news {
            self.send(event);
        }
        for (at, happening) in core::mem::take(&mut self.cluster.later) {
            self.agenda.enter(at, happening);
        }
    }

    fn send(&mut self, event: ClusterEvent<'static>) {
        let kind = match &event {
            ClusterEvent::Set(object) => object.kind(),
            ClusterEvent::Removed { kind, .. } => *kind,
            // Lists and resyncs do not come through watches, and every object can be read.
            _ => return,
        };
        self.send_news(kind, News::Event(Box::new(event)));
    }

    pub(super) fn send_news(&mut self, kind: Kind, news: News) {
        let random = &mut self.cluster.random;
        self.watches
            .send(kind, news, self.now, random, &mut self.agenda);
    }

    fn deliver(&mut self, kind: Kind, watch: u32, news: News) {
        if !self.watches.is_present(kind, watch) {
            self.watches.figures.dropped += 1;
            return;
        }
        if news.tell(&mut self.controller, self.now) == Reception::Late {
            self.watches.figures.late += 1;
        }
    }

    /// Starts a new watch of a kind with a list.
    fn list(&mut self, kind: Kind) {
        self.watches.renew(kind, self.now);
        let objects = match kind {
            Kind::EndpointSlice => self
                .server
                .slices()
                .cloned()
                .map(Versioned::slice)
                .collect(),
            _ => self.cluster.list(kind),
        };
        let listed = || ListEntry {
            kind: kind.as_str().into(),
            objects: objects.len() as u64,
        };
        self.measured
            .timeline
            .note(self.now, || TimelineEntryKind::List(listed()));
        let listed = ClusterEvent::Listed {
            kind,
            objects,
            resource_version: self.server.resource_version(),
        };
        self.controller.handle(listed, self.now);
    }

    fn list_everything(&mut self) {
        for kind in Kind::ALL {
            self.list(kind);
        }
    }

    /// Restarts the controller. Its pending writes are still made, but their results are ignored.
    pub(super) fn restart_controller(&mut self) {
        self.controller = Controller::new(self.config.clone());
        self.under_way.services.clear();
        self.measured.timeline.forget_syncs();
        self.list_everything();
    }

    pub(super) fn watchers(&self) -> u64 {
        let nodes = || self.cluster.nodes.iter().filter(|node| node.exists).count();
        self.scenario
            .watchers
            .map_or_else(|| nodes() as u64, u64::from)
    }

    /// Does and reports everything that the controller has due now.
    pub(super) fn work(&mut self) {
        while let Some(command) = self.controller.due(self.now) {
            match command {
                Command::Sync { service, plan } => self.take_on(service, plan),
                Command::Ended {
                    service,
                    result,
                    is_dropped,
                } => {
                    self.measured.ended(&service, result, is_dropped, self.now);
                }
                Command::Publish { service, event } => {
                    self.measured.published();
                    let published = || EventEntry {
                        service: service.to_string(),
                        event_type: event.event_type,
                        reason: event.reason.into(),
                        message: event.message.clone(),
                    };
                    self.measured
                        .timeline
                        .note(self.now, || TimelineEntryKind::Event(published()));
                }
                Command::Retry {
                    service,
                    after,
                    retries,
                } => {
                    self.measured.retried();
                    let retry = || RetryEntry {
                        service: service.to_string(),
                        retries,
                        after: millis(after),
                    };
                    self.measured
                        .timeline
                        .note(self.now, || TimelineEntryKind::Retry(retry()));
                }
            }
        }
    }

    /// Is nothing left anywhere?
    pub(super) fn is_empty(&self) -> bool {
        self.cluster.pods.is_empty()
            && self
                .cluster
                .workloads
                .iter()
                .all(|workload| !workload.exists)
            && self.cluster.nodes.iter().all(|node| !node.exists)
            && self.server.is_empty()
            && self.controller.is_empty()
            && self.measured.is_empty()
    }
}

/// Syncs in progress, and their errors.
#[derive(Debug, Default)]
pub(super) struct SyncsUnderWay {
    pub(super) services: BTreeSet<NamespacedName>,
    pub(super) overlapping: u64,
    pub(super) most: u64,
}
