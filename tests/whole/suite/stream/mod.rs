//! Streams: lines in, and the controller's actions in a short form: time, action, and how many slices a plan creates
//! (`+`), updates (`~`) and deletes (`-`).

mod changes;
mod input;
mod metrics;
mod results;
mod slices;

use serde_json::{Value, json};

use crate::api::{ControllerStream, Limits};
use crate::model::EndpointSlice;

/// A stream with its output so far.
struct Run {
    stream: ControllerStream,
    lines: Vec<Value>,
}

impl Run {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it reads better where it is called"
    )]
    fn new(config: Value) -> Self {
        let mut run = Self {
            stream: ControllerStream::default(),
            lines: Vec::new(),
        };
        run.feed(json!({"config": config}));
        run
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it reads better where it is called"
    )]
    fn feed(&mut self, line: Value) -> &mut Self {
        let mut output = Vec::new();
        let result = self
            .stream
            .feed(line.to_string().as_bytes(), Limits::default(), &mut output);
        if let Err(error) = result {
            output.extend(error.to_json());
        }
        let lines = output.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.is_empty());
        self.lines
            .extend(lines.map(|line| serde_json::from_slice::<Value>(line).unwrap()));
        self
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it reads better where it is called"
    )]
    fn event(&mut self, at: u64, event: &str, object: Value) -> &mut Self {
        self.feed(json!({"at": at, "event": {"type": event, "object": object}}))
    }

    fn until(&mut self, at: u64) -> &mut Self {
        self.feed(json!({"at": at}))
    }

    /// The output since the last check.
    #[track_caller]
    fn check(&mut self, expected: &[&str]) -> &mut Self {
        let found: Vec<String> = core::mem::take(&mut self.lines).iter().map(brief).collect();
        assert_eq!(found, expected);
        self
    }

    /// Slices of the in-memory server: name, generation, endpoints.
    #[track_caller]
    fn check_slices(&mut self, expected: &[&str]) -> &mut Self {
        let slices = self.stream.server().unwrap().slices();
        let brief = |slice: &EndpointSlice<'_>| {
            let (name, generation) = (slice.name(), slice.metadata.generation.unwrap());
            format!("{name} {generation} {}", slice.endpoints.len())
        };
        assert_eq!(slices.map(brief).collect::<Vec<_>>(), expected);
        self
    }
}

fn brief(line: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let count = |plan: &Value, list: &str| plan[list].as_array().unwrap().len();
    let at = &line["at"];
    if line["error"].is_object() {
        let (code, path) = (text(&line["error"]["code"]), text(&line["error"]["path"]));
        format!("{code} {path}")
    } else if line["sync"].is_string() {
        let mut brief = format!("{at} {}", text(&line["sync"]));
        if let Some(result) = line["result"].as_str() {
            brief += &format!(" {result}");
        }
        if let Some(plan) = line.get("plan") {
            let [new, changed, gone] = ["create", "update", "delete"].map(|list| count(plan, list));
            brief += &format!(" +{new} ~{changed} -{gone}");
        }
        brief
    } else if line["retry"].is_string() {
        let after = text(&line["after"]);
        format!("{at} retry {} {after}", line["retries"])
    } else if line["event"].is_object() {
        let (reason, message) = (
            text(&line["event"]["reason"]),
            text(&line["event"]["message"]),
        );
        format!("{at} {reason}: {message}")
    } else {
        let ignored = &line["ignored"];
        let (kind, reason) = (text(&ignored["kind"]), text(&ignored["reason"]));
        format!("{at} ignored {kind} {reason} {}", ignored["count"])
    }
}

fn service(name: &str) -> Value {
    json!({
        "kind": "Service", "metadata": {"namespace": "shop", "name": name, "uid": format!("uid-{name}")},
        "spec": {"selector": {"app": name}, "ipFamilies": ["IPv4"], "clusterIP": "10.96.0.1", "ports": [{"name": "http", "protocol": "TCP", "targetPort": 80}]},
    })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it reads better where it is called"
)]
fn list(at: u64, kind: &str, items: Value) -> Value {
    json!({"at": at, "list": {"kind": format!("{kind}List"), "items": items}})
}

fn pod(number: u8) -> Value {
    json!({
        "kind": "Pod", "metadata": {"namespace": "shop", "name": format!("p{number}"), "uid": format!("p{number}"), "labels": {"app": "cart"}},
        "spec": {"nodeName": "n1"},
        "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}], "conditions": [{"type": "Ready", "status": "True"}]},
    })
}

fn node(name: &str) -> Value {
    json!({"kind": "Node", "metadata": {"name": name}})
}

fn versioned(mut object: Value, version: u64) -> Value {
    object["metadata"]["resourceVersion"] = version.to_string().into();
    object
}

/// A slice of the Service, ours unless the manager is another.
fn slice(name: &str, service: &str, generation: u64) -> Value {
    json!({
        "kind": "EndpointSlice", "metadata": {"namespace": "shop", "name": name, "uid": name, "generation": generation,
            "labels": {"kubernetes.io/service-name": service, "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}},
        "addressType": "IPv4",
    })
}

/// A Service with a node and a pod, settled at time 0.
fn settled(config: Value) -> Run {
    let mut run = Run::new(config);
    run.event(0, "ADDED", node("n1"))
        .event(0, "ADDED", pod(1))
        .event(0, "ADDED", service("cart"));
    run.check(&["0 shop/cart success +1 ~0 -0"]);
    run
}
