//! Whom an exception is for, and when it is over.

use serde_json::{Value, json};

use crate::testing::{cart, context, http, service_update};
use crate::{Asking, Request, ReviewerConfig, decide, explain};
use slicewise::model::Timestamp;

fn config(exception: &Value) -> ReviewerConfig {
    let mut whole = json!({"name": "inc-7", "policies": ["service-blast-radius"], "reason": "the new cart is deployed by hand",
        "until": "2026-03-01T12:00:00Z"});
    for (key, value) in exception.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(json!({"exceptions": [whole]})).unwrap()
}

/// An update that is refused: its selector matches nothing.
fn slip() -> Request<'static> {
    let labelled = |app: &str| {
        let mut cart = cart(&json!({"app": app}), &http());
        cart["metadata"]["labels"] = json!({"team": "web"});
        cart
    };
    service_update(&labelled("cart"), &labelled("crat"))
}

fn answer(exception: &Value, now: Option<&str>) -> Value {
    let config = config(exception);
    config.check().unwrap();
    let now = now.and_then(Timestamp::parse);
    let asking = Asking {
        now,
        ..Asking::default()
    };
    serde_json::to_value(decide(&slip(), &context(), &config, asking)).unwrap()
}

const BEFORE: Option<&str> = Some("2026-03-01T11:59:59Z");

#[test]
fn it_lets_pass_what_it_records() {
    let answer = answer(&json!({"namespaces": ["shop"]}), BEFORE);
    assert_eq!(answer["allowed"], true);
    assert_eq!(
        answer["warnings"],
        json!([
            "service-blast-radius/emptied: Service shop/cart: passes by exception inc-7 until 2026-03-01T12:00:00Z: the new cart is deployed by hand"
        ])
    );
    assert_eq!(
        answer["auditAnnotations"],
        json!({"service-blast-radius": "excepted: would deny: emptied; exception inc-7 until 2026-03-01T12:00:00Z: the new cart is deployed by hand"})
    );
}

#[test]
fn explanations_and_reports_name_it() {
    let config = config(&json!({"namespaces": ["shop"]}));
    let asking = Asking {
        now: BEFORE.and_then(Timestamp::parse),
        ..Asking::default()
    };
    let explained = explain(&slip(), &context(), &config, asking);
    assert!(
        explained.text.contains("(passes by exception inc-7 until 2026-03-01T12:00:00Z: the new cart is deployed by hand)"),
        "{}",
        explained.text
    );
}

#[test]
fn it_ends() {
    let shop = json!({"namespaces": ["shop"]});
    for now in [
        Some("2026-03-01T12:00:00Z"),
        Some("2026-03-02T00:00:00Z"),
        None,
    ] {
        assert_eq!(answer(&shop, now)["allowed"], false, "{now:?}");
    }
    assert_eq!(
        answer(&shop, Some("2026-03-01T12:59:59+01:00"))["allowed"],
        true
    );
}

#[test]
fn it_applies_to_what_matches_all_that_it_names() {
    for (matching, passes) in [
        (json!({"namespaces": ["sh*"]}), true),
        (json!({"namespaces": ["staging", "shops"]}), false),
        (json!({"users": ["jane"]}), true),
        (json!({"users": ["joe"]}), false),
        (
            json!({"users": ["joe"], "groups": ["system:authenticated"]}),
            true,
        ),
        (json!({"groups": ["on-call"]}), false),
        (json!({"selector": "team=web"}), true),
        (json!({"selector": "team in (web), !tier"}), true),
        (json!({"selector": "team=web,tier=x"}), false),
        (json!({"namespaces": ["shop"], "users": ["joe"]}), false),
        (
            json!({"namespaces": ["shop"], "policies": ["slice-shape"]}),
            false,
        ),
        (
            json!({"namespaces": ["shop"], "policies": ["slice-shape", "service-blast-radius"]}),
            true,
        ),
    ] {
        assert_eq!(answer(&matching, BEFORE)["allowed"], passes, "{matching}");
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (exception, path, message) in [
        (json!({}), "/exceptions/0", "it would let everything pass"),
        (
            json!({"namespaces": ["Shop"]}),
            "/exceptions/0/namespaces/0",
            "no namespace can have this name",
        ),
        (
            json!({"users": ["*"]}),
            "/exceptions/0/users/0",
            "matches nobody",
        ),
        (
            json!({"namespaces": ["a"], "policies": []}),
            "/exceptions/0/policies",
            "name the policies",
        ),
        (
            json!({"namespaces": ["a"], "policies": ["slices"]}),
            "/exceptions/0/policies/0",
            "there is no policy `slices`; the policies are slice-ownership",
        ),
        (
            json!({"namespaces": ["a"], "until": "tomorrow"}),
            "/exceptions/0/until",
            "`tomorrow` is no time",
        ),
        (
            json!({"selector": "a=b=c"}),
            "/exceptions/0/selector",
            "is not a selector of labels",
        ),
        (
            json!({"namespaces": ["a"], "reason": " "}),
            "/exceptions/0/reason",
            "write it in a line of text",
        ),
    ] {
        let error = config(&exception).check().unwrap_err();
        assert_eq!(error.path(), Some(path));
        assert!(error.message().contains(message), "{}", error.message());
    }
}
