//! From a request to the response: modes, limits of messages, annotations.

use serde_json::{Value, json};

use super::config::ReviewerConfig;
use super::testing::{cart, cart_slice, context, http, service_update, slice_create};
use super::*;

mod standing;

fn configured(policies: &Value) -> ReviewerConfig {
    serde_json::from_value(json!({"policies": policies})).unwrap()
}

fn answer(request: &Request<'_>, policies: &Value) -> Value {
    answer_with(request, &configured(policies), Asking::default())
}

fn answer_with(request: &Request<'_>, config: &ReviewerConfig, asking: Asking<'_>) -> Value {
    serde_json::to_value(decide(request, &context(), config, asking)).unwrap()
}

fn slip() -> Request<'static> {
    service_update(
        &cart(&json!({"app": "cart"}), &http()),
        &cart(&json!({"app": "crat"}), &http()),
    )
}

#[test]
fn a_denial_names_rule_field_and_mend() {
    let hint = "all 4 ready endpoints would be removed; no pod in namespace shop has app=crat; did you mean app=cart, which 5 pods have?";
    let expected = json!({
        "uid": "r-1",
        "allowed": false,
        "status": {
            "code": 403,
            "reason": "Forbidden",
            "message": format!("Service shop/cart: service-blast-radius/emptied: {hint} (spec.selector)"),
            "details": {
                "name": "cart",
                "kind": "Service",
                "causes": [{"reason": "FieldValueForbidden", "message": format!("service-blast-radius/emptied: {hint}"), "field": "spec.selector"}]
            }
        },
        "auditAnnotations": {"service-blast-radius": "deny: emptied"}
    });
    assert_eq!(answer(&slip(), &json!({})), expected);
}

#[test]
fn modes() {
    let with = |mode: &str| answer(&slip(), &json!({"service-blast-radius": {"mode": mode}}));
    let warned = with("warn");
    assert_eq!(
        (&warned["allowed"], &warned["status"]["code"]),
        (&json!(true), &json!(200))
    );
    let warning = warned["warnings"][0].as_str().unwrap();
    assert!(
        warning.starts_with(
            "service-blast-radius/emptied: Service shop/cart: all 4 ready endpoints would be removed;"
        ),
        "{warning}"
    );
    assert_eq!(
        warned["auditAnnotations"],
        json!({"service-blast-radius": "would deny: emptied"})
    );
    let audited = with("audit");
    assert_eq!(
        (&audited["allowed"], audited.get("warnings")),
        (&json!(true), None)
    );
    assert_eq!(
        audited["auditAnnotations"],
        json!({"service-blast-radius": "would deny: emptied"})
    );
    let off = with("off");
    assert_eq!(
        off,
        json!({"uid": "r-1", "allowed": true, "status": {"code": 200, "message": "Service shop/cart: allowed", "details": {"name": "cart", "kind": "Service"}}})
    );
}

#[test]
fn a_thousand_mistakes_make_a_short_message() {
    let endpoints: Vec<Value> = (0..500)
        .map(|_| json!({"addresses": ["nonsense"]}))
        .collect();
    let denied = answer(
        &slice_create(&cart_slice("by-hand", &json!(endpoints))),
        &json!({"slice-addresses": {"mode": "off"}}),
    );
    assert_eq!(
        denied["status"]["details"]["causes"]
            .as_array()
            .unwrap()
            .len(),
        20
    );
    assert!(
        denied["status"]["message"]
            .as_str()
            .unwrap()
            .ends_with("; and 497 more")
    );
    let warned = answer(
        &slice_create(&cart_slice("by-hand", &json!(endpoints))),
        &json!({"slice-shape": {"mode": "warn"}, "slice-addresses": {"mode": "off"}}),
    );
    let warnings = warned["warnings"].as_array().unwrap();
    assert_eq!(
        (warnings.len(), &warnings[9]),
        (10, &json!("and 491 more warnings"))
    );
    assert!(
        warnings
            .iter()
            .all(|warning| warning.as_str().unwrap().len() <= 256)
    );
}

#[test]
fn what_users_write_is_repeated_in_part_only() {
    let long = service_update(
        &cart(&json!({"app": "cart"}), &http()),
        &cart(&json!({"app": "x".repeat(100_000)}), &http()),
    );
    let denied = answer(&long, &json!({}));
    assert_eq!(denied["allowed"], json!(false));
    assert!(denied.to_string().len() < 2_000);
}

