//! Operations on a controller in virtual time: no panics, answers in time order, at most one sync of a Service at a
//! time, and the same answers in a second run.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use slicewise::api::Limits;
use slicewise_live::json::ControllerStream;

/// Lines of any bytes.
///
/// # Panics
/// If an invariant does not hold; this applies to both targets.
pub fn controller_lines(data: &[u8]) {
    let lines: Vec<Vec<u8>> = data
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    check(&lines);
}

/// A list of operations: pairs of bytes, the first of which selects how plans are written.
pub fn controller(data: &[u8]) {
    let Some((config, operations)) = data.split_first() else {
        return;
    };
    let mut lines = vec![config_line(*config)];
    let mut at = 0_u64;
    for [operation, argument] in operations.as_chunks::<2>().0.iter().take(200) {
        at += u64::from(operation >> 4) * 97;
        lines.push(line(at, operation & 0xf, *argument));
    }
    let lines: Vec<_> = lines
        .iter()
        .map(|line| line.to_string().into_bytes())
        .collect();
    check(&lines);
}

fn config_line(byte: u8) -> Value {
    let choose = |bit: u8, one: &'static str, other: &'static str| {
        if byte >> bit & 1 == 0 { one } else { other }
    };
    json!({"config": {
        "apply": choose(0, "auto", "manual"), "watchLag": choose(1, "0s", "700ms"),
        "endpointUpdatesBatchPeriod": choose(2, "0s", "500ms"), "waitForSync": byte >> 3 & 1 == 1,
        "concurrentServiceEndpointSyncs": 1 + (byte >> 4 & 3), "maxEndpointsPerSlice": 1 + (byte >> 6),
        "maxRetries": 3,
    }})
}

fn line(at: u64, operation: u8, argument: u8) -> Value {
    let event =
        |event: &str, object: Value| json!({"at": at, "event": {"type": event, "object": object}});
    let error = [
        "Conflict",
        "AlreadyExists",
        "NamespaceTerminating",
        "ServerError",
    ];
    let error = error[usize::from(argument >> 2 & 3)];
    match operation {
        0 | 1 => event("ADDED", service(argument)),
        2 => event("DELETED", service(argument)),
        3..=5 => event("MODIFIED", pod(argument)),
        6 => event("DELETED", pod(argument)),
        7 => event("ADDED", node(argument)),
        8 => event("DELETED", node(argument)),
        9 => event("MODIFIED", slice(argument)),
        10 => event("DELETED", slice(argument)),
        11 => json!({"at": at, "refuse": {"error": error, "times": argument & 3}}),
        12 => {
            let error = (argument & 0x10 == 0).then_some(error);
            json!({"at": at, "result": {"service": format!("shop/s{}", argument & 1), "error": error}})
        }
        13 => json!({"at": at, "resync": true}),
        14 => json!({"at": at, "list": {"kind": "List", "items": [
            service(argument), pod(argument), node(argument), slice(argument),
        ]}}),
        _ => json!({"at": at + u64::from(argument) * 1000}),
    }
}

fn metadata(namespace: &str, name: &str, argument: u8) -> Value {
    let version = u32::from(argument) * 7;
    json!({"namespace": namespace, "name": name, "uid": name, "resourceVersion": version.to_string(), "labels": {}})
}

pub(crate) fn service(argument: u8) -> Value {
    let metadata = metadata("shop", &format!("s{}", argument & 1), argument);
    let app = (argument >> 1 & 1).to_string();
    let mut spec = json!({"selector": {"app": app}, "ipFamilies": ["IPv4"], "clusterIP": "10.96.0.1",
        "ports": [{"name": "http", "protocol": "TCP", "targetPort": 80}]});
    match argument >> 2 & 7 {
        0 => spec["selector"] = Value::Null,
        1 => spec["type"] = "ExternalName".into(),
        2 => spec["trafficDistribution"] = "PreferSameZone".into(),
        _ => {}
    }
    json!({"kind": "Service", "metadata": metadata, "spec": spec})
}

pub(crate) fn pod(argument: u8) -> Value {
    let mut metadata = metadata("shop", &format!("p{}", argument & 7), argument);
    metadata["labels"]["app"] = (argument >> 3 & 1).to_string().into();
    let ready = if argument >> 4 & 1 == 0 {
        "True"
    } else {
        "False"
    };
    json!({"kind": "Pod", "metadata": metadata, "spec": {"nodeName": format!("n{}", argument >> 5 & 1)},
        "status": {"podIPs": [{"ip": format!("10.0.0.{}", argument & 7)}], "conditions": [{"type": "Ready", "status": ready}]}})
}

pub(crate) fn node(argument: u8) -> Value {
    let mut metadata = metadata("", &format!("n{}", argument & 1), argument);
    metadata["labels"]["topology.kubernetes.io/zone"] = format!("z{}", argument >> 1 & 1).into();
    json!({"kind": "Node", "metadata": metadata, "status": {"allocatable": {"cpu": "4"}}})
}

pub(crate) fn slice(argument: u8) -> Value {
    // someone else's, or one of those the server has named.
    let names = ["foreign", "s0-bbbbc", "s1-bbbbc", "s0-bbbbd"];
    let mut metadata = metadata("shop", names[usize::from(argument & 3)], argument);
    let manager = if argument >> 2 & 1 == 0 {
        "endpointslice-controller.k8s.io"
    } else {
        "somebody"
    };
    metadata["labels"] = json!({"kubernetes.io/service-name": format!("s{}", argument >> 3 & 1),
        "endpointslice.kubernetes.io/managed-by": manager});
    metadata["generation"] = (argument >> 4 & 3).into();
    if argument >> 6 == 3 {
        metadata["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    }
    json!({"kind": "EndpointSlice", "metadata": metadata, "addressType": "IPv4"})
}

fn check(lines: &[Vec<u8>]) {
    let first = run(lines);
    assert!(first == run(lines), "the same lines gave other answers");
}

fn run(lines: &[Vec<u8>]) -> Vec<u8> {
    let mut stream = ControllerStream::default();
    let (mut all, mut last, mut under_way) = (Vec::new(), 0.0, BTreeSet::new());
    for line in lines {
        let mut output = Vec::new();
        if let Err(error) = stream.feed(line, Limits::default(), &mut output) {
            assert!(!error.message().is_empty());
        }
        for answer in output
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            let answer: Value = serde_json::from_slice(answer)
                .unwrap_or_else(|error| unreachable!("an answer is no JSON: {error}"));
            let at = answer["at"].as_f64().unwrap_or(-1.0);
            assert!(at >= last, "answers are out of order");
            last = at;
            note_sync(&answer, &mut under_way);
        }
        all.extend(output);
    }
    all
}

/// A plan is in flight until its result arrives; until then there must be no other plan of its Service.
fn note_sync(answer: &Value, under_way: &mut BTreeSet<String>) {
    let Some(service) = answer["sync"].as_str() else {
        return;
    };
    let (has_plan, has_result) = (answer["plan"].is_object(), answer["result"].is_string());
    if has_plan && !has_result {
        assert!(under_way.insert(service.to_owned()), "two syncs at once");
    } else if has_plan || !under_way.contains(service) {
        assert!(!under_way.contains(service), "two syncs at once");
    } else {
        under_way.remove(service);
    }
}
