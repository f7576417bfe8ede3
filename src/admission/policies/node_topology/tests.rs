//! Nodes of a cluster with two zones and one Service that has hints.

use serde_json::{Value, json};

use super::*;
use crate::admission::testing::{cluster, lines, node, node_change, zoned};

fn auto() -> crate::admission::Context {
    zoned(&json!({"annotations": {"service.kubernetes.io/topology-mode": "Auto"}}))
}

#[track_caller]
fn check_change(
    context: &crate::admission::Context,
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
    let key = crate::model::NamespacedName {
        namespace: String::new(),
        name: "b2".into(),
    };
    context.apply(&crate::session::event::Event::Removed {
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
        &crate::admission::Context::default(),
        Some(&node("a1", Some("a"))),
        None,
        &[
            "warn not-checked metadata: nothing is known about the cluster, so what this change does to hints was not planned",
        ],
    );
}
