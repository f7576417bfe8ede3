//! The rules for addresses, with the paths of Endpoints.

use serde_json::{Value, json};

use super::*;
use crate::request::ObjectChange;
use crate::testing::{cluster, context, endpoints_create, lines, request, text};

fn endpoints(ready: &[&str], not_ready: &[&str]) -> Value {
    let addresses = |addresses: &[&str]| {
        addresses
            .iter()
            .map(|ip| json!({"ip": ip}))
            .collect::<Vec<_>>()
    };
    json!({
        "metadata": {"namespace": "shop", "name": "cart"},
        "subsets": [
            {"addresses": addresses(ready), "notReadyAddresses": addresses(not_ready), "ports": [{"port": 80}]},
            {"addresses": [{"ip": "10.1.0.1", "targetRef": {"kind": "Pod", "namespace": "shop", "name": "cart-1"}}]}
        ]
    })
}

#[track_caller]
fn check_create(endpoints: &Value, expected: &[&str]) {
    let request = endpoints_create(endpoints);
    let found = check(&request, &cluster(&context()), &Settings::default());
    assert_eq!(lines(&found), expected);
}

#[test]
fn ready_or_not_an_address_is_one_of_a_pod() {
    check_create(&endpoints(&["10.1.0.1"], &["10.1.0.5"]), &[]);
    check_create(
        &endpoints(&["10.1.0.1", "10.9.9.9"], &["127.0.0.1", "web"]),
        &[
            "deny no-address subsets[0].notReadyAddresses[1].ip: `web` is not an address; write one like `10.0.0.1` or `fd00::1`",
            "deny reserved-address subsets[0].notReadyAddresses[0].ip: 127.0.0.1 is a loopback address, and no Service may point to it",
            "deny not-a-pod subsets[0].addresses[1].ip: 10.9.9.9 does not belong to a pod in namespace shop; use the address of a pod, or have the range allowed by `allowedCIDRs`",
        ],
    );
    check_create(
        &json!({"metadata": {"namespace": "shop", "name": "leader"}}),
        &[],
    );
}

fn update(old: &Value, new: &Value) -> Vec<String> {
    let read =
        |value: &Value| serde_json::from_str::<ReviewedEndpoints<'static>>(text(value)).unwrap();
    let update = request(ReviewSubject::Endpoints(ObjectChange::Update {
        old: read(old),
        new: read(new),
    }));
    let found = check(&update, &cluster(&context()), &Settings::default());
    let fields = found.findings().iter().map(|finding| finding.field.clone());
    fields.collect()
}

#[test]
fn what_stood_there_already_is_not_judged_again() {
    let old = endpoints(&["10.9.9.9"], &[]);
    let new = endpoints(&["10.9.9.8"], &["10.9.9.9"]);
    assert_eq!(update(&old, &new), ["subsets[0].addresses[0].ip"]);
    assert_eq!(update(&old, &endpoints(&[], &[])), [""; 0]);
}

#[test]
fn an_address_that_takes_other_traffic_is_judged_again() {
    let old = endpoints(&["10.9.9.9"], &["10.9.9.8"]);
    let promoted = endpoints(&["10.9.9.9", "10.9.9.8"], &[]);
    assert_eq!(update(&old, &promoted), ["subsets[0].addresses[1].ip"]);
    let mut ported = old.clone();
    ported["subsets"][0]["ports"] = json!([{"port": 81}]);
    assert_eq!(update(&old, &ported).len(), 2);
    let mut hidden = old.clone();
    let label = "endpointslice.kubernetes.io/skip-mirror";
    hidden["metadata"]["labels"] = json!({label: "true"});
    assert_eq!(update(&hidden, &old).len(), 2);
    assert_eq!(update(&old, &hidden), [""; 0]);
}
