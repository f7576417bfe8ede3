//! The metrics of a controller based on this planner: counters, gauges and histograms, without I/O.
//!
//! [`Metrics`] records plans, their writes and syncs, and gathers families of samples: data, JSON, or the text that a
//! Prometheus server reads. The families `endpoint_slice_controller_*` are the reference's, with the same names and
//! values (`k8s.io/endpointslice/metrics`, updated in `reconciler.go` and the controller); `slicewise_*` are our own.
//! `docs/metrics.md` lists them all and shows how to record them.
//!
//! INVARIANT: the cost of a plan depends on its port groups, zones and writes, not on the number of Services; a
//! forgotten Service leaves nothing behind.

#[cfg(doctest)]
mod guide;

mod cache;
pub mod family;
mod gather;
mod histogram;
mod number;
mod text;
mod zones;

use alloc::collections::BTreeMap;

pub use family::{Metric, MetricBucket, MetricFamily, MetricKind, MetricValue};
pub use text::prometheus_text;

use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::NamespacedName;
use slicewise::plan::apply::Applied;
use slicewise::plan::writing::Slice;
use slicewise::plan::{FamilyFigures, Figures, HintsMode, HintsReport, Plan, ServiceRef};
use slicewise::reconcile::EndpointsPerSlice;

use cache::{Cache, Totals, traffic_distribution};
use histogram::Histogram;

/// Doubling from 2 to 32768: endpoints of a sync.
const ENDPOINTS: [f64; 15] = [
    2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0,
    32768.0,
];
/// Prometheus' defaults, which are meant for seconds; the reference uses them to count slices.
const DEFAULTS: [f64; 11] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];
/// Tenths; slices above 1 hold more than they should.
const RATIOS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// How a sync ended (reference: `trackSync`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever counts syncs counts all of them"
)]
pub enum SyncOutcome {
    /// Everything is as it should be; also if the Service is gone, or its slices are not managed.
    Success,
    /// The known slices were older than our own writes, so nothing was planned.
    Stale,
    /// A write was refused, or the plan must be repeated ([`Plan::requeue`]). A namespace that is being deleted is not
    /// an error.
    Error,
}

impl SyncOutcome {
    /// The value of the label `result` of `endpoint_slice_controller_syncs`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Stale => "stale",
            Self::Error => "error",
        }
    }
}

/// The parts of a plan that are counted; every type of plan converts to it.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'p> {
    service: &'p ServiceRef<'p>,
    hints: &'p [HintsReport<'p>],
    figures: &'p Figures,
}

impl<'p> Planned<'p> {
    /// The parts of a plan that are counted.
    pub const fn new(
        service: &'p ServiceRef<'p>,
        hints: &'p [HintsReport<'p>],
        figures: &'p Figures,
    ) -> Self {
        Self {
            service,
            hints,
            figures,
        }
    }
}

impl<'p> From<&'p Plan<'p>> for Planned<'p> {
    fn from(plan: &'p Plan<'p>) -> Self {
        Self::new(&plan.service, &plan.hints, &plan.figures)
    }
}

#[cfg(feature = "k8s-openapi")]
impl<'p> From<&'p slicewise::k8s::Plan> for Planned<'p> {
    fn from(plan: &'p slicewise::k8s::Plan) -> Self {
        Self::new(&plan.service, &plan.hints, &plan.figures)
    }
}

/// Figures of all Services since the start.
#[derive(Debug, Clone)]
pub struct Metrics {
    kubernetes: KubernetesVersion,
    cache: Cache,
    added: Histogram,
    removed: Histogram,
    fill: Histogram,
    /// Slices changed, by the labels `topology` and `traffic_distribution`.
    changed: BTreeMap<(&'static str, &'static str), Histogram>,
    /// Writes made, by verb.
    changes: BTreeMap<&'static str, u64>,
    /// Syncs, by result.
    syncs: BTreeMap<&'static str, u64>,
}