#[test]
fn configuration_is_strict() {
    let read = |config: Value| {
        serde_json::from_value::<ReviewerConfig>(config).map_err(|error| error.to_string())
    };
    assert!(
        read(json!({"policies": {"slice-shap": {}}}))
            .unwrap_err()
            .starts_with("unknown field `slice-shap`")
    );
    assert!(
        read(json!({"policies": {"slice-shape": {"mode": "on"}}}))
            .unwrap_err()
            .starts_with("`on` is not a mode; write")
    );
    assert!(
        read(json!({"policies": {"slice-shape": {"whenstale": "warn"}}}))
            .unwrap_err()
            .starts_with("unknown field `whenstale`")
    );
    let check = |config: Value| {
        configured(&config).check().map_err(|error| {
            (
                error.path().unwrap_or_default().to_owned(),
                error.message().to_owned(),
            )
        })
    };
    assert_eq!(
        check(json!({"slice-shape": {"maxEndpoints": 1001}})),
        Err((
            "/policies/slice-shape/maxEndpoints".to_owned(),
            "maxEndpoints must be between 1 and 1000, got 1001".to_owned()
        ))
    );
    assert_eq!(
        check(json!({"service-blast-radius": {"removedPercent": 101}}))
            .unwrap_err()
            .1,
        "removedPercent must be between 0 and 100, got 101"
    );
    assert_eq!(
        check(json!({"service-blast-radius": {"removedAtLeast": 0}}))
            .unwrap_err()
            .1,
        "removedAtLeast must be at least 1, got 0"
    );
}

#[test]
fn one_policy_alone() {
    let asking = |policy| Asking {
        policy: Some(policy),
        ..Asking::default()
    };
    let config = ReviewerConfig::default();
    assert_eq!(
        answer_with(&slip(), &config, asking("service-blast-radius"))["allowed"],
        false
    );
    assert_eq!(
        answer_with(&slip(), &config, asking("slice-shape"))["allowed"],
        true
    );
}

#[test]
fn of_two_exceptions_the_stricter_counts() {
    let with = |namespaces: Value| {
        let config = json!({"service-blast-radius": {"mode": "warn", "namespaces": namespaces}});
        answer(&slip(), &config)["allowed"].as_bool().unwrap()
    };
    assert!(with(json!([])));
    assert!(!with(json!([{"names": ["shop"], "mode": "enforce"}])));
    assert!(!with(
        json!([{"names": ["sh*"], "mode": "off"}, {"names": ["other", "shop"], "mode": "enforce"}])
    ));
    assert!(with(
        json!([{"names": ["sho", "shops*"], "mode": "enforce"}])
    ));
}

#[test]
fn users_that_are_exempt() {
    let config = |user: &str| json!({"service-blast-radius": {"exemptUsers": [user]}});
    assert_eq!(answer(&slip(), &config("jane"))["allowed"], true);
    assert_eq!(answer(&slip(), &config("jan"))["allowed"], false);
    let of = |group: &str| json!({"service-blast-radius": {"exemptGroups": [group]}});
    assert_eq!(
        answer(&slip(), &of("system:authenticated"))["allowed"],
        true
    );
    assert_eq!(answer(&slip(), &of("jane"))["allowed"], false);
}

#[test]
fn the_reviewer_cannot_cut_itself_off() {
    let config = |own: &str| ReviewerConfig {
        own_service: own.into(),
        ..ReviewerConfig::default()
    };
    let of =
        |own: &str, request: &Request<'_>| answer_with(request, &config(own), Asking::default());
    let by_hand = slice_create(&cart_slice(
        "by-hand",
        &json!([{"addresses": ["203.0.113.7"]}]),
    ));
    for request in [slip(), by_hand] {
        assert_eq!(of("shop/cart", &request)["allowed"], true);
        assert!(of("shop/cart", &request)["warnings"][0].is_string());
        for other in ["", "shop/catalog", "other/cart"] {
            assert_eq!(of(other, &request)["allowed"], false, "{other}");
        }
    }
    for wrong in ["cart", "/cart", "shop/", "a/b/c"] {
        assert_eq!(
            config(wrong).check().unwrap_err().path(),
            Some("/ownService"),
            "{wrong}"
        );
    }
}

