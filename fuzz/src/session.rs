//! Calls of a session: no panics; a refused call changes nothing; a session restored from its dump behaves the same;
//! its plans equal those of a request with the same objects; and the same answers twice.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use slicewise::Error;
use slicewise::api::{self, Limits};
use slicewise_live::json::Session;

use crate::controller::{node, pod, service, slice};
use crate::left_out::left_out;

const SERVICES: [&str; 2] = ["shop/s0", "shop/s1"];

/// Bytes as options; as events, line by line and all at once; as a Service; and as a dump.
///
/// # Panics
/// If an invariant does not hold; this applies to both targets.
pub fn session_bytes(data: &[u8]) {
    left_out(data);
    check_refusal(Session::new(data).err());
    match Session::restore(data, Limits::default()) {
        Ok(mut session) => check_session(&mut session),
        Err(error) => check_refusal(Some(error)),
    }
    let mut session = empty(b"");
    for line in data.split(|byte| *byte == b'\n') {
        apply(&mut session, line);
    }
    apply(&mut session, data);
    if let Ok(service) = str::from_utf8(data) {
        check_refusal(session.sync(service).err());
    }
    check_session(&mut session);
}

/// A list of operations: pairs of bytes, the first of which selects how plans are made.
pub fn session(data: &[u8]) {
    let first = run(data);
    assert!(first == run(data), "the same calls gave other answers");
}

fn run(data: &[u8]) -> Vec<u8> {
    let Some((options, operations)) = data.split_first() else {
        return Vec::new();
    };
    let options =
        json!({"maxEndpointsPerSlice": 1 + (options & 3), "topologyHints": options & 4 == 0});
    let mut session = empty(options.to_string().as_bytes());
    let mut cluster = ExpectedCluster {
        options,
        ..ExpectedCluster::default()
    };
    let mut answers = Vec::new();
    for [operation, argument] in operations.as_chunks::<2>().0.iter().take(200) {
        answers.extend(operate(
            &mut session,
            &mut cluster,
            operation & 0xf,
            *argument,
        ));
    }
    check_session(&mut session);
    answers
}

fn operate(
    session: &mut Session,
    cluster: &mut ExpectedCluster,
    operation: u8,
    argument: u8,
) -> Vec<u8> {
    let event = |event: &str, object: Value| json!({"type": event, "object": object});
    let events = match operation {
        0 | 1 => event("ADDED", service(argument)),
        2 => event("DELETED", service(argument)),
        3..=5 => event("MODIFIED", pod(argument)),
        6 => event("DELETED", pod(argument)),
        7 => event("ADDED", node(argument)),
        8 => event("DELETED", node(argument)),
        9 => event("MODIFIED", slice(argument)),
        10 => event("DELETED", slice(argument)),
        11 => {
            let items = [
                service(argument),
                pod(argument),
                node(argument),
                slice(argument),
            ];
            cluster.list(&items);
            let list = json!({"kind": "List", "items": items});
            return apply(session, list.to_string().as_bytes()).unwrap_or_default();
        }
        12 => {
            // The last of them is unreadable.
            let events = json!([
                event("DELETED", pod(argument)),
                event("ADDED", json!({"kind": "Pod"}))
            ]);
            return apply(session, events.to_string().as_bytes()).unwrap_or_default();
        }
        13 => {
            // A dump does not record deleted objects.
            cluster.gone.clear();
            return taken_up(session);
        }
        _ => {
            let service = SERVICES[usize::from(argument & 1)];
            let answer = sync(session, service);
            assert!(
                answer == cluster.plan(service),
                "a session and a fresh request plan differently"
            );
            return answer;
        }
    };
    cluster.hear(&events);
    apply(session, events.to_string().as_bytes()).unwrap_or_default()
}

/// The state that a session with the same input should have.
#[derive(Default)]
struct ExpectedCluster {
    options: Value,
    /// By kind, then name.
    objects: BTreeMap<(String, String), Value>,
    /// The versions of deleted objects.
    gone: BTreeMap<(String, String), u64>,
    /// The state after the last plan of each Service.
    states: BTreeMap<String, Value>,
}

impl ExpectedCluster {
    fn hear(&mut self, event: &Value) {
        let object = &event["object"];
        let key = key(object);
        let known = match self.objects.get(&key) {
            Some(known) => Some(version(known)),
            None => self.gone.get(&key).copied(),
        };
        if known.is_some_and(|known| version(object) < known) {
            return;
        }
        if event["type"] == "DELETED" {
            self.objects.remove(&key);
            let gone = self.gone.entry(key).or_default();
            *gone = version(object).max(*gone);
            self.forget();
        } else {
            self.objects.insert(key, object.clone());
        }
    }

