//! Lists in pieces: streams and pages, interrupted and restarted.

use serde_json::{Value, json};

use super::api::{apply, check_refused, counts, event, pod, session};
use crate::api::{Limits, Reviewer, Session};

const BEGIN: &str = r#"{"type":"LISTING","object":{"kind":"Pod","apiVersion":"v1"}}"#;
const END: &str = r#"{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"90","annotations":{"k8s.io/initial-events-end":"true"}}}}"#;

fn page(names: &[&str], rest: &str) -> String {
    let items: Vec<Value> = names.iter().map(|name| pod(name, "5", "True")).collect();
    json!({
        "kind": "PodList", "apiVersion": "v1",
        "metadata": {"resourceVersion": "80", "continue": rest}, "items": items,
    })
    .to_string()
}

fn pods(session: &Session) -> Vec<String> {
    let dump: Value = serde_json::from_slice(&session.dump().unwrap()).unwrap();
    let pods = dump["pods"].as_array().unwrap().iter();
    let name = |pod: &Value| pod["metadata"]["name"].as_str().unwrap().to_owned();
    pods.map(name).collect()
}

/// A session that knows two pods.
fn known() -> Session {
    let mut session = session();
    for name in ["old", "p"] {
        apply(&mut session, &event("ADDED", &pod(name, "50", "True")));
    }
    session
}

#[test]
fn pages_take_away_what_is_gone_with_the_last() {
    let mut session = known();
    apply(&mut session, BEGIN);
    let applied = apply(&mut session, &page(&["p", "q"], "more"));
    assert_eq!(counts(&applied), "2 0 0 0");
    assert_eq!(
        (&applied["continue"], &applied["listed"]),
        (&json!("more"), &Value::Null)
    );
    assert_eq!(applied["resourceVersions"], Value::Null);
    assert_eq!(pods(&session), ["old", "p", "q"]);
    let applied = apply(&mut session, &page(&["r"], ""));
    assert_eq!(applied["continue"], Value::Null);
    assert_eq!(applied["listed"], json!(["Pod"]));
    assert_eq!(applied["resourceVersions"], json!({"Pod": "80"}));
    assert_eq!(pods(&session), ["p", "q", "r"]);
    check_refused(&page(&["p"], "more"), "InvalidValue /metadata/continue");
}

#[test]
fn a_stream_takes_away_what_is_gone_at_its_bookmark() {
    let mut session = known();
    let stream = [
        BEGIN,
        &event("ADDED", &pod("q", "70", "True")),
        &event("ADDED", &pod("p", "3", "True")),
    ];
    let applied = apply(&mut session, &stream.join("\n"));
    assert_eq!(
        (counts(&applied).as_str(), &applied["resourceVersions"]),
        ("3 0 0 0", &Value::Null)
    );
    assert_eq!(pods(&session), ["old", "p", "q"]);
    let applied = apply(&mut session, END);
    assert_eq!(applied["listed"], json!(["Pod"]));
    assert_eq!(applied["resourceVersions"], json!({"Pod": "90"}));
    assert_eq!(pods(&session), ["p", "q"]);
}

#[test]
fn a_listing_that_breaks_off_is_begun_again() {
    let mut session = known();
    apply(&mut session, BEGIN);
    apply(&mut session, &page(&["q"], "more"));
    apply(&mut session, BEGIN);
    apply(&mut session, &page(&["p"], ""));
    assert_eq!(
        pods(&session),
        ["p"],
        "what the first one gave counts no more"
    );
    apply(&mut session, BEGIN);
    apply(&mut session, &page(&[], ""));
    assert!(pods(&session).is_empty());
}

#[test]
fn a_listing_with_a_line_that_cannot_be_read_does_not_end() {
    let mut session = known();
    apply(&mut session, BEGIN);
    let lines = format!(
        "{}\n{{\"type\":\"ADDED\",\"object\":7}}\n{END}",
        event("ADDED", &pod("q", "7", "True"))
    );
    let applied = apply(&mut session, &lines);
    let errors = applied["errors"].as_array().unwrap();
    let lines: Vec<_> = errors.iter().map(|error| error["line"].clone()).collect();
    assert_eq!(
        (lines, &applied["listed"]),
        (vec![json!(2), json!(3)], &Value::Null)
    );
    assert_eq!(pods(&session), ["old", "p", "q"]);
}

#[test]
fn what_a_watch_says_last_is_where_it_can_be_resumed() {
    let mut session = session();
    let gone = json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"namespace": "shop", "name": "p", "resourceVersion": "12"}});
    let lines = [
        event("ADDED", &pod("p", "11", "True")),
        event("DELETED", &gone),
    ];
    let applied = apply(&mut session, &lines.join("\n"));
    assert_eq!(applied["resourceVersions"], json!({"Pod": "12"}));
    let bookmark =
        r#"{"type":"BOOKMARK","object":{"kind":"Node","metadata":{"resourceVersion":"13"}}}"#;
    assert_eq!(
        apply(&mut session, bookmark)["resourceVersions"],
        json!({"Node": "13"})
    );
    let expired = r#"{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version","reason":"Expired","code":410}}"#;
    let applied = apply(&mut session, expired);
    assert_eq!(
        applied["ended"],
        json!({"code": 410, "reason": "Expired", "message": "too old resource version"})
    );
    assert_eq!(applied["resourceVersions"], Value::Null);
    check_refused(
        r#"{"type":"LISTING","object":{}}"#,
        "MissingField /object/kind",
    );
}

#[test]
fn a_reviewer_knows_a_kind_when_its_listing_is_complete() {
    let mut reviewer = Reviewer::new(b"").unwrap();
    let mut check = |events: &str, known: bool, objects: usize| {
        reviewer
            .apply(events.as_bytes(), Limits::default())
            .unwrap();
        let status: Value = serde_json::from_slice(&reviewer.status().unwrap()).unwrap();
        assert_eq!(
            status["kinds"]["Pod"],
            json!({"known": known, "objects": objects, "leftOut": 0}),
            "{events}"
        );
    };
    check(BEGIN, false, 0);
    check(&page(&["p", "q"], "more"), false, 2);
    check(BEGIN, false, 2);
    check(&page(&["p"], "more"), false, 2);
    check(&page(&["r"], ""), true, 2);
    // While a kind is listed again, its known objects stay known.
    check(BEGIN, true, 2);
    check(&event("ADDED", &pod("s", "4", "True")), true, 3);
    check(END, true, 1);
}
