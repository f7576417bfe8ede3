//! Writing a plan of the core: the order of writes, what a refusal ends, and what trackers learn.

use serde_json::{Value, json};

use crate::api::{Limits, with_plan};
use crate::model::{AddressType, EndpointSlice, NamespacedName};
use crate::plan::apply::Writer;
use crate::plan::request::Options;
use crate::plan::writing::{Answer, StoredSlice};
use crate::plan::{Plan, SliceRef};
use crate::tracker::SliceTracker;

/// A Service of two families with a slice to update, one to delete, and one of a family that it does not have.
fn request() -> Value {
    let slice = |name: &str, family: &str, owner: &str| {
        json!({
            "metadata": {
                "namespace": "shop", "name": name, "uid": format!("uid-{name}"), "resourceVersion": "7", "generation": 4,
                "labels": {"kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
                "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": owner, "controller": true, "blockOwnerDeletion": true}],
            },
            "addressType": family,
            "endpoints": [{"addresses": ["10.0.0.9"], "conditions": {"ready": true}}],
            "ports": [{"name": "", "protocol": "TCP", "port": 80}],
        })
    };
    let pod = |number: usize| {
        json!({
            "metadata": {"namespace": "shop", "name": format!("pod-{number}"), "uid": format!("p{number}"), "labels": {"app": "cart"}},
            "spec": {"nodeName": "node"},
            "status": {"podIPs": [{"ip": format!("10.0.0.{number}")}, {"ip": format!("fd00::{number}")}], "conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    json!({
        "service": {
            "metadata": {"namespace": "shop", "name": "cart", "uid": "s1"},
            "spec": {"selector": {"app": "cart"}, "clusterIP": "10.96.0.1", "ipFamilies": ["IPv4", "IPv6"], "ports": [{"port": 80, "protocol": "TCP"}]},
        },
        "pods": [pod(1), pod(2)],
        "nodes": [{"metadata": {"name": "node"}}],
        "slices": [slice("cart-a", "IPv4", "s1"), slice("cart-old", "IPv4", "s0"), slice("cart-names", "FQDN", "s1")],
        "options": {"maxEndpointsPerSlice": 1},
    })
}

/// Answers like an API server; refuses the configured writes.
#[derive(Default)]
struct Server {
    log: Vec<String>,
    refused: Vec<&'static str>,
    terminating: bool,
}

impl Server {
    fn write(&mut self, what: String) -> Result<(), &'static str> {
        let refused = self.refused.iter().any(|refused| *refused == what);
        let terminating = self.terminating && what.starts_with("create");
        self.log.push(what);
        match (terminating, refused) {
            (true, _) => Err("terminating"),
            (_, true) => Err("refused"),
            _ => Ok(()),
        }
    }
}

impl Writer for Server {
    type Error = &'static str;

    fn create(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, &'static str> {
        let number = self.log.len();
        self.write(format!("create {}", slice.address_type))?;
        let mut stored = slice.clone().into_owned();
        stored.metadata.name = format!("{}{number}", slice.metadata.generate_name).into();
        stored.metadata.uid = format!("new-{number}").into();
        stored.metadata.generation = Some(1);
        Ok(stored.into())
    }

    fn update(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, &'static str> {
        self.write(format!("update {}", slice.name()))?;
        let mut stored = slice.clone().into_owned();
        stored.metadata.generation = slice.metadata.generation.map(|generation| generation + 1);
        Ok(stored.into())
    }

    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), &'static str> {
        self.write(format!("delete {namespace}/{}", slice.name))
    }

    fn is_namespace_terminating(&self, error: &&'static str) -> bool {
        *error == "terminating"
    }
}

/// Runs `then` on the plan of [`request`], after `change`.
fn planned<T>(change: impl FnOnce(&mut Plan<'_>), then: impl FnOnce(&Plan<'_>) -> T) -> T {
    let request = request().to_string();
    let (options, limits) = (Options::default(), Limits::default());
    with_plan(request.as_bytes(), &options, limits, |plan, _| {
        let mut plan = plan.clone();
        change(&mut plan);
        then(&plan)
    })
    .unwrap()
}

