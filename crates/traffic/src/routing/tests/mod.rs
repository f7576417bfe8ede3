//! Traffic shares of small Services, computed by hand.

use serde_json::{Value, json};

use super::*;

mod shares;

/// Endpoints as `zone`, with `zone>hint` for one that is hinted elsewhere and `zone-` for one without a hint; `!` is
/// not ready, `~` is terminating and still serving. Each is on its own node: `a0`, `b1`, … by its index.
fn slice(endpoints: &[&str]) -> String {
    let endpoint = |(place, text): (usize, &&str)| {
        let state = text.chars().last().unwrap_or_default();
        let text = text.trim_end_matches(['!', '~']);
        let (zone, hint) = match text.split_once('>') {
            Some((zone, hint)) => (zone, Some(hint)),
            None => match text.strip_suffix('-') {
                Some(zone) => (zone, None),
                None => (text, Some(text)),
            },
        };
        let hints = hint.map(|hint| json!({"forZones": [{"name": hint}]}));
        json!({"addresses": [format!("10.0.0.{place}")], 
            "conditions": {"ready": !"!~".contains(state), "serving": state != '!', "terminating": state == '~'},
            "nodeName": format!("{zone}{place}"), "zone": zone, "hints": hints})
    };
    let endpoints: Vec<Value> = endpoints.iter().enumerate().map(endpoint).collect();
    json!({
        "metadata": {"namespace": "shop", "name": "cart-a", "labels": {"kubernetes.io/service-name": "cart"}},
        "addressType": "IPv4", "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}], "endpoints": endpoints,
    })
    .to_string()
}

fn service(spec: &Value, mode: Option<&str>) -> String {
    let mut service = json!({
        "metadata": {"namespace": "shop", "name": "cart", "annotations": {"service.kubernetes.io/topology-mode": mode}},
        "spec": {"clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "ipFamilies": ["IPv4"],
            "ports": [{"name": "http", "port": 80, "protocol": "TCP"}]},
    });
    json_patch::merge(&mut service["spec"], spec);
    service.to_string()
}

fn traffic(reader: SliceReader, service: &str, slice: &str, clients: &[&str]) -> PortTraffic {
    let service: proxy::ProxiedService<'_> = serde_json::from_str(service).unwrap();
    let slice = serde_json::from_str(slice).unwrap();
    let slices = [&slice];
    let zones: Vec<_> = clients
        .iter()
        .map(|node| node.trim_end_matches(|digit: char| digit.is_ascii_digit()))
        .collect();
    let clients: Vec<_> = clients
        .iter()
        .zip(&zones)
        .map(|(node, zone)| Client {
            node,
            zone,
            weight: 1.0,
        })
        .collect();
    let situation = Situation {
        service: &service,
        slices: &slices,
        address_type: AddressType::IPv4,
        reader,
        with_node_hints: true,
    };
    let [port] = <[PortTraffic; 1]>::try_from(matrix(&situation, &clients)).unwrap();
    port
}

/// `percent from>to` by zones, then each client's rule.
fn show(port: &PortTraffic, clients: &[&str]) -> String {
    let shares = port.zones.iter().flat_map(|from| {
        from.to
            .iter()
            .map(|to| format!("{:.0} {}>{}", to.share * 100.0, from.from, to.zone))
    });
    let rules = clients.iter().enumerate().map(|(place, client)| {
        let mut groups = port.groups.iter();
        let group = groups.find(|group| group.nodes.contains(&place)).unwrap();
        format!("{client}: {}", group.rule)
    });
    format!(
        "{} | {}",
        shares.collect::<Vec<_>>().join(" "),
        rules.collect::<Vec<_>>().join("; ")
    )
}

#[track_caller]
fn check(
    reader: SliceReader,
    asks: (&Value, Option<&str>),
    endpoints: &[&str],
    clients: &[&str],
    expected: &str,
) {
    let (spec, mode) = asks;
    let port = traffic(reader, &service(spec, mode), &slice(endpoints), clients);
    assert_eq!(show(&port, clients), expected, "{}", reader.name());
}

