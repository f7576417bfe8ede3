//! Where traffic comes from, and the effect of the requested distribution.

use serde_json::{Value, json};

use super::*;
use crate::Context;
use crate::testing::{
    cart, cluster, http, lines, node, pod, service, service_create, service_update, text, zoned,
};

fn plain() -> Value {
    cart(&json!({"app": "cart"}), &http())
}

fn with(path: &[&str], value: Value) -> Value {
    let mut service = plain();
    let mut place = &mut service;
    for key in path {
        place = &mut place[*key];
    }
    *place = value;
    service
}

#[track_caller]
fn check_in(context: &Context, request: &Request<'static>, settings: &Settings, expected: &[&str]) {
    assert_eq!(
        lines(&check(request, &cluster(context), settings)),
        expected
    );
}

#[track_caller]
fn check_create(service: &Value, expected: &[&str]) {
    let context = zoned(&json!({}));
    check_in(
        &context,
        &service_create(service),
        &Settings::default(),
        expected,
    );
}

#[test]
fn external_ips_need_leave() {
    let service = with(&["spec", "externalIPs"], json!(["203.0.113.7", "10.1.0.1"]));
    let denied = |number: usize, address: &str| {
        format!(
            "deny external-ip spec.externalIPs[{number}]: {address} would lead to this Service from every node, whoever owns \
             it; use a Service of type LoadBalancer, or have the range allowed by `allowedExternalIPs`"
        )
    };
    check_create(
        &service,
        &[&denied(0, "203.0.113.7"), &denied(1, "10.1.0.1")],
    );
    check_create(
        &with(&["spec", "externalIPs"], json!(["web"])),
        &[
            "deny external-ip spec.externalIPs[0]: `web` is not an address; write one like `203.0.113.7`, or leave it out",
        ],
    );
    let settings = Settings {
        allowed_external_ips: vec!["203.0.113.0/24".into()],
        ..Settings::default()
    };
    let context = zoned(&json!({}));
    check_in(
        &context,
        &service_create(&service),
        &settings,
        &[&denied(1, "10.1.0.1")],
    );
    // Addresses that the Service had before are not reported.
    let update = service_update(
        &with(&["spec", "externalIPs"], json!(["10.1.0.1"])),
        &service,
    );
    check_in(&context, &update, &settings, &[]);
}

#[test]
fn the_status_of_a_load_balancer_is_its_controller_s() {
    let ingress = with(
        &["status", "loadBalancer"],
        json!({"ingress": [{"ip": "198.51.100.9"}]}),
    );
    let mut update = service_update(&plain(), &ingress);
    let context = zoned(&json!({}));
    check_in(
        &context,
        &update.clone(),
        &Settings::default(),
        &[
            "warn load-balancer-status status.loadBalancer.ingress[0].ip: 198.51.100.9 would lead to this Service from every node; only the controller of its load balancer should set it",
        ],
    );
    for user in ["system:anonymous", "system:serviceaccount:evil:default"] {
        update.user = user.into();
        let found = check(&update, &cluster(&context), &Settings::default());
        assert_eq!(lines(&found).len(), 1, "{user}");
    }
    update.user = "system:serviceaccount:metallb-system:controller".into();
    let settings = Settings {
        load_balancer_users: vec!["system:serviceaccount:metallb-system:*".into()],
        ..Settings::default()
    };
    check_in(&context, &update, &settings, &[]);
    update.user = "system:cloud-controller-manager".into();
    check_in(&context, &update, &Settings::default(), &[]);
    check_in(
        &context,
        &service_update(&ingress, &ingress),
        &Settings::default(),
        &[],
    );
}

/// A Service that is still to be applied.
fn manifest(value: &str) -> Value {
    let mut service = with(&["spec", "trafficDistribution"], value.into());
    service["metadata"].as_object_mut().unwrap().remove("uid");
    service
}

fn of_version(version: &str) -> Settings {
    Settings {
        kubernetes_version: version.into(),
        ..Settings::default()
    }
}

