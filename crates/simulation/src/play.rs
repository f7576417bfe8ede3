//! A run step by step: what happens, what is written, what that costs, and the state of the slices of one Service.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem;

use slicewise::model::text::shorten;
use slicewise::model::{NamespacedName, StateWords};
use slicewise::{Code, Error};

use super::clock::millis;
use super::report::{Gauges, Report, Sums, TimelineEntry, TimelineEntryKind, Writes};
use super::scenario::Scenario;
use super::seen::{self, HintsSeen, NodeSeen, PodSeen, ReportMemory, SliceDelta, SliceSeen, seen};
use super::share::{Routed, TrafficShares};
use super::world::World;

seen! {
    /// The summary of a scenario.
    #[non_exhaustive]
    pub struct ScenarioSummary {
        /// The title.
        pub title: Option<String>,
        /// What the scenario teaches.
        pub lesson: Option<String>,
        /// What the scenario shows.
        pub description: Option<String>,
        /// All Services that exist at any time, in the order of the scenario.
        pub services: Vec<String>,
        /// The Service whose slices are reported; `null` if there is none.
        pub service: Option<String>,
        /// The maximum number of endpoints per slice.
        pub max_endpoints_per_slice: usize,
        /// The possible states of endpoints, with their words; steps refer to the states.
        pub states: Vec<StateWords>,
        /// The names of the phases, in order; steps refer to them by index.
        pub phases: Vec<String>,
    }

    /// Everything that happened in one millisecond. Empty lists are left out.
    #[non_exhaustive]
    pub struct TimelineStep {
        /// The time, in virtual milliseconds since the start.
        pub at: u64,
        /// The index of the phase, from 0.
        pub phase: usize,
        /// What happened, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub happened: Vec<Happened>,
        /// The writes of slices.
        pub writes: Writes,
        /// The bytes written, as JSON.
        pub bytes_written: u64,
        /// The number of slice events, counted once per watcher.
        pub watch_events: u64,
        /// The bytes sent to watchers, as JSON.
        pub bytes_to_watchers: u64,
        /// The number of retries scheduled.
        pub retries: u64,
        /// How often hints were switched on or off, counted per Service and family.
        pub hint_flips: u64,
        /// The state after the step.
        pub gauges: Gauges,
        /// Where the traffic of the Service goes; `null` if unknown. Left out if unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(schema_with = "super::share::or_null")]
        pub traffic: Option<Option<TrafficShares>>,
        /// Whether the Service has hints; left out if unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hints: Option<Vec<HintsSeen>>,
        /// The names of new zones; numbering continues from step to step.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub zones: Vec<String>,
        /// New nodes; numbering continues from step to step.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub nodes: Vec<NodeSeen>,
        /// New pods; numbering continues from step to step.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub pods: Vec<PodSeen>,
        /// New slices; numbering continues from step to step.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub new_slices: Vec<SliceSeen>,
        /// The changes of the Service's slices.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub slices: Vec<SliceDelta>,
    }

    /// Something that happened.
    #[non_exhaustive]
    pub struct Happened {
        /// What happened, as a sentence without a full stop.
        pub message: String,
        /// What happened, as data.
        pub entry: TimelineEntryKind,
    }
}

/// A run that continues on demand.
pub struct Play {
    world: World,
    summary: ScenarioSummary,
    service: Option<NamespacedName>,
    memory: ReportMemory,
    told: Sums,
    gauges: Option<Gauges>,
    traffic: Option<TrafficShares>,
    routed: Option<Routed>,
    hints: Vec<HintsSeen>,
    nodes: usize,
    is_over: bool,
    report: Option<Report>,
}

impl Play {
    /// Starts a scenario that has been checked ([`Scenario::check`]). Steps report the slices of one Service, by
    /// default the first one.
    ///
    /// # Errors
    /// `InvalidValue` when the scenario has no Service with that name.
    pub fn new(scenario: &Scenario<'_>, service: Option<&str>) -> Result<Self, Error> {
        let summary = ScenarioSummary::of(scenario, service)?;
        let key = summary.service.as_deref().and_then(|name| {
            let (namespace, name) = name.split_once('/')?;
            Some(NamespacedName {
                namespace: namespace.into(),
                name: name.into(),
            })
        });
        let mut world = World::new(scenario.clone().into_owned(), true);
        world.measured.changed = Some(Default::default());
        Ok(Self {
            world,
            summary,
            service: key,
            memory: ReportMemory::default(),
            told: Sums::default(),
            gauges: None,
            traffic: None,
            routed: None,
            hints: Vec::new(),
            nodes: 0,
            is_over: false,
            report: None,
        })
    }

    /// The summary of the scenario.
    pub const fn summary(&self) -> &ScenarioSummary {
        &self.summary
    }

    /// The next step; `None` once the run has ended.
    pub fn step(&mut self) -> Option<TimelineStep> {
        while !self.is_over {
            self.world.work();
            let now = millis(self.world.now);
            let goes_on = self.world.next_time();
            if goes_on.is_some_and(|next| millis(next) == now) && self.world.advance() {
                continue;
            }
            let step = self.look(now);
            if !self.world.advance() {
                self.is_over = true;
                self.world.rest();
            }
            if step.is_some() {
                return step;
            }
        }
        None
    }

    /// The result of the run, without its timeline; the run is completed first if it has not ended.
    pub fn report(&mut self) -> &Report {
        while self.step().is_some() {}
        let world = &mut self.world;
        self.report.get_or_insert_with(|| Report {
            timeline: Vec::new(),
            ..world.report()
        })
    }

