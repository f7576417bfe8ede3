//! Our answers are written as `serde_json` writes them: plans, slices, errors and dumps of sessions.

use std::fs;

use serde::Serialize;

use crate::api::{Limits, Session, with_plan};
use crate::json::write;
use crate::model::EndpointSlice;
use crate::plan::request::Options;

#[track_caller]
fn check(value: &impl Serialize) {
    let expected = serde_json::to_string(value).unwrap();
    assert_eq!(write::to_string(value).unwrap(), expected);
}

fn seed(name: &str) -> Vec<u8> {
    let folder = crate::suite::from_root("fuzz/seeds");
    fs::read(folder.join(name)).unwrap()
}

#[test]
fn plans() {
    let with = |request: &[u8]| {
        with_plan(
            request,
            &Options::default(),
            Limits::default(),
            |plan, slices| {
                check(plan);
                check(&slices);
                !plan.create.is_empty() || !plan.update.is_empty()
            },
        )
    };
    assert!(with(&seed("request.json")).unwrap());
    check(&with(b"{}").unwrap_err());
    check(&with("{\"\u{1}é\": 1}".as_bytes()).unwrap_err());
}

#[test]
fn sessions() {
    let mut session = Session::new(b"").unwrap();
    session
        .apply(&seed("cluster.json"), Limits::default())
        .unwrap();
    check(session.session());
    assert_eq!(
        session.dump().unwrap(),
        serde_json::to_vec(session.session()).unwrap()
    );
}

/// Objects are written back with fields that this version does not know, on one line.
#[test]
fn objects() {
    let text = r#"{ "metadata" : { "name" : "a", "x" : [ 1.50, { "y z" : "\u00e9 \"" } ] }, "new" : -0.0 }"#;
    let slice: EndpointSlice<'_> = serde_json::from_str(text).unwrap();
    check(&slice);
    let written = write::to_string(&slice).unwrap();
    assert!(
        written.contains(r#""x":[1.50,{"y z":"\u00e9 \""}]"#),
        "{written}"
    );
}