/// The requests to the server; then the outcome: created, updated, deleted, skipped, families not written completely;
/// then the failures.
#[track_caller]
fn check(change: impl FnOnce(&mut Plan<'_>), mut server: Server, log: &[&str], answer: &str) {
    let said = planned(change, |plan| {
        let result = plan.apply(&mut server);
        let (applied, failures) = match &result {
            Ok(applied) => (applied, String::new()),
            Err(error) => (&error.applied, format!(": {error}")),
        };
        let (created, updated) = (applied.created.len(), applied.updated.len());
        let (deleted, skipped) = (applied.deleted.len(), applied.skipped);
        assert_eq!(server.log.len() + skipped, plan.operations().count());
        assert_eq!(applied.namespace_terminating, server.terminating);
        let families = AddressType::ALL.into_iter();
        let incomplete = families.filter(|family| applied.incomplete.contains(*family));
        let incomplete: String = incomplete.map(|family| format!(" {family:?}?")).collect();
        format!("{created} {updated} {deleted} {skipped}{incomplete}{failures}")
    });
    assert_eq!(server.log, log);
    assert_eq!(said, answer);
}

fn unchanged(_: &mut Plan<'_>) {}

const ALL: [&str; 6] = [
    "create IPv4",
    "update cart-a",
    "delete shop/cart-old",
    "create IPv6",
    "create IPv6",
    "delete shop/cart-names",
];

#[test]
fn in_order() {
    check(unchanged, Server::default(), &ALL, "3 1 2 0");
}

#[test]
fn a_refusal_ends_its_family() {
    let refused = |refused: &[&'static str]| Server {
        refused: refused.to_vec(),
        ..Server::default()
    };
    check(
        unchanged,
        refused(&["update cart-a"]),
        &[ALL[0], ALL[1], ALL[3], ALL[4], ALL[5]],
        "3 0 1 1 IPv4?: failed to update EndpointSlice cart-a: refused",
    );
    check(
        unchanged,
        refused(&["create IPv6", "delete shop/cart-names"]),
        &[ALL[0], ALL[1], ALL[2], ALL[3], ALL[5]],
        "1 1 1 1 IPv6?: failed to create EndpointSlice cart-: refused; failed to delete EndpointSlice cart-names: refused",
    );
}

#[test]
fn a_terminating_namespace_is_no_error() {
    let server = Server {
        terminating: true,
        ..Server::default()
    };
    check(
        unchanged,
        server,
        &[ALL[0], ALL[3], ALL[5]],
        "0 0 1 3 IPv4? IPv6?",
    );
}

#[test]
fn no_write_is_dropped_for_want_of_a_hints_report() {
    check(
        |plan| plan.hints.clear(),
        Server::default(),
        &ALL,
        "3 1 2 0",
    );
    let with_names = |plan: &mut Plan<'_>| {
        let mut slice = plan.create[0].clone();
        slice.address_type = "FQDN".into();
        plan.create.push(slice);
    };
    let log = [&ALL[..5], &["create FQDN", ALL[5]]].concat();
    check(with_names, Server::default(), &log, "4 1 2 0");
    let server = Server {
        refused: vec!["create FQDN"],
        ..Server::default()
    };
    check(
        with_names,
        server,
        &log[..6],
        "3 1 1 1: failed to create EndpointSlice cart-: refused",
    );
}

#[test]
fn what_was_never_tried_is_incomplete() {
    let incomplete = |writes: usize| {
        planned(unchanged, |plan| {
            let mut writing = plan.writing::<()>();
            for _ in 0..writes {
                assert!(writing.operation().is_some());
                writing.record(Answer::Done(None));
            }
            let incomplete = writing.finish().unwrap().incomplete;
            AddressType::ALL.map(|family| incomplete.contains(family))
        })
    };
    assert_eq!(incomplete(2), [true, true]);
    assert_eq!(incomplete(3), [false, true]);
    // The remaining writes are of a family that the Service does not have.
    assert_eq!(incomplete(5), [false, false]);
}

#[test]
fn the_stored_slices_teach_the_tracker() {
    let mut tracker = SliceTracker::default();
    let applied = planned(unchanged, |plan| {
        let applied = plan.apply(&mut Server::default()).unwrap();
        applied.record(&plan.service, &mut tracker);
        applied
    });
    let service = NamespacedName {
        namespace: "shop".into(),
        name: "cart".into(),
    };
    let created: Vec<&EndpointSlice<'_>> = applied.created.iter().map(|slice| &**slice).collect();
    let mut listed = created.clone();
    listed.extend(applied.updated.iter().map(|slice| &**slice));
    assert!(
        !tracker.stale_slices(&service, listed.iter().copied()),
        "all that was written is listed"
    );
    assert!(
        tracker.stale_slices(&service, listed.iter().copied().skip(1)),
        "a slice we created is missing"
    );
    let mut older = EndpointSlice::clone(&applied.updated[0]);
    older.metadata.generation = Some(4);
    assert!(
        tracker.stale_slices(&service, created.into_iter().chain([&older])),
        "the update is not listed yet"
    );
    let mut doomed = older;
    doomed.metadata.uid = applied.deleted[0].uid.clone();
    assert!(
        tracker.stale_slices(&service, listed.into_iter().chain([&doomed])),
        "the delete is not listed yet"
    );
}
