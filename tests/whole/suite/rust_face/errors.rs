//! Bad objects give the same error on both routes: code, message and path.

use k8s_openapi::api::core::v1::{Pod, Service};
use serde_json::{Value, json};

use super::routes::{json as by_json, typed};
use crate::Code;
use crate::k8s::{EndpointsPerSlice, ManagedBy, Options, Planner};

#[track_caller]
fn check(code: &str, path: &str, request: &Value) {
    let text = request.to_string();
    let by_types = typed(&text).expect_err("a bad object was taken");
    let by_json = by_json(&text).expect_err("a bad object was taken as JSON");
    assert_eq!(
        (by_types.code().as_str(), by_types.path()),
        (code, Some(path)),
        "{by_types:?}"
    );
    assert_eq!(
        (by_types.code(), by_types.path()),
        (by_json.code(), by_json.path())
    );
    // An absent name is detected by the decoder there, and by the planner here.
    if code != "MissingField" {
        assert_eq!(by_types.message(), by_json.message());
    }
}

fn request() -> Value {
    let pod = |name: &str| json!({"metadata": {"name": name}, "status": {"podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]}});
    json!({
        "service": {"metadata": {"name": "cart"}, "spec": {"selector": {}}},
        "pods": [pod("a"), pod("b")],
        "nodes": [{"metadata": {"name": "n"}}, {"metadata": {"name": "m"}, "status": {"allocatable": {"cpu": "1"}}}],
        "slices": [{"metadata": {"name": "x"}, "addressType": "IPv4"}, {"metadata": {"name": "y"}, "addressType": "IPv4"}],
        "endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.1", "10.0.0.2"]}],
        "options": {},
    })
}

fn with(pointer: &str, value: Value) -> Value {
    let mut request = request();
    *request.pointer_mut(pointer).unwrap() = value;
    request
}

#[test]
fn the_request_itself_is_good() {
    typed(&request().to_string()).unwrap();
    by_json(&request().to_string()).unwrap();
}

#[test]
fn values() {
    for text in ["", "nonsense", "10.0.0.256", "10.0.0.1/32", "fe80::1%eth0"] {
        check(
            "InvalidValue",
            "/pods/1/status/podIPs/1/ip",
            &with("/pods/1/status/podIPs/1/ip", text.into()),
        );
        check(
            "InvalidValue",
            "/endpoints/1/addresses/1",
            &with("/endpoints/1/addresses/1", text.into()),
        );
    }
    for text in ["", "lots", "1 000", "1e400", "99999999999999999999999"] {
        check(
            "InvalidValue",
            "/nodes/1/status/allocatable/cpu",
            &with("/nodes/1/status/allocatable/cpu", text.into()),
        );
    }
    check(
        "InvalidValue",
        "/endpoints/0/addresses",
        &with("/endpoints/0/addresses", json!([])),
    );
}

#[test]
fn names() {
    check(
        "InvalidValue",
        "/service/metadata/name",
        &with("/service/metadata/name", "".into()),
    );
    for list in ["pods", "nodes", "slices"] {
        let name = format!("/{list}/1/metadata/name");
        check("MissingField", &name, &with(&name, "".into()));
        let first = request()
            .pointer(&format!("/{list}/0/metadata/name"))
            .unwrap()
            .clone();
        check("DuplicateName", &name, &with(&name, first));
    }
}

/// The only options left to refuse are those that the build does not support; others cannot be represented.
#[test]
fn options() {
    for max in [0_u32, 1001, u32::MAX] {
        assert!(EndpointsPerSlice::new(max).is_none());
    }
    for name in ["", "a b", "-a", "a".repeat(64).as_str()] {
        assert!(ManagedBy::new(name.to_owned()).is_err());
    }
    for wrong in [
        json!({"maxEndpointsPerSlice": 0}),
        json!({"managedBy": "a b"}),
        json!({"packing": "tight"}),
    ] {
        let read = serde_json::from_str::<Options<'_>>(&wrong.to_string()).map(drop);
        assert!(read.is_err(), "{wrong}");
    }
    let refused = Planner::new({
        let mut made = Options::default();
        made.explain = Some(true);
        made
    });
    assert_eq!(refused.unwrap_err().path(), Some("/options/explain"));
}

#[test]
fn of_a_whole_cluster() {
    let planner = Planner::new(Options::default()).unwrap();
    let service = |name: &str| -> Service {
        serde_json::from_value(json!({"metadata": {"name": name}})).unwrap()
    };
    let pod: Pod = serde_json::from_value(request()["pods"][0].clone()).unwrap();
    let refused = |services: &[Service], pods: &[Pod]| {
        let error = planner.plan_all(services, pods, [], []).unwrap_err();
        (error.code(), error.path().unwrap().to_owned())
    };
    assert_eq!(
        refused(&[service("a"), service("a")], &[]),
        (Code::DuplicateName, "/services/1/metadata/name".to_owned())
    );
    assert_eq!(
        refused(&[service("")], &[]),
        (Code::MissingField, "/services/0/metadata/name".to_owned())
    );
    assert_eq!(
        refused(&[service("a")], &[pod.clone(), pod]),
        (Code::DuplicateName, "/pods/1/metadata/name".to_owned())
    );
}
