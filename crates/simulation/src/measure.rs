//! Measurements of a running scenario.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem;
use core::time::Duration;

use slicewise::model::{AddressType, NamespacedName, keys};
use slicewise::plan::{HintsMode, Plan};
use slicewise::topology::cache::ServiceHints;
use slicewise_live::api_server::StoredChange;
use slicewise_live::controller::SyncOutcome;

use super::clock::millis;
use super::cost::{EndpointsObjects, bytes, event_frame};
use super::report::{Gauges, Phase, Sample, ServiceFigures, Sums, TimelineEntry, Writes};
use super::seen::HintsSeen;
use super::timeline::TimelineLog;
use super::traffic::TrafficMeter;

/// The measurements of a Service.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) figures: ServiceFigures,
    /// Were hints assigned, by family?
    hints: BTreeMap<AddressType, bool>,
    /// The state from the last plan.
    pub(super) state: ServiceHints,
    /// The hint reports of the last plan.
    pub(super) reports: Vec<HintsSeen>,
}

#[derive(Debug)]
struct MeasuredSlice {
    service: NamespacedName,
    endpoints: u64,
}

pub(super) struct Measured {
    phases: Vec<Phase>,
    /// The sums of the current phase.
    sums: Sums,
    /// The sums of all phases before it.
    ended: Sums,
    samples: Vec<Sample>,
    pub(super) traffic: TrafficMeter,
    pub(super) objects: EndpointsObjects,
    pub(super) accounts: BTreeMap<NamespacedName, Account>,
    slices: BTreeMap<NamespacedName, MeasuredSlice>,
    endpoints: u64,
    max_per_slice: u64,
    began: Duration,
    name: String,
    last_write: Option<Duration>,
    last_cause: Duration,
    pub(super) timeline: TimelineLog,
    /// Slices that have changed since they were last taken, if they are wanted.
    pub(super) changed: Option<BTreeSet<NamespacedName>>,
}

impl Measured {
    pub(super) fn new(max_per_slice: usize, with_timeline: bool) -> Self {
        Self {
            phases: Vec::new(),
            sums: Sums::default(),
            ended: Sums::default(),
            samples: Vec::new(),
            traffic: TrafficMeter::default(),
            objects: EndpointsObjects::default(),
            accounts: BTreeMap::new(),
            slices: BTreeMap::new(),
            endpoints: 0,
            max_per_slice: max_per_slice.max(1) as u64,
            began: Duration::ZERO,
            name: "start".into(),
            last_write: None,
            last_cause: Duration::ZERO,
            timeline: TimelineLog::new(with_timeline),
            changed: None,
        }
    }

    /// Records that something other than the controller has changed something.
    pub(super) const fn note_cause(&mut self, now: Duration) {
        self.last_cause = now;
    }

    pub(super) fn account(&mut self, service: &NamespacedName) -> &mut Account {
        self.accounts.entry(service.clone()).or_insert_with(|| {
            let mut account = Account::default();
            account.figures.service = service.to_string();
            account
        })
    }

    /// Records the change of a slice, whose event goes to all watchers.
    pub(super) fn slice_changed(&mut self, change: &StoredChange, watchers: u64) -> u64 {
        let slice = &*change.slice;
        let key = NamespacedName::of(slice);
        let endpoints = slice.endpoints.len() as u64;
        let present = (!change.is_deletion).then_some(slice);
        self.traffic.set_slice(&key, present);
        self.objects.set_slice(&key, present);
        if let Some(changed) = &mut self.changed {
            changed.insert(key.clone());
        }
        let before = self.slices.remove(&key);
        let event_type = match (change.is_deletion, before.is_some()) {
            (true, _) => "DELETED",
            (false, true) => "MODIFIED",
            (false, false) => "ADDED",
        };
        if let Some(before) = before {
            self.endpoints = self.endpoints.saturating_sub(before.endpoints);
            let figures = &mut self.account(&before.service).figures;
            figures.slices = figures.slices.saturating_sub(1);
            figures.endpoints = figures.endpoints.saturating_sub(before.endpoints);
        }
        if present.is_some() {
            let service = NamespacedName {
                namespace: key.namespace.clone(),
                name: slice
                    .metadata
                    .labels
                    .get(keys::SERVICE_NAME_LABEL)
                    .map(ToString::to_string)
                    .unwrap_or_default(),
            };
            self.endpoints += endpoints;
            let figures = &mut self.account(&service).figures;
            figures.slices += 1;
            figures.endpoints += endpoints;
            self.slices
                .insert(key, MeasuredSlice { service, endpoints });
        }
        let bytes = bytes(slice);
        let sums = &mut self.sums;
        sums.watch_events += watchers;
        sums.bytes_to_watchers += watchers * (bytes + event_frame(event_type));
        sums.endpoints_to_watchers += watchers * endpoints;
        if change.is_deletion { 0 } else { bytes }
    }

