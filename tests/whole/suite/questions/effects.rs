//! The first line of an explanation: who is served, and the first link at which the others were lost.

use serde_json::{Value, json};

use crate::api::{self, Limits, Question};

fn explained(items: &[Value]) -> api::Explained {
    let list = json!({"kind": "List", "items": items}).to_string();
    api::explained(list.as_bytes(), &Question::default(), Limits::default()).unwrap()
}

/// The severity and the text of the first Service's verdict.
#[track_caller]
fn check(items: &[Value], expected: &str) {
    let explained = explained(items);
    let verdict = &explained.services[0].verdict;
    let found = format!("{}: {}", verdict.severity.as_str(), verdict.text);
    assert_eq!(found, expected, "{}", explained.to_text(false, true));
}

fn node(name: &str, zone: &str) -> Value {
    json!({"kind": "Node", "apiVersion": "v1",
        "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}},
        "status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"cpu": "2"}}})
}

/// A stored Service `ns/till`, with these fields of its specification beside the defaults.
fn service(spec: Value) -> Value {
    let mut service = json!({"kind": "Service", "apiVersion": "v1",
        "metadata": {"namespace": "ns", "name": "till", "uid": "u"},
        "spec": {"type": "ClusterIP", "clusterIP": "10.96.3.3", "ipFamilies": ["IPv4"],
            "ports": [{"name": "web", "port": 80, "protocol": "TCP", "targetPort": 8080}]}});
    merge(&mut service["spec"], spec);
    service
}

fn merge(into: &mut Value, fields: Value) {
    let Value::Object(fields) = fields else {
        return;
    };
    for (key, value) in fields {
        into[key] = value;
    }
}

/// A stored slice of hand, with ready endpoints.
fn slice(name: &str, labels: &Value, addresses: &[&str]) -> Value {
    let endpoints: Vec<Value> = addresses
        .iter()
        .map(|address| json!({"addresses": [address], "conditions": {"ready": true}}))
        .collect();
    json!({"kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1", "addressType": "IPv4",
        "metadata": {"namespace": "ns", "name": name, "uid": name, "labels": labels},
        "endpoints": endpoints, "ports": [{"name": "web", "port": 8080, "protocol": "TCP"}]})
}

fn pod(name: &str, labels: &Value, address: &str) -> Value {
    json!({"kind": "Pod", "apiVersion": "v1",
        "metadata": {"namespace": "ns", "name": name, "uid": name, "labels": labels},
        "spec": {"nodeName": "n1"},
        "status": {"phase": "Running", "podIP": address, "podIPs": [{"ip": address}],
            "conditions": [{"type": "Ready", "status": "True"}]}})
}

/// The slice that the controller has written for the Service.
fn written(pods: &[(&str, &str)], ports: Value) -> Value {
    let mut slice = slice(
        "till-x",
        &json!({"kubernetes.io/service-name": "till", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}),
        &[],
    );
    slice["metadata"]["ownerReferences"] = json!([{"apiVersion": "v1", "kind": "Service", "name": "till", "uid": "u", "controller": true}]);
    let endpoints = pods.iter().map(|(name, address)| {
        json!({"addresses": [address], "conditions": {"ready": true, "serving": true, "terminating": false},
            "nodeName": "n1", "zone": "a", "targetRef": {"kind": "Pod", "namespace": "ns", "name": name, "uid": name}})
    });
    slice["endpoints"] = endpoints.collect();
    slice["ports"] = ports;
    slice
}

fn web() -> Value {
    json!([{"name": "web", "port": 8080, "protocol": "TCP"}])
}

fn bound() -> Value {
    json!({"kubernetes.io/service-name": "till"})
}

const ONLY_THE_LABEL: &str = "Only that label ties a slice to a Service, not its name or owner; kube-proxy and DNS ignore the slice.";

#[test]
fn only_the_label_binds_a_slice() {
    let with = |labels: Value| {
        [
            node("n1", "a"),
            service(json!({})),
            slice("till", &labels, &["192.0.2.7"]),
        ]
    };
    check(
        &with(json!({})),
        &format!(
            "broken: Nobody is served on web/TCP: slice till has 1 endpoint and not the label kubernetes.io/service-name: till. {ONLY_THE_LABEL}"
        ),
    );
    check(
        &with(json!({"kubernetes.io/service-name": "til"})),
        &format!(
            "broken: Nobody is served on web/TCP: slice till has 1 endpoint and the label kubernetes.io/service-name: til, not till. {ONLY_THE_LABEL}"
        ),
    );
    check(
        &with(bound()),
        "note: All clients are served by 192.0.2.7:8080. It needs no selector: others write its slices, with the label kubernetes.io/service-name.",
    );
    let other = [
        node("n1", "a"),
        service(json!({})),
        slice("register", &json!({}), &["192.0.2.7"]),
    ];
    check(
        &other,
        "broken: Nobody is served on web/TCP: it has no selector, and there are neither slices nor Endpoints of it. An empty selector (selector: {}) is the same as none; without one, no controller writes slices.",
    );
}

#[test]
fn the_label_is_offered_only_if_it_helps() {
    let fixes = |port: &str| {
        let mut slice = slice("till", &json!({}), &["192.0.2.7"]);
        slice["ports"][0]["name"] = port.into();
        let explained = explained(&[node("n1", "a"), service(json!({})), slice]);
        explained.services[0].explanations[0].to_do.clone()
    };
    assert_eq!(
        fixes("web"),
        "kubectl label --overwrite endpointslice till -n ns kubernetes.io/service-name=till"
    );
    assert_eq!(fixes("other"), "");
}

#[test]
fn an_empty_selector_is_none() {
    let empty = service(json!({"selector": {}}));
    let items = [
        node("n1", "a"),
        empty,
        pod("p", &json!({"app": "till"}), "10.1.0.1"),
        slice("x", &json!({"kubernetes.io/service-name": "x"}), &[]),
    ];
    check(
        &items,
        "broken: Nobody is served on web/TCP: it has no selector, and there are neither slices nor Endpoints of it. An empty selector (selector: {}) is the same as none; without one, no controller writes slices.",
    );
}

#[test]
fn special_addresses_are_refused() {
    let with = |address: &str| {
        let selector = service(json!({"selector": {"app": "till"}}));
        [
            node("n1", "a"),
            selector,
            pod("p", &json!({"app": "till"}), address),
            written(&[], json!([])),
        ]
    };
    for (address, kind) in [
        ("169.254.0.8", "link-local"),
        ("127.0.0.3", "loopback"),
        ("0.0.0.0", "unspecified"),
        ("224.0.0.9", "link-local multicast"),
    ] {
        check(
            &with(address),
            &format!(
                "broken: Nobody is served on web/TCP: the API server refuses every slice with {address}. It is {kind}, which no slice may have; each write fails, however often it is tried."
            ),
        );
    }
    check(
        &with("10.1.0.8"),
        "broken: Nobody is served on web/TCP: no live slice has p. The plan adds it to a slice.",
    );
}

#[test]
fn the_pods_have_the_special_address_even_beside_endpoints() {
    let items = [
        node("n1", "a"),
        service(json!({"selector": {"app": "till"}})),
        pod("p", &json!({"app": "till"}), "169.254.0.8"),
        written(&[], json!([])),
        json!({"kind": "Endpoints", "apiVersion": "v1", "metadata": {"namespace": "ns", "name": "till"},
            "subsets": [{"addresses": [{"ip": "10.1.0.9"}], "ports": [{"name": "web", "port": 8080}]}]}),
    ];
    let explained = explained(&items);
    let first = &explained.services[0].explanations[0];
    assert_eq!(first.code.as_str(), "AddressRefused");
    assert!(first.to_do.starts_with("give the pods"), "{}", first.to_do);
}

#[test]
fn missing_ports_of_two_protocols_are_two_findings() {
    let port = |name: &str, protocol: &str| json!({"name": name, "port": 80, "protocol": protocol, "targetPort": name});
    let ports = json!([port("web", "TCP"), port("dns", "UDP"), port("api", "TCP")]);
    let items = [
        node("n1", "a"),
        service(json!({"selector": {"app": "till"}, "ports": ports})),
        pod("p", &json!({"app": "till"}), "10.1.0.1"),
        written(&[], json!([])),
    ];
    let explained = explained(&items);
    let found = explained.services[0].explanations.iter();
    let found = found.filter(|one| one.code.as_str() == "PortNotFound");
    let found: Vec<&str> = found.map(|one| one.because.as_str()).collect();
    let what = "its containers do not name any ports.";
    assert_eq!(
        found,
        [
            format!("The pod has no TCP port named web and api: {what}"),
            format!("The pod has no UDP port named dns: {what}")
        ]
    );
}

#[test]
fn ports_belong_together_by_name_and_protocol() {
    let udp = |protocol: &str| {
        let ports = json!([{"name": "web", "port": 80, "protocol": "UDP", "targetPort": 8080}]);
        let mut slice = slice("till-1", &bound(), &["192.0.2.7"]);
        slice["ports"][0]["protocol"] = protocol.into();
        [node("n1", "a"), service(json!({"ports": ports})), slice]
    };
    check(
        &udp("TCP"),
        "broken: Nobody is served on web/UDP: slice till-1 offers web as TCP, and the Service asks for UDP. A port belongs to the Service's port of the same name and protocol, and the default of both is TCP.",
    );
    check(
        &udp("UDP"),
        "note: All clients are served by 192.0.2.7:8080. It needs no selector: others write its slices, with the label kubernetes.io/service-name.",
    );
}

#[test]
fn endpoints_without_addresses_have_nothing_to_mirror() {
    let endpoints = |annotations: Value| json!({"kind": "Endpoints", "apiVersion": "v1", "metadata": {"namespace": "ns", "name": "till", "uid": "e", "annotations": annotations}});
    let rest =
        "has to fill them; no controller of Kubernetes does for a Service without a selector.";
    check(
        &[
            node("n1", "a"),
            service(json!({})),
            endpoints(json!({"leader": "db-0"})),
        ],
        &format!(
            "broken: Nobody is served on web/TCP: the Endpoints till have no ready address to mirror. The agent that keeps their annotations (leader) {rest}"
        ),
    );
    check(
        &[node("n1", "a"), service(json!({})), endpoints(json!({}))],
        &format!(
            "broken: Nobody is served on web/TCP: the Endpoints till have no ready address to mirror. Whoever made them {rest}"
        ),
    );
}

#[test]
fn the_mirroring_controller_copies_a_thousand_addresses() {
    let with = |number: usize| {
        let addresses = (0..number)
            .map(|number| json!({"ip": format!("10.9.{}.{}", number / 200, number % 200 + 1)}));
        let endpoints = json!({"kind": "Endpoints", "apiVersion": "v1", "metadata": {"namespace": "ns", "name": "till"},
            "subsets": [{"addresses": addresses.collect::<Vec<_>>(), "ports": [{"name": "web", "port": 8080}]}]});
        [node("n1", "a"), service(json!({})), endpoints]
    };
    check(
        &with(1000),
        "note: All clients will be served by 1000 endpoints. It needs no selector: its Endpoints are mirrored into slices.",
    );
    check(
        &with(1002),
        "degraded: 2 of the Endpoints' 1002 addresses are not mirrored. The mirroring controller copies at most 1000 addresses of a subset (--mirroring-max-endpoints-per-subset, at most 1000) and reports TooManyAddressesToMirror. All clients will be served by 1000 endpoints.",
    );
}

#[test]
fn manifests_have_the_defaults_of_the_api_server() {
    let manifest = |port: Value, spec: Value| {
        let mut service = json!({"kind": "Service", "apiVersion": "v1", "metadata": {"name": "till"},
            "spec": {"selector": {"app": "till"}, "ports": [port]}});
        merge(&mut service["spec"], spec);
        let mut pod = pod("p", &json!({"app": "till"}), "10.1.0.8");
        pod["metadata"] = json!({"name": "p", "labels": {"app": "till"}});
        [node("n1", "a"), service, pod]
    };
    let none = json!({});
    check(
        &manifest(json!({"port": 81, "targetPort": 8080}), none.clone()),
        "note: All clients will be served by 10.1.0.8:8080.",
    );
    check(
        &manifest(json!({"port": 81}), none),
        "note: All clients will be served by 10.1.0.8:81.",
    );
    check(
        &manifest(json!({"port": 81}), json!({"clusterIP": "None"})),
        "note: The name will resolve to 10.1.0.8.",
    );
}

#[test]
fn templates_are_the_pods_to_be() {
    let chart = |name: &str| {
        let service = json!({"kind": "Service", "apiVersion": "v1", "metadata": {"name": "till"},
            "spec": {"selector": {"app": "till"}, "ports": [{"name": "web", "port": 80, "targetPort": "web"}, {"name": "admin", "port": 81, "targetPort": "admin"}]}});
        let deployment = json!({"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "till"},
            "spec": {"template": {"metadata": {"labels": {"app": "till", "tier": "x"}},
                "spec": {"containers": [{"name": "c", "ports": [{"name": name, "containerPort": 8080}, {"name": "admin", "containerPort": 8081}]}]}}}});
        [service, deployment]
    };
    check(
        &chart("web"),
        "note: All clients will be served by the pods of Deployment till. The pods of Deployment till will be its endpoints, once they have addresses and are ready.",
    );
    check(
        &chart("http"),
        "broken: Nobody will be served on web/TCP: nothing listens behind port web. The pod has no TCP port named web: its containers name admin and http.",
    );
}

#[test]
fn names_of_workloads_stay_as_they_are() {
    let service = json!({"kind": "Service", "apiVersion": "v1", "metadata": {"namespace": "ns", "name": "till"},
        "spec": {"clusterIP": "None", "selector": {"app": "till"}, "ports": [{"name": "web", "port": 80}]}});
    let deployment = json!({"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"namespace": "ns", "name": "endpoint-server"},
        "spec": {"template": {"metadata": {"labels": {"app": "till"}}, "spec": {"containers": [{"name": "c"}]}}}});
    let explained = explained(&[node("n1", "a"), service, deployment]);
    let text = &explained.services[0].verdict.text;
    assert!(
        text.contains("The name will resolve to the pods of Deployment endpoint-server"),
        "{text}"
    );
}

#[test]
fn others_may_serve_what_the_selector_does_not() {
    let mut foreign = slice("mesh-1", &bound(), &["192.0.2.7"]);
    foreign["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] =
        "mesh.example.org".into();
    foreign["endpoints"][0]["targetRef"] =
        json!({"kind": "ExternalWorkload", "name": "vm-1", "namespace": "ns"});
    let items = [
        node("n1", "a"),
        service(json!({"selector": {"app": "till"}})),
        pod("p", &json!({"app": "x"}), "10.1.0.1"),
        foreign,
    ];
    check(
        &items,
        "note: All clients are served by 192.0.2.7:8080. The selector matches no pod; slices of others serve the clients.",
    );
    let text = explained(&items).to_text(false, true);
    assert!(!text.contains("kubectl delete"), "{text}");
}

#[test]
fn a_label_of_a_revision_leaves_the_selector() {
    let selector = json!({"app": "till", "rollouts-pod-template-hash": "111"});
    let pod = pod(
        "p",
        &json!({"app": "till", "rollouts-pod-template-hash": "222"}),
        "10.1.0.1",
    );
    let items = [
        node("n1", "a"),
        service(json!({"selector": selector})),
        pod,
        written(&[], json!([])),
    ];
    let explained = explained(&items);
    assert_eq!(
        explained.services[0].explanations[0].to_do,
        "remove rollouts-pod-template-hash=111 from the selector"
    );
}

#[test]
fn the_pod_of_a_job_gets_a_share() {
    let owned = |mut pod: Value, kind: &str, name: &str| {
        pod["metadata"]["ownerReferences"] =
            json!([{"kind": kind, "name": name, "controller": true}]);
        pod
    };
    let labels = || json!({"app": "till"});
    let pods = [
        owned(pod("p1", &labels(), "10.1.0.1"), "ReplicaSet", "till-1"),
        owned(pod("m1", &labels(), "10.1.0.2"), "Job", "migrate"),
    ];
    let [first, job] = pods;
    check(
        &[
            node("n1", "a"),
            service(json!({"selector": labels()})),
            first,
            job,
            written(&[("m1", "10.1.0.2"), ("p1", "10.1.0.1")], web()),
        ],
        "degraded: 50 % of the requests go to Job migrate, which the selector matches. Pod m1: a pod of a Job is ready as soon as it runs, unless it has a readiness probe; whether it listens does not matter. All clients are served by 10.1.0.1:8080 and 10.1.0.2:8080.",
    );
}

#[test]
fn a_sidecar_counts_for_readiness() {
    let mut waiting = pod("p", &json!({"app": "till"}), "10.1.0.1");
    waiting["status"]["conditions"] =
        json!([{"type": "Ready", "status": "False"}, {"type": "Initialized", "status": "True"}]);
    waiting["status"]["initContainerStatuses"] = json!([
        {"name": "setup", "ready": true, "state": {"terminated": {"exitCode": 0}}},
        {"name": "tunnel", "ready": false, "started": true, "state": {"running": {}}},
    ]);
    waiting["status"]["containerStatuses"] =
        json!([{"name": "till", "ready": true, "state": {"running": {}}}]);
    let mut written = written(&[("p", "10.1.0.1")], web());
    written["endpoints"][0]["conditions"] =
        json!({"ready": false, "serving": false, "terminating": false});
    check(
        &[
            node("n1", "a"),
            service(json!({"selector": {"app": "till"}})),
            waiting,
            written,
        ],
        "broken: Nobody is served on web/TCP: none of the selected pods is a ready endpoint. Of 1 selected pod: 1 not ready. Pod p: its sidecar (an init container that always restarts) tunnel runs, but its readiness probe fails.",
    );
}

#[test]
fn endpoints_without_a_node_are_local_to_none() {
    let with = |policy: &str| {
        let spec = json!({"type": "LoadBalancer", "externalTrafficPolicy": policy, "healthCheckNodePort": 30_500});
        [
            node("n1", "a"),
            service(spec),
            slice("till-1", &bound(), &["192.0.2.7"]),
        ]
    };
    check(
        &with("Local"),
        "degraded: External traffic is dropped on every node: the endpoints have no nodeName, so they are local to none. externalTrafficPolicy is Local; every node answers 503 to a load balancer's health check, and an announcer that chooses nodes by nodeName (MetalLB in layer 2) finds none. All clients in the cluster are served by 192.0.2.7:8080.",
    );
    check(
        &with("Cluster"),
        "note: All clients are served by 192.0.2.7:8080. Its endpoints have no nodeName: kube-proxy serves them from every node, but announcers that choose nodes by nodeName (MetalLB in layer 2) find none.",
    );
}

#[test]
fn settings_that_do_nothing_here() {
    let all = |spec: Value, what: &str| {
        let mut service =
            service(json!({"selector": {"app": "till"}, "trafficDistribution": "PreferClose"}));
        merge(&mut service["spec"], spec);
        let explained = explained(&[
            node("n1", "a"),
            service,
            pod("p", &json!({"app": "till"}), "10.1.0.1"),
        ]);
        let text = explained.to_text(false, false);
        assert!(text.contains(what), "{text}");
    };
    all(
        json!({"internalTrafficPolicy": "Local"}),
        "trafficDistribution: PreferClose has no effect within the cluster under internalTrafficPolicy: Local.",
    );
    all(
        json!({"clusterIP": "None", "sessionAffinity": "ClientIP"}),
        "trafficDistribution: PreferClose and sessionAffinity: ClientIP have no effect on a headless Service.",
    );
    all(
        json!({"selector": null}),
        "trafficDistribution: PreferClose has no effect: the Service has no selector.",
    );
}

#[test]
fn an_event_counts_as_far_as_it_is_about_the_present_state() {
    let check = |event_time: &str,
                 ready: &str,
                 slice_written: &str,
                 endpoints: &[(&str, &str)],
                 expected: &str| {
        let event = json!({"kind": "Event", "apiVersion": "v1", "metadata": {"namespace": "ns", "name": "e"}, "type": "Warning",
            "reason": "FailedToUpdateEndpointSlices", "message": "is forbidden: exceeded quota: objects", "lastTimestamp": event_time,
            "involvedObject": {"kind": "Service", "namespace": "ns", "name": "till"}});
        let mut pod = pod("p", &json!({"app": "till"}), "10.1.0.1");
        for condition in pod["status"]["conditions"].as_array_mut().unwrap() {
            condition["lastTransitionTime"] = ready.into();
        }
        let mut slice = written(endpoints, web());
        if endpoints.is_empty() {
            // As the controller leaves it when nothing is selected.
            slice["ports"] = json!([]);
        }
        slice["metadata"]["managedFields"] =
            json!([{"manager": "kube-controller-manager", "time": slice_written}]);
        let items = [
            node("n1", "a"),
            service(json!({"selector": {"app": "till"}})),
            pod,
            slice,
            event,
        ];
        let explained = explained(&items);
        let codes = explained.services[0].explanations.iter();
        let found = codes
            .filter(|one| {
                one.code.as_str() == "EventReported"
                    || one.severity != crate::plan::explanation::Severity::Note
            })
            .map(|one| format!("{} {}", one.severity.as_str(), one.code.as_str()));
        let because = &explained.services[0]
            .explanations
            .iter()
            .find(|one| one.code.as_str() == "EventReported")
            .unwrap()
            .because;
        let found = format!("{}: {because}", found.collect::<Vec<_>>().join(", "));
        assert!(found.contains(expected), "{found}");
    };
    let (week_ago, hour_ago, today) = (
        "2026-02-23T10:00:00Z",
        "2026-03-02T09:00:00Z",
        "2026-03-02T10:00:00Z",
    );
    // What is refused today.
    check(today, hour_ago, week_ago, &[], "broken EventReported: ");
    // What was refused last week is not why a pod of today is missing.
    check(
        week_ago,
        hour_ago,
        week_ago,
        &[],
        "note EventReported: Is forbidden: exceeded quota: objects, last 2026-02-23T10:00:00Z. That was before what is missing now could have been written, at 2026-03-02T09:00:00Z.",
    );
    // All is written, since then or before.
    check(
        week_ago,
        week_ago,
        hour_ago,
        &[("p", "10.1.0.1")],
        "That is over: slices have been written since, at 2026-03-02T09:00:00Z.",
    );
    check(
        today,
        week_ago,
        hour_ago,
        &[("p", "10.1.0.1")],
        "degraded EventReported",
    );
}

#[test]
fn a_refused_write_is_told_by_its_end() {
    let long = "Error updating Endpoint Slices for Service ns/till: failed to update till-x EndpointSlice for Service ns/till: endpointslices.discovery.k8s.io \"till-x\" is forbidden: exceeded quota: objects, requested: count/endpointslices.discovery.k8s.io=1, used: count/endpointslices.discovery.k8s.io=10, limited: count/endpointslices.discovery.k8s.io=10";
    let event = json!({"kind": "Event", "apiVersion": "v1", "metadata": {"namespace": "ns", "name": "e"}, "type": "Warning",
        "reason": "FailedToUpdateEndpointSlices", "message": long, "involvedObject": {"kind": "Service", "namespace": "ns", "name": "till"}});
    let items = [
        node("n1", "a"),
        service(json!({"selector": {"app": "till"}})),
        pod("p", &json!({"app": "till"}), "10.1.0.1"),
        written(&[], json!([])),
        event,
    ];
    let explained = explained(&items);
    let found = &explained.services[0].explanations[0];
    assert_eq!(found.code.as_str(), "EventReported");
    assert!(
        found
            .because
            .contains("limited: count/endpointslices.discovery.k8s.io=10"),
        "{}",
        found.because
    );
    assert_eq!(
        found.to_do,
        "raise the quota that the message names, or delete what fills it"
    );
}

#[test]
fn an_input_without_nodes_is_not_the_clusters_fault() {
    let pod = pod("p", &json!({"app": "till"}), "10.1.0.1");
    let items = [
        service(json!({"selector": {"app": "till"}})),
        pod,
        written(&[("p", "10.1.0.1")], web()),
    ];
    assert_eq!(explained(&items).worst(), None);
}

#[test]
fn a_selector_that_misses_a_template_says_how() {
    let chart = |selector: Value, labels: Value| {
        let service = json!({"kind": "Service", "apiVersion": "v1", "metadata": {"name": "till"},
            "spec": {"selector": selector, "ports": [{"port": 80}]}});
        let deployment = json!({"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "till"},
            "spec": {"template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c"}]}}}});
        [service, deployment]
    };
    check(
        &chart(json!({"app": "till-svc"}), json!({"app": "till"})),
        "broken: Nobody will be served on 80/TCP: the selector matches the pods of no workload. The template of Deployment till has app=till where the selector wants app=till-svc.",
    );
    check(
        &chart(
            json!({"app": "till", "tier": "web"}),
            json!({"app": "till"}),
        ),
        "broken: Nobody will be served on 80/TCP: the selector matches the pods of no workload. The template of Deployment till lacks tier=web.",
    );
    check(
        &chart(json!({"app": "till"}), json!({"run": "bank"})),
        "broken: Nobody will be served on 80/TCP: the selector matches the pods of no workload. None of 1 workload gives its pods labels close to app=till.",
    );
}

