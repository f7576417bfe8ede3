//! Rules of the configuration, over the small cluster of the other policies.

mod configuration;

use serde_json::{Value, json};

use super::*;
use crate::request::RequestText;
use crate::settings::PolicySettings as _;
use crate::testing::{
    cart, cart_slice, cluster, context, http, lines, node, node_change, service_create,
    service_update, slice_create, slice_update, text, zoned,
};
use crate::{Age, Context};
use slicewise_json::Raw;

/// The request with its objects as written.
fn written(
    mut request: Request<'static>,
    old: Option<&Value>,
    new: Option<&Value>,
) -> Request<'static> {
    let raw = |object: &Value| Raw::new(text(object));
    let review = json!({"request": {
        "object": new, "oldObject": old, "operation": if old.is_none() { "CREATE" } else { "UPDATE" },
        "namespace": &*request.namespace, "userInfo": {"username": &*request.user, "groups": ["staff"]}, "dryRun": true,
    }});
    request.written = RequestText {
        review: Some(text(&review)),
        object: new.map(raw),
        old_object: old.map(raw),
    };
    request
}

fn settings(settings: &Value) -> Settings {
    let settings: Settings = serde_json::from_str(text(settings)).unwrap();
    settings.check().unwrap();
    settings
}

/// One rule that applies to everything.
fn rule(expression: &str) -> Value {
    json!({"validations": [{"name": "rule", "expression": expression, "message": "no",
        "on": {"kinds": ["EndpointSlice", "Service", "Node", "Endpoints"], "operations": ["CREATE", "UPDATE", "DELETE"]}}]})
}

fn judged(request: &Request<'_>, context: &Context, config: &Value) -> Vec<String> {
    lines(&check(request, &cluster(context), &settings(config)))
}

fn update(old: &Value, new: &Value) -> Request<'static> {
    written(service_update(old, new), Some(old), Some(new))
}

fn old() -> Value {
    cart(&json!({"app": "cart"}), &http())
}

#[track_caller]
fn holds(request: &Request<'_>, context: &Context, expression: &str) {
    assert_eq!(
        judged(request, context, &rule(expression)),
        [""; 0],
        "{expression}"
    );
    let opposite = format!("!({expression})");
    assert_eq!(
        judged(request, context, &rule(&opposite)),
        ["deny rule metadata: no"],
        "{opposite}"
    );
}

#[test]
fn the_request_and_its_objects_are_seen_as_they_are_written() {
    let mut new = old();
    new["spec"]["unheardOf"] = json!({"deep": [1, 2.5]});
    let request = update(&old(), &new);
    for expression in [
        "object.spec.unheardOf.deep == [1, 2.5] && type(object.spec.unheardOf.deep[1]) == double",
        "!has(oldObject.spec.unheardOf) && oldObject.metadata == object.metadata",
        "request.operation == 'UPDATE' && request.userInfo.username == 'jane' && 'staff' in request.userInfo.groups",
        "request.dryRun && request.namespace == 'shop'",
        "!has(request.options)",
    ] {
        holds(&request, &Context::default(), expression);
    }
    let created = written(service_create(&old()), None, Some(&old()));
    holds(
        &created,
        &Context::default(),
        "oldObject == null && request.operation == 'CREATE'",
    );
}

#[test]
fn the_plan_is_that_of_the_service_the_change_concerns() {
    let new = cart(&json!({"app": "catalog"}), &http());
    for expression in [
        "plan.service == 'cart' && plan.before.ready == 4 && plan.before.selected == 5",
        "plan.after.ready == 1 && plan.after.reachable == 1 && plan.lost == 4",
        "plan.hints.size() == 1 && plan.hints[0].addressType == 'IPv4' && !plan.hints[0].given",
        "plan.hints[0].asked == 'nothing' && plan.hints[0].slices == 1 && plan.hints[0].ready == 1",
    ] {
        holds(&update(&old(), &new), &context(), expression);
    }
    let slice = cart_slice("cart-abc", &json!([{"addresses": ["10.1.0.1"]}]));
    let request = written(slice_create(&slice), None, Some(&slice));
    holds(
        &request,
        &context(),
        "plan.service == 'cart' && plan.before == plan.after && plan.lost == 0",
    );
    let (before, after) = (node("a1", Some("a")), node("a1", None));
    let request = node_change(Some(&before), Some(&after));
    holds(
        &request,
        &context(),
        "plan.service == '' && plan.before == null && plan.hints == []",
    );
}