    /// Records the plan of a sync.
    pub(super) fn planned(&mut self, service: &NamespacedName, plan: &Plan<'_>) {
        let account = self.account(service);
        account.state = plan.state.hints.clone();
        let mut flips = 0;
        let wanted = plan
            .hints
            .iter()
            .filter(|report| report.mode != HintsMode::None || report.applied);
        let reports = wanted.map(|report| (report.address_type, report.applied));
        for (family, is_on) in reports {
            let was_on = account.hints.insert(family, is_on);
            flips += u64::from(was_on.is_some_and(|was_on| was_on != is_on));
        }
        account.figures.hint_flips += flips;
        account.reports = plan.hints.iter().map(HintsSeen::of).collect();
        account.figures.has_hints = plan.hints.iter().any(|report| report.applied);
        self.sums.hint_flips += flips;
    }

    /// Records the writes of a sync.
    pub(super) fn written(
        &mut self,
        service: &NamespacedName,
        writes: &Writes,
        bytes: u64,
        watchers: u64,
        now: Duration,
    ) {
        self.sums.writes += writes;
        self.sums.bytes_written += bytes;
        self.account(service).figures.writes += writes.made();
        if writes.made() > 0 {
            self.last_write = Some(now);
        }
        self.objects
            .write(service, watchers, &mut self.sums.endpoints_object);
    }

    pub(super) fn ended(
        &mut self,
        service: &NamespacedName,
        result: SyncOutcome,
        is_dropped: bool,
        now: Duration,
    ) {
        let how = if is_dropped {
            "dropped"
        } else {
            result.as_str()
        };
        self.timeline.ended(now, service, how);
        self.account(service).figures.syncs += 1;
        let syncs = &mut self.sums.syncs;
        match result {
            SyncOutcome::Success => syncs.success += 1,
            SyncOutcome::Stale => syncs.stale += 1,
            SyncOutcome::Error => syncs.error += 1,
        }
        syncs.dropped += u64::from(is_dropped);
    }

    pub(super) const fn retried(&mut self) {
        self.sums.retries += 1;
    }

    pub(super) const fn published(&mut self) {
        self.sums.published += 1;
    }

    pub(super) fn gauges(&self, watchers: u64) -> Gauges {
        let slices = self.slices.len() as u64;
        let services = self
            .accounts
            .values()
            .filter(|account| account.figures.slices > 0);
        let full = services.map(|account| {
            account
                .figures
                .endpoints
                .div_ceil(self.max_per_slice)
                .max(1)
        });
        let room = slices * self.max_per_slice;
        Gauges {
            watchers,
            ready_pods: self.traffic.wanted,
            endpoints: self.endpoints,
            slices,
            full_slices: full.sum(),
            fill: if room == 0 {
                0.0
            } else {
                self.endpoints as f64 / room as f64
            },
            misdirected: self.traffic.misdirected,
            unused: self.traffic.unused,
        }
    }

    /// The sums of all phases; traffic is only included for phases that have ended.
    pub(super) fn so_far(&self) -> Sums {
        let mut sums = self.ended.clone();
        sums += &self.sums;
        sums
    }

    /// The index of the current phase.
    pub(super) const fn phase(&self) -> usize {
        self.phases.len()
    }

    pub(super) fn sample(&mut self, now: Duration, watchers: u64) {
        let so_far = self.so_far();
        self.samples.push(Sample {
            at: millis(now),
            gauges: self.gauges(watchers),
            writes: so_far.writes.made(),
            bytes_to_watchers: so_far.bytes_to_watchers,
        });
    }

    /// Ends the current phase and begins another.
    pub(super) fn begin_phase(&mut self, name: &str, now: Duration, watchers: u64) {
        self.traffic.pass(now);
        let (misdirected, unused) = self.traffic.take();
        let mut sums = mem::take(&mut self.sums);
        sums.misdirected_seconds = misdirected;
        sums.unused_seconds = unused;
        self.ended += &sums;
        let last_write = self.last_write.take();
        let behind = last_write.map(|last| last.saturating_sub(self.last_cause));
        self.phases.push(Phase {
            name: mem::replace(&mut self.name, name.into()),
            at: millis(self.began),
            last_write_after: last_write.map(|last| millis(last.saturating_sub(self.began))),
            behind: behind.map_or(0, millis),
            sums,
            gauges: self.gauges(watchers),
        });
        self.began = now;
    }

    /// Ends the last phase: phases, their total, samples and timeline.
    pub(super) fn finish(
        &mut self,
        now: Duration,
        watchers: u64,
    ) -> (Vec<Phase>, Sums, Vec<Sample>, Vec<TimelineEntry>) {
        self.begin_phase("", now, watchers);
        let phases = mem::take(&mut self.phases);
        let total = mem::take(&mut self.ended);
        let timeline = self.timeline.take();
        (phases, total, mem::take(&mut self.samples), timeline)
    }

    /// Are no slices or pods known?
    pub(super) fn is_empty(&self) -> bool {
        self.traffic.is_empty() && self.slices.is_empty() && self.objects.is_empty()
    }
}
