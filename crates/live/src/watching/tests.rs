//! The reports about a watched cluster.

mod history;
mod together;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use serde_json::{Value, json};
use slicewise::model::keys;

use super::*;
use crate::session::event::{PlanObject, Versioned};

const OURS: &str = "endpointslice-controller.k8s.io";
const LIMIT: Duration = Duration::from_secs(30);

/// A watched cluster, and the time.
struct World {
    watching: Watching,
    now: Duration,
    version: u64,
}

fn endpoint(number: u8, ready: bool, zones: &[&str]) -> Value {
    let zones: Vec<Value> = zones.iter().map(|zone| json!({"name": zone})).collect();
    let mut endpoint = json!({
        "addresses": [format!("10.0.0.{number}")],
        "conditions": {"ready": ready, "serving": ready, "terminating": false},
        "targetRef": {"kind": "Pod", "namespace": "shop", "name": format!("cart-{number}"), "uid": format!("cart-{number}")},
        "nodeName": "n1", "zone": "a",
    });
    if !zones.is_empty() {
        endpoint["hints"] = json!({"forZones": zones});
    }
    endpoint
}

fn draining(number: u8) -> Value {
    let mut endpoint = endpoint(number, false, &[]);
    endpoint["conditions"] = json!({"ready": false, "serving": true, "terminating": true});
    endpoint
}

fn slice(name: &str, endpoints: &[Value]) -> Value {
    let owner = json!({"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "s", "controller": true, "blockOwnerDeletion": true});
    json!({
        "metadata": {"namespace": "shop", "name": name, "uid": name, "ownerReferences": [owner],
            "labels": {keys::SERVICE_NAME_LABEL: "cart", keys::MANAGED_BY_LABEL: OURS}},
        "addressType": "IPv4", "endpoints": endpoints,
        "ports": [{"name": "", "port": 8080, "protocol": "TCP"}],
    })
}

fn service() -> Value {
    json!({
        "metadata": {"namespace": "shop", "name": "cart", "uid": "s"},
        "spec": {"selector": {"app": "cart"}, "clusterIP": "10.9.0.1", "ipFamilies": ["IPv4"],
            "ports": [{"protocol": "TCP", "port": 80, "targetPort": 8080}]},
    })
}

fn pod(number: u8, ready: bool) -> Value {
    let name = format!("cart-{number}");
    json!({
        "metadata": {"namespace": "shop", "name": name, "uid": name, "labels": {"app": "cart"}},
        "spec": {"nodeName": "n1"},
        "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}], "podIP": format!("10.0.0.{number}"), "phase": "Running",
            "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]},
    })
}

fn node() -> Value {
    json!({"metadata": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "a"}}})
}

impl World {
    /// A world with these objects from the start, as in lists.
    fn new(slices: &[Value], pods: &[Value]) -> Self {
        let mut world = Self {
            watching: Watching::new(Options::default(), LIMIT),
            now: Duration::ZERO,
            version: 0,
        };
        world.list(Kind::Service, &[service()]);
        world.list(Kind::Node, &[node()]);
        world.list(Kind::Pod, pods);
        assert_eq!(world.told(), [""; 0], "nothing is told before all is known");
        world.list(Kind::EndpointSlice, slices);
        assert_eq!(world.told(), [""; 0], "what was there is no change");
        world
    }

    /// A world with a slice for ready pods, as planned.
    fn settled(pods: &[u8]) -> Self {
        let endpoints: Vec<Value> = pods.iter().map(|pod| endpoint(*pod, true, &[])).collect();
        let pods: Vec<Value> = pods.iter().map(|number| pod(*number, true)).collect();
        Self::new(&[slice("cart-a", &endpoints)], &pods)
    }

    fn set(&mut self, kind: Kind, object: &Value) -> Reception {
        self.version += 1;
        let mut object = object.clone();
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        self.give(kind, &object)
    }

    fn give(&mut self, kind: Kind, object: &Value) -> Reception {
        let text = object.to_string();
        let version = object["metadata"]["resourceVersion"].as_str().unwrap();
        let object = match kind {
            Kind::Service => PlanObject::Service(serde_json::from_str(&text).unwrap()),
            Kind::Pod => PlanObject::Pod(serde_json::from_str(&text).unwrap()),
            Kind::Node => PlanObject::Node(serde_json::from_str(&text).unwrap()),
            Kind::EndpointSlice => PlanObject::EndpointSlice(serde_json::from_str(&text).unwrap()),
        };
        let object = Versioned::new(object, version);
        self.watching.handle(&ClusterEvent::Set(Box::new(object)))
    }

    fn list(&mut self, kind: Kind, objects: &[Value]) {
        self.watching.handle(&ClusterEvent::Listing(kind));
        for object in objects {
            self.set(kind, object);
        }
        self.watching.handle(&ClusterEvent::Synced(kind));
    }

    fn write(&mut self, name: &str, endpoints: &[Value]) {
        self.set(Kind::EndpointSlice, &slice(name, endpoints));
    }

