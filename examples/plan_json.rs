//! JSON in, plan out: the interface that needs no Kubernetes types.
//!
//! `cargo run --example plan_json` prints
//!
//! ```text
//! create cart-… for http
//!   10.1.0.1 in zone-1, ready: true
//!   10.1.0.2 in zone-1, ready: false
//! NodeNotFound: skipping Pod cart-3 for Service shop/cart: Node node-z Not Found
//! plan it again later
//! {"error":{"code":"InvalidValue","message":"`10.1.0.two` is not an IP address; write it like `10.0.0.1` or `fd00::1`","path":"/pods/1/status/podIPs/0/ip","line":32,"column":38}}
//! ```

use std::error::Error;
use std::io::Write;

use serde_json::Value;

/// A Service with three pods: one is ready, one is not, and one runs on an unknown node.
const REQUEST: &str = r#"{
  "service": {
    "metadata": {"namespace": "shop", "name": "cart", "uid": "7c1b", "labels": {"team": "blue"}},
    "spec": {
      "selector": {"app": "cart"},
      "clusterIP": "10.96.0.7",
      "ipFamilies": ["IPv4"],
      "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": "web"}]
    }
  },
  "pods": [
    {
      "metadata": {"namespace": "shop", "name": "cart-1", "uid": "p1", "labels": {"app": "cart"}},
      "spec": {
        "nodeName": "node-a",
        "containers": [{"ports": [{"name": "web", "protocol": "TCP", "containerPort": 8080}]}]
      },
      "status": {
        "podIP": "10.1.0.1",
        "podIPs": [{"ip": "10.1.0.1"}],
        "conditions": [{"type": "Ready", "status": "True"}]
      }
    },
    {
      "metadata": {"namespace": "shop", "name": "cart-2", "uid": "p2", "labels": {"app": "cart"}},
      "spec": {
        "nodeName": "node-a",
        "containers": [{"ports": [{"name": "web", "protocol": "TCP", "containerPort": 8080}]}]
      },
      "status": {
        "podIP": "10.1.0.2",
        "podIPs": [{"ip": "10.1.0.2"}],
        "conditions": [{"type": "Ready", "status": "False"}]
      }
    },
    {
      "metadata": {"namespace": "shop", "name": "cart-3", "uid": "p3", "labels": {"app": "cart"}},
      "spec": {
        "nodeName": "node-z",
        "containers": [{"ports": [{"name": "web", "protocol": "TCP", "containerPort": 8080}]}]
      },
      "status": {
        "podIP": "10.1.0.3",
        "podIPs": [{"ip": "10.1.0.3"}],
        "conditions": [{"type": "Ready", "status": "True"}]
      }
    }
  ],
  "nodes": [{"metadata": {"name": "node-a", "labels": {"topology.kubernetes.io/zone": "zone-1"}}}],
  "triggerTime": "2026-01-02T03:04:05Z"
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let answer = slicewise::api::plan(REQUEST.as_bytes())?;
    let plan: Value = serde_json::from_slice(&answer)?;
    for slice in list(&plan, "/create") {
        let (prefix, ports) = (text(slice, "/metadata/generateName"), list(slice, "/ports"));
        let ports: Vec<&str> = ports.map(|port| text(port, "/name")).collect();
        writeln!(out, "create {prefix}… for {}", ports.join(", "))?;
        for endpoint in list(slice, "/endpoints") {
            let (address, zone) = (text(endpoint, "/addresses/0"), text(endpoint, "/zone"));
            let ready = endpoint.pointer("/conditions/ready") == Some(&Value::Bool(true));
            writeln!(out, "  {address} in {zone}, ready: {ready}")?;
        }
    }
    for error in list(&plan, "/errors") {
        writeln!(out, "{}: {}", text(error, "/code"), text(error, "/message"))?;
    }
    if plan.pointer("/requeue") == Some(&Value::Bool(true)) {
        writeln!(out, "plan it again later")?;
    }

    // Bad input is a single error with a position and a remedy.
    let broken = REQUEST.replace("\"10.1.0.2\"}", "\"10.1.0.two\"}");
    if let Err(error) = slicewise::api::plan(broken.as_bytes()) {
        out.write_all(&error.to_json())?;
        writeln!(out)?;
    }
    Ok(())
}

fn list<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    value
        .pointer(pointer)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}
