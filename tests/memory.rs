//! Memory after a million Services and slices have been created and deleted: all of it must be released.
//!
//! The measure is what the allocator has handed out and not got back. Tables keep the capacity that a batch needed, so no
//! batch after the first fifth may need more. `SLICEWISE_SERVICES` sets how many there are; the full proof is
//! `SLICEWISE_SERVICES=1000000 cargo test --test memory`.

#![expect(clippy::unwrap_used, reason = "a test panics when it fails")]

use std::alloc::System;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use cap::Cap;
use slicewise::model::{EndpointSlice, NamespacedName, Node, Pod, Service};
use slicewise::plan::Plan;
use slicewise::plan::request::Options;
use slicewise::tracker::SliceTracker;
use slicewise_live::api_server::ApiServer;
use slicewise_live::controller::{
    ClusterEvent, Command, Config, Controller, Kind, PlanObject, Reception, Versioned,
};
use slicewise_live::session::Session;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// All tests share the allocator.
static ALONE: Mutex<()> = Mutex::new(());

const BATCHES: usize = 50;

/// How many Services there are at a time.
#[expect(clippy::disallowed_methods, reason = "a setting of the test")]
static BATCH: LazyLock<usize> = LazyLock::new(|| {
    let services = std::env::var("SLICEWISE_SERVICES").map_or(20_000, |text| text.parse().unwrap());
    services / BATCHES
});
/// Less than a byte per Service of the whole run.
const TOLERANCE: usize = 4096;

/// Runs one batch after another, each with new names.
fn check_batches(mut live: impl FnMut(usize)) {
    let mut base = None;
    for batch in 0..BATCHES {
        live(batch);
        let allocated = ALLOCATOR.allocated();
        // Until then, tables grow to the size they need to cope with the gaps that removals leave.
        if batch == BATCHES / 5 {
            base = Some(allocated);
        }
        if let Some(base) = base {
            assert!(
                allocated <= base + TOLERANCE,
                "after batch {batch} there are {allocated} bytes, and were {base}"
            );
        }
    }
}

fn name(batch: usize, number: usize) -> String {
    format!("s{batch:02}-{number:05}")
}

fn key(name: &str) -> NamespacedName {
    NamespacedName {
        namespace: "shop".into(),
        name: name.into(),
    }
}

fn service(name: &str) -> Service<'static> {
    let text = format!(
        r#"{{"metadata": {{"namespace": "shop", "name": "{name}", "uid": "{name}"}}, "spec": {{"selector": {{"app": "{name}"}}, "ipFamilies": ["IPv4"]}}}}"#
    );
    serde_json::from_str::<Service<'_>>(&text)
        .unwrap()
        .into_owned()
}

fn slice(service: &str) -> EndpointSlice<'static> {
    let text = format!(
        r#"{{"metadata": {{"namespace": "shop", "name": "{service}-x", "uid": "{service}-x", "generation": 1,
            "labels": {{"kubernetes.io/service-name": "{service}", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"}},
            "ownerReferences": [{{"apiVersion": "v1", "kind": "Service", "name": "{service}", "uid": "{service}", "controller": true}}]}},
            "addressType": "IPv4", "ports": [], "endpoints": [{{"addresses": ["10.0.0.1"], "targetRef": {{"kind": "Pod", "namespace": "shop", "name": "{service}-p"}}}}]}}"#
    );
    serde_json::from_str::<EndpointSlice<'_>>(&text)
        .unwrap()
        .into_owned()
}

const NODES: usize = 4;

fn node(number: usize) -> Node<'static> {
    let zone = number % 2;
    let text = format!(
        r#"{{"metadata": {{"name": "node-{number}", "labels": {{"topology.kubernetes.io/zone": "zone-{zone}"}}}},
            "status": {{"allocatable": {{"cpu": "4"}}, "conditions": [{{"type": "Ready", "status": "True"}}]}}}}"#
    );
    serde_json::from_str::<Node<'_>>(&text)
        .unwrap()
        .into_owned()
}

/// A pod of a StatefulSet, whose labels are unique.
fn pod(number: usize) -> Pod<'static> {
    let text = format!(
        r#"{{"metadata": {{"namespace": "shop", "name": "db-{number}", "uid": "00000000-0000-4000-8000-{number:012}", "resourceVersion": "{number}",
            "labels": {{"app": "db", "statefulset.kubernetes.io/pod-name": "db-{number}", "apps.kubernetes.io/pod-index": "{number}"}}}},
            "spec": {{"nodeName": "node-{}"}}, "status": {{"podIP": "10.0.0.{}", "podIPs": [{{"ip": "10.0.0.{}"}}], "conditions": [{{"type": "Ready", "status": "True"}}]}}}}"#,
        number % NODES,
        number % 250,
        number % 250,
    );
    serde_json::from_str::<Pod<'_>>(&text).unwrap().into_owned()
}

#[test]
fn labels_that_no_two_pods_share_take_little() {
    // The largest number that fits hash tables of that size.
    const PODS: usize = 28_000;
    const MOST: usize = 420;
    let _alone = ALONE.lock();
    let mut session = Session::new(Options::default());
    session.set_service(&service("db"));
    let before = ALLOCATOR.allocated();
    for number in 0..PODS {
        session.set_pod(&pod(number), "");
    }
    let each = (ALLOCATOR.allocated() - before) / PODS;
    assert!(each <= MOST, "{each} bytes for each pod");
}