#[test]
fn the_context_is_that_of_the_namespace_and_the_nodes() {
    let slice = cart_slice(
        "cart-new",
        &json!([{"addresses": ["10.1.0.1"], "nodeName": "a1"}]),
    );
    let request = written(slice_create(&slice), None, Some(&slice));
    for expression in [
        "context.service.name == 'cart' && context.service.selector == {'app': 'cart'}",
        "context.service.ports.map(p, p.name + '/' + p.protocol) == ['http/TCP']",
        "context.slices == [{'name': 'cart-abc', 'addressType': 'IPv4', 'managedBy': '', 'endpoints': 2, 'hinted': 0}]",
        "context.nodes == {'n': {'zone': ''}} && context.zones == []",
        "context.known && !context.stale",
    ] {
        holds(&request, &context(), expression);
    }
    let zoned = zoned(&json!({"trafficDistribution": "PreferSameZone"}));
    let (before, after) = (node("a1", Some("a")), node("a1", None));
    let request = node_change(Some(&before), Some(&after));
    assert_eq!(
        judged(
            &request,
            &zoned,
            &rule("context.zones == ['a', 'b'] && context.nodes.a2.zone == 'a'")
        ),
        [
            "warn not-checked metadata: the cluster's EndpointSlices are unknown, so rule rule was not evaluated"
        ]
    );
    holds(
        &request,
        &zoned,
        "context.known || context.zones == ['a', 'b'] && context.nodes.a2.zone == 'a'",
    );
}

#[test]
fn what_is_not_known_is_said_as_configured() {
    let request = update(&old(), &old());
    let empty = Context::default();
    let mut config = rule("plan.lost == 0");
    for (when, expected) in [("warn", "warn"), ("deny", "deny")] {
        config["whenStale"] = when.into();
        let found = judged(&request, &empty, &config);
        assert_eq!(
            found,
            [format!(
                "{expected} not-checked metadata: nothing is known about the cluster, so rule rule was not evaluated"
            )]
        );
    }
    config["whenStale"] = "allow".into();
    assert_eq!(judged(&request, &empty, &config), [""; 0]);
    let context = context();
    let aged = ClusterView::new(
        &context,
        "shop",
        Age {
            seconds: Some(90),
            most: 60,
            is_watched: true,
        },
    );
    let asks = settings(&rule("context.stale && !context.known"));
    assert_eq!(lines(&check(&request, &aged, &asks)), [""; 0]);
    let variable = json!({"variables": [{"name": "lost", "expression": "plan.lost"}], "validations": rule("variables.lost == 0")["validations"]});
    assert!(judged(&request, &empty, &variable)[0].starts_with("warn not-checked"));
}

#[test]
fn messages_fields_and_actions() {
    let new = json!({"metadata": {"namespace": "shop", "name": "cart"}, "spec": {"type": "NodePort", "ports": []}});
    let request = update(&old(), &new);
    let found = |more: &Value| {
        let mut config = rule("object.spec.type != 'NodePort'");
        let rule = config["validations"][0].as_object_mut().unwrap();
        rule.extend(more.as_object().unwrap().clone());
        judged(&request, &Context::default(), &config)
    };
    assert_eq!(found(&json!({})), ["deny rule metadata: no"]);
    assert_eq!(
        found(
            &json!({"field": "spec.type", "action": "warn", "messageExpression": "'no ' + object.spec.type + ' for ' + request.userInfo.username"})
        ),
        ["warn rule spec.type: no NodePort for jane"]
    );
    for said in ["object.missing", "''", "'a\\nb'", "object.spec.ports"] {
        assert_eq!(
            found(&json!({"messageExpression": said})),
            ["deny rule metadata: no"],
            "{said}"
        );
    }
    assert_eq!(
        found(&json!({"message": ""})),
        ["deny rule metadata: failed expression: object.spec.type != 'NodePort'"]
    );
}

#[test]
fn what_cannot_be_evaluated_is_refused_unless_configured_otherwise() {
    let request = update(&old(), &old());
    let mut config = rule("object.spec.type == 'ClusterIP'");
    let why = "rule rule cannot be evaluated: no such key: type; use has() in the expression for fields that may be missing";
    assert_eq!(
        judged(&request, &Context::default(), &config),
        [format!("deny not-evaluated metadata: {why}")]
    );
    config["failurePolicy"] = "Ignore".into();
    assert_eq!(
        judged(&request, &Context::default(), &config),
        [format!("warn not-evaluated metadata: {why}")]
    );
    let config = rule("object.spec.ports");
    assert!(
        judged(&request, &Context::default(), &config)[0]
            .contains("it returns list where bool is needed")
    );
}

