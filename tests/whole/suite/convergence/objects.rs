//! The objects of the cluster, and their events.

use serde_json::{Value, json};

use super::act::Wish;
use crate::controller::{Kind, PlanObject, Versioned};
use crate::model::{NamespacedName, Node, Pod, Service};
use crate::plan::request::Options;
use crate::reconcile::EndpointsPerSlice;

pub(super) fn options() -> Options<'static> {
    {
        let mut made = Options::default();
        made.max_endpoints_per_slice = EndpointsPerSlice::new(2);
        made
    }
}

/// A Service with a preference for its traffic; the last Service has two families.
pub(super) fn service(number: u8, wish: Wish) -> Value {
    let families = match number {
        2 => json!(["IPv4", "IPv6"]),
        _ => json!(["IPv4"]),
    };
    let mut service = json!({
        "metadata": {"namespace": "shop", "name": format!("s{number}"), "uid": format!("s{number}")},
        "spec": {"selector": {"app": format!("s{number}")}, "ipFamilies": families, "clusterIP": "10.96.0.1",
            "ports": [{"name": "http", "protocol": "TCP", "targetPort": 80}]},
    });
    match wish {
        Wish::Nothing => {}
        Wish::SameZone => service["spec"]["trafficDistribution"] = "PreferSameZone".into(),
        Wish::SameNode => service["spec"]["trafficDistribution"] = "PreferSameNode".into(),
        Wish::Auto => {
            service["metadata"]["annotations"] =
                json!({"service.kubernetes.io/topology-mode": "Auto"});
        }
    }
    service
}

pub(super) fn pod(number: u8, app: u8, ready: bool) -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": format!("p{number}"), "uid": format!("p{number}"), "labels": {"app": format!("s{app}")}},
        "spec": {"nodeName": format!("n{}", number % 3)},
        "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}, {"ip": format!("fd00::{number}")}],
            "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]},
    })
}

/// A node in one of two zones or in none, with one of several sizes, ready or not.
pub(super) fn node(number: u8, looks: u8) -> Value {
    let zone = match looks % 7 {
        0 => json!({}),
        1 => json!({"topology.kubernetes.io/zone": "z2"}),
        _ => json!({"topology.kubernetes.io/zone": format!("z{}", number % 2)}),
    };
    let cpu = ["1", "2", "500m", "4"][usize::from(looks / 7 % 4)];
    let ready = if (looks / 28).is_multiple_of(4) {
        "False"
    } else {
        "True"
    };
    json!({
        "metadata": {"name": format!("n{number}"), "labels": zone},
        "status": {"allocatable": {"cpu": cpu}, "conditions": [{"type": "Ready", "status": ready}]},
    })
}

pub(super) fn key(kind: Kind, number: u8) -> NamespacedName {
    let (namespace, letter) = match kind {
        Kind::Service => ("shop", 's'),
        Kind::Pod => ("shop", 'p'),
        _ => ("", 'n'),
    };
    NamespacedName {
        namespace: namespace.into(),
        name: format!("{letter}{number}"),
    }
}

pub(super) fn read(kind: Kind, value: &Value) -> Versioned<'static> {
    let text = value.to_string();
    let object = match kind {
        Kind::Service => PlanObject::Service(
            serde_json::from_str::<Service<'_>>(&text)
                .unwrap()
                .into_owned(),
        ),
        Kind::Pod => PlanObject::Pod(serde_json::from_str::<Pod<'_>>(&text).unwrap().into_owned()),
        _ => PlanObject::Node(
            serde_json::from_str::<Node<'_>>(&text)
                .unwrap()
                .into_owned(),
        ),
    };
    let version = value["metadata"]["resourceVersion"].as_str().unwrap();
    Versioned::new(object, version.to_owned())
}
