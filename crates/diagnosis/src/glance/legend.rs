//! The legend of pictures of endpoints: the words for what is drawn, and the meaning of conditions.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::words::RETRY;
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::{EndpointConditions, EndpointState, StateWords, keys};
use slicewise::plan::request::Options;
use slicewise::plan::{HintsMode, HintsReport};
use slicewise::reconcile::EndpointsPerSlice;
use slicewise_traffic::routing::SliceReader;

/// The words for what is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Legend {
    /// The states of an endpoint.
    pub states: Vec<StateWords>,
    /// The meaning of every combination of conditions, at the index 9 × `ready` + 3 × `serving` + `terminating`, where
    /// 0 is absent, 1 is false and 2 is true.
    pub conditions: Vec<Meaning>,
    /// Hints.
    pub hints: HintWords,
    /// The note for a plan that has to be retried.
    pub retry: &'static str,
    /// The default options of a plan.
    pub options: DefaultOptions,
    /// The versions of Kubernetes whose decisions are reproduced, oldest first.
    pub kubernetes_versions: [&'static str; KubernetesVersion::ALL.len()],
    /// The maximum number of endpoints that a slice can be allowed to hold.
    pub most_endpoints_per_slice: u32,
    /// Labels and annotations that lists of objects show.
    pub labels: Labels,
    /// The names of the consumers of slices.
    pub readers: ReaderNames,
}

/// The names of the consumers of slices, by their names in requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of `Reader`")]
#[non_exhaustive]
pub struct ReaderNames {
    pub kube_proxy: &'static str,
    pub cilium: &'static str,
    pub istio: &'static str,
    pub linkerd: &'static str,
    pub envoy_gateway: &'static str,
}

/// Labels and annotations that lists of objects show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Labels {
    /// On a slice: the Service it belongs to.
    pub service: &'static str,
    /// On a node: its zone.
    pub zone: &'static str,
    /// On a Service: it requests hints.
    pub topology_mode: &'static str,
}

/// The state of a plan's hints, over all families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum HintsState {
    /// Nothing requests them.
    None,
    /// They are assigned wherever they are requested.
    On,
    /// They are requested, but some family does not get them.
    Off,
}

impl HintsState {
    /// The state of a plan, from its reports.
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
    /// The resulting state.
    pub state: EndpointState,
    /// Does it count among the ready endpoints?
    pub ready: bool,
    /// The conditions one by one.
    pub words: String,
}

/// Words about hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HintWords {
    /// The meaning of a mark for a zone.
    pub zone: &'static str,
    /// The meaning of a mark for a node and a zone.
    pub node: &'static str,
    /// Nothing requests hints.
    pub none: &'static str,
    /// They are assigned.
    pub on: &'static str,
    /// They are requested, but not assigned.
    pub off: &'static str,
}

/// The default options.
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
    /// The version of Kubernetes that decides.
    pub kubernetes: &'static str,
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
            kubernetes: KubernetesVersion::default().name(),
        },
        kubernetes_versions: KubernetesVersion::ALL.map(KubernetesVersion::name),
        most_endpoints_per_slice: EndpointsPerSlice::MAX,
        labels: Labels {
            service: keys::SERVICE_NAME_LABEL,
            zone: keys::ZONE_LABEL,
            topology_mode: keys::TOPOLOGY_MODE_ANNOTATION,
        },
        readers: ReaderNames {
            kube_proxy: SliceReader::KubeProxy.title(),
            cilium: SliceReader::Cilium.title(),
            istio: SliceReader::Istio.title(),
            linkerd: SliceReader::Linkerd.title(),
            envoy_gateway: SliceReader::EnvoyGateway.title(),
        },
    }
}

impl Meaning {
    fn of((ready, serving, terminating): (Option<bool>, Option<bool>, Option<bool>)) -> Self {
        let mut conditions = EndpointConditions::default();
        conditions.ready = ready;
        conditions.serving = serving;
        conditions.terminating = terminating;
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

    #[test]
    fn every_reader_has_a_name() {
        let names = serde_json::to_value(legend().readers).unwrap();
        let expected =
            SliceReader::ALL.map(|reader| (reader.name().to_owned(), reader.title().into()));
        assert_eq!(
            names,
            serde_json::Value::Object(expected.into_iter().collect())
        );
    }

    /// Families that request no hints do not count.
    #[test]
    fn hints_are_on_where_all_who_ask_have_them() {
        let check = |reports: &[(HintsMode, bool)], expected| {
            let of = |(mode, applied): &(HintsMode, bool)| {
                HintsReport::new(slicewise::model::AddressType::IPv4, *mode, *applied)
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
