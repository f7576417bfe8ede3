//! Pseudorandom objects that are the same in every run.

use serde_json::{Value, json};

/// Pseudorandom numbers that are the same in every run.
#[derive(Clone)]
pub(in crate::suite) struct Dice(pub(in crate::suite) u64);

impl Dice {
    pub(in crate::suite) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    pub(in crate::suite) fn one_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub(in crate::suite) fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len())].clone()
    }
}

/// Changes some field of a pod.
pub(in crate::suite) fn vary_pod(dice: &mut Dice, pod: &mut Value, number: usize) {
    match dice.roll(12) {
        0..=3 => {
            let time = format!("2026-01-01T00:{:02}:{:02}Z", dice.roll(60), dice.roll(60));
            pod["status"]["conditions"][0] = json!({"type": "Ready", "status": dice.of(&["True", "False"]), "lastTransitionTime": time});
        }
        4 => {
            pod["metadata"]["labels"] = dice.of(&[
                json!({"app": "cart"}),
                json!({"app": "till"}),
                json!({"app": "cart", "tier": "web"}),
                json!({}),
            ])
        }
        5 => pod["spec"]["nodeName"] = format!("node-{}", dice.roll(6)).into(),
        6 => {
            let addresses = [
                json!([]),
                json!([{"ip": format!("10.0.1.{number}")}]),
                json!([{"ip": format!("fd00::{number}")}]),
                json!([{"ip": format!("10.0.0.{number}")}, {"ip": format!("fd00::{number}")}]),
                json!([{"ip": format!("10.0.0.{number}")}, {"ip": format!("10.0.2.{number}")}]),
                json!([{"ip": "10.0.0.1"}]),
            ];
            pod["status"]["podIPs"] = dice.of(&addresses);
        }
        7 => {
            pod["status"]["phase"] = dice
                .of(&["Running", "Running", "Failed", "Succeeded", "Pending"])
                .into()
        }
        8 => {
            pod["metadata"]["deletionTimestamp"] =
                dice.of(&[Value::Null, "2026-01-02T00:00:00Z".into()])
        }
        9 => {
            pod["spec"]["containers"][0]["ports"][0]["containerPort"] =
                dice.of(&[8080, 9090]).into()
        }
        10 => {
            pod["spec"]["hostname"] = dice.of(&["", "h", "pod-1"]).into();
            pod["spec"]["subdomain"] = dice.of(&["", "cart", "headless"]).into();
        }
        _ => pod["metadata"]["uid"] = format!("uid-{number}-{}", dice.roll(3)).into(),
    }
}

/// A Service of that name.
pub(in crate::suite) fn service(dice: &mut Dice, name: &str) -> Value {
    let selector = match name {
        "cart" => json!({"app": "cart"}),
        "web" => json!({"app": "cart", "tier": "web"}),
        _ => dice.of(&[json!({"app": "till"}), json!({}), Value::Null]),
    };
    let mut annotations = json!({});
    if dice.one_in(3) {
        annotations["service.kubernetes.io/topology-mode"] = "Auto".into();
    }
    json!({
        "metadata": {
            "namespace": "shop", "name": name, "uid": format!("{name}-{}", usize::from(dice.one_in(8))),
            "labels": dice.of(&[json!({"team": "a"}), json!({"team": "a"}), json!({"team": "b"})]), "annotations": annotations,
            "creationTimestamp": "2026-01-01T00:00:01Z", "deletionTimestamp": if dice.one_in(12) { "2026-01-02T00:00:00Z".into() } else { Value::Null },
        },
        "spec": {
            "selector": selector, "clusterIP": dice.of(&["None", "10.96.0.1"]),
            "ipFamilies": dice.of(&[json!(["IPv4"]), json!(["IPv4", "IPv6"]), json!(["IPv4", "IPv6"]), json!([])]),
            "publishNotReadyAddresses": dice.one_in(5),
            "trafficDistribution": dice.of(&[Value::Null, "PreferClose".into(), "PreferSameNode".into()]),
            "ports": dice.of(&[json!([{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 8080}]), json!([{"name": "http", "port": 80, "protocol": "TCP", "targetPort": "http"}]), json!([])]),
        },
    })
}

