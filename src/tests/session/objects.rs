//! Objects that look random and are the same in every run.

use serde_json::{Value, json};

/// Numbers that look random and are the same in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub(super) fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len())].clone()
    }
}

/// Changes something of a pod.
pub(super) fn vary_pod(dice: &mut Dice, pod: &mut Value, number: usize) {
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
pub(super) fn service(dice: &mut Dice, name: &str) -> Value {
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
