//! Nodes of a cluster with two zones and one Service that has hints.

use serde_json::{Value, json};

use super::*;
use crate::testing::{cluster, lines, node, node_change, zoned};

fn auto() -> crate::Context {
    zoned(&json!({"annotations": {"service.kubernetes.io/topology-mode": "Auto"}}))
}

#[track_caller]
fn check_change(
    context: &crate::Context,
    old: Option<&Value>,
    new: Option<&Value>,
    expected: &[&str],
) {
    let mut request = node_change(old, new);
    request.namespace = "".into();
    let found = check(&request, &cluster(context), &Settings::default());
    assert_eq!(lines(&found), expected);
}

#[test]
fn a_zone_label_that_goes_takes_all_hints() {
    check_change(
        &auto(),
        Some(&node("a1", Some("a"))),
        Some(&node("a1", None)),
        &[
            "warn hints-lost metadata.labels[topology.kubernetes.io/zone]: 1 Service would lose their zone hints: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes; about 50 % of their traffic would then cross zones",
        ],
    );
    check_change(
        &zoned(&json!({"trafficDistribution": "PreferSameZone"})),
        Some(&node("a1", Some("a"))),
        Some(&node("a1", None)),
        &[
            "warn zone-missing metadata.labels[topology.kubernetes.io/zone]: 1 Service would have endpoints without a zone, so kube-proxy would follow none of their hints",
        ],
    );
    check_change(
        &zoned(&json!({})),
        Some(&node("a1", Some("a"))),
        Some(&node("a1", None)),
        &[],
    );
}

#[test]
fn a_new_node_without_zone_or_cpu() {
    check_change(
        &auto(),
        None,
        Some(&node("c1", None)),
        &[
            "warn hints-lost metadata.name: 1 Service would lose their zone hints: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes; about 50 % of their traffic would then cross zones",
        ],
    );
    let mut unready = node("c1", None);
    unready["status"]["conditions"][0]["status"] = "False".into();
    check_change(&auto(), None, Some(&unready), &[]);
    let mut no_cpu = node("a1", Some("a"));
    no_cpu["status"]["allocatable"]["cpu"] = "0".into();
    check_change(
        &auto(),
        Some(&node("a1", Some("a"))),
        Some(&no_cpu),
        &[
            "warn hints-lost status: 1 Service would lose their zone hints: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes; about 50 % of their traffic would then cross zones",
        ],
    );
}

#[test]
fn the_last_node_of_a_zone() {
    let mut context = auto();
    let key = slicewise::model::NamespacedName {
        namespace: String::new(),
        name: "b2".into(),
    };
    context.apply(&slicewise_live::session::event::ClusterEvent::Removed {
        kind: Kind::Node,
        key,
        resource_version: "".into(),
    });
    // A third zone, so that hints are still possible.
    check_change(
        &context,
        Some(&node("b1", Some("b"))),
        Some(&node("b1", Some("c"))),
        &[
            "warn last-of-zone metadata.labels[topology.kubernetes.io/zone]: it is the last node of zone b: the hints of all Services are recomputed",
        ],
    );
}

#[test]
fn what_hints_do_not_depend_on() {
    let mut labelled = node("a1", Some("a"));
    labelled["metadata"]["labels"]["team"] = "shop".into();
    check_change(&auto(), Some(&node("a1", Some("a"))), Some(&labelled), &[]);
    check_change(
        &crate::Context::default(),
        Some(&node("a1", Some("a"))),
        None,
        &[
            "warn not-checked metadata: nothing is known about the cluster, so what this change does to hints was not planned",
        ],
    );
}

/// The forecast for a Service with hints of mode `Auto`, or without them for that reason.
fn forecast(why_not: Option<&str>, ready: usize, crossing: f64) -> [HintForecast; 1] {
    [HintForecast {
        address_type: slicewise::model::AddressType::IPv4,
        asked: RequestedRouting::Auto,
        is_given: why_not.is_none(),
        why_not: why_not.map(Into::into),
        slices: 1,
        ready,
        without_zone: 0,
        unhinted_cross_zone: Some(crossing),
    }]
}

#[test]
fn services_that_lose_their_hints_are_counted_by_cause() {
    let request = node_change(Some(&node("a1", Some("a"))), None);
    let ReviewSubject::Node(change) = &request.subject else {
        unreachable!("a change of a Node")
    };
    let found = |outlook: &Outlook| lines(&outlook.findings(change).into_iter().collect());
    let mut outlook = Outlook::default();
    outlook.add(&forecast(None, 0, 0.9), &forecast(Some("no CPU"), 0, 0.9));
    outlook.add(&forecast(Some("no CPU"), 4, 0.9), &forecast(None, 4, 0.9));
    assert!(found(&outlook).is_empty(), "no endpoints, or hints gained");
    outlook.add(&forecast(None, 4, 0.5), &forecast(Some("no CPU"), 4, 0.5));
    outlook.add(&forecast(None, 4, 0.3), &forecast(Some("no CPU"), 4, 0.3));
    assert_eq!(
        found(&outlook),
        [
            "warn hints-lost metadata.name: 2 Services would lose their zone hints: no CPU; about 40 % of their traffic would then cross zones"
        ]
    );
    // The mean would be over Services with different causes.
    outlook.add(&forecast(None, 1, 0.1), &forecast(Some("too few"), 1, 0.1));
    assert_eq!(
        found(&outlook),
        [
            "warn hints-lost metadata.name: 2 Services would lose their zone hints: no CPU",
            "warn hints-lost metadata.name: 1 Service would lose their zone hints: too few",
        ]
    );
}

#[test]
fn services_above_the_limit_are_counted_and_not_planned() {
    let request = node_change(Some(&node("a1", Some("a"))), Some(&node("a1", None)));
    let check_with = |max_services: u32| {
        let settings = Settings {
            max_services,
            ..Settings::default()
        };
        let verdict = check(&request, &cluster(&auto()), &settings);
        let rules = verdict.findings().iter();
        rules
            .map(|finding| finding.rule.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(check_with(1), ["hints-lost"]);
    assert_eq!(check_with(0), ["not-checked"]);
    let ReviewSubject::Node(change) = &request.subject else {
        unreachable!("a change of a Node")
    };
    let outlook = Outlook {
        left_out: 2,
        bare: 2,
        ..Outlook::default()
    };
    assert_eq!(
        lines(&outlook.findings(change).into_iter().collect()),
        [
            "warn zone-missing metadata.labels[topology.kubernetes.io/zone]: 2 Services would have endpoints without a zone, so kube-proxy would follow none of their hints",
            "warn not-checked metadata.labels[topology.kubernetes.io/zone]: 2 Services with hints were not planned, because there are more than `maxServices`",
        ]
    );
}
