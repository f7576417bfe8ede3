//! Questions about a Service, with and without the plan in the answer.

use serde_json::{Value, json};

use super::{cluster, look};
use crate::api::{glance, plan};

/// A glance and the plan in the same answer agree.
#[test]
fn a_glance_tells_the_plan_beside_it() {
    let mut input = cluster(&["a", "b"], 2);
    let service = input["service"]["spec"].as_object_mut().unwrap();
    service.remove("selector");
    input["slices"] = json!([{
        "metadata": {"name": "cart-1", "namespace": "shop", "labels": {
            "kubernetes.io/service-name": "cart",
            "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        }},
        "addressType": "IPv4", "endpoints": [], "ports": [],
    }]);
    let check = |endpoints: Value, expected: &str| {
        let mut input = input.clone();
        input["endpoints"] = endpoints;
        let text = input.to_string();
        let both = crate::api::look(text.as_bytes(), b"").unwrap();
        let line = both.iter().position(|byte| *byte == b'\n').unwrap();
        let told: Value = serde_json::from_slice(&both[..line]).unwrap();
        assert_eq!(both[line + 1..], plan(text.as_bytes()).unwrap());
        assert_eq!(told["glance"]["plan"], expected);
        assert_eq!(told["glance"], look(&input, &json!({})));
    };
    check(
        Value::Null,
        "Nothing to do: there is no slice, and none is needed.",
    );
    check(
        json!([{"addresses": ["10.0.0.9"]}]),
        "The plan creates 1 slice and deletes 1. 1 endpoint: 1 added.",
    );
    check(json!([]), "Nothing to do: the slices are up to date.");
}

#[test]
fn questions_that_cannot_be_answered() {
    let input = cluster(&["a", "b"], 2).to_string();
    let check = |question: Value, expected: &str| {
        let error = glance(input.as_bytes(), question.to_string().as_bytes()).unwrap_err();
        let found = format!(
            "{} {}",
            error.code().as_str(),
            error.path().unwrap_or_default()
        );
        assert_eq!(found, expected);
        assert!(!error.message().ends_with('.'));
    };
    check(json!({"service": "shop/card"}), "InvalidValue /service");
    check(json!({"addressType": "IPv5"}), "InvalidValue /addressType");
    check(json!({"from": 5, "to": 4}), "InvalidValue /to");
    check(json!({"from": 0, "to": 1001}), "InvalidValue /to");
    check(json!({"endpoints": 1003}), "TooLarge /endpoints");
    check(json!({"pods": 3}), "UnknownField /pods");
    let refused = |option: &str, value: Value, expected: &str| {
        let question = json!({"options": {option: value}}).to_string();
        let error = glance(input.as_bytes(), question.as_bytes()).unwrap_err();
        assert_eq!(error.path(), Some(&*format!("/options/{option}")));
        assert_eq!(error.message(), expected);
    };
    refused(
        "maxEndpointsPerSlice",
        json!(0),
        "invalid value for `maxEndpointsPerSlice`: number `0`, expected a whole number between 1 and 1000",
    );
    refused(
        "topologyHints",
        json!("no"),
        "invalid type for `topologyHints`: string \"no\", expected a boolean",
    );
    let several = glance(br#"{"kind": "List", "items": []}"#, b"").unwrap_err();
    assert_eq!(several.path(), Some("/service"));
}