impl Metrics {
    /// Metrics without any observations. `max_endpoints_per_slice` and `kubernetes` are the plans' options.
    pub fn new(max_endpoints_per_slice: EndpointsPerSlice, kubernetes: KubernetesVersion) -> Self {
        Self {
            kubernetes,
            cache: Cache::new(max_endpoints_per_slice),
            added: Histogram::new(&ENDPOINTS),
            removed: Histogram::new(&ENDPOINTS),
            fill: Histogram::new(&RATIOS),
            changed: BTreeMap::new(),
            changes: BTreeMap::new(),
            syncs: BTreeMap::new(),
        }
    }

    /// Records a plan; call it once for each sync, before the plan is written, whatever the result of the writes.
    ///
    /// The plan of a Service whose slices are not managed changes nothing: as in the reference, its last figures stay
    /// until it is forgotten.
    pub fn observe_plan<'p>(&mut self, plan: impl Into<Planned<'p>>) {
        let Planned {
            service,
            hints,
            figures,
        } = plan.into();
        let families = figures.families();
        if families.is_empty() {
            return;
        }
        for family in families {
            self.added.observe(family.added as f64);
            self.removed.observe(family.removed as f64);
            let totals = Totals::of(family, self.cache.max());
            if let Some(fill) = self.fill(totals) {
                self.fill.observe(fill);
            }
        }
        let key = NamespacedName {
            namespace: service.namespace.as_str().into(),
            name: service.name.as_str().into(),
        };
        self.cache.set(key, families, hints);
    }

    /// Records the writes of a plan, as far as `applied` says.
    ///
    /// Counts each write that was made, and each family that was written completely.
    pub fn observe_writes<'p, T: Slice>(
        &mut self,
        plan: impl Into<Planned<'p>>,
        applied: &Applied<T>,
    ) {
        let made = [
            ("create", applied.created.len()),
            ("update", applied.updated.len()),
            ("delete", applied.deleted.len()),
        ];
        for (verb, count) in made.into_iter().filter(|(_, count)| *count > 0) {
            *self.changes.entry(verb).or_default() += count as u64;
        }
        for family in plan.into().figures.families() {
            if !applied.incomplete.contains(family.address_type) {
                let changed = changed_slices(family, applied);
                let histogram = self.changed.entry(labels_of(family.mode));
                histogram
                    .or_insert_with(|| Histogram::new(&DEFAULTS))
                    .observe(changed as f64);
            }
        }
    }

    /// Records the end of a sync, also for a Service that is gone.
    pub fn observe_sync(&mut self, result: SyncOutcome) {
        *self.syncs.entry(result.as_str()).or_default() += 1;
    }

    /// The Service is gone: removes its figures from all gauges. Its slices are left to the garbage collector.
    pub fn forget_service(&mut self, service: &NamespacedName) {
        self.cache.remove(service);
    }

    /// How many Services are known.
    pub fn services(&self) -> usize {
        self.cache.len()
    }

    /// The fill ratio of slices; `None` without slices.
    fn fill(&self, totals: Totals) -> Option<f64> {
        let room = totals.slices as f64 * self.cache.max().get() as f64;
        (totals.slices > 0).then(|| totals.endpoints as f64 / room)
    }
}

/// The labels of a family's changes (reference: the end of `finalize`).
const fn labels_of(mode: HintsMode) -> (&'static str, &'static str) {
    let topology = match mode {
        HintsMode::Auto => "Auto",
        _ => "Disabled",
    };
    let traffic = match traffic_distribution(mode) {
        Some(value) => value,
        None => "",
    };
    (topology, traffic)
}

/// The writes of a family. Creates that are held back for a Service that is being deleted count, as in the reference.
fn changed_slices<T: Slice>(family: &FamilyFigures, applied: &Applied<T>) -> usize {
    let name = family.address_type.as_str();
    let written = applied.created.iter().chain(&applied.updated);
    let written = written.filter(|slice| slice.address_type() == name).count();
    let deleted = applied.deleted.iter();
    let deleted = deleted.filter(|slice| slice.address_type == *name).count();
    written + deleted + family.held_back
}