/// What the API server would refuse is denied before it is asked.
#[test]
fn a_manifest_has_a_value_that_the_version_knows() {
    let context = zoned(&json!({}));
    let check_manifest = |value: &str, version: &str, expected: &[&str]| {
        let create = service_create(&manifest(value));
        check_in(&context, &create, &of_version(version), expected);
    };
    check_manifest("PreferSameNode", "1.37", &[]);
    check_manifest(
        "PreferZone",
        "1.37",
        &[
            "deny unknown-value spec.trafficDistribution: `PreferZone` is not a traffic distribution: the API server of 1.37 refuses it as an unsupported value; supported values: PreferClose, PreferSameNode, PreferSameZone",
        ],
    );
    check_manifest(
        "preferclose",
        "1.33",
        &[
            "deny unknown-value spec.trafficDistribution: `preferclose` is not a traffic distribution: the API server of 1.33 refuses it as an unsupported value; supported values: PreferClose",
        ],
    );
    let needs = "deny unknown-value spec.trafficDistribution: `PreferSameZone` needs Kubernetes 1.34: the API server of 1.33 refuses it as an unsupported value; supported values: PreferClose";
    check_manifest("PreferSameZone", "v1.33.2", &[needs]);
    check_manifest("PreferClose", "1.33", &[]);
    check_manifest(
        "PreferClose",
        "1.30",
        &[
            "warn unknown-value spec.trafficDistribution: trafficDistribution needs Kubernetes 1.31: the API server of 1.30 drops it by default",
        ],
    );
    // The same value in a changed manifest of a stored Service; one that does not change has been accepted.
    let stored = with(&["spec", "trafficDistribution"], "PreferClose".into());
    let update = service_update(&stored, &manifest("PreferSameZone"));
    check_in(&context, &update, &of_version("1.33"), &[needs]);
    let unchanged = service_update(&manifest("PreferZone"), &manifest("PreferZone"));
    check_in(&context, &unchanged, &Settings::default(), &[]);
}

/// An API server has accepted what a webhook sees, whatever version the settings name.
#[test]
fn a_stored_value_that_the_version_does_not_know_is_remarked_upon() {
    let asked = |value: &str| with(&["spec", "trafficDistribution"], value.into());
    check_create(&asked("PreferSameNode"), &[]);
    let remark = "warn unknown-value spec.trafficDistribution: `PreferClosest` is not a traffic distribution: the API server of 1.37 refuses it as an unsupported value; supported values: PreferClose, PreferSameNode, PreferSameZone";
    check_create(&asked("PreferClosest"), &[remark]);
    let update = service_update(&asked("PreferClose"), &asked("PreferClosest"));
    check_in(&zoned(&json!({})), &update, &Settings::default(), &[remark]);
}

#[test]
fn versions_are_checked() {
    for version in ["", "1", "2.3", "one.two"] {
        let settings = Settings {
            kubernetes_version: version.into(),
            ..Settings::default()
        };
        assert!(
            crate::settings::PolicySettings::check(&settings).is_err(),
            "{version}"
        );
    }
}

#[test]
fn settings_that_take_each_other_s_effect() {
    let mut both = with(&["spec", "trafficDistribution"], "PreferSameZone".into());
    both["metadata"]["annotations"] = json!({"service.kubernetes.io/topology-mode": "Auto"});
    check_create(
        &both,
        &[
            "warn conflict spec.trafficDistribution: the topology annotation overrides trafficDistribution PreferSameZone; keep one of them",
        ],
    );
    let mut local = with(&["spec", "trafficDistribution"], "PreferSameZone".into());
    local["spec"]["internalTrafficPolicy"] = "Local".into();
    check_create(
        &local,
        &[
            "warn conflict spec.trafficDistribution: with internalTrafficPolicy Local the traffic of pods stays on their node, and trafficDistribution has no effect on it; drop one of them",
        ],
    );
}