#[test]
fn what_costs_too_much_is_refused() {
    let endpoints: Vec<Value> = (0..1000)
        .map(|number| json!({"addresses": [format!("10.1.{}.{}", number / 250, number % 250)]}))
        .collect();
    let slice = cart_slice("cart-new", &endpoints.into());
    let request = written(slice_create(&slice), None, Some(&slice));
    let context = Context::default();
    let mut config = rule(
        "object.endpoints.all(e, object.endpoints.exists_one(other, other.addresses == e.addresses))",
    );
    let found = judged(&request, &context, &config);
    assert_eq!(
        found,
        [
            "deny not-evaluated metadata: rule rule cannot be evaluated: it would take more steps than `costLimit` and \
          `costBudget` allow; make the expression, or the object, smaller"
        ]
    );
    config["failurePolicy"] = "Ignore".into();
    assert!(judged(&request, &context, &config)[0].starts_with("warn not-evaluated"));

    // All rules share one budget, and reading the object counts towards it.
    let mut config = rule("object.endpoints.all(e, e.addresses.size() == 1)");
    assert_eq!(judged(&request, &context, &config), [""; 0]);
    config["costBudget"] = 15_000.into();
    let first = config["validations"][0].clone();
    config["validations"].as_array_mut().unwrap().push(first);
    config["validations"][1]["name"] = "again".into();
    let found = judged(&request, &context, &config);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("rule again cannot be evaluated: it would take more steps"),
        "{found:?}"
    );
    config["costBudget"] = 1_000.into();
    assert_eq!(judged(&request, &context, &config).len(), 2);
}

#[test]
fn what_one_rule_cannot_afford_another_still_can() {
    let text = "x".repeat(16_000);
    let mut slice = cart_slice("cart-new", &json!([]));
    slice["metadata"]["annotations"] = json!({"t": text});
    let request = written(slice_create(&slice), None, Some(&slice));
    let doubled = "size(object.metadata.annotations.t + object.metadata.annotations.t) == 32000";
    let mut config = rule(&format!("{doubled} && variables.big"));
    let mut other = rule("variables.big")["validations"][0].clone();
    other["name"] = "other".into();
    config["validations"].as_array_mut().unwrap().push(other);
    config["variables"] = json!([{"name": "big", "expression": doubled}]);
    assert_eq!(judged(&request, &Context::default(), &config), [""; 0]);
    config["costLimit"] = 5_000.into();
    let found = judged(&request, &Context::default(), &config);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("rule rule cannot be evaluated: it would take more steps"));
}

#[test]
fn a_plan_that_cannot_be_made_matters_only_where_it_decides() {
    let ports = vec![http()[0].clone(); crate::reach::MAX_PORTS + 1];
    let new = cart(&json!({"app": "cart"}), &json!(ports));
    let request = update(&new, &new);
    for (expression, expected) in [
        ("plan.lost > 0 || object != null", ""),
        ("plan.lost == 0", "ports is not planned"),
    ] {
        let found = judged(&request, &context(), &rule(expression)).concat();
        assert!(found.contains(expected), "{found}");
        assert_eq!(found.is_empty(), expected.is_empty(), "{found}");
    }
}

#[test]
fn rules_are_asked_of_what_they_are_for() {
    let slice = cart_slice("cart-new", &json!([]));
    let mut config = rule("false");
    config["validations"][0]["on"] = json!({"kinds": ["EndpointSlice"]});
    let create = written(slice_create(&slice), None, Some(&slice));
    let update_slice = written(slice_update(&slice, &slice), Some(&slice), Some(&slice));
    let of_service = update(&old(), &old());
    let asked = |config: &Value, request: &Request<'_>| {
        !judged(request, &Context::default(), config).is_empty()
    };
    assert!(
        asked(&config, &create) && asked(&config, &update_slice) && !asked(&config, &of_service)
    );
    config["validations"][0]["on"]["operations"] = json!(["UPDATE"]);
    assert!(!asked(&config, &create) && asked(&config, &update_slice));
    let deleted = node_change(Some(&node("a1", None)), None);
    config["validations"][0]["on"] = json!({"kinds": ["Node"]});
    assert!(!asked(&config, &deleted));
    config["validations"][0]["on"]["operations"] = json!(["DELETE"]);
    assert!(asked(&config, &deleted));

    config = rule("false");
    config["matchConditions"] =
        json!([{"name": "not-staff", "expression": "!('staff' in request.userInfo.groups)"}]);
    assert!(!asked(&config, &of_service));
    config["matchConditions"] = json!([{"name": "broken", "expression": "object.missing"}]);
    let found = judged(&of_service, &Context::default(), &config);
    assert!(
        found[0].starts_with(
            "deny not-evaluated metadata: match condition broken cannot be evaluated: no such key"
        ),
        "{found:?}"
    );
}

#[test]
fn variables_are_worked_out_once_and_only_where_they_are_named() {
    let request = update(&old(), &old());
    let config = json!({
        "variables": [
            {"name": "broken", "expression": "object.missing"},
            {"name": "ports", "expression": "object.spec.ports.map(p, p.name)"},
            {"name": "isHttp", "expression": "variables.ports == ['http']"},
        ],
        "validations": rule("variables.isHttp && 'http' in variables.ports || variables.broken")["validations"],
    });
    assert_eq!(judged(&request, &Context::default(), &config), [""; 0]);
}
