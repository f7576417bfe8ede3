//! Hints for `spec.trafficDistribution`: every ready endpoint is hinted to its own zone, or zone and node.
//!
//! Reference: `k8s.io/endpointslice/trafficdist` (KEP-4444 `PreferClose`, KEP-3015 the other two).

use crate::model::{Endpoint, NameRef, Service};

/// A `trafficDistribution` that this planner supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrafficDistribution {
    /// The original name of `PreferSameZone`.
    PreferClose,
    /// Zone hints.
    PreferSameZone,
    /// Zone and node hints.
    PreferSameNode,
}

impl TrafficDistribution {
    /// The effective value of the Service: the two newer values only if they are allowed (feature gate
    /// `PreferSameTrafficDistribution`), and `None` if an annotation requests `Auto`.
    pub fn of(service: &Service<'_>, allow_prefer_same: bool) -> Option<Self> {
        if service.wants_topology_hints() {
            return None;
        }
        match service.spec.traffic_distribution.as_deref()? {
            "PreferClose" => Some(Self::PreferClose),
            "PreferSameZone" if allow_prefer_same => Some(Self::PreferSameZone),
            "PreferSameNode" if allow_prefer_same => Some(Self::PreferSameNode),
            _ => None,
        }
    }

    /// Does it hint to nodes as well?
    pub const fn hints_nodes(self) -> bool {
        matches!(self, Self::PreferSameNode)
    }

    /// Does a ready endpoint lack its hint, or have a different one (reference: `needsUpdate`)?
    pub(crate) fn is_hint_wrong(self, endpoint: &Endpoint<'_>) -> bool {
        if !endpoint.is_ready() {
            return false;
        }
        let (zones, nodes) = endpoint.hints.as_ref().map_or((&[][..], &[][..]), |hints| {
            (hints.for_zones.as_slice(), hints.for_nodes.as_slice())
        });
        let node_name = endpoint.node_name.as_deref().filter(|_| self.hints_nodes());
        !names_only(zones, endpoint.zone.as_deref()) || !names_only(nodes, node_name)
    }
}

fn names_only(names: &[NameRef<'_>], wanted: Option<&str>) -> bool {
    match (names, wanted) {
        ([], None) => true,
        ([name], Some(wanted)) => name.name == *wanted,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check_of(field: Option<&str>, mode: Option<&str>, allow: bool, expected: Option<&str>) {
        let service = json!({
            "metadata": {"name": "cart", "annotations": {"service.kubernetes.io/topology-mode": mode}},
            "spec": {"trafficDistribution": field},
        })
        .to_string();
        let service: Service<'_> = serde_json::from_str(&service).unwrap();
        let found = TrafficDistribution::of(&service, allow).map(|found| format!("{found:?}"));
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn only_known_values_count() {
        check_of(None, None, true, None);
        check_of(Some(""), None, true, None);
        check_of(Some("preferclose"), None, true, None);
        check_of(Some("PreferClose"), None, true, Some("PreferClose"));
        check_of(Some("PreferSameZone"), None, true, Some("PreferSameZone"));
        check_of(Some("PreferSameNode"), None, true, Some("PreferSameNode"));
    }

    #[test]
    fn newer_values_need_the_gate() {
        check_of(Some("PreferClose"), None, false, Some("PreferClose"));
        check_of(Some("PreferSameZone"), None, false, None);
        check_of(Some("PreferSameNode"), None, false, None);
    }

    #[test]
    fn mode_auto_wins() {
        check_of(Some("PreferClose"), Some("Auto"), true, None);
        check_of(
            Some("PreferClose"),
            Some("Disabled"),
            true,
            Some("PreferClose"),
        );
    }

    /// An endpoint in zone `a` on node `n` with hints; are they wrong for zones, and for zones and nodes?
    #[track_caller]
    fn check_hint(zones: &[&str], nodes: &[&str], wrong_for_zones: bool, wrong_for_nodes: bool) {
        let names = |names: &[&str]| names.iter().map(|name| json!({"name": name})).collect();
        let (zones, nodes): (serde_json::Value, serde_json::Value) = (names(zones), names(nodes));
        let mut endpoint = json!({
            "conditions": {"ready": true}, "zone": "a", "nodeName": "n", "hints": {"forZones": zones, "forNodes": nodes},
        });
        let is_wrong = |endpoint: &serde_json::Value, traffic: TrafficDistribution| {
            let text = endpoint.to_string();
            traffic.is_hint_wrong(&serde_json::from_str(&text).unwrap())
        };
        let [close, zone, node] = [
            TrafficDistribution::PreferClose,
            TrafficDistribution::PreferSameZone,
            TrafficDistribution::PreferSameNode,
        ]
        .map(|traffic| is_wrong(&endpoint, traffic));
        assert_eq!(
            (close, zone, node),
            (wrong_for_zones, wrong_for_zones, wrong_for_nodes)
        );
        endpoint["conditions"]["ready"] = false.into();
        assert!(
            !is_wrong(&endpoint, TrafficDistribution::PreferSameNode),
            "hints of an endpoint that is not ready are left alone"
        );
    }

    #[test]
    fn a_hint_names_the_own_zone_and_node_only() {
        check_hint(&["a"], &["n"], true, false);
        check_hint(&["a"], &[], false, true);
        check_hint(&[], &["n"], true, true);
        check_hint(&["b"], &["n"], true, true);
        check_hint(&["a"], &["m"], true, true);
        check_hint(&["a", "b"], &["n"], true, true);
        check_hint(&["a"], &["n", "n"], true, true);
    }

    #[test]
    fn where_the_zone_is_unknown_there_is_no_hint() {
        let is_wrong = |text: &str| {
            TrafficDistribution::PreferClose.is_hint_wrong(&serde_json::from_str(text).unwrap())
        };
        assert!(!is_wrong(r#"{"conditions": {"ready": true}}"#));
        assert!(is_wrong(
            r#"{"conditions": {"ready": true}, "hints": {"forZones": [{"name": "a"}]}}"#
        ));
        assert!(is_wrong(r#"{"conditions": {"ready": true}, "zone": "a"}"#));
    }
}
