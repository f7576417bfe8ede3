//! The facts that hint rules use: of one endpoint, and summed up over slices.

use alloc::string::ToString;

use crate::model::endpoint_set::DesiredEndpoint;
use crate::model::{Endpoint, EndpointSlice, SortedMap};
use crate::topology::cache::ZoneCounts;
use crate::traffic_distribution::TrafficDistribution;

/// The facts that hint rules use, summed up over a slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HintFacts {
    /// Ready endpoints.
    pub ready: i64,
    /// Does any endpoint have hints?
    pub has_hints: bool,
    /// Do the hints of any ready endpoint differ from its zone alone?
    pub wrong_zone: bool,
    /// Do the hints of any ready endpoint differ from its zone and its node?
    pub wrong_node: bool,
    /// Hints of ready endpoints by zone; `None` if one of them has none.
    pub by_zone: Option<ZoneCounts>,
}

impl HintFacts {
    /// Sums up a slice.
    pub fn of(slice: &EndpointSlice<'_>) -> Self {
        let by_zone = hints_by_zone(slice).map(|zones| {
            let own = |(zone, count): (&str, i64)| (zone.to_string(), count);
            zones.into_iter().map(own).collect()
        });
        Self {
            ready: count_ready(slice),
            has_hints: has_hints(slice),
            wrong_zone: is_hint_wrong(slice, TrafficDistribution::PreferSameZone),
            wrong_node: is_hint_wrong(slice, TrafficDistribution::PreferSameNode),
            by_zone,
        }
    }
}

/// [`HintFacts`] of several slices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HintTotals {
    /// Ready endpoints.
    pub ready: i64,
    /// Slices with any hints.
    pub with_hints: u32,
    /// Slices with a wrong hint to a zone.
    pub wrong_zone: u32,
    /// Slices with a wrong hint to a zone or node.
    pub wrong_node: u32,
    /// Slices with a ready endpoint that has no hint.
    pub without_hint: u32,
    /// Hints of the other slices by zone.
    pub by_zone: ZoneCounts,
}

impl HintTotals {
    /// Is any hint wrong for that traffic distribution?
    pub const fn is_any_hint_wrong(&self, traffic: TrafficDistribution) -> bool {
        if traffic.hints_nodes() {
            self.wrong_node > 0
        } else {
            self.wrong_zone > 0
        }
    }

    /// Adds a slice.
    pub fn add(&mut self, facts: &HintFacts) {
        self.ready += facts.ready;
        self.with_hints += u32::from(facts.has_hints);
        self.wrong_zone += u32::from(facts.wrong_zone);
        self.wrong_node += u32::from(facts.wrong_node);
        self.without_hint += u32::from(facts.by_zone.is_none());
        for (zone, count) in facts.by_zone.iter().flat_map(ZoneCounts::iter) {
            match self.by_zone.get_mut(zone) {
                Some(sum) => *sum += count,
                None => drop(self.by_zone.insert(zone.clone(), *count)),
            }
        }
    }

    /// Removes a slice.
    pub fn remove(&mut self, facts: &HintFacts) {
        self.ready -= facts.ready;
        self.with_hints -= u32::from(facts.has_hints);
        self.wrong_zone -= u32::from(facts.wrong_zone);
        self.wrong_node -= u32::from(facts.wrong_node);
        self.without_hint -= u32::from(facts.by_zone.is_none());
        for (zone, count) in facts.by_zone.iter().flat_map(ZoneCounts::iter) {
            if let Some(sum) = self.by_zone.get_mut(zone) {
                *sum -= count;
                if *sum == 0 {
                    self.by_zone.remove(zone);
                }
            }
        }
    }
}

pub(super) fn count_ready(slice: &EndpointSlice<'_>) -> i64 {
    let ready = slice
        .endpoints
        .iter()
        .filter(|endpoint| endpoint.is_ready());
    ready.count() as i64
}

pub(super) fn has_hints(slice: &EndpointSlice<'_>) -> bool {
    slice
        .endpoints
        .iter()
        .any(|endpoint| endpoint.hints.is_some())
}

pub(super) fn is_hint_wrong(slice: &EndpointSlice<'_>, traffic: TrafficDistribution) -> bool {
    slice
        .endpoints
        .iter()
        .any(|endpoint| traffic.is_hint_wrong(endpoint))
}