    fn list(&mut self, items: &[Value]) {
        let objects = items.iter().map(|item| (key(item), item.clone()));
        self.objects = objects.collect();
        self.gone.clear();
        self.forget();
    }

    /// Removes the state of deleted Services.
    fn forget(&mut self) {
        let objects = &self.objects;
        self.states.retain(|service, _| {
            let name = service.trim_start_matches("shop/");
            objects.contains_key(&("Service".to_owned(), name.to_owned()))
        });
    }

    fn plan(&mut self, service: &str) -> Vec<u8> {
        let name = service.trim_start_matches("shop/");
        let key = ("Service".to_owned(), name.to_owned());
        let Some(object) = self.objects.get(&key) else {
            return b"null".to_vec();
        };
        let of_kind = |kind: &str| -> Vec<&Value> {
            let objects = self.objects.iter().filter(|((of, _), _)| of == kind);
            objects.map(|(_, object)| object).collect()
        };
        let request = json!({
            "service": object, "pods": of_kind("Pod"), "nodes": of_kind("Node"), "slices": of_kind("EndpointSlice"),
            "options": self.options, "state": self.states.get(service).unwrap_or(&Value::Null),
        });
        let plan = api::plan(request.to_string().as_bytes())
            .unwrap_or_else(|error| unreachable!("the request is good: {error}"));
        let state: Value = serde_json::from_slice(&plan).unwrap_or_default();
        self.states
            .insert(service.to_owned(), state["state"].clone());
        plan
    }
}

fn key(object: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&object["kind"]), text(&object["metadata"]["name"]))
}

fn version(object: &Value) -> u64 {
    let version = object["metadata"]["resourceVersion"].as_str();
    version
        .and_then(|version| version.parse().ok())
        .unwrap_or_default()
}

fn empty(options: &[u8]) -> Session {
    Session::new(options).unwrap_or_else(|error| unreachable!("the options are good: {error}"))
}

/// Passes events to the session; one that cannot be read must change nothing.
fn apply(session: &mut Session, events: &[u8]) -> Option<Vec<u8>> {
    let before = dump(session);
    match session.apply(events, Limits::default()) {
        Ok(applied) => {
            assert!(serde_json::from_slice::<Value>(&applied).is_ok());
            Some(applied)
        }
        Err(error) => {
            check_refusal(Some(error));
            assert!(before == dump(session), "refused events changed something");
            None
        }
    }
}

fn sync(session: &mut Session, service: &str) -> Vec<u8> {
    let answer = session
        .sync(service)
        .unwrap_or_else(|error| unreachable!("`{service}` is a Service: {error}"));
    assert!(serde_json::from_slice::<Value>(&answer).is_ok());
    answer
}

fn dump(session: &Session) -> Vec<u8> {
    session
        .dump()
        .unwrap_or_else(|error| unreachable!("a session can be dumped: {error}"))
}

/// Continues in a session restored from the dump.
fn taken_up(session: &mut Session) -> Vec<u8> {
    let dumped = dump(session);
    *session = Session::restore(&dumped, Limits::default())
        .unwrap_or_else(|error| unreachable!("a dump can be taken up: {error}"));
    assert!(dumped == dump(session), "a dump lost something");
    dumped
}

/// The session restored from the dump must plan the same.
fn check_session(session: &mut Session) {
    let dumped = dump(session);
    let mut other = Session::restore(&dumped, Limits::default())
        .unwrap_or_else(|error| unreachable!("a dump can be taken up: {error}"));
    let services = session.services().unwrap_or_default();
    let services: Vec<String> = serde_json::from_slice(&services).unwrap_or_default();
    for service in services.iter().filter(|service| is_name(service)) {
        assert!(
            sync(session, service) == sync(&mut other, service),
            "a session and its dump plan differently"
        );
    }
    assert!(dump(session) == dump(&other), "a dump lost something");
}

/// Objects may have names that an API server would refuse, and that cannot be asked about.
fn is_name(service: &str) -> bool {
    service
        .split_once('/')
        .is_some_and(|(_, name)| !name.is_empty() && !name.contains('/'))
}

fn check_refusal(error: Option<Error>) {
    assert!(
        error.is_none_or(|error| !error.message().is_empty()),
        "the error says nothing"
    );
}
