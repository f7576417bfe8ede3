//! Invalid configurations: the path of the mistake, and how to fix it.

use serde_json::{Value, json};

use crate::config::ReviewerConfig;
use slicewise::model::read::read_text;

#[test]
fn a_configuration_is_refused_where_it_cannot_work() {
    for (config, path, expected) in refused() {
        let whole = json!({"policies": {"expression": config}}).to_string();
        let error = read_text::<ReviewerConfig>(&whole)
            .map_err(|fault| (None, fault.message))
            .and_then(|config| {
                config
                    .check()
                    .map_err(|error| (error.path().map(str::to_owned), error.message().to_owned()))
            })
            .unwrap_err();
        assert!(error.1.contains(expected), "{config}: {error:?}");
        if let Some(found) = error.0 {
            assert_eq!(found, format!("/policies/expression/{path}"), "{config}");
        }
    }
}

/// Settings, the path of the mistake, and a part of its message.
fn refused() -> Vec<(Value, &'static str, &'static str)> {
    let on = json!({"kinds": ["Service"]});
    let with = |expression: &str| json!({"validations": [{"name": "a", "expression": expression, "on": on}]});
    vec![
        (
            with("objekt.x"),
            "validations/0/expression",
            "there is no variable `objekt`",
        ),
        (
            with("1 + 1"),
            "validations/0/expression",
            "the expression returns int where bool is needed",
        ),
        (
            with("variables.x"),
            "validations/0/expression",
            "there is no `variables.x` here; the variables are: none",
        ),
        (
            with("object.a.all(a, object.b.all(b, object.c.all(c, a + b == c)))"),
            "validations/0/expression",
            "more than the 200000 of `costLimit`; nest fewer macros",
        ),
        (
            json!({"variables": [{"name": "a", "expression": "variables.b"}, {"name": "b", "expression": "1"}]}),
            "variables/0/expression",
            "there is no `variables.b` here",
        ),
        (
            json!({"variables": [{"name": "a-b", "expression": "1"}]}),
            "variables/0/name",
            "write one like `readyCount`",
        ),
        (
            json!({"matchConditions": [{"name": "a", "expression": "'x'"}]}),
            "matchConditions/0/expression",
            "the expression returns string where bool is needed",
        ),
        (
            json!({"validations": [{"name": "a", "expression": "true", "messageExpression": "1", "on": on}]}),
            "validations/0/messageExpression",
            "the expression returns int where string is needed",
        ),
        (
            json!({"validations": [{"name": "a", "expression": "true", "on": on}, {"name": "a", "expression": "true", "on": on}]}),
            "validations/1/name",
            "appears twice",
        ),
        (
            json!({"validations": [{"name": "A", "expression": "true", "on": on}]}),
            "validations/0/name",
            "is not a valid name",
        ),
        (
            json!({"validations": [{"name": "a", "expression": "true", "on": {"kinds": ["Pod"]}}]}),
            "validations/0/on/kinds/0",
            "`Pod` cannot be checked here",
        ),
        (
            json!({"validations": [{"name": "a", "expression": "true", "on": {"kinds": []}}]}),
            "validations/0/on/kinds",
            "name the kinds",
        ),
        (
            json!({"validations": [{"name": "a", "expression": "true", "on": {"kinds": ["Node"], "operations": ["CONNECT"]}}]}),
            "validations/0/on/operations/0",
            "`CONNECT` cannot be checked here",
        ),
    ]
}