#[test]
fn how_old_the_context_is() {
    let config = ReviewerConfig::default();
    let aged = |request: &Request<'_>, age| {
        let asking = Asking {
            age: Some(age),
            ..Asking::default()
        };
        answer_with(request, &config, asking)
    };
    let current = aged(&slip(), 60);
    assert_eq!(current["allowed"], false);
    assert_eq!(current["auditAnnotations"]["context"], "60 s old");
    let old = aged(&slip(), 61);
    assert_eq!(old["allowed"], true);
    assert_eq!(
        old["warnings"],
        json!([
            "service-blast-radius/not-checked: Service shop/cart: the last update from the cluster is 61 s old, more than the limit of 60 s, so what this change does to traffic was not planned (metadata)"
        ])
    );
    let untouched = service_update(
        &cart(&json!({"app": "cart"}), &http()),
        &cart(&json!({"app": "cart"}), &http()),
    );
    assert_eq!(
        aged(&untouched, 5).get("auditAnnotations"),
        None,
        "nothing of it was looked at"
    );
}

#[test]
fn a_terminal_obeys_nothing_of_a_verdict() {
    let slip = service_update(
        &cart(&json!({"app": "cart"}), &http()),
        &cart(&json!({"app": "\u{1b}[2J\u{202e}c"}), &http()),
    );
    for mode in ["enforce", "warn"] {
        let answer = answer(&slip, &json!({"service-blast-radius": {"mode": mode}}));
        let said = match mode {
            "enforce" => &answer["status"]["message"],
            _ => &answer["warnings"][0],
        };
        assert!(
            said.as_str().unwrap().contains("app=\\u{1b}[2J\\u{202e}c"),
            "{said}"
        );
    }
}

#[test]
fn what_each_policy_did_is_a_sentence_and_the_whole_has_all_of_them() {
    let config = configured(&json!({"service-blast-radius": {"mode": "warn"}}));
    let explanation = explain(&slip(), &context(), &config, Asking::default());
    let VerdictExplanation {
        headline, known, ..
    } = &explanation;
    let mut lines = explanation.text.lines();
    assert_eq!(lines.next(), Some(headline.as_str()));
    assert_eq!(lines.next(), Some(known.as_str()));
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("  ")).collect();
    for (step, line) in explanation.steps.iter().zip(lines) {
        assert!(line.starts_with(step.policy), "{line}");
        assert!(line.contains(step.said.trim_end_matches('.')), "{line}");
    }
    let said = |policy: &str| {
        let mut steps = explanation.steps.iter();
        let step = steps.find(|step| step.policy == policy).unwrap();
        step.said.as_str()
    };
    assert_eq!(
        said("slice-shape"),
        "not asked, because it checks EndpointSlice, not Service."
    );
    assert_eq!(
        said("service-blast-radius"),
        "found one thing; it looked at the Pods and Nodes of the cluster."
    );
}

#[test]
fn a_record_names_policies_and_gives_the_reason() {
    let request = slip();
    let aged = Asking {
        age: Some(5),
        ..Asking::default()
    };
    for (mode, verdict, reason) in [
        (
            "enforce",
            "deny",
            "Service shop/cart: service-blast-radius/emptied: ",
        ),
        (
            "warn",
            "warn",
            "service-blast-radius/emptied: Service shop/cart: ",
        ),
        ("audit", "allow", "Service shop/cart: allowed"),
    ] {
        let config = configured(&json!({"service-blast-radius": {"mode": mode}}));
        let response = decide(&request, &context(), &config, aged);
        let record = response.record();
        assert_eq!(
            (record.verdict, &*record.policies),
            (verdict, &["service-blast-radius"][..])
        );
        assert!(record.reason.starts_with(reason), "{}", record.reason);
    }
}

#[test]
fn ten_warnings_are_all_shown() {
    let endpoints = vec![json!({"addresses": ["nonsense"]}); 10];
    let warned = answer(
        &slice_create(&cart_slice("by-hand", &json!(endpoints))),
        &json!({"slice-shape": {"mode": "warn"}, "slice-addresses": {"mode": "off"}}),
    );
    let warnings = warned["warnings"].as_array().unwrap();
    let shown = warnings
        .iter()
        .filter(|warning| warning.as_str().unwrap().contains("nonsense"));
    assert_eq!((warnings.len(), shown.count()), (10, 10));
}

#[test]
fn operations_have_the_names_of_the_api() {
    for (name, expected) in [
        ("CREATE", Some(AdmissionOperation::Create)),
        ("UPDATE", Some(AdmissionOperation::Update)),
        ("DELETE", Some(AdmissionOperation::Delete)),
        ("CONNECT", Some(AdmissionOperation::Connect)),
        ("delete", None),
        ("*", None),
    ] {
        assert_eq!(AdmissionOperation::parse(name), expected, "{name}");
    }
}

mod settings;
mod stale;
