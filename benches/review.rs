//! Times reviews natively: an update of a slice with 100 endpoints, and its creation.
//!
//! `review [MILLISECONDS]` prints one JSON line for each review: its size in bytes, and the best and median time of a
//! verdict.

use std::error::Error;
use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use slicewise_admission::{Asking, Reviewer};

const ENDPOINTS: u32 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` itself passes `--bench`.
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let milliseconds = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let budget = Duration::from_millis(milliseconds);
    let (new, old) = (slice(false), slice(true));
    let reviews = [
        (
            "update, both objects",
            review("UPDATE", "EndpointSlice", &new, &old),
        ),
        (
            "creation, one object",
            review("CREATE", "EndpointSlice", &new, &Value::Null),
        ),
        (
            "a kind that is not checked",
            review("UPDATE", "Slice", &new, &old),
        ),
    ];
    for (name, review) in reviews {
        report(name, review.to_string().as_bytes(), budget)?;
    }
    Ok(())
}

/// A slice as the API server sends it, with its managed fields.
fn slice(is_ready: bool) -> Value {
    let endpoint = |number: u32| {
        json!({
            "addresses": [format!("10.1.{}.{}", number / 250, number % 250)],
            "conditions": {"ready": number > 0 || is_ready, "serving": true, "terminating": false},
            "nodeName": format!("node-{}", number % 30),
            "targetRef": {
                "kind": "Pod", "namespace": "shop", "name": format!("cart-7d9c-{number:05x}"),
                "uid": format!("00000000-0000-4000-8000-{:012x}", u64::from(number) * 7919)
            },
            "zone": format!("europe-west1-{}", (b'b' + (number % 3) as u8) as char),
        })
    };
    json!({
        "kind": "EndpointSlice", "apiVersion": "discovery.k8s.io/v1",
        "metadata": {
            "name": "cart-x7k2p", "generateName": "cart-", "namespace": "shop", "uid": "5a3b1e8c-4c2f-4d1e-9a77-0c6b5b0e6f11",
            "resourceVersion": "182736", "generation": 7, "creationTimestamp": "2026-05-01T12:00:00Z",
            "labels": {"kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "staff"},
            "managedFields": [{
                "manager": "staff", "operation": "Update", "apiVersion": "discovery.k8s.io/v1", "time": "2026-05-01T12:00:00Z",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:addressType": {}, "f:endpoints": {}, "f:metadata": {"f:generateName": {}, "f:labels": {
                    ".": {}, "f:endpointslice.kubernetes.io/managed-by": {}, "f:kubernetes.io/service-name": {}}}, "f:ports": {}}
            }]
        },
        "addressType": "IPv4",
        "endpoints": (0..ENDPOINTS).map(endpoint).collect::<Vec<_>>(),
        "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
    })
}

fn review(operation: &str, kind: &str, object: &Value, old_object: &Value) -> Value {
    json!({
        "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": {"group": "discovery.k8s.io", "version": "v1", "kind": kind},
            "resource": {"group": "discovery.k8s.io", "version": "v1", "resource": "endpointslices"},
            "name": "cart-x7k2p", "namespace": "shop", "operation": operation,
            "userInfo": {"username": "system:serviceaccount:shop:staff", "groups": ["system:serviceaccounts", "system:authenticated"]},
            "object": object, "oldObject": old_object, "dryRun": false,
            "options": {"kind": "UpdateOptions", "apiVersion": "meta.k8s.io/v1"},
        }
    })
}

#[expect(clippy::disallowed_methods, reason = "it is measured")]
fn report(name: &str, review: &[u8], budget: Duration) -> Result<(), Box<dyn Error>> {
    let mut reviewer = Reviewer::new(b"")?;
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < budget {
        let before = Instant::now();
        std::hint::black_box(reviewer.judge(std::hint::black_box(review), Asking::default())?);
        times.push(before.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    let line = json!({
        "review": name, "bytes": review.len(),
        "best µs": times.first(), "median µs": times.get(times.len() / 2),
    });
    writeln!(std::io::stdout(), "{line}")?;
    Ok(())
}