pub(super) fn hints_by_zone<'s>(slice: &'s EndpointSlice<'_>) -> Option<SortedMap<&'s str, i64>> {
    let mut zones = SortedMap::default();
    for endpoint in slice
        .endpoints
        .iter()
        .filter(|endpoint| endpoint.is_ready())
    {
        let hints = endpoint.hints.as_ref().map(|hints| &hints.for_zones);
        for hint in hints.filter(|zones| !zones.is_empty())? {
            *zones.or_default(hint.name.as_str()) += 1;
        }
    }
    Some(zones)
}

/// The facts that hint rules use, for an endpoint of a draft or of an existing slice.
#[derive(Debug, Clone, Copy, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever follows a cluster fills it in"
)]
pub struct EndpointView<'a> {
    /// Is it ready?
    pub ready: bool,
    /// Its zone; `None` also for an empty text.
    pub zone: Option<&'a str>,
    /// Its node.
    pub node_name: Option<&'a str>,
}

impl<'a> EndpointView<'a> {
    /// The view of an existing endpoint.
    pub fn existing(endpoint: &'a Endpoint<'a>) -> Self {
        Self {
            ready: endpoint.is_ready(),
            zone: endpoint.zone.as_deref(),
            node_name: endpoint.node_name.as_deref(),
        }
    }

    /// The view of a desired endpoint.
    pub fn desired(endpoint: &DesiredEndpoint<'a>) -> Self {
        Self {
            ready: endpoint.ready == Some(true),
            zone: endpoint.zone,
            node_name: endpoint.node_name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::testing::slice;
    use serde_json::{Value, json};

    /// An endpoint in zone `a` on node `n`, with these hints.
    fn endpoint(ready: bool, zones: &[&str], nodes: &[&str]) -> Value {
        let names =
            |names: &[&str]| -> Vec<_> { names.iter().map(|name| json!({"name": name})).collect() };
        let mut endpoint = json!({
            "addresses": ["10.0.0.1"], "conditions": {"ready": ready}, "zone": "a", "nodeName": "n",
        });
        if !zones.is_empty() {
            endpoint["hints"] = json!({"forZones": names(zones), "forNodes": names(nodes)});
        }
        endpoint
    }

    fn counts(zones: &[(&str, i64)]) -> ZoneCounts {
        let own = |(zone, count): &(&str, i64)| ((*zone).to_owned(), *count);
        zones.iter().map(own).collect()
    }

    fn sum(facts: &[HintFacts]) -> HintTotals {
        let mut totals = HintTotals::default();
        facts.iter().for_each(|facts| totals.add(facts));
        totals
    }

    fn facts() -> [HintFacts; 5] {
        [
            &[endpoint(true, &["a"], &[]), endpoint(false, &[], &[])][..],
            &[endpoint(true, &["b"], &[]), endpoint(true, &["b"], &[])],
            &[endpoint(true, &["a"], &["n"])],
            &[endpoint(true, &[], &[])],
            &[],
        ]
        .map(|endpoints| HintFacts::of(slice("a", endpoints)))
    }

    #[test]
    fn totals_are_those_of_the_slices_that_are_left() {
        let facts = facts();
        let mut totals = sum(&facts);
        let all = HintTotals {
            ready: 5,
            with_hints: 3,
            wrong_zone: 3,
            wrong_node: 3,
            without_hint: 1,
            by_zone: counts(&[("a", 2), ("b", 2)]),
        };
        assert_eq!(totals, all);
        for (place, gone) in facts.iter().enumerate() {
            totals.remove(gone);
            assert_eq!(totals, sum(&facts[place + 1..]));
        }
    }

    #[test]
    fn a_hint_is_wrong_by_zone_or_by_node_as_well() {
        let wrong = facts().map(|facts| {
            let totals = sum(&[facts]);
            [
                TrafficDistribution::PreferSameZone,
                TrafficDistribution::PreferSameNode,
            ]
            .map(|traffic| totals.is_any_hint_wrong(traffic))
        });
        let [zones_suffice, none_suffices] = [[false, true], [true, true]];
        // If only zones are requested, a hint to a node is wrong.
        let names_the_node = [true, false];
        let expected = [
            zones_suffice,
            none_suffices,
            names_the_node,
            none_suffices,
            [false, false],
        ];
        assert_eq!(wrong, expected);
    }
}