/// As long as the slices are not written, clients are served: to have them written would end that.
#[test]
fn a_selector_that_will_match_nothing_is_told_first() {
    let service = service(json!({"selector": {"app": "till", "active": "true"}}));
    let labels = json!({"kubernetes.io/service-name": "till", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"});
    let mut slice = slice("till-a", &labels, &["10.1.0.8"]);
    slice["endpoints"][0]["targetRef"] =
        json!({"kind": "Pod", "namespace": "ns", "name": "p", "uid": "p"});
    let pod = pod("p", &json!({"app": "till", "active": "false"}), "10.1.0.8");
    let objects = [node("n1", "a"), service, pod, slice];
    check(
        &objects,
        "risk: The selector matches no pod, so the next sync removes all endpoints. The nearest, Pod p, has active=false where the selector wants active=true. All clients are served by 10.1.0.8:8080.",
    );
    let told = serde_json::to_string(&explained(&objects).services[0].explanations).unwrap();
    assert!(!told.contains("resync"), "{told}");
}

#[test]
fn an_address_is_no_name() {
    let alias = |host: &str| {
        json!({"kind": "Service", "apiVersion": "v1", "metadata": {"namespace": "ns", "name": "till"},
            "spec": {"type": "ExternalName", "externalName": host}})
    };
    check(
        &[alias("10.20.30.40")],
        "broken: The name of the Service does not resolve: 10.20.30.40 is an address, not a name. An ExternalName is a host name: DNS answers with an alias of it, and nobody resolves an address as a name.",
    );
    check(
        &[alias("db.example.com")],
        "note: The Service is a DNS alias of db.example.com and has no endpoints.",
    );
}

/// An endpoint for each of 1,100 addresses would make a slice that API servers refuse.
#[test]
fn what_no_server_takes_is_not_suggested() {
    let changes = |endpoints: usize, addresses: usize| {
        let one = |endpoint: usize| {
            let address = |place: usize| format!("10.1.{endpoint}.{place}");
            json!({"addresses": (0..addresses).map(address).collect::<Vec<_>>(), "conditions": {"ready": true}})
        };
        let mut slice = slice(
            "till-a",
            &json!({"kubernetes.io/service-name": "till"}),
            &[],
        );
        slice["endpoints"] = (0..endpoints).map(one).collect();
        let explained = explained(&[node("n1", "a"), service(json!({})), slice]);
        let told = serde_json::to_value(&explained.services[0].explanations).unwrap();
        let is_it = |told: &&Value| told["code"] == "HiddenFromProxy";
        let told = told.as_array().unwrap().iter().find(is_it).cloned();
        told.expect("it is not told")["fixes"][0]["changes"].clone()
    };
    let patch = &changes(2, 2)[0]["patch"];
    assert_eq!(patch.as_array().map(Vec::len), Some(6), "{patch}");
    assert_eq!(changes(11, 100), Value::Null);
}