#[test]
fn kube_proxy_follows_hints_when_all_have_one() {
    let none = json!({});
    check(
        SliceReader::KubeProxy,
        (&none, None),
        &["a", "b"],
        &["a9", "b9"],
        "50 a>a 50 b>b | a9: hinted to this zone; b9: hinted to this zone",
    );
    check(
        SliceReader::KubeProxy,
        (&none, None),
        &["a", "b-"],
        &["a9", "b9"],
        "25 a>a 25 a>b 25 b>a 25 b>b | a9: all: 10.0.0.1:8080 has no zone hint; b9: all: 10.0.0.1:8080 has no zone hint",
    );
    check(
        SliceReader::KubeProxy,
        (&none, None),
        &["a", "b"],
        &["c9"],
        "50 c>a 50 c>b | c9: all: none is hinted to zone c",
    );
    check(
        SliceReader::KubeProxy,
        (&json!({"internalTrafficPolicy": "Local"}), None),
        &["a", "b"],
        &["a0", "a9"],
        "50 a>a | a0: internalTrafficPolicy Local; a9: internalTrafficPolicy Local, and none is here",
    );
}

#[test]
fn cilium_reads_hints_only_where_the_service_asks_for_them() {
    let zone = json!({"trafficDistribution": "PreferClose"});
    check(
        SliceReader::Cilium,
        (&json!({}), None),
        &["a", "b"],
        &["a9"],
        "50 a>a 50 a>b | a9: all: the Service does not request topology-aware routing",
    );
    check(
        SliceReader::Cilium,
        (&zone, None),
        &["a", "b"],
        &["a9"],
        "100 a>a | a9: hinted to this zone",
    );
    check(
        SliceReader::Cilium,
        (&json!({}), Some("Auto")),
        &["a", "b"],
        &["a9"],
        "100 a>a | a9: hinted to this zone",
    );
    check(
        SliceReader::Cilium,
        (&zone, None),
        &["a", "b-"],
        &["a9"],
        "50 a>a 50 a>b | a9: all: an endpoint has no zone hint",
    );
    let node = json!({"trafficDistribution": "PreferSameNode"});
    check(
        SliceReader::Cilium,
        (&node, None),
        &["a", "b-"],
        &["a0", "a9"],
        "75 a>a 25 a>b | a0: on this node; a9: all: none is on this node",
    );
}

#[test]
fn istio_looks_at_where_endpoints_are_and_not_at_hints() {
    let zone = json!({"trafficDistribution": "PreferClose"});
    check(
        SliceReader::Istio,
        (&zone, None),
        &["a>b", "b"],
        &["a9"],
        "100 a>a | a9: in this zone",
    );
    check(
        SliceReader::Istio,
        (&zone, None),
        &["a", "b"],
        &["c9"],
        "50 c>a 50 c>b | c9: all: none is in this zone",
    );
    check(
        SliceReader::Istio,
        (&json!({}), Some("Auto")),
        &["a", "b"],
        &["a9"],
        "50 a>a 50 a>b | a9: all: no trafficDistribution",
    );
}

#[test]
fn istio_keeps_to_the_node_under_the_policy_local() {
    let local = json!({"internalTrafficPolicy": "Local", "trafficDistribution": "PreferClose"});
    check(
        SliceReader::Istio,
        (&local, None),
        &["a", "b"],
        &["a0", "a9"],
        "50 a>a | a0: internalTrafficPolicy Local; a9: internalTrafficPolicy Local, and none is here",
    );
}

#[test]
fn istio_prefers_the_node_then_its_zone_then_all() {
    let node = json!({"trafficDistribution": "PreferSameNode"});
    check(
        SliceReader::Istio,
        (&node, None),
        &["a", "a", "b"],
        &["a0", "a9", "c9"],
        "67 a>a 22 c>a 11 c>b | a0: on this node; a9: in this zone: none is on this node; c9: all: none is on this node or in this zone",
    );
}

#[test]
fn istio_goes_by_what_slices_say_of_endpoints_that_are_published() {
    let published = json!({"publishNotReadyAddresses": true});
    check(
        SliceReader::Istio,
        (&published, None),
        &["a", "b!"],
        &["a9"],
        "100 a>a | a9: all: no trafficDistribution",
    );
}

#[test]
fn istio_reads_an_annotation_of_its_own_where_the_field_says_nothing() {
    let istio = |spec: &Value, value: &str| {
        let mut service: Value = serde_json::from_str(&service(spec, None)).unwrap();
        service["metadata"]["annotations"] =
            json!({"networking.istio.io/traffic-distribution": value});
        let port = traffic(
            SliceReader::Istio,
            &service.to_string(),
            &slice(&["a", "a", "b"]),
            &["a0"],
        );
        port.groups[0].rule.clone()
    };
    let nothing = json!({});
    assert_eq!(istio(&nothing, "PreferClose"), "in this zone");
    assert_eq!(istio(&nothing, "prefersamenode"), "on this node");
    assert_eq!(istio(&nothing, "elsewhere"), "all: no trafficDistribution");
    let field = json!({"trafficDistribution": "PreferSameZone"});
    assert_eq!(istio(&field, "PreferSameNode"), "in this zone");
    let unknown = json!({"trafficDistribution": "example.com/any"});
    assert_eq!(istio(&unknown, "PreferSameNode"), "on this node");
}

