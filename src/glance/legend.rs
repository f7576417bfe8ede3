//! What pictures of endpoints say of them: the words for what is drawn, and what conditions add up to.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::words::RETRY;
use crate::model::{EndpointConditions, EndpointState, StateWords, keys};
use crate::plan::request::Options;
use crate::plan::{HintsMode, HintsReport};
use crate::reconcile::EndpointsPerSlice;

/// The words for what is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Legend {
    /// What an endpoint can be.
    pub states: Vec<StateWords>,
    /// What conditions add up to: of each combination, nine times `ready`, three times `serving` and once `terminating`,
    /// where 0 is absent, 1 is false and 2 is true.
    pub conditions: Vec<Meaning>,
    /// Hints.
    pub hints: HintWords,
    /// Said of a plan that has to be made again.
    pub retry: &'static str,
    /// The options of a plan where none are given.
    pub options: DefaultOptions,
    /// The most endpoints that a slice may be allowed to hold.
    pub most_endpoints_per_slice: u32,
    /// Labels and annotations that lists of objects show.
    pub labels: Labels,
}

/// Labels and annotations that lists of objects show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Labels {
    /// Of a slice: the Service it belongs to.
    pub service: &'static str,
    /// Of a node: its zone.
    pub zone: &'static str,
    /// Of a Service: it asks for hints.
    pub topology_mode: &'static str,
}

/// How a plan stands with hints, over all families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum HintsState {
    /// Nothing asks for them.
    None,
    /// They are given wherever they are asked for.
    On,
    /// They are asked for, and in some family not given.
    Off,
}

impl HintsState {
    /// That of a plan, by its reports.
    pub fn of(reports: &[HintsReport<'_>]) -> Self {
        let asked = |report: &&HintsReport<'_>| report.mode != HintsMode::None;
        let asked = reports.iter().filter(asked);
        let given = asked.map(|report| report.applied);
        given
            .reduce(|all, given| all && given)
            .map_or(Self::None, |all| if all { Self::On } else { Self::Off })
    }
}

/// What the conditions of an endpoint mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Meaning {
    /// What they add up to.
    pub state: EndpointState,
    /// Does it count among the ready endpoints?
    pub ready: bool,
    /// One by one.
    pub words: String,
}

/// Words about hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HintWords {
    /// What a mark for a zone means.
    pub zone: &'static str,
    /// What a mark for a node and a zone means.
    pub node: &'static str,
    /// Nothing asks for hints.
    pub none: &'static str,
    /// They are given.
    pub on: &'static str,
    /// They are asked for, and not given.
    pub off: &'static str,
}

/// What options are where none are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DefaultOptions {
    /// Value of the managed-by label.
    pub managed_by: &'static str,
    /// How many endpoints a slice may hold.
    pub max_endpoints_per_slice: usize,
    /// Give `Auto` hints?
    pub topology_hints: bool,
    /// Act on `PreferSameZone` and `PreferSameNode`?
    pub prefer_same_traffic_distribution: bool,
}

/// The words for what is drawn.
pub fn legend() -> Legend {
    const CONDITION: [Option<bool>; 3] = [None, Some(false), Some(true)];
    let combinations = CONDITION.into_iter().flat_map(|ready| {
        let servings = CONDITION.into_iter();
        servings.flat_map(move |serving| CONDITION.map(|terminating| (ready, serving, terminating)))
    });
    let settings = Options::default();
    let settings = settings.settings();
    Legend {
        states: StateWords::all(),
        conditions: combinations.map(Meaning::of).collect(),
        hints: HintWords {
            zone: "hint: for clients in that zone",
            node: "hint: for clients on its node, and in that zone",
            none: "No hints",
            on: "Hints are on",
            off: "Hints are off",
        },
        retry: RETRY,
        options: DefaultOptions {
            managed_by: keys::DEFAULT_MANAGED_BY,
            max_endpoints_per_slice: settings.max_endpoints_per_slice.get(),
            topology_hints: settings.topology_hints,
            prefer_same_traffic_distribution: settings.prefer_same_traffic_distribution,
        },
        most_endpoints_per_slice: EndpointsPerSlice::MAX,
        labels: Labels {
            service: keys::SERVICE_NAME_LABEL,
            zone: keys::ZONE_LABEL,
            topology_mode: keys::TOPOLOGY_MODE_ANNOTATION,
        },
    }
}

impl Meaning {
    fn of((ready, serving, terminating): (Option<bool>, Option<bool>, Option<bool>)) -> Self {
        let conditions = EndpointConditions {
            ready,
            serving,
            terminating,
            ..EndpointConditions::default()
        };
        let (ready, serving, terminating) = conditions.meant();
        let not = |is: bool| if is { "" } else { "not " };
        let end = if terminating { ", terminating" } else { "" };
        Self {
            state: conditions.state(),
            ready,
            words: format!("{}ready, {}serving{end}", not(ready), not(serving)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_conditions_mean_what_the_api_says() {
        let legend = legend();
        let meant = |ready: usize, serving: usize, terminating: usize| {
            let meaning = &legend.conditions[9 * ready + 3 * serving + terminating];
            (meaning.state, meaning.words.as_str())
        };
        assert_eq!(legend.conditions.len(), 27);
        assert_eq!(meant(0, 0, 0), (EndpointState::Ready, "ready, serving"));
        assert_eq!(
            meant(1, 0, 0),
            (EndpointState::NotReady, "not ready, not serving")
        );
        assert_eq!(
            meant(1, 2, 2),
            (EndpointState::Draining, "not ready, serving, terminating")
        );
        assert_eq!(
            meant(1, 0, 2),
            (
                EndpointState::Stopped,
                "not ready, not serving, terminating"
            )
        );
        assert_eq!(
            meant(2, 1, 0),
            (EndpointState::Published, "ready, not serving")
        );
    }

    /// Families that do not ask are not asked.
    #[test]
    fn hints_are_on_where_all_who_ask_have_them() {
        let check = |reports: &[(HintsMode, bool)], expected| {
            let of = |(mode, applied): &(HintsMode, bool)| HintsReport {
                address_type: crate::model::AddressType::IPv4,
                mode: *mode,
                applied: *applied,
                reason: None,
                zones: Vec::new(),
            };
            let reports: Vec<_> = reports.iter().map(of).collect();
            assert_eq!(HintsState::of(&reports), expected);
        };
        check(&[], HintsState::None);
        check(&[(HintsMode::None, false)], HintsState::None);
        check(
            &[(HintsMode::Auto, true), (HintsMode::None, false)],
            HintsState::On,
        );
        check(
            &[(HintsMode::Auto, true), (HintsMode::Auto, false)],
            HintsState::Off,
        );
    }
}
