//! A Service at a glance: a question and its answer, the arithmetic of hints, which counts of endpoints get them, and
//! changes that would help.
//!
//! Nothing is decided here: every figure comes from the planner or the allocation, and every change is tried on the
//! same input before it is suggested.

pub(crate) mod asking;
pub mod edit;
pub mod facts;
mod fixes;
pub mod legend;
mod scale;
mod traffic;
mod view;
mod words;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

pub use fixes::GlanceFix;
pub(crate) use fixes::changes_to_count;
pub use legend::{HintsState, Legend, legend};
pub use view::ServiceContext;

use slicewise::model::AddressType;
use slicewise::plan::change::SuggestedChange;
use slicewise::plan::{HintsMode, Plan, ServiceRef};
use slicewise::topology::counts;
use view::{FamilyResult, ZoneOutcome};

/// The question.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct GlanceRequest {
    /// The family; by default the first one of the plan.
    pub family: Option<AddressType>,
    /// What if the Service requested hints in this way?
    pub hints: Option<HintsMode>,
    /// What if there were this many ready endpoints?
    pub endpoints: Option<i64>,
    /// Which counts are reported.
    pub counts: CountRange,
}

/// Which counts of ready endpoints are reported.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub enum CountRange {
    /// Some below and some above the current count.
    #[default]
    Around,
    /// From the first to the second.
    Between(i64, i64),
    /// A block of this many counts; blocks start at three, so the counts shown stay the same while a few pods come and
    /// go.
    Block(i64),
}

impl CountRange {
    /// With fewer than three endpoints there are no hints between zones.
    const LEAST: i64 = 3;

    /// The first and the last count for a number of ready endpoints; `least` is the minimum for `Around`.
    fn range(self, ready: i64, least: i64) -> (i64, i64) {
        match self {
            Self::Around => ((ready - 11).max(least), ready + 11),
            Self::Between(from, to) => (from, to),
            Self::Block(width) => {
                let before = (ready - Self::LEAST).max(0) / width * width;
                let from = Self::LEAST + before;
                (from.min(ready), from + width - 1)
            }
        }
    }
}

/// A Service at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Glance {
    /// The Service.
    pub service: ServiceRef<'static>,
    /// The family it is about.
    pub address_type: AddressType,
    /// The requested rule for hints.
    pub mode: HintsMode,
    /// Whether the rule assigns hints.
    pub applied: bool,
    /// A question that a user may have.
    pub question: &'static str,
    /// The answer to the question, as a sentence.
    pub headline: String,
    /// What the rule for hints does, as a sentence.
    pub rule: &'static str,
    /// What the plan does, in a sentence or two.
    pub plan: String,
    /// The number of ready endpoints.
    pub ready: i64,
    /// The sum of what the zones need; `null` if the rule does not need one.
    pub arithmetic: Option<Arithmetic>,
    /// The zones that have nodes or endpoints, sorted by name.
    pub zones: Vec<ZoneGlance>,
    /// The lowest and the highest number of endpoints in `counts`.
    pub range: (i64, i64),
    /// Which numbers of ready endpoints get hints; empty if the number does not matter.
    pub counts: Vec<CountGlance>,
    /// How to change the input to get the requested hints and number of endpoints.
    pub changes: Vec<SuggestedChange>,
    /// Changes that would help.
    pub fixes: Vec<GlanceFix>,
    /// The share of the traffic that crosses zones; left out if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Crossing>,
}

/// The sum of the zones' minimums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Arithmetic {
    /// The sum written out.
    pub words: String,
    /// The number of endpoints that the zones need together.
    pub needed: i64,
    /// The number of ready endpoints.
    pub ready: i64,
}

/// A zone at a glance. Its figures are `null` if the rule for hints does not use them.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ZoneGlance {
    /// The zone.
    pub zone: String,
    /// Its share of the CPU of all zones, 0 to 1.
    pub cpu_ratio: Option<f64>,
    /// That share of the ready endpoints.
    pub desired: Option<f64>,
    /// The minimum number of endpoints: with fewer, they would be overloaded.
    pub minimum: Option<i64>,
    /// The maximum number of endpoints: with more, another zone would not get its minimum.
    pub maximum: Option<i64>,
    /// The number of ready endpoints in the zone.
    pub ready: i64,
    /// The number of endpoints for clients in the zone: those hinted to it. If there are not enough endpoints for
    /// `Auto`, what is left after the zones before it got their minimum; without hints, the endpoints in the zone.
    pub given: i64,
    /// Whether the zone gets what it needs.
    pub is_met: bool,
}

/// Whether hints are assigned for a number of ready endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct CountGlance {
    /// The number of ready endpoints.
    pub ready: i64,
    /// Whether hints are assigned.
    pub works: bool,
}

