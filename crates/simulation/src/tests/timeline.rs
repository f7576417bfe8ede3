//! The timeline of a run.

use serde_json::{Value, json};

use super::{run_any, run_to_rest, scenario};
use crate::Report;
use crate::report::TimelineEntryKind;

/// The entries of these kinds, as data.
fn told(report: &Report, kinds: &[&str]) -> Vec<Value> {
    let entries = report.timeline.iter();
    let entries = entries.map(|entry| serde_json::to_value(entry).unwrap());
    let of_these = |entry: &Value| kinds.contains(&entry["what"].as_str().unwrap());
    entries.filter(of_these).collect()
}

#[test]
fn syncs_tell_what_they_wrote() {
    let report = run_to_rest(&scenario(&json!([
        {"at": "10s", "refuseWrites": {"error": "Conflict", "next": 1}},
        {"at": "10s", "scale": {"service": "shop/cart", "replicas": 2}},
    ])));
    let syncs = told(&report, &["sync"]);
    let bytes: u64 = syncs
        .iter()
        .map(|sync| sync["bytes"].as_u64().unwrap())
        .sum();
    assert_eq!(bytes, report.total.bytes_written);
    let names = |sync: &Value, field: &str| sync[field].as_array().unwrap().len();
    let count = |verb: &str, names_of: &str| {
        let named: usize = syncs.iter().map(|sync| names(sync, names_of)).sum();
        let counted = syncs
            .iter()
            .map(|sync| sync["writes"][verb].as_u64().unwrap());
        assert_eq!(named as u64, counted.sum::<u64>(), "{verb}");
        named as u64
    };
    let total = &report.total.writes;
    assert_eq!(count("create", "created"), total.create);
    assert_eq!(count("update", "updated"), total.update);
    assert_eq!(count("delete", "deleted"), total.delete);
    assert_eq!(count("refused", "refused"), 1);

    let last = syncs.last().unwrap();
    assert_eq!(last["service"], "shop/cart");
    assert_eq!(last["result"], "success");
    assert_eq!(last["endpoints"], 2);
    let failed = syncs.iter().find(|sync| sync["result"] == "error").unwrap();
    assert_eq!(failed["at"], 10_000);
    let refused = &failed["refused"][0];
    assert_eq!(
        (&refused["operation"], &refused["reason"]),
        (&json!("update"), &json!("Conflict"))
    );
    assert!(refused["slice"].as_str().unwrap().starts_with("cart-"));
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("has been modified")
    );

    let after = told(&report, &["retry", "event", "list", "action"]);
    let retry = after.iter().find(|entry| entry["what"] == "retry").unwrap();
    assert_eq!(
        retry,
        &json!({"at": 10_000, "what": "retry", "service": "shop/cart", "retries": 1, "after": 1000})
    );
    let event = after.iter().find(|entry| entry["what"] == "event").unwrap();
    assert_eq!(
        (&event["service"], &event["type"], &event["reason"]),
        (
            &json!("shop/cart"),
            &json!("Warning"),
            &json!("FailedToUpdateEndpointSlices")
        )
    );
    assert_eq!(
        after.first().unwrap(),
        &json!({"at": 0, "what": "list", "kind": "Service", "objects": 0})
    );
    let actions = told(&report, &["action"]);
    assert_eq!(
        actions,
        [
            json!({"at": 10_000, "what": "action", "action": "refuseWrites", "number": 0}),
            json!({"at": 10_000, "what": "action", "action": "scale", "number": 1, "service": "shop/cart", "count": 2}),
        ]
    );
}

#[test]
fn a_write_that_was_made_and_said_to_be_refused_is_both() {
    let report = run_to_rest(&scenario(&json!([
        {"at": "10s", "refuseWrites": {"error": "Timeout", "next": 1}},
        {"at": "10s", "drainNodes": {"node": "a-1"}},
    ])));
    let syncs = told(&report, &["sync"]);
    let failed = syncs.iter().find(|sync| sync["result"] == "error").unwrap();
    assert_eq!(
        failed["writes"],
        json!({"create": 0, "update": 1, "delete": 0, "refused": 1})
    );
    assert_eq!(failed["updated"], json!([]), "nobody knows of it");
    assert_eq!(failed["refused"][0]["reason"], "ServerError");
    let actions = told(&report, &["action"]);
    assert_eq!(actions[1]["node"], "a-1");
}

