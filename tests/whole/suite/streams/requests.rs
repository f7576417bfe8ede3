//! Requests in pieces: the same plans as in one piece, and the same errors.

use serde_json::{Value, json};

use super::few;
use crate::Error;
use crate::api::Limits;
use crate::api::options::check_plan_options;
use crate::api::request_stream::RequestStream;
use crate::model::EndpointSlice;
use crate::model::own::Alone;
use crate::plan::Plan;
use crate::plan::request::Options;

fn of_kind(kind: &str) -> Vec<Value> {
    let mut objects = few();
    objects.retain(|object| object["kind"] == kind);
    objects
}

fn request() -> Value {
    json!({
        "state": {},
        "pods": of_kind("Pod"),
        "service": of_kind("Service")[0],
        "slices": of_kind("EndpointSlice"),
        "options": {"maxEndpointsPerSlice": 2, "patches": ["merge"]},
        "nodes": of_kind("Node"),
        "triggerTime": "2026-11-30T00:00:00Z"
    })
}

fn written(plan: &Plan<'_>, slices: &[EndpointSlice<'_>]) -> Vec<u8> {
    serde_json::to_vec(&(plan, slices)).unwrap()
}

fn streamed(text: &str, piece: usize) -> Result<Vec<u8>, Error> {
    let mut stream = RequestStream::new(&Alone);
    for piece in text.as_bytes().chunks(piece) {
        stream.push(piece)?;
    }
    stream.with_plan(&Options::default(), check_plan_options, written)
}

fn whole(text: &str) -> Result<Vec<u8>, Error> {
    slicewise::api::with_plan(
        text.as_bytes(),
        &Options::default(),
        Limits::default(),
        written,
    )
}

#[track_caller]
fn check(text: &str) {
    let whole = whole(text);
    for piece in [1, 7, 100, text.len().max(1)] {
        assert_eq!(
            streamed(text, piece),
            whole,
            "in pieces of {piece} of {text}"
        );
    }
}

#[test]
fn the_same_plans() {
    let text = request().to_string();
    assert!(whole(&text).is_ok());
    check(&text);
    check(&serde_json::to_string_pretty(&request()).unwrap());
    let mut null = request();
    null["slices"] = Value::Null;
    check(&null.to_string());
    check(r#"{"service":{"metadata":{"name":"a"}}}"#);
}

/// Each is at its place, also in what is read last.
#[test]
fn the_same_errors() {
    let pretty = |request: &Value| serde_json::to_string_pretty(request).unwrap();
    let wrong = [
        ("/service/metadata/name", json!(7)),
        ("/service/metadata/name", json!("")),
        ("/service", Value::Null),
        ("/pods/3/metadata/name", json!(7)),
        ("/pods/3", json!([])),
        ("/pods", json!({})),
        ("/nodes/1/metadata/labels", json!("x")),
        ("/slices/1/addressType", json!(5)),
        ("/slices/0/endpoints/0/addresses", json!("x")),
        ("/options/explain", json!(true)),
        ("/options/patches", json!(["other"])),
        ("/options/unknown", json!(1)),
        ("/options/maxEndpointsPerSlice", json!(0)),
        ("/triggerTime", json!("yesterday")),
        ("/endpoints", json!([{"addresses": ["x"]}])),
        ("/unknown", json!({"a": [1]})),
    ];
    for (path, value) in wrong {
        let mut request = request();
        let (parent, key) = path.rsplit_once('/').unwrap();
        match request.pointer_mut(path) {
            Some(place) => *place = value,
            None => request.pointer_mut(parent).unwrap()[key] = value,
        }
        let text = pretty(&request);
        assert!(whole(&text).is_err(), "{path}");
        check(&text);
        check(&request.to_string());
    }
    let text = pretty(&request());
    for (from, to) in [
        ("\"nodes\"", "\"pods\""),
        ("\"nodes\": [", "\"nodes\" ["),
        ("\"slices\"", "\"sli\\u0063es\""),
        ("true", "tru"),
    ] {
        check(&text.replacen(from, to, 1));
    }
    check(&format!("{text}{text}"));
    check(&format!("{text}-"));
    check("7");
}

/// A name that is given twice is only found when all are known. The error has its path, and the place of the list.
#[test]
fn names_given_twice() {
    let mut request = request();
    request["pods"][2]["metadata"]["name"] = request["pods"][1]["metadata"]["name"].clone();
    let text = serde_json::to_string_pretty(&request).unwrap();
    let (whole, streamed) = (whole(&text).unwrap_err(), streamed(&text, 9).unwrap_err());
    assert_eq!(
        (streamed.code(), streamed.path(), streamed.message()),
        (whole.code(), whole.path(), whole.message())
    );
    let list = text.lines().position(|line| line.contains("\"pods\": ["));
    assert_eq!(streamed.line(), list.map(|line| line + 1));
}

/// Wherever it is cut off, and whatever a byte of it becomes, it is refused if it is refused in one piece.
#[test]
fn the_same_are_refused() {
    let text = request().to_string();
    for at in (0..text.len()).step_by(97) {
        let (cut, rest) = text.split_at(at);
        assert_eq!(
            streamed(cut, 1000).map_err(|error| error.code()),
            whole(cut).map_err(|error| error.code()),
            "{cut}"
        );
        for byte in ["\"", "}", "]", "7", ",", "\\", "\u{7}"] {
            let changed = [cut, byte, rest.get(1..).unwrap()].concat();
            assert_eq!(
                streamed(&changed, 1000).ok(),
                whole(&changed).ok(),
                "{changed}"
            );
        }
    }
}
