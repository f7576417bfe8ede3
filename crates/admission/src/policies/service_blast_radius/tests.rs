//! What the policy says about changes of a Service with four ready endpoints.

use serde_json::{Value, json};

use super::*;
use crate::Context;
use crate::settings::WhenStale;
use crate::testing::{
    cart, cluster, context, http, lines, request, reviewed, service_create, service_update,
};

#[track_caller]
fn check_request(request: &Request<'_>, expected: &[&str]) {
    assert_eq!(
        lines(&check(request, &cluster(&context()), &Settings::default())),
        expected
    );
}

#[track_caller]
fn check_update(old: &Value, new: &Value, expected: &[&str]) {
    check_request(&service_update(old, new), expected);
}

fn by_app(app: &str) -> Value {
    cart(&json!({"app": app}), &http())
}

fn with_ports(ports: &Value) -> Value {
    cart(&json!({"app": "cart"}), ports)
}

#[test]
fn selector_slip_is_denied_and_the_label_named() {
    check_update(
        &by_app("cart"),
        &by_app("crat"),
        &[
            "deny emptied spec.selector: all 4 ready endpoints would be removed; no pod in namespace shop has app=crat; did you mean app=cart, which 5 pods have?",
        ],
    );
    check_update(
        &by_app("cart"),
        &cart(&json!({"apps": "cart"}), &http()),
        &[
            "deny emptied spec.selector: all 4 ready endpoints would be removed; no pod in namespace shop has apps=cart; did you mean app=cart, which 5 pods have?",
        ],
    );
    check_update(
        &by_app("cart"),
        &cart(&json!({"app": "cart", "tier": "wbe"}), &http()),
        &[
            "deny emptied spec.selector: all 4 ready endpoints would be removed; no pod in namespace shop has app=cart,tier=wbe; did you mean tier=web, which 5 pods have?",
        ],
    );
}

#[test]
fn other_ways_to_empty_a_service() {
    check_update(
        &by_app("cart"),
        &by_app("unheard-of"),
        &[
            "deny emptied spec.selector: all 4 ready endpoints would be removed; no pod in namespace shop has app=unheard-of; the selector was app=cart; label the pods first",
        ],
    );
    check_update(
        &by_app("cart"),
        &with_ports(&json!([{"name": "http", "protocol": "TCP", "targetPort": "htp"}])),
        &[
            "deny emptied spec.ports: all 4 ready endpoints would be removed; none of its pods has any of its ports: no selected pod has a TCP port named `htp`; did you mean `http`?",
        ],
    );
    let mut v6 = by_app("cart");
    v6["spec"]["ipFamilies"] = json!(["IPv6"]);
    check_update(
        &by_app("cart"),
        &v6,
        &[
            "deny emptied spec.ipFamilies: all 4 ready endpoints would be removed; none of the 5 pods it would select is a ready endpoint; make sure that the selector is right",
        ],
    );
}

#[test]
fn shrinking_is_told_with_the_numbers() {
    check_update(
        &cart(&json!({"tier": "web"}), &http()),
        &by_app("catalog"),
        &[
            "warn shrunk spec.selector: 4 of 5 ready endpoints are removed (80 %), 1 remain or are added; check that this is intended",
        ],
    );
    check_update(
        &cart(&json!({"tier": "web"}), &http()),
        &by_app("cart"),
        &[],
    );
    let strict = Settings {
        removed_percent: 10,
        removed_at_least: 1,
        ..Settings::default()
    };
    let update = service_update(&cart(&json!({"tier": "web"}), &http()), &by_app("cart"));
    assert_eq!(
        lines(&check(&update, &cluster(&context()), &strict)).len(),
        1
    );
}

#[test]
fn ports_that_vanish_or_lead_nowhere() {
    let two = |target: &str| {
        json!([{"name": "http", "protocol": "TCP", "targetPort": "http"}, {"name": "metrics", "protocol": "TCP", "targetPort": 9090},
               {"name": "debug", "protocol": "TCP", "targetPort": target}])
    };
    check_update(
        &with_ports(&two("http")),
        &with_ports(&two("htttp")),
        &[
            "warn port-unreachable spec.ports[2].targetPort: port debug/TCP loses all 4 of its ready endpoints: no selected pod has a TCP port named `htttp`; did you mean `http`?",
        ],
    );
    check_update(
        &with_ports(&two("http")),
        &with_ports(&http()),
        &[
            "warn port-removed spec.ports: port metrics/TCP with 4 ready endpoints is removed; check that it is not used",
            "warn port-removed spec.ports: port debug/TCP with 4 ready endpoints is removed; check that it is not used",
        ],
    );
}

#[test]
fn a_port_that_led_nowhere_before_is_not_told_again() {
    let ports = |more: &str| {
        json!([{"name": "http", "protocol": "TCP", "targetPort": "http"}, {"name": "old", "protocol": "TCP", "targetPort": "nowhere"},
               {"name": "more", "protocol": "TCP", "targetPort": more}])
    };
    check_update(
        &with_ports(&ports("http")),
        &with_ports(&ports("http")),
        &[],
    );
    check_update(
        &with_ports(&ports("http")),
        &with_ports(&ports("elsewhere")),
        &[
            "warn port-unreachable spec.ports[2].targetPort: port more/TCP loses all 4 of its ready endpoints: no selected pod has a TCP port named `elsewhere`",
        ],
    );
}