#[test]
fn hints_that_will_not_come() {
    let auto = with(
        &["metadata", "annotations"],
        json!({"service.kubernetes.io/topology-mode": "Auto"}),
    );
    check_create(&auto, &[]);
    // The pods of this cluster are on one node without a zone.
    let context = crate::testing::context();
    check_in(
        &context,
        &service_create(&auto),
        &Settings::default(),
        &[
            "warn no-hints metadata.annotations: no IPv4 hints will be set: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes",
        ],
    );
    check_in(
        &context,
        &service_create(&with(
            &["spec", "trafficDistribution"],
            "PreferSameZone".into(),
        )),
        &Settings::default(),
        &[
            "warn no-hints spec.trafficDistribution: 4 of 4 ready IPv4 endpoints are on nodes without a zone and get no hint, so kube-proxy will follow none; label their nodes",
        ],
    );
    let unchanged = service_update(&auto, &auto);
    check_in(&context, &unchanged, &Settings::default(), &[]);
    check_in(
        &Context::default(),
        &service_create(&auto),
        &Settings::default(),
        &[
            "warn not-checked metadata: nothing is known about the cluster, so whether hints will be set was not checked",
        ],
    );
}

#[track_caller]
fn check_update(old: &Value, new: &Value, expected: &[&str]) {
    let context = zoned(&json!({}));
    let update = service_update(old, new);
    check_in(&context, &update, &Settings::default(), expected);
}

/// One port of the Service.
fn port(number: u16, target: impl Into<Value>) -> Value {
    json!([{"name": "http", "port": number, "targetPort": target.into(), "protocol": "TCP"}])
}

#[test]
fn a_port_that_moves_loses_its_clients() {
    let [before, after] = [80, 8081].map(|number| cart(&json!({"app": "cart"}), &port(number, "http")));
    check_update(
        &before,
        &after,
        &[
            "warn port-moved spec.ports[0].port: clients that use port 80/TCP find nothing there any more: it becomes 8081; keep 80 as a port of its own until none does",
        ],
    );
    let both = json!([
        {"name": "http", "port": 8081, "targetPort": "http"},
        {"name": "old", "port": 80, "targetPort": "http"},
    ]);
    check_update(&before, &cart(&json!({"app": "cart"}), &both), &[]);
    let headless = |mut service: Value| {
        service["spec"]["clusterIP"] = "None".into();
        service
    };
    check_update(&headless(before), &headless(after), &[]);
}

#[test]
fn a_number_that_no_pod_declares() {
    let [declared, other] = [8080, 9999].map(|number| cart(&json!({"app": "cart"}), &port(80, number)));
    check_create(&declared, &[]);
    let expected = "warn port-not-declared spec.ports[0].targetPort: none of the 8 pods that it selects declares 9999/TCP; they declare 8080/TCP";
    check_create(&other, &[expected]);
    check_update(&declared, &other, &[expected]);
    check_update(&other, &other, &[]);
    let empty = cart(&json!({"app": "nobody"}), &port(80, 9999));
    check_create(&empty, &[]);
}

#[test]
fn nodes_that_local_policies_leave_without_endpoints() {
    let context = zoned(&json!({}));
    let named = ["a1", "a2", "b1", "b2", "c1"];
    let nodes = named.map(|name| serde_json::from_str(text(&node(name, Some("a")))).unwrap());
    let pods = ["a1", "a2", "b1", "b2"].map(|name| {
        let ip = format!("10.1.0.{}", name.len() + usize::from(name.as_bytes()[0]));
        let mut pod = pod("shop", &format!("cart-{name}"), "cart", &ip, true);
        pod["spec"]["nodeName"] = name.into();
        serde_json::from_str(text(&pod)).unwrap()
    });
    let wider = Context::new(&[service(&plain())], &pods, &nodes, &[]);
    let inside = with(&["spec", "internalTrafficPolicy"], json!("Local"));
    let expected = "warn local spec.internalTrafficPolicy: with Local, pods on 1 of 5 nodes reach nothing, because no ready endpoint is there; run one on each node (a DaemonSet), or use trafficDistribution: PreferSameNode";
    check_in(&wider, &service_update(&plain(), &inside), &Settings::default(), &[expected]);
    check_in(&wider, &service_update(&inside, &inside), &Settings::default(), &[]);
    check_in(&context, &service_update(&plain(), &inside), &Settings::default(), &[]);
    let mut outside = with(&["spec", "externalTrafficPolicy"], json!("Local"));
    check_in(&wider, &service_create(&outside), &Settings::default(), &[]);
    outside["spec"]["type"] = "LoadBalancer".into();
    let expected = "warn local spec.externalTrafficPolicy: with Local, 1 of 5 nodes drop external traffic, because no ready endpoint is there; check that the load balancer asks the healthCheckNodePort";
    check_in(&wider, &service_create(&outside), &Settings::default(), &[expected]);
}