    fn delete(&mut self, kind: Kind, name: &str) {
        self.version += 1;
        self.watching.handle(&ClusterEvent::Removed {
            kind,
            key: key(name),
            resource_version: self.version.to_string().into(),
        });
    }

    fn changes(&mut self) -> Vec<TrafficChange> {
        self.watching.changes(self.now)
    }

    fn told(&mut self) -> Vec<String> {
        let changes = self.changes().into_iter();
        changes.map(|change| change.message).collect()
    }

    fn wait(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
    }
}

fn key(name: &str) -> NamespacedName {
    NamespacedName {
        namespace: "shop".into(),
        name: name.into(),
    }
}

#[test]
fn endpoints_come_flip_and_go() {
    let mut world = World::settled(&[1]);
    let extent = Extent {
        services: 1,
        endpoints: 1,
        ready: 1,
    };
    assert_eq!(world.watching.extent(), extent);

    world.set(Kind::Pod, &pod(2, true));
    world.write("cart-a", &[endpoint(1, true, &[]), endpoint(2, true, &[])]);
    assert_eq!(
        world.told(),
        ["gained 10.0.0.2:8080, Pod cart-2 on node n1 in zone a, ready; 1 → 2 ready"]
    );

    world.set(Kind::Pod, &pod(1, false));
    world.write("cart-a", &[endpoint(2, true, &[]), endpoint(1, false, &[])]);
    assert_eq!(
        world.told(),
        ["10.0.0.1:8080, Pod cart-1 on node n1 in zone a: ready → not ready; 2 → 1 ready"],
        "the order in a slice does not matter"
    );

    world.delete(Kind::Pod, "cart-1");
    world.write("cart-a", &[endpoint(2, true, &[])]);
    assert_eq!(
        world.told(),
        ["lost 10.0.0.1:8080, Pod cart-1 on node n1 in zone a, which was not ready; 1 ready"]
    );
    assert_eq!(world.told(), [""; 0], "each change is told once");
}

#[test]
fn which_slice_holds_an_endpoint_does_not_matter() {
    let mut world = World::settled(&[1, 2]);
    world.write("cart-b", &[endpoint(2, true, &[])]);
    assert_eq!(world.told(), [""; 0]);
    world.write("cart-a", &[endpoint(1, true, &[])]);
    assert_eq!(world.told(), [""; 0]);
    // At the same time, there is no gap, whichever slice is written first.
    world.write("cart-b", &[]);
    world.write("cart-a", &[endpoint(1, true, &[]), endpoint(2, true, &[])]);
    assert_eq!(world.told(), [""; 0]);
    // Slices of other managers count as well.
    let mut other = slice("other", &[endpoint(3, true, &[])]);
    other["metadata"]["labels"][keys::MANAGED_BY_LABEL] = json!("somebody");
    world.set(Kind::EndpointSlice, &other);
    assert_eq!(
        world.told(),
        ["gained 10.0.0.3:8080, Pod cart-3 on node n1 in zone a, ready; 2 → 3 ready"]
    );
}

#[test]
fn of_two_that_have_one_address_the_one_that_runs_counts() {
    let mut world = World::settled(&[1]);
    world.write("cart-b", &[draining(1)]);
    assert_eq!(world.told(), [""; 0]);
    world.write("cart-a", &[]);
    assert_eq!(
        world.told(),
        [
            "10.0.0.1:8080, Pod cart-1 on node n1 in zone a: ready → terminating, still serving; 1 → 0 ready",
            "no IPv4 endpoint is ready: traffic goes to 1 endpoint that is terminating and still answers",
        ]
    );
    world.delete(Kind::EndpointSlice, "cart-b");
    assert_eq!(
        world.told(),
        [
            "lost 10.0.0.1:8080, Pod cart-1 on node n1 in zone a, which was terminating, still serving; 0 ready"
        ]
    );
    world.write("cart-a", &[endpoint(1, true, &["a"])]);
    assert_eq!(
        world.told(),
        [
            "gained 10.0.0.1:8080, Pod cart-1 on node n1 in zone a, ready, for zone a; 0 → 1 ready",
            "1 IPv4 endpoint is ready again",
            "zone hints are in effect: all ready IPv4 endpoints (1) have one",
        ]
    );
}