#[test]
fn sizes_nobody_means_cost_nothing() {
    let ports: Value = (0..1_001)
        .map(|number| json!({"name": format!("p{number}"), "targetPort": "nowhere"}))
        .collect();
    // Before or after the change.
    for (old, new) in [
        (by_app("cart"), with_ports(&ports)),
        (with_ports(&ports), by_app("cart")),
    ] {
        check_update(
            &old,
            &new,
            &[
                "warn too-many-ports spec.ports: this Service has 1001 ports, and with more than 1000 it is not planned here: the effect on its traffic is not checked",
            ],
        );
    }
    let selector: serde_json::Map<String, Value> = (0..50_000)
        .map(|number| (format!("key-{number}"), json!("value")))
        .collect();
    let update = service_update(&by_app("cart"), &cart(&Value::Object(selector), &http()));
    assert_eq!(
        check(&update, &cluster(&context()), &Settings::default())
            .denials()
            .count(),
        1
    );
}

#[test]
fn end_of_care_and_of_the_service() {
    let mut external = by_app("cart");
    external["spec"]["type"] = json!("ExternalName");
    check_update(
        &by_app("cart"),
        &external,
        &[
            "warn abandoned spec.type: its 4 ready endpoints get no traffic once the Service is an ExternalName; check that this is intended",
        ],
    );
    check_update(
        &by_app("cart"),
        &cart(&Value::Null, &http()),
        &[
            "warn abandoned spec.selector: its 4 ready endpoints go stale once the Service has no selector, because nothing keeps them up to date; check that this is intended",
        ],
    );
    check_request(
        &request(ReviewSubject::Service(ObjectChange::Delete(reviewed(&by_app("cart"))))),
        &[
            "deny deleted metadata.name: its 4 ready endpoints would lose its traffic; scale its workloads to zero first, or allow it by an exception",
        ],
    );
    check_request(
        &request(ReviewSubject::Service(ObjectChange::Delete(reviewed(&by_app(
            "nobody",
        ))))),
        &[],
    );
}

#[test]
fn a_label_is_only_suggested_if_its_value_is_the_wanted_one() {
    // `tier` is close, but no pod has `tier=cart`.
    let tie = cart(&json!({"tie": "cart"}), &http());
    check_request(&service_create(&tie), &[]);
}

#[test]
fn creation() {
    let create = |value: &Value| request(ReviewSubject::Service(ObjectChange::Create(reviewed(value))));
    check_request(&create(&by_app("cart")), &[]);
    check_request(&create(&by_app("not-deployed-yet")), &[]);
    check_request(
        &create(&by_app("catalogue")),
        &[
            "warn selects-nothing spec.selector: no pod in namespace shop has app=catalogue; did you mean app=catalog, which 1 pod has?",
        ],
    );
    check_request(
        &create(&with_ports(&json!([{"name": "web", "targetPort": "web"}]))),
        &[
            "warn port-unreachable spec.ports[0].targetPort: port web/TCP has no endpoint: no selected pod has a TCP port named `web`",
        ],
    );
}

#[test]
fn what_does_not_touch_traffic_is_not_judged() {
    let mut labelled = by_app("cart");
    labelled["metadata"]["labels"] = json!({"team": "checkout"});
    check_update(&by_app("cart"), &labelled, &[]);
    check_update(&by_app("nobody"), &by_app("no-one"), &[]);
    let stale = Settings {
        when_stale: WhenStale::Deny,
        ..Settings::default()
    };
    assert!(
        check(
            &service_update(&by_app("cart"), &labelled),
            &cluster(&Context::default()),
            &stale
        )
        .is_silent()
    );
}

#[test]
fn other_namespaces_are_never_named() {
    // The only pod with app=crat is in another namespace, and nothing here is close to app=valut.
    let verdict = check(
        &service_update(&by_app("cart"), &by_app("crat")),
        &cluster(&context()),
        &Settings::default(),
    );
    assert!(
        lines(&verdict)
            .iter()
            .all(|line| !line.contains("secret") && !line.contains("vault"))
    );
}

#[test]
fn without_a_cluster_the_setting_decides() {
    let update = service_update(&by_app("cart"), &by_app("crat"));
    let answer = |when_stale| {
        lines(&check(
            &update,
            &cluster(&Context::default()),
            &Settings {
                when_stale,
                ..Settings::default()
            },
        ))
    };
    let message = "not-checked metadata: nothing is known about the cluster, so what this change does to traffic was not planned";
    assert_eq!(answer(WhenStale::Allow), Vec::<String>::new());
    assert_eq!(answer(WhenStale::Warn), [format!("warn {message}")]);
    assert_eq!(answer(WhenStale::Deny), [format!("deny {message}")]);
}