#[test]
fn another_proxy_takes_over() {
    let label = json!({"service.kubernetes.io/service-proxy-name": "mine"});
    let labelled = with(&["metadata", "labels"], label);
    let expected = "warn other-proxy metadata.labels[service.kubernetes.io/service-proxy-name]: kube-proxy serves 8 ready endpoints of the Service no longer: the label leaves them to the proxy mine; check that it runs on every node";
    check_update(&plain(), &labelled, &[expected]);
    check_update(&labelled, &labelled, &[]);
}

#[test]
fn addresses_that_load_balancers_are_asked_for() {
    let asked = with(&["spec", "loadBalancerIP"], json!("192.0.2.7"));
    let expected = "warn load-balancer-address spec.loadBalancerIP: the Service asks for the address 192.0.2.7, whoever uses it; leave the choice to the load balancer, or have the range allowed by `allowedExternalIPs`";
    check_update(&plain(), &asked, &[expected]);
    check_update(&asked, &asked, &[]);
    let annotated = with(&["metadata", "annotations"], json!({"metallb.io/loadBalancerIPs": "192.0.2.7, 198.51.100.1"}));
    let settings = Settings {
        allowed_external_ips: vec!["192.0.2.0/24".into()],
        ..Settings::default()
    };
    let expected = "warn load-balancer-address metadata.annotations[metallb.io/loadBalancerIPs]: the Service asks for the address 198.51.100.1, whoever uses it; leave the choice to the load balancer, or have the range allowed by `allowedExternalIPs`";
    check_in(&zoned(&json!({})), &service_create(&annotated), &settings, &[expected]);
}

/// The largest Services that an API server stores, changed in their last place: whatever is compared is not compared with
/// everything else.
#[test]
fn the_largest_services() {
    let addresses = |last: &str| {
        let most = (0..100_000_u32).map(|number| format!("10.{}.{}.{}", number >> 16, (number >> 8) & 255, number & 255));
        most.chain([last.to_owned()]).collect::<Vec<_>>()
    };
    let external = |last: &str| with(&["spec", "externalIPs"], json!(addresses(last)));
    let settings = Settings {
        allowed_external_ips: vec!["203.0.113.0/24".into()],
        ..Settings::default()
    };
    let context = zoned(&json!({}));
    let update = service_update(&external("203.0.113.1"), &external("203.0.113.2"));
    check_in(&context, &update, &settings, &[]);

    let requested = |last: &str| {
        let text = format!("{},{last}", "192.0.2.1,".repeat(25_000));
        with(&["metadata", "annotations"], json!({"metallb.io/loadBalancerIPs": text}))
    };
    let update = service_update(&requested("203.0.113.1"), &requested("203.0.113.2"));
    check_in(&context, &update, &settings, &[]);

    let ports = |first: u16| {
        let port = |number: u16| json!({"name": format!("p{number}"), "port": first.wrapping_add(number), "targetPort": 8080});
        cart(&json!({"app": "cart"}), &(0..30_000).map(port).collect::<Value>())
    };
    let update = service_update(&ports(1), &ports(30_001));
    let found = check(&update, &cluster(&context), &settings);
    assert_eq!(lines(&found).len(), 30_000);
}