#[test]
fn a_stale_sync_has_a_result_and_no_writes() {
    let mut scenario = scenario(&json!([]));
    scenario["watches"] = json!([{"kind": "EndpointSlice", "lag": "1500ms"}]);
    let report = run_to_rest(&scenario);
    let syncs = told(&report, &["sync"]);
    let stale = syncs.iter().find(|sync| sync["result"] == "stale").unwrap();
    assert_eq!(
        stale["writes"],
        json!({"create": 0, "update": 0, "delete": 0, "refused": 0})
    );
    let stale = syncs
        .iter()
        .filter(|sync| sync["result"] == "stale")
        .count();
    assert_eq!(stale as u64, report.total.syncs.stale);
}

#[test]
fn nobody_waits_for_the_writes_of_a_controller_that_is_gone() {
    let mut scenario = scenario(&json!([
        {"at": "10s", "scale": {"service": "shop/cart", "replicas": 7}},
        {"at": "11001ms", "restartController": true},
        {"at": "20s", "editSlices": {"service": "shop/cart", "edit": "label", "count": 1}},
    ]));
    scenario["apiServer"] = json!({"latency": "50ms"});
    let report = run_to_rest(&scenario);
    let syncs = told(&report, &["sync"]);
    let abandoned: Vec<_> = syncs
        .iter()
        .filter(|sync| sync["result"].is_null())
        .collect();
    assert_eq!(abandoned.len(), 1, "{:#?}", report.timeline);
    let edits = told(&report, &["edit"]);
    assert_eq!(
        (&edits[0]["service"], &edits[0]["edit"]),
        (&json!("shop/cart"), &json!("label"))
    );
    assert!(edits[0]["slice"].as_str().unwrap().starts_with("cart-"));
}

#[test]
fn nothing_is_told_where_nobody_asks() {
    let text = scenario(&json!([])).to_string();
    let scenario = serde_json::from_str(&text).unwrap();
    assert!(crate::run(&scenario, false).timeline.is_empty());
}

#[test]
fn a_service_of_the_same_name_is_another_one() {
    let mut scenario = scenario(&json!([
        {"at": "10s", "phase": "deleted", "deleteService": {"service": "shop/cart"}},
        {"at": "10s", "phase": "anew", "createService": {"service": "shop/cart", "replicas": 3}},
        {"at": "60s", "phase": "deleted again", "deleteEverything": true},
        {"at": "120s", "phase": "once more", "addNodes": {"zone": "a"}},
        {"at": "120s", "createService": {"service": "shop/cart", "replicas": 2}},
    ]));
    for latency in ["0s", "700ms"] {
        scenario["apiServer"] = json!({"latency": latency});
        let report = run_any(&scenario);
        assert!(
            report.end.is_converged && !report.was_cut_off,
            "{latency}: {:?}",
            report.end
        );
        assert_eq!(report.end.overlapping_syncs, 0);
        let gauges = report
            .phases
            .iter()
            .map(|phase| (&*phase.name, &phase.gauges));
        let gauges: Vec<_> = gauges
            .map(|(name, gauges)| (name, gauges.ready_pods, gauges.endpoints))
            .collect();
        assert_eq!(gauges[2], ("anew", 3, 3), "{latency}");
        assert_eq!(gauges[3], ("deleted again", 0, 0), "{latency}");
        assert_eq!(gauges[4], ("once more", 2, 2), "{latency}");
        let is_creation = |what: &TimelineEntryKind| matches!(what, TimelineEntryKind::Sync(sync) if !sync.created.is_empty());
        let creations = report
            .timeline
            .iter()
            .filter(|entry| is_creation(&entry.what));
        assert!(
            creations.count() >= 3,
            "slices of the one before are not the new one's"
        );
        assert_eq!(report.services.len(), 1);
    }
}