#[test]
fn hints_flip() {
    let mut world = World::settled(&[1, 2]);
    world.write(
        "cart-a",
        &[endpoint(1, true, &["a"]), endpoint(2, true, &["a", "b"])],
    );
    assert_eq!(
        world.told(),
        [
            "10.0.0.1:8080, Pod cart-1 on node n1 in zone a: no hint → zone a; 2 ready",
            "10.0.0.2:8080, Pod cart-2 on node n1 in zone a: no hint → zones a, b; 2 ready",
            "zone hints are in effect: all ready IPv4 endpoints (2) have one",
        ]
    );
    world.write(
        "cart-a",
        &[endpoint(1, true, &["b"]), endpoint(2, true, &[])],
    );
    let changes = world.changes();
    let told: Vec<&str> = changes.iter().map(|change| &*change.message).collect();
    assert_eq!(
        told,
        [
            "10.0.0.1:8080, Pod cart-1 on node n1 in zone a: zone a → zone b; 2 ready",
            "10.0.0.2:8080, Pod cart-2 on node n1 in zone a: zones a, b → no hint; 2 ready",
            "zone hints are ignored: 1 of 2 ready IPv4 endpoints have one",
        ]
    );
    let json = serde_json::to_value(&changes[2]).unwrap();
    assert_eq!(
        json,
        json!({
            "service": {"namespace": "shop", "name": "cart"}, "change": "hintsOff", "addressType": "IPv4",
            "ready": 2, "hinted": 1, "message": "zone hints are ignored: 1 of 2 ready IPv4 endpoints have one",
        })
    );
    let json = serde_json::to_value(&changes[0]).unwrap();
    assert_eq!(json["fields"], json!(["forZones"]));
    assert_eq!(json["before"]["forZones"], json!(["a"]));
    assert_eq!(json["ready"], json!({"before": 2, "after": 2}));
}

#[test]
fn services_come_and_go() {
    let mut world = World::settled(&[1, 2]);
    world.delete(Kind::Service, "cart");
    assert_eq!(world.told(), ["the Service was deleted"]);
    world.write("cart-a", &[endpoint(1, true, &[])]);
    assert_eq!(world.told(), [""; 0], "no Service, no traffic");
    world.set(Kind::Service, &service());
    assert_eq!(
        world.told(),
        ["the Service was added, with 1 endpoint, 1 ready"]
    );
}

#[test]
fn a_list_anew_tells_what_was_missed_and_no_more() {
    let mut world = World::settled(&[1, 2]);
    let missed = slice("cart-b", &[endpoint(3, true, &[]), endpoint(1, true, &[])]);
    world.list(Kind::EndpointSlice, &[missed]);
    assert_eq!(
        world.told(),
        [
            "lost 10.0.0.2:8080, Pod cart-2 on node n1 in zone a, which was ready; 2 → 1 ready",
            "gained 10.0.0.3:8080, Pod cart-3 on node n1 in zone a, ready; 1 → 2 ready",
        ]
    );
    let late = json!({"metadata": {"namespace": "shop", "name": "cart-b", "resourceVersion": "1"}, "addressType": "IPv4"});
    assert_eq!(world.give(Kind::EndpointSlice, &late), Reception::Late);
    assert_eq!(world.told(), [""; 0]);
}

#[test]
fn slices_that_nobody_writes_are_told_in_time() {
    let mut world = World::settled(&[1]);
    assert_eq!(world.watching.next_timer(), None);
    world.wait(100);
    world.set(Kind::Pod, &pod(2, true));
    assert_eq!(world.told(), [""; 0]);
    assert_eq!(world.watching.next_timer(), Some(Duration::from_secs(130)));
    world.wait(29);
    assert_eq!(world.told(), [""; 0]);
    world.wait(1);
    let told = "slices have differed from the plan for 30 s, and none was written: 0 to create, 1 to update, 0 to delete (endpoints added)";
    assert_eq!(world.told(), [told]);
    assert_eq!(world.watching.next_timer(), None);
    world.wait(10);
    world.set(Kind::Pod, &pod(3, true));
    assert_eq!(world.told(), [""; 0], "it is told once");
    world.write(
        "cart-a",
        &[1, 2, 3].map(|number| endpoint(number, true, &[])),
    );
    assert_eq!(
        world.told().last().unwrap(),
        "slices match the plan again, after 40 s"
    );
}

#[test]
fn whoever_writes_has_time_for_the_rest() {
    let mut world = World::settled(&[1]);
    world.set(Kind::Pod, &pod(2, true));
    world.set(Kind::Pod, &pod(3, true));
    assert_eq!(world.told(), [""; 0]);
    world.wait(20);
    world.write("cart-a", &[1, 2].map(|number| endpoint(number, true, &[])));
    assert_eq!(world.changes().len(), 1);
    world.wait(20);
    assert_eq!(world.told(), [""; 0]);
    assert_eq!(world.watching.next_timer(), Some(Duration::from_secs(50)));
    world.wait(10);
    assert!(matches!(
        world.changes()[..],
        [TrafficChange {
            what: TrafficChangeKind::Unwritten {
                seconds: 30,
                update: 1,
                ..
            },
            ..
        }]
    ));
}

#[test]
fn only_what_differs_is_looked_at() {
    let pods: Vec<u8> = (1..=200).collect();
    let mut world = World::settled(&pods);
    let mut endpoints: Vec<Value> = pods.iter().map(|pod| endpoint(*pod, true, &[])).collect();
    endpoints[7] = endpoint(8, false, &[]);
    world.write("cart-a", &endpoints);
    let addresses: Vec<&IpAddr> = world.watching.before[&key("cart")].keys().collect();
    assert_eq!(addresses, ["10.0.0.8".parse::<IpAddr>().as_ref().unwrap()]);
    assert_eq!(world.changes().len(), 1);
    assert!(world.watching.before.is_empty());
}