/// A pod in its initial state.
pub(in crate::suite) fn new_pod(namespace: &str, number: usize) -> Value {
    json!({
        "metadata": {"namespace": namespace, "name": format!("pod-{number}"), "uid": format!("uid-{number}"), "labels": {"app": "cart"}},
        "spec": {"nodeName": format!("node-{}", number % 4), "containers": [{"ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}]}]},
        "status": {"phase": "Running", "podIP": format!("10.0.0.{number}"),
            "podIPs": [{"ip": format!("10.0.0.{number}")}, {"ip": format!("fd00::{number}")}],
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}]},
    })
}

/// A node of that name.
pub(in crate::suite) fn new_node(dice: &mut Dice, name: &str) -> Value {
    let zone = dice.of(&[
        json!({}),
        json!({"topology.kubernetes.io/zone": "a"}),
        json!({"topology.kubernetes.io/zone": "b"}),
        json!({"topology.kubernetes.io/zone": "c"}),
    ]);
    json!({
        "metadata": {"name": name, "labels": zone},
        "status": {"allocatable": {"cpu": dice.of(&["1", "2", "500m", "0"])}, "conditions": [{"type": "Ready", "status": dice.of(&["True", "True", "False"])}]},
    })
}

/// Changes some field of a slice, possibly in relation to another one.
pub(in crate::suite) fn vary_slice(
    dice: &mut Dice,
    slice: &mut Value,
    other: &Value,
    services: &[&str],
) {
    let endpoints = slice["endpoints"].as_array_mut().unwrap();
    match dice.roll(12) {
        0 => drop(endpoints.pop()),
        1 | 2 => endpoints.extend(other["endpoints"].as_array().unwrap().first().cloned()),
        3 => endpoints.iter_mut().for_each(|endpoint| {
            endpoint["hints"] = dice.of(&[
                Value::Null,
                json!({"forZones": [{"name": "a"}]}),
                json!({"forZones": [{"name": "a"}, {"name": "b"}]}),
                json!({}),
            ])
        }),
        4 => endpoints
            .iter_mut()
            .take(1)
            .for_each(|endpoint| endpoint["future"] = json!({"kept": [1]})),
        5 => endpoints.iter_mut().take(1).for_each(|endpoint| {
            endpoint["targetRef"] = dice.of(&[
                Value::Null,
                json!({"kind": "Pod", "namespace": "bank", "name": "pod-1"}),
                json!({"kind": "Node", "namespace": "shop", "name": "pod-2", "uid": "uid-2"}),
            ])
        }),
        6 => endpoints.iter_mut().take(1).for_each(|endpoint| {
            endpoint["addresses"] = dice.of(&[
                json!(["10.0.0.01"]),
                json!(["10.0.0.1", "10.0.0.2"]),
                json!([]),
            ])
        }),
        7 => endpoints.iter_mut().take(1).for_each(|endpoint| {
            endpoint["zone"] = dice.of(&[Value::Null, "".into(), "a".into()]);
            endpoint["nodeName"] = dice.of(&[Value::Null, "".into(), "node-1".into()]);
        }),
        8 => slice["metadata"]["labels"]["kubernetes.io/service-name"] = dice.of(services).into(),
        9 => {
            slice["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] = dice
                .of(&["other", "endpointslice-controller.k8s.io"])
                .into()
        }
        10 => slice["metadata"]["labels"]["team"] = dice.of(&["a", "b"]).into(),
        _ => {
            slice["metadata"]["deletionTimestamp"] =
                dice.of(&[Value::Null, "2026-01-02T00:00:00Z".into()])
        }
    }
}
