//! Reports of what policies find about existing objects.

use serde_json::{Value, json};

use super::*;
use crate::testing::{cart_slice, context, slice_create};
use crate::{Asking, ReviewerConfig, explain};

const NOW: ReportTime = ReportTime::at(1_795_932_330);

fn subject() -> ReportSubject {
    ReportSubject {
        api_version: "discovery.k8s.io/v1".into(),
        kind: "EndpointSlice".into(),
        namespace: "shop".into(),
        name: "by-hand".into(),
        uid: "u7".into(),
    }
}

/// The report on a slice with these endpoints, as it exists.
fn report_with(api: ReportApi, endpoints: &Value, policies: &Value, now: ReportTime) -> Report {
    let config: ReviewerConfig = serde_json::from_value(json!({"policies": policies})).unwrap();
    let asking = Asking {
        at_rest: true,
        ..Asking::default()
    };
    let request = slice_create(&cart_slice("by-hand", endpoints));
    let explained = explain(&request, &context(), &config, asking);
    Report::new(api, &subject(), &explained.steps, now)
}

fn report(endpoints: &Value, policies: &Value) -> Report {
    report_with(ReportApi::OpenReports, endpoints, policies, NOW)
}

fn loopback() -> Value {
    json!([{"addresses": ["127.0.0.1"]}])
}

/// A line for each result.
fn lines(report: &Report) -> Vec<String> {
    let results = report.results.iter();
    let line = results.map(|result| {
        let result = serde_json::to_value(result).unwrap();
        let text = |field: &str| result[field].as_str().unwrap_or("-").to_owned();
        let properties = &result["properties"];
        format!(
            "{} {} {} {} scored={} {} {}",
            text("result"),
            text("severity"),
            text("policy"),
            text("rule"),
            result["scored"],
            properties["mode"].as_str().unwrap_or("-"),
            properties["field"].as_str().unwrap_or("-"),
        )
    });
    line.collect()
}

#[test]
fn a_report_names_its_subject_owner_and_writer() {
    let report = report(&loopback(), &json!({}));
    let value = serde_json::to_value(&report).unwrap();
    let reference = |namespace| {
        let mut reference = json!({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "name": "by-hand", "uid": "u7"});
        if namespace {
            reference["namespace"] = "shop".into();
        }
        reference
    };
    assert_eq!(value["apiVersion"], "openreports.io/v1alpha1");
    assert_eq!(value["kind"], "Report");
    assert_eq!(
        value["metadata"],
        json!({
            "name": "slicewise-endpointslice-by-hand",
            "namespace": "shop",
            "labels": {"app.kubernetes.io/managed-by": "slicewise"},
            "ownerReferences": [reference(false)],
        })
    );
    assert_eq!(value["scope"], reference(true));
    assert_eq!(value["source"], "slicewise");
    let timestamp = json!({"seconds": 1_795_932_330, "nanos": 0});
    assert_eq!(value["results"][0]["timestamp"], timestamp);
}

#[test]
fn the_earlier_api_has_other_kinds_and_no_source_of_its_own() {
    let report = report_with(ReportApi::PolicyReports, &loopback(), &json!({}), NOW);
    assert_eq!(report.api_version, "wgpolicyk8s.io/v1alpha2");
    assert_eq!(report.kind, "PolicyReport");
    let value = serde_json::to_value(&report).unwrap();
    assert_eq!(value.get("source"), None);
    assert_eq!(value["results"][0]["source"], "slicewise");
}

#[test]
fn what_has_no_namespace_is_in_a_cluster_report_and_without_a_uid_it_owns_nothing() {
    let node = ReportSubject {
        api_version: "v1".into(),
        kind: "Node".into(),
        name: "a1".into(),
        ..ReportSubject::default()
    };
    let report = Report::new(ReportApi::OpenReports, &node, &[], NOW);
    assert_eq!(report.kind, "ClusterReport");
    assert_eq!(
        serde_json::to_value(&report.metadata).unwrap(),
        json!({"name": "slicewise-node-a1", "labels": {"app.kubernetes.io/managed-by": "slicewise"}})
    );
    assert_eq!(node.title(), "Node a1");
}

#[test]
fn results_say_what_the_webhook_would_do_worst_first() {
    let skipped = "skip - slice-ownership - scored=false enforce -";
    let passed = [
        "pass - slice-shape - scored=true enforce -",
        "pass - slice-hints - scored=true enforce -",
        "pass - expression - scored=true enforce -",
    ];
    let check = |mode: &str, first: &str, counts: Value| {
        let policies = json!({"slice-addresses": {"mode": mode}});
        let report = report(&loopback(), &policies);
        let lines = lines(&report);
        assert_eq!(lines[0], first);
        assert_eq!(lines[1], skipped);
        assert_eq!(lines[2..], passed);
        assert_eq!(serde_json::to_value(report.summary).unwrap(), counts);
        assert!(report.has_findings());
        assert_eq!(report.findings().count(), 1);
    };
    let counts = |fail, warn| json!({"fail": fail, "error": 0, "warn": warn, "skip": 1, "pass": 3});
    let field = "endpoints[0].addresses[0]";
    let reserved = |result: &str, scored, mode: &str| {
        format!("{result} slice-addresses reserved-address scored={scored} {mode} {field}")
    };
    check(
        "enforce",
        &reserved("fail high", true, "enforce"),
        counts(1, 0),
    );
    check(
        "warn",
        &reserved("warn medium", false, "warn"),
        counts(0, 1),
    );
    check("audit", &reserved("warn low", false, "audit"), counts(0, 1));
}