    /// What has happened since the last call; `None` if there is nothing to report.
    fn look(&mut self, at: u64) -> Option<TimelineStep> {
        let world = &mut self.world;
        let entries = world.measured.timeline.drain();
        let so_far = world.measured.so_far();
        let gauges = world.measured.gauges(world.watchers());
        let (zones, nodes) = self.new_nodes();
        let mut news = seen::FirstReports::default();
        let slices = self.changed_slices(&mut news);
        let traffic = self.changed_traffic(!slices.is_empty());
        let hints = self.changed_hints();
        let has_changed = !entries.is_empty()
            || so_far != self.told
            || self.gauges.as_ref() != Some(&gauges)
            || !slices.is_empty()
            || traffic.is_some()
            || hints.is_some();
        if !has_changed {
            return None;
        }
        let before = mem::replace(&mut self.told, so_far.clone());
        self.gauges = Some(gauges.clone());
        Some(TimelineStep {
            at,
            phase: self.world.measured.phase(),
            happened: entries.into_iter().map(Happened::of).collect(),
            writes: Writes {
                create: so_far.writes.create - before.writes.create,
                update: so_far.writes.update - before.writes.update,
                delete: so_far.writes.delete - before.writes.delete,
                refused: so_far.writes.refused - before.writes.refused,
            },
            bytes_written: so_far.bytes_written - before.bytes_written,
            watch_events: so_far.watch_events - before.watch_events,
            bytes_to_watchers: so_far.bytes_to_watchers - before.bytes_to_watchers,
            retries: so_far.retries - before.retries,
            hint_flips: so_far.hint_flips - before.hint_flips,
            gauges,
            traffic,
            hints,
            zones,
            nodes,
            pods: news.pods,
            new_slices: news.slices,
            slices,
        })
    }

    /// Nodes that have joined, and their zones.
    fn new_nodes(&mut self) -> (Vec<String>, Vec<NodeSeen>) {
        let mut zones = Vec::new();
        let mut nodes = Vec::new();
        let memory = &mut self.memory;
        for node in self.world.cluster.nodes.iter().skip(self.nodes) {
            let zone = Some(&node.zone).filter(|zone| !zone.is_empty());
            let zone = zone.map(|zone| memory.zones.number(zone, || zones.push(zone.clone())));
            memory.nodes.number(&node.name, || {
                nodes.push(NodeSeen {
                    name: node.name.clone(),
                    zone,
                });
            });
        }
        self.nodes = self.world.cluster.nodes.len();
        (zones, nodes)
    }

    fn changed_slices(&mut self, news: &mut seen::FirstReports) -> Vec<SliceDelta> {
        let changed = self.world.measured.changed.as_mut();
        let changed = changed.map(mem::take).unwrap_or_default();
        let Some(service) = &self.service else {
            return Vec::new();
        };
        let server = &self.world.server;
        let mut changes = Vec::new();
        for key in changed {
            let own = server.slice(&key).filter(|slice| slice.names(service));
            changes.extend(self.memory.look(&key, own, news));
        }
        changes
    }

    fn changed_traffic(&mut self, has_changed: bool) -> Option<Option<TrafficShares>> {
        let is_stirred = mem::take(&mut self.world.is_stirred);
        let service = self.service.as_ref()?;
        if !is_stirred && !has_changed {
            return None;
        }
        if has_changed {
            self.routed = None;
        }
        let shares = self.world.shares(service, &mut self.routed);
        if shares == self.traffic {
            return None;
        }
        self.traffic.clone_from(&shares);
        Some(shares)
    }

    fn changed_hints(&mut self) -> Option<Vec<HintsSeen>> {
        let account = self.world.measured.accounts.get(self.service.as_ref()?)?;
        if account.reports == self.hints {
            return None;
        }
        self.hints.clone_from(&account.reports);
        Some(account.reports.clone())
    }
}

impl ScenarioSummary {
    fn of(scenario: &Scenario<'_>, service: Option<&str>) -> Result<Self, Error> {
        let services: Vec<String> = scenario.all_services();
        let chosen = match service {
            None => services.first().cloned(),
            Some(name) if services.iter().any(|other| other == name) => Some(name.into()),
            Some(name) => {
                let message = format!(
                    "there is no Service `{}` in the scenario; write it as `namespace/name`",
                    shorten(name)
                );
                return Err(Error::new(Code::InvalidValue, message).at("/service"));
            }
        };
        let own =
            |text: &Option<slicewise::model::Text<'_>>| text.as_ref().map(ToString::to_string);
        let begin = scenario.actions.iter();
        let mut begin: Vec<_> = begin
            .filter_map(|action| Some((action.at.unwrap_or_default(), action.phase.as_ref()?)))
            .collect();
        begin.sort_by_key(|(at, _)| *at);
        let begin = begin.into_iter().map(|(_, phase)| phase.to_string());
        let settings = scenario.controller.options.settings();
        Ok(Self {
            title: own(&scenario.title),
            lesson: own(&scenario.lesson),
            description: own(&scenario.description),
            services,
            service: chosen,
            max_endpoints_per_slice: settings.max_endpoints_per_slice.get(),
            states: StateWords::all(),
            phases: core::iter::once("start".into()).chain(begin).collect(),
        })
    }
}

impl Happened {
    fn of(entry: TimelineEntry) -> Self {
        Self {
            message: entry.what.message(),
            entry: entry.what,
        }
    }
}