/// The share of the traffic that crosses zones, 0 to 1, as kube-proxy routes it if every node sends the same amount.
/// `null` if it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Crossing {
    /// With the existing slices.
    pub now: Option<f64>,
    /// With the slices after the plan is written.
    pub after: Option<f64>,
}

/// Views a Service, which may have been planned already.
pub fn glance(view: &ServiceContext<'_>, plan: Option<&Plan<'_>>, asked: &GlanceRequest) -> Glance {
    let Some(mode) = asked.hints else {
        let outcome = match plan {
            Some(plan) => view.outcome_of(plan, asked.family),
            None => view.outcome(asked.family),
        };
        return of_outcome(view, &outcome, asked, Vec::new());
    };
    let asking = asking::asking(view.service, mode);
    let other = ServiceContext {
        service: &asking.service,
        ..view.clone()
    };
    let changes = Vec::from_iter((!asking.change.patch.is_empty()).then_some(asking.change));
    of_outcome(&other, &other.outcome(asked.family), asked, changes)
}

fn of_outcome(
    view: &ServiceContext<'_>,
    outcome: &FamilyResult,
    asked: &GlanceRequest,
    mut changes: Vec<SuggestedChange>,
) -> Glance {
    let other = asked.endpoints.filter(|count| *count != outcome.ready);
    let Some(scaled) = other.and_then(|count| view.scaled(outcome, count)) else {
        return of(view, outcome, asked, changes);
    };
    let other = ServiceContext {
        pods: scaled.pods(&view.pods),
        ..view.clone()
    };
    let outcome = other.outcome(Some(outcome.family));
    changes.extend(scaled.changes.iter().cloned());
    of(&other, &outcome, asked, changes)
}

fn of(
    view: &ServiceContext<'_>,
    outcome: &FamilyResult,
    asked: &GlanceRequest,
    changes: Vec<SuggestedChange>,
) -> Glance {
    let arithmetic = words::arithmetic(outcome);
    let (range, counts) = counts_of(view, outcome, asked);
    let metadata = &view.service.metadata;
    Glance {
        service: ServiceRef {
            namespace: metadata.namespace.to_string().into(),
            name: metadata.name.to_string().into(),
        },
        address_type: outcome.family,
        mode: outcome.mode,
        applied: outcome.applied,
        question: words::question(view, outcome),
        headline: words::headline(view, outcome),
        rule: words::rule(outcome.mode),
        plan: words::plan(outcome),
        ready: outcome.ready,
        arithmetic: arithmetic.map(|(words, needed)| Arithmetic {
            words,
            needed,
            ready: outcome.ready,
        }),
        zones: zones(outcome),
        range,
        counts,
        changes,
        fixes: fixes::fixes(view, outcome),
        traffic: crossing(view, outcome),
    }
}

fn zones(outcome: &FamilyResult) -> Vec<ZoneGlance> {
    let mut left = outcome.ready;
    let zone = |zone: &ZoneOutcome| {
        let given = match (zone.allocated, zone.minimum) {
            (Some(allocated), _) => allocated,
            (None, Some(minimum)) => minimum.min(left),
            (None, None) => zone.ready,
        };
        left -= given;
        let needed = match outcome.mode {
            HintsMode::Auto => zone.minimum.unwrap_or_default(),
            HintsMode::None => 0,
            HintsMode::PreferClose | HintsMode::PreferSameZone | HintsMode::PreferSameNode => 1,
        };
        ZoneGlance {
            zone: zone.zone.clone(),
            cpu_ratio: zone.cpu_ratio,
            desired: zone.desired,
            minimum: zone.minimum,
            maximum: zone.maximum,
            ready: zone.ready,
            given,
            is_met: given >= needed,
        }
    };
    outcome.zones.iter().map(zone).collect()
}

/// The range of counts, and which of them get hints.
fn counts_of(
    view: &ServiceContext<'_>,
    outcome: &FamilyResult,
    asked: &GlanceRequest,
) -> ((i64, i64), Vec<CountGlance>) {
    let shares = view.index.zone_shares();
    let least = shares.map_or(0, <[_]>::len) as i64;
    let (from, to) = asked.counts.range(outcome.ready, least);
    let matters = outcome.mode == HintsMode::Auto && outcome.unzoned == 0;
    let Some(shares) = shares.filter(|_| matters) else {
        return ((from, to), Vec::new());
    };
    let count = |ready| CountGlance {
        ready,
        works: counts::works(shares, ready),
    };
    ((from, to), (from..=to).map(count).collect())
}

fn crossing(view: &ServiceContext<'_>, outcome: &FamilyResult) -> Option<Crossing> {
    view.proxied?;
    Some(Crossing {
        now: view.cross_zone_now(outcome.family),
        after: outcome.cross_zone,
    })
}