#[test]
fn a_policy_that_is_off_is_skipped_and_nothing_found_is_no_report() {
    let sound = json!([{"addresses": ["10.1.0.3"]}]);
    let report = report(&sound, &json!({"slice-addresses": {"mode": "off"}}));
    assert!(!report.has_findings(), "{:?}", lines(&report));
    assert_eq!(report.summary.skip, 2);
    let off = &report.results[1];
    assert_eq!(off.message, "not asked, because its mode here is `off`.");
}

#[test]
fn what_could_not_be_checked_is_an_error() {
    let config = ReviewerConfig::default();
    let request = slice_create(&cart_slice(
        "by-hand",
        &json!([{"addresses": ["10.1.0.3"]}]),
    ));
    let unknown = crate::Context::default();
    let explained = explain(&request, &unknown, &config, Asking::default());
    let report = Report::new(ReportApi::OpenReports, &subject(), &explained.steps, NOW);
    assert_eq!(report.summary.fail, 0, "{:?}", lines(&report));
    assert!(report.summary.error > 0);
    assert_eq!(report.results[0].rule.as_deref(), Some("not-checked"));
}

#[test]
fn an_object_that_cannot_be_read_is_an_error() {
    let error = Error::new(slicewise::Code::Unsupported, "only version v1 is supported");
    let report = Report::unread(ReportApi::OpenReports, &subject(), &error, NOW);
    assert_eq!(
        lines(&report),
        ["error medium review broken scored=false - -"]
    );
    assert_eq!(report.results[0].message, "only version v1 is supported");
    assert!(report.has_findings());
}

#[test]
fn results_beyond_the_limit_are_only_counted() {
    let endpoint = |number: usize| json!({"addresses": [format!("127.0.1.{number}")]});
    let endpoints: Vec<Value> = (0..150).map(endpoint).collect();
    let report = report(&json!(endpoints), &json!({}));
    assert!(report.summary.fail > MOST_RESULTS, "{:?}", report.summary);
    assert_eq!(report.results.len(), MOST_RESULTS);
    assert_eq!(report.findings().count(), MOST_RESULTS);
}

#[test]
fn a_report_changes_only_if_its_results_do() {
    let later = ReportTime::at(NOW.seconds + 600);
    let stored = report(&loopback(), &json!({}));
    let mut labelled = stored.clone();
    let labels = &mut labelled.metadata.labels;
    labels.insert("team".into(), "network".into());
    let again = |endpoints: &Value, policies: Value| {
        let mut report = report_with(ReportApi::OpenReports, endpoints, &policies, later);
        assert!(!report.is_stored_as(&labelled), "without the earlier times");
        report.keep_times(&labelled);
        report
    };
    assert!(again(&loopback(), json!({})).is_stored_as(&labelled));
    let two = json!([{"addresses": ["127.0.0.1"]}, {"addresses": ["127.0.0.2"]}]);
    let more = again(&two, json!({}));
    assert!(!more.is_stored_as(&labelled));
    let times: Vec<i64> = more
        .findings()
        .map(|found| found.timestamp.seconds)
        .collect();
    assert_eq!(times, [NOW.seconds, later.seconds], "what was found before");
    let milder = again(&loopback(), json!({"slice-addresses": {"mode": "warn"}}));
    assert_eq!(milder.results[0].timestamp, later, "another result");
    let mut recreated = again(&loopback(), json!({}));
    recreated.metadata.owner_references[0].uid = "u8".into();
    assert!(!recreated.is_stored_as(&labelled), "another owner");
    let mut lost = labelled.clone();
    lost.metadata.labels.remove(MANAGED_BY);
    assert!(!again(&loopback(), json!({})).is_stored_as(&lost));
}

#[test]
fn a_stored_report_is_read_without_what_its_writer_does_not_decide() {
    let report = report(&loopback(), &json!({}));
    let mut stored = serde_json::to_value(&report).unwrap();
    stored["metadata"]["resourceVersion"] = "7".into();
    stored["metadata"]["managedFields"] = json!([{"manager": "slicewise"}]);
    stored["scopeSelector"] = json!({});
    let read: Report = serde_json::from_value(stored).unwrap();
    assert_eq!(read, report);
}

#[test]
fn the_names_of_reports_are_short_enough_and_distinct() {
    let name = |name: &str| {
        let name = name.to_owned();
        ReportSubject { name, ..subject() }.report_name()
    };
    let longest = "a".repeat(229);
    assert_eq!(name(&longest), format!("slicewise-endpointslice-{longest}"));
    let [one, other] = ["b", "c"].map(|end| name(&format!("{longest}.{end}")));
    assert_ne!(one, other);
    assert_eq!((one.len(), other.len()), (253, 253));
    // A name must not have a dot before a dash.
    let dotted = name(&format!("{}.{}", "a".repeat(211), "b".repeat(30)));
    assert!(!dotted.contains(".-"), "{dotted}");
}
