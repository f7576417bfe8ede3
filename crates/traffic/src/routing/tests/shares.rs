//! Shares, and answers that stay small.

use serde_json::{Value, json};

use super::*;

#[test]
fn an_endpoint_with_more_clients_has_more_than_its_share() {
    let port = traffic(
        SliceReader::KubeProxy,
        &service(&json!({}), None),
        &slice(&["a", "b", "b", "b!"]),
        &["a9", "b8", "b9", "a8"],
    );
    let loads: Vec<_> = port
        .endpoints
        .iter()
        .map(|load| {
            (
                load.endpoint.as_str(),
                (load.share * 100.0).round(),
                (load.overload * 100.0).round(),
            )
        })
        .collect();
    assert_eq!(
        loads,
        [
            ("10.0.0.0:8080", 50.0, 50.0),
            ("10.0.0.1:8080", 25.0, -25.0),
            ("10.0.0.2:8080", 25.0, -25.0),
            ("10.0.0.3:8080", 0.0, 0.0)
        ]
    );
    assert_eq!(
        (
            port.cross_zone,
            port.unserved,
            (port.overload * 100.0).round()
        ),
        (Some(0.0), 0.0, 50.0)
    );
}

#[test]
fn what_finds_no_endpoint_is_unserved() {
    let port = traffic(
        SliceReader::KubeProxy,
        &service(&json!({}), None),
        &slice(&["a!"]),
        &["a9"],
    );
    assert_eq!(show(&port, &["a9"]), " | a9: there is no endpoint");
    assert_eq!(
        (port.unserved, port.overload, port.cross_zone),
        (1.0, 0.0, None)
    );
}

#[test]
fn zones_have_their_sums() {
    let port = traffic(
        SliceReader::KubeProxy,
        &service(&json!({"internalTrafficPolicy": "Local"}), None),
        &slice(&["a", "b", "c"]),
        &["a0", "a8", "b1", "d9"],
    );
    let sent: Vec<_> = port
        .zones
        .iter()
        .map(|zone| (zone.from.as_str(), zone.share, zone.unserved))
        .collect();
    assert_eq!(
        sent,
        [("a", 0.5, 0.25), ("b", 0.25, 0.0), ("d", 0.25, 0.25)]
    );
    let received: Vec<_> = port
        .received
        .iter()
        .map(|zone| (zone.zone.as_str(), zone.share))
        .collect();
    assert_eq!(received, [("a", 0.25), ("b", 0.25)]);
    assert_eq!(port.unserved, 0.5);
    let from_everywhere = traffic(
        SliceReader::KubeProxy,
        &service(&json!({}), None),
        &slice(&["a-", "b-"]),
        &["a0", "a8", "b1", "d9"],
    );
    let received = from_everywhere.received.iter().map(|zone| zone.share);
    assert_eq!(received.collect::<Vec<_>>(), [0.5, 0.5]);
}

#[test]
fn nodes_that_send_alike_are_told_together() {
    let endpoints = ["a", "b", "b"];
    let clients: Vec<String> = (0..2_000)
        .map(|number| format!("{}{}", ["a", "b", "c"][number % 3], number + 10))
        .collect();
    let clients: Vec<&str> = clients.iter().map(String::as_str).collect();
    let port = traffic(
        SliceReader::KubeProxy,
        &service(&json!({}), None),
        &slice(&endpoints),
        &clients,
    );
    let groups: Vec<_> = port
        .groups
        .iter()
        .map(|group| (group.nodes.len(), group.uses.as_slice()))
        .collect();
    assert_eq!(
        groups,
        [(667, &[0][..]), (667, &[1, 2][..]), (666, &[0, 1, 2][..])]
    );
    let shares: f64 = port.groups.iter().map(|group| group.share).sum();
    assert!((shares - 1.0).abs() < 1e-9);
}

#[test]
fn a_budget_is_kept() {
    let endpoints = ["a", "b"];
    let slice = slice(&endpoints);
    let slice = serde_json::from_str(&slice).unwrap();
    let service = service(&json!({}), None);
    let service = serde_json::from_str(&service).unwrap();
    let situation = Situation {
        service: &service,
        slices: &[&slice],
        address_type: AddressType::IPv4,
        reader: SliceReader::KubeProxy,
        with_node_hints: true,
    };
    let client = |node, zone| Client {
        node,
        zone,
        weight: 1.0,
    };
    // One use in zone a, one in zone b, both in zone c; the two nodes of zone a are of one kind.
    let clients = [
        client("x", "a"),
        client("y", "a"),
        client("z", "b"),
        client("c", "c"),
    ];
    let within = |entries, steps| {
        let mut budget = Budget { entries, steps };
        let is_enough = matrix_within(&situation, &clients, &mut budget).is_ok();
        (is_enough, budget)
    };
    let (is_enough, left) = within(10, 6);
    assert!(is_enough);
    assert_eq!((left.entries, left.steps), (0, 0));
    assert!(!within(9, 6).0);
    assert!(!within(10, 5).0);
}

/// As many nodes as endpoints, each with one of them: if no rule depends on that, the work is that of a few nodes.
#[test]
fn nodes_are_told_apart_only_where_a_rule_looks_at_them() {
    let names: Vec<String> = (0..50).map(|number| format!("a{number}")).collect();
    let slice = slice(&["a"; 50]);
    let slice = serde_json::from_str(&slice).unwrap();
    let clients: Vec<_> = names
        .iter()
        .map(|node| Client {
            node,
            zone: "a",
            weight: 1.0,
        })
        .collect();
    let steps = |reader, spec: &Value| {
        let service = service(spec, None);
        let service = serde_json::from_str(&service).unwrap();
        let situation = Situation {
            service: &service,
            slices: &[&slice],
            address_type: AddressType::IPv4,
            reader,
            with_node_hints: true,
        };
        let mut budget = Budget::UNLIMITED;
        matrix_within(&situation, &clients, &mut budget).unwrap();
        usize::MAX - budget.steps
    };
    let (cluster, local) = (json!({}), json!({"internalTrafficPolicy": "Local"}));
    for reader in [
        SliceReader::KubeProxy,
        SliceReader::Linkerd,
        SliceReader::EnvoyGateway,
    ] {
        assert_eq!(steps(reader, &cluster), 50, "{}", reader.name());
    }
    for reader in [
        SliceReader::KubeProxy,
        SliceReader::Linkerd,
        SliceReader::Istio,
    ] {
        assert_eq!(steps(reader, &local), 50 * 50, "{}", reader.name());
    }
}