#[test]
fn cilium_falls_back_to_what_terminates_and_still_answers() {
    check(
        SliceReader::Cilium,
        (&json!({}), None),
        &["a~", "b!"],
        &["a9"],
        "100 a>a | a9: none is ready: those that are terminating and still serving",
    );
    check(
        SliceReader::Cilium,
        (&json!({}), None),
        &["a~", "b"],
        &["a9"],
        "100 a>b | a9: all: the Service does not request topology-aware routing",
    );
    let local = json!({"internalTrafficPolicy": "Local"});
    check(
        SliceReader::Cilium,
        (&local, None),
        &["a~", "b"],
        &["a0", "b1", "b9"],
        "33 a>a 33 b>b | a0: none is ready: those that are terminating and still serving; b1: internalTrafficPolicy Local; b9: internalTrafficPolicy Local, and none is here",
    );
    let node = json!({"trafficDistribution": "PreferSameNode"});
    check(
        SliceReader::Cilium,
        (&node, None),
        &["a~", "b"],
        &["a0"],
        "100 a>b | a0: all: none is on this node",
    );
    // A terminating endpoint has normally lost its hint, which counts only if the endpoint is ready.
    let zone = json!({"trafficDistribution": "PreferClose"});
    check(
        SliceReader::Cilium,
        (&zone, None),
        &["a", "b", "b-~"],
        &["a9"],
        "100 a>a | a9: hinted to this zone",
    );
    check(
        SliceReader::Cilium,
        (&zone, None),
        &["a~", "b~"],
        &["a9"],
        "50 a>a 50 a>b | a9: none is ready: those that are terminating and still serving",
    );
}

#[test]
fn cilium_takes_any_annotation_but_disabled_and_none_under_local() {
    let clients = ["a0"];
    let rule = |spec: &Value, mode| {
        let slice = slice(&["a", "a>b"]);
        let port = traffic(SliceReader::Cilium, &service(spec, mode), &slice, &clients);
        port.groups[0].rule.clone()
    };
    let nothing = json!({});
    let unasked = "all: the Service does not request topology-aware routing";
    assert_eq!(rule(&nothing, Some("PreferZone")), "hinted to this zone");
    for mode in ["", "disabled", "Disabled"] {
        assert_eq!(rule(&nothing, Some(mode)), unasked, "{mode}");
    }
    let local = json!({"internalTrafficPolicy": "Local", "trafficDistribution": "PreferClose"});
    assert_eq!(rule(&local, None), "internalTrafficPolicy Local");
}

#[test]
fn linkerd_keeps_to_the_node_before_it_looks_at_hints() {
    check(
        SliceReader::Linkerd,
        (&json!({"internalTrafficPolicy": "Local"}), None),
        &["a>b", "b>a"],
        &["a0", "a9"],
        "50 a>a | a0: internalTrafficPolicy Local; a9: internalTrafficPolicy Local, and none is here",
    );
}

#[test]
fn linkerd_reads_hints_whatever_the_service_asks_for() {
    check(
        SliceReader::Linkerd,
        (&json!({}), None),
        &["a", "b"],
        &["a9"],
        "100 a>a | a9: hinted to this zone",
    );
    check(
        SliceReader::Linkerd,
        (&json!({}), None),
        &["a", "b-"],
        &["a9"],
        "50 a>a 50 a>b | a9: all: an endpoint has no zone hint",
    );
}

#[test]
fn envoy_gateway_wants_enough_endpoints_in_the_zone() {
    let zone = json!({"trafficDistribution": "PreferClose"});
    check(
        SliceReader::EnvoyGateway,
        (&zone, None),
        &["a-", "b-"],
        &["a9"],
        "100 a>a | a9: in this zone",
    );
    check(
        SliceReader::EnvoyGateway,
        (&json!({}), Some("Auto")),
        &["a-", "a-", "b-"],
        &["a9"],
        "67 a>a 33 a>b | a9: all: too few are in this zone",
    );
    check(
        SliceReader::EnvoyGateway,
        (&json!({}), Some("Auto")),
        &["a-", "a-", "a-", "b-"],
        &["a9"],
        "100 a>a | a9: in this zone",
    );
}