#[test]
fn a_small_stateful_set_takes_little() {
    const PODS: usize = 100;
    const MOST: usize = 500;
    // What other tests allocate while they wait must not count.
    const SESSIONS: usize = 50;
    let _alone = ALONE.lock();
    let before = ALLOCATOR.allocated();
    let mut sessions = Vec::with_capacity(SESSIONS);
    sessions.resize_with(SESSIONS, || stateful_set(PODS));
    let each = (ALLOCATOR.allocated() - before) / PODS / SESSIONS;
    assert!(each <= MOST, "{each} bytes for each pod with its endpoint");
}

/// A session with a StatefulSet of so many pods, whose only slice has hints.
fn stateful_set(pods: usize) -> Session {
    let mut session = Session::new(Options::default());
    let mut service = service("db");
    let annotations = &mut service.metadata.annotations;
    annotations.insert("service.kubernetes.io/topology-mode".into(), "Auto".into());
    session.set_service(&service);
    for number in 0..NODES {
        session.set_node(&node(number));
    }
    for number in 0..pods {
        session.set_pod(&pod(number), "");
    }
    for mut slice in session.sync(&key("db")).unwrap().create {
        slice.metadata.name = "db-x".into();
        session.set_slice(&slice);
    }
    let is_settled = |plan: Plan<'_>| plan.is_empty() && plan.hints.iter().all(|it| it.applied);
    assert_eq!(session.sync_with(&key("db"), is_settled), Some(true));
    session
}

#[test]
fn a_million_services_leave_nothing_in_a_session() {
    let _alone = ALONE.lock();
    let mut session = Session::new(Options::default());
    check_batches(|batch| {
        for number in 0..*BATCH {
            let name = name(batch, number);
            session.set_service(&service(&name));
            session.set_slice(&slice(&name));
            let emptied = session.sync_with(&key(&name), |plan| plan.update.len());
            assert_eq!(emptied, Some(1), "the slice names a pod that is not there");
        }
        for number in 0..*BATCH {
            let name = name(batch, number);
            // In both orders.
            if number % 2 == 0 {
                session.remove_service(&key(&name));
            }
            session.remove_slice(&key(&format!("{name}-x")));
            session.remove_service(&key(&name));
        }
        assert!(session.is_empty());
    });
}

#[test]
fn a_million_services_leave_nothing_in_a_controller() {
    let _alone = ALONE.lock();
    let mut config = Config::default();
    config.wait_for_sync = false;
    let mut world = World {
        controller: Controller::new(config),
        server: ApiServer::default(),
        now: Duration::ZERO,
    };
    check_batches(|batch| {
        for number in 0..*BATCH {
            world.set(service(&name(batch, number)));
        }
        world.settle();
        assert_eq!(world.server.len(), *BATCH);
        for number in 0..*BATCH {
            world.remove(&name(batch, number));
        }
        world.settle();
        assert!(world.controller.is_empty() && world.server.is_empty());
    });
    let metrics = world.controller.metrics();
    assert_eq!(metrics.services(), 0);
}

struct World {
    controller: Controller,
    server: ApiServer,
    now: Duration,
}

impl World {
    fn set(&mut self, service: Service<'static>) {
        let object = Versioned::new(PlanObject::Service(service), "");
        self.controller
            .handle(ClusterEvent::Set(Box::new(object)), self.now);
    }

    fn remove(&mut self, service: &str) {
        let event = ClusterEvent::Removed {
            kind: Kind::Service,
            key: key(service),
            resource_version: "".into(),
        };
        let reception = self.controller.handle(event, self.now);
        assert_eq!(reception, Reception::Taken);
        self.server.collect_garbage(&key(service));
    }

    /// Writes plans, acknowledges the results and returns the slices as events until nothing is left to do.
    fn settle(&mut self) {
        loop {
            while let Some(command) = self.controller.due(self.now) {
                if let Command::Sync { service, plan } = command {
                    let outcome = plan.apply(&mut self.server);
                    assert!(self.controller.complete(&service, outcome, self.now));
                }
            }
            while let Some(change) = self.server.next_change() {
                self.controller.handle(change.into(), self.now);
            }
            match self.controller.next_timer() {
                Some(next) => self.now = self.now.max(next),
                None => break,
            }
        }
    }
}

#[test]
fn reading_a_tracker_takes_nothing() {
    let _alone = ALONE.lock();
    let slice = slice("cart");
    let tracker = SliceTracker::default();
    let mut deleting = SliceTracker::default();
    let before = ALLOCATOR.allocated();
    for number in 0..*BATCH * BATCHES / 10 {
        let name = key(&name(0, number));
        assert!(!tracker.stale_slices(&name, [&slice]));
        assert!(!tracker.has(&slice));
        assert!(tracker.should_sync(&slice));
        assert!(deleting.handle_deletion(&slice));
        deleting.delete_service(&name);
    }
    // The other tests wait meanwhile, which allocates and frees a little.
    assert!(ALLOCATOR.allocated() <= before + TOLERANCE);
    assert!(tracker.is_empty() && deleting.is_empty());
}

#[test]
fn a_tracker_drops_the_whole_set_of_a_service() {
    let _alone = ALONE.lock();
    let mut tracker = SliceTracker::default();
    check_batches(|batch| {
        for number in 0..*BATCH {
            let name = name(batch, number);
            tracker.update(&slice(&name));
            let mut other = slice(&name);
            other.metadata.uid = format!("{name}-y").into();
            tracker.expect_deletion(&other);
        }
        assert_eq!(tracker.len(), *BATCH);
        for number in 0..*BATCH {
            tracker.delete_service(&key(&name(batch, number)));
        }
        assert!(tracker.is_empty());
    });
}
