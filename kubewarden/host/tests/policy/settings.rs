//! Settings are a reviewer's configuration, and refused with the same messages.

use std::sync::Arc;

use crate::common::{POLICY, slip};
use serde_json::{Value, json};
use slicewise_admission::Reviewer;
use slicewise_admission::policies::NAMES;
use slicewise_kubewarden_host::{Answer, Cluster};

fn call(function: &str, payload: &[u8]) -> Value {
    let answer = POLICY
        .call(function, payload, &Arc::new(Cluster::default()))
        .unwrap();
    serde_json::from_slice(&answer).unwrap()
}

#[test]
fn the_protocol() {
    assert_eq!(call("protocol_version", b""), json!("v1"));
    let error = POLICY
        .call("mutate", b"{}", &Arc::new(Cluster::default()))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("No handler registered for function mutate"),
        "{error}"
    );
}

#[test]
fn settings_that_can_be_used() {
    let every = NAMES.iter().map(|name| {
        (
            (*name).to_owned(),
            json!({"mode": "warn", "whenStale": "deny"}),
        )
    });
    let every: serde_json::Map<String, Value> = every.collect();
    for settings in [
        json!({}),
        json!({"policies": every, "context": {"maxAgeSeconds": 5}, "ownService": "kubewarden/policy-server-default"}),
    ] {
        let answer = call("validate_settings", settings.to_string().as_bytes());
        assert_eq!(
            answer,
            json!({"valid": true, "message": null}),
            "{settings}"
        );
    }
}

#[test]
fn settings_that_cannot_say_where_and_how_to_mend_it() {
    for (settings, place) in [
        (
            r#"{"policies":{"no-such":{}}}"#,
            "UnknownField at /policies/no-such: ",
        ),
        (
            r#"{"policies":{"slice-shape":{"mode":"on"}}}"#,
            "InvalidValue at /policies/slice-shape/mode: ",
        ),
        (
            r#"{"policies":{"slice-shape":{"maxEndpoints":0}}}"#,
            "InvalidValue at /policies/slice-shape/maxEndpoints: ",
        ),
        (
            r#"{"policies":{"slice-shape":{"mode":"off","mode":"off"}}}"#,
            "InvalidJson at /policies/slice-shape/mode: ",
        ),
        (
            r#"{"policies":{"slice-addresses":{"allowedCIDRs":["10.0.0.0/33"]}}}"#,
            "InvalidValue at /policies/slice-addresses/allowedCIDRs/0: ",
        ),
        (
            r#"{"ownService":"webhook"}"#,
            "InvalidValue at /ownService: ",
        ),
        (r#"{"server":{}}"#, "UnknownField at /server: "),
        ("[]", "InvalidType: "),
        ("null", "InvalidType: "),
        ("{", "InvalidJson: "),
        ("\u{0}", "InvalidJson: "),
    ] {
        let answer = call("validate_settings", settings.as_bytes());
        let message = answer["message"].as_str().unwrap_or_default();
        assert!(
            answer["valid"] == json!(false) && message.starts_with(place),
            "{settings}: {answer}"
        );
        let error = Reviewer::new(settings.as_bytes()).err().unwrap();
        assert!(message.ends_with(error.message()), "{message}");
        // A host that sends a request anyway gets no verdict.
        if serde_json::from_str::<Value>(settings).is_ok_and(|settings| !settings.is_null()) {
            let request = slip().to_string();
            let cluster = Arc::new(Cluster::default());
            let refused: Answer = POLICY
                .validate(request.as_bytes(), settings.as_bytes(), &cluster)
                .unwrap();
            assert_eq!(
                (refused.accepted, refused.code),
                (false, Some(500)),
                "{settings}"
            );
            let message = refused.message.unwrap();
            assert!(
                message.starts_with("the settings of the policy cannot be used: ")
                    && message.contains("/settings"),
                "{message}"
            );
        }
    }
}
