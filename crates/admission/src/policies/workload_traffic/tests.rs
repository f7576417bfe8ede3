//! What the policy says about changes of a Deployment with four ready pods of five, and of its pods.

use serde_json::{Value, json};

use super::*;
use crate::settings::WhenStale;
use crate::testing::{
    cart, cluster, context, deployment, eviction, http, lines, pod, pod_delete, scale, service,
    text, with, workload_delete, workload_update,
};
use crate::{Age, Context};

/// The pods of the usual cluster, with these Services and pods of other workloads.
fn cluster_with(services: &[Value], others: &[Value]) -> Context {
    let usual = (1..=5).map(|number| {
        let (name, ip) = (format!("cart-{number}"), format!("10.1.0.{number}"));
        pod("shop", &name, "cart", &ip, number < 5)
    });
    over(services, &usual.chain(others.iter().cloned()).collect::<Vec<_>>())
}

fn over(services: &[Value], pods: &[Value]) -> Context {
    let services: Vec<_> = services.iter().map(service).collect();
    let pods: Vec<Pod<'_>> = pods
        .iter()
        .map(|pod| serde_json::from_str(text(pod)).unwrap())
        .collect();
    let node = serde_json::from_str(r#"{"metadata": {"name": "n"}}"#).unwrap();
    Context::new(&services, &pods, &[node], &[])
}

fn by(selector: &Value) -> Value {
    cart(selector, &http())
}

fn port(target: &Value) -> Value {
    json!([{"name": "http", "protocol": "TCP", "port": 80, "targetPort": target}])
}

fn ports(ports: Value) -> Value {
    with(&deployment(), "/spec/template/spec/containers/0/ports", ports)
}

fn labels(labels: Value) -> Value {
    with(&deployment(), "/spec/template/metadata/labels", labels)
}

#[track_caller]
fn check_in(context: &Context, request: &Request<'_>, expected: &[&str]) {
    let found = check(request, &cluster(context), &Settings::default());
    assert_eq!(lines(&found), expected);
}

#[track_caller]
fn check_update(context: &Context, new: &Value, expected: &[&str]) {
    check_in(context, &workload_update(&deployment(), new), expected);
}

const LABEL_LEFT: &str = "deny label-left spec.template.metadata.labels[tier]: the new pods would lack tier=web, by which Service cart selects: it would lose all 4 ready endpoints; keep the label, or change the selector first";

#[test]
fn labels_that_a_service_selects_by() {
    let tier = cluster_with(&[by(&json!({"app": "cart", "tier": "web"}))], &[]);
    let without = labels(json!({"app": "cart"}));
    check_update(&tier, &without, &[LABEL_LEFT]);
    let other = labels(json!({"app": "cart", "tier": "api"}));
    check_update(&tier, &other, &[LABEL_LEFT]);
    // What no Service selects by may change, and so may labels that are added.
    let more = labels(json!({"app": "cart", "tier": "web", "version": "2"}));
    check_update(&tier, &more, &[]);
    check_update(&context(), &without, &[]);
    // Pods of another workload stay.
    let web = by(&json!({"tier": "web"}));
    let catalog = pod("shop", "catalog-1", "catalog", "10.1.1.1", true);
    check_update(
        &cluster_with(&[web], &[catalog]),
        &without,
        &[
            "warn label-left spec.template.metadata.labels[tier]: the new pods would lack tier=web, by which Service cart selects: it would lose 4 of 5 ready endpoints; keep the label, or change the selector first",
        ],
    );
}

#[test]
fn a_service_that_has_lost_its_endpoints_already_loses_nothing() {
    let tier = by(&json!({"app": "cart", "tier": "web"}));
    let unready = pod("shop", "cart-1", "cart", "10.1.0.1", false);
    let without = labels(json!({"app": "cart"}));
    check_update(&over(&[tier], &[unready]), &without, &[]);
    // Labels that the old template lacks are not lost with it.
    let version = by(&json!({"app": "cart", "version": "1"}));
    let mut older = pod("shop", "cart-1", "cart", "10.1.0.1", true);
    older["metadata"]["labels"]["version"] = json!("1");
    check_update(&over(&[version], &[older]), &without, &[]);
}

#[test]
fn port_names_that_a_service_asks_for() {
    let named = |name: &str| ports(json!([{"name": name, "containerPort": 8080}]));
    check_update(
        &context(),
        &named("web"),
        &[
            "deny port-left spec.template.spec.containers: port http/TCP of Service cart leads to the TCP port `http`, which the new pods would not have (they have `web`): it would lose all 4 ready endpoints; keep the name, or change targetPort first",
        ],
    );
    check_update(
        &context(),
        &ports(json!([{"name": "http", "containerPort": 8080, "protocol": "UDP"}])),
        &[
            "deny port-left spec.template.spec.containers: port http/TCP of Service cart leads to the TCP port `http`, which the new pods would not have: it would lose all 4 ready endpoints; keep the name, or change targetPort first",
        ],
    );
    // Another number by the same name is found, and so is the name on another container.
    check_update(&context(), &ports(json!([{"name": "http", "containerPort": 9090}])), &[]);
    let sidecar = json!({"initContainers": [{"restartPolicy": "Always", "ports": [{"name": "http", "containerPort": 1}]}]});
    let spec = with(&deployment(), "/spec/template/spec", sidecar);
    check_update(&context(), &spec, &[]);
    let shared = cluster_with(
        &[by(&json!({"tier": "web"}))],
        &[pod("shop", "catalog-1", "catalog", "10.1.1.1", true)],
    );
    let found = check(
        &workload_update(&deployment(), &named("web")),
        &cluster(&shared),
        &Settings::default(),
    );
    let found = lines(&found);
    assert!(found[0].starts_with("warn port-left") && found[0].contains("4 of 5 ready"), "{found:?}");
}

#[test]
fn port_numbers_are_only_declared() {
    let numbered = cluster_with(&[cart(&json!({"app": "cart"}), &port(&json!(8080)))], &[]);
    check_update(
        &numbered,
        &ports(json!([{"name": "http", "containerPort": 9090}])),
        &[
            "warn port-left spec.template.spec.containers: port http/TCP of Service cart leads to port 8080, which the new pods would not declare (they declare 9090): unless something still listens there, it would lose all 4 ready endpoints",
        ],
    );
    check_update(&numbered, &ports(json!([])), &[]);
    let undeclared = cluster_with(&[cart(&json!({"app": "cart"}), &port(&json!(7070)))], &[]);
    check_update(&undeclared, &ports(json!([{"containerPort": 9090}])), &[]);
}

const ZERO: &str = "Service cart would lose all 4 ready endpoints with the pods of this workload; scale or delete it once nobody uses the Service";

#[test]
fn a_workload_without_pods() {
    let (replicas, name) = (
        format!("deny scaled-to-zero spec.replicas: {ZERO}"),
        format!("deny scaled-to-zero metadata.name: {ZERO}"),
    );
    let zero = with(&deployment(), "/spec/replicas", json!(0));
    check_update(&context(), &zero, &[&replicas]);
    check_update(&context(), &with(&deployment(), "/spec/replicas", json!(1)), &[]);
    check_in(&context(), &workload_update(&zero, &zero), &[]);
    check_in(&context(), &scale("app=cart", 5, 0), &[&replicas]);
    check_in(&context(), &scale("app=cart", 5, 1), &[]);
    check_in(&context(), &scale("app in (cart),tier", 5, 0), &[&replicas]);
    check_in(&context(), &scale("app=catalog", 5, 0), &[]);
    check_in(&context(), &workload_delete(&deployment()), &[&name]);
    let mut orphaning = workload_delete(&deployment());
    orphaning.orphans = true;
    check_in(&context(), &orphaning, &[]);
    // A ready pod of another workload serves.
    let web = [by(&json!({"tier": "web"}))];
    let catalog = |ready| [pod("shop", "catalog-1", "catalog", "10.1.1.1", ready)];
    check_update(&cluster_with(&web, &catalog(true)), &zero, &[]);
    check_update(&cluster_with(&web, &catalog(false)), &zero, &[&replicas]);
}

#[test]
fn the_end_of_the_last_ready_pod() {
    let last = over(
        &[by(&json!({"app": "cart"}))],
        &[
            pod("shop", "cart-1", "cart", "10.1.0.1", true),
            pod("shop", "cart-2", "cart", "10.1.0.2", false),
        ],
    );
    let expected = "deny last-endpoint metadata.name: pod cart-1 is the last ready endpoint of Service cart; wait until another pod is ready, or add one first";
    check_in(&last, &eviction("cart-1"), &[expected]);
    check_in(&last, &pod_delete("cart-1"), &[expected]);
    check_in(&last, &eviction("cart-2"), &[]);
    check_in(&last, &eviction("cart-9"), &[]);
    check_in(&context(), &eviction("cart-1"), &[]);
}

#[test]
fn pods_that_are_published_before_they_are_ready() {
    let mut peers = by(&json!({"app": "cart"}));
    peers["spec"]["publishNotReadyAddresses"] = json!(true);
    let pods = [pod("shop", "cart-1", "cart", "10.1.0.1", false)];
    let peers = over(&[peers], &pods);
    check_in(&peers, &eviction("cart-1"), &[]);
    check_in(
        &peers,
        &scale("app=cart", 1, 0),
        &[
            "deny scaled-to-zero spec.replicas: Service cart would lose its only ready endpoint with the pods of this workload; scale or delete it once nobody uses the Service",
        ],
    );
}

#[test]
fn services_whose_slices_no_controller_writes_are_nobody_s_concern() {
    let mut external = by(&json!({"app": "cart"}));
    external["spec"]["type"] = json!("ExternalName");
    let zero = with(&deployment(), "/spec/replicas", json!(0));
    check_update(&cluster_with(&[external], &[]), &zero, &[]);
    check_update(&cluster_with(&[by(&Value::Null)], &[]), &zero, &[]);
}

#[test]
fn what_is_not_known_is_not_judged() {
    let what = "so what this change takes away from Services was not planned";
    let unknown = format!("warn not-checked metadata: nothing is known about the cluster, {what}");
    check_in(&Context::default(), &scale("app=cart", 5, 0), &[&unknown]);
    check_in(&Context::default(), &scale("app=cart", 0, 5), &[]);
    check_in(&Context::default(), &eviction("cart-1"), &[&unknown]);
    let invalid = format!(
        "warn not-checked metadata: the selector of its pods is missing or invalid, {what}"
    );
    for selector in ["", "app in cart"] {
        check_in(&context(), &scale(selector, 5, 0), &[&invalid]);
    }
    let long: Vec<String> = (0..101).map(|number| format!("!x{number}")).collect();
    let long = scale(&long.join(","), 5, 0);
    check_in(
        &context(),
        &long,
        &[&format!(
            "warn not-checked metadata: the selector of its pods has 101 requirements, more than the limit of 100, {what}"
        )],
    );
    let age = Age {
        seconds: Some(61),
        most: 60,
        is_watched: true,
    };
    let context = context();
    for (when_stale, severity) in [(WhenStale::Warn, "warn"), (WhenStale::Deny, "deny")] {
        let settings = Settings {
            when_stale,
            ..Settings::default()
        };
        let stale = ClusterView::new(&context, "shop", age);
        let found = lines(&check(&scale("app=cart", 5, 0), &stale, &settings));
        assert!(found[0].starts_with(&format!("{severity} not-checked")), "{found:?}");
    }
}

#[test]
fn services_beyond_the_limits_are_counted() {
    let services: Vec<Value> = (0..3)
        .map(|number| with(&by(&json!({"app": "cart"})), "/metadata/name", json!(format!("cart-{number}"))))
        .collect();
    let context = cluster_with(&services, &[]);
    let settings = Settings {
        max_services: 1,
        ..Settings::default()
    };
    let found = lines(&check(&scale("app=cart", 5, 0), &cluster(&context), &settings));
    assert!(found[0].contains("Service cart-0 would lose"), "{found:?}");
    assert_eq!(
        found[1..],
        ["warn not-checked metadata.name: 2 Services of these pods were not planned, because there are more than `maxServices`"]
    );
    let many: Vec<Value> = (0..1001)
        .map(|number| json!({"name": format!("p{number}"), "protocol": "TCP", "port": number + 1, "targetPort": "http"}))
        .collect();
    check_in(
        &cluster_with(&[cart(&json!({"app": "cart"}), &json!(many))], &[]),
        &scale("app=cart", 5, 0),
        &[
            "warn too-many-ports metadata.name: Service cart has 1001 ports, and with more than 1000 it is not planned here: what it would lose is not checked",
        ],
    );
}

/// The largest workload that an API server stores, beside the largest Service that is planned: each lookup is one.
#[test]
fn the_largest_workloads() {
    let wanted = (1..=1000).map(|number| json!({"name": format!("p{number}"), "protocol": "TCP", "port": number, "targetPort": number}));
    let service = cart(&json!({"app": "cart"}), &wanted.collect::<Value>());
    let context = cluster_with(&[service], &[]);
    let values = (0..50_000).map(|number| format!("v{number}")).chain(["cart".into()]);
    let selector = json!({"matchExpressions": [{"key": "app", "operator": "In", "values": values.collect::<Vec<_>>()}]});
    let declaring = |from: u32| {
        let ports = (from..30_000).map(|number| json!({"name": format!("p{number}"), "containerPort": number}));
        let largest = with(&deployment(), "/spec/template/spec/containers/0/ports", ports.collect());
        with(&largest, "/spec/selector", selector.clone())
    };
    let update = workload_update(&declaring(1), &declaring(2000));
    let found = check(&update, &cluster(&context), &Settings::default());
    let told = lines(&found);
    assert_eq!(told.len(), 1000);
    assert!(
        told[0].contains("would not declare (they declare 10000, 10001, 10002, 10003, 10004)"),
        "{}",
        told[0]
    );
}
