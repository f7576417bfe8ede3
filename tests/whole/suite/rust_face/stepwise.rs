//! Writing step by step: the order of writes, what each failure ends, and what trackers learn.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use k8s_openapi::api::discovery::v1::EndpointSlice;
use serde_json::Value;

use super::requests::grown;
use super::routes::typed;
use crate::k8s::{Answer, Operation, Plan, Planner, View, Writing, metadata_of};
use crate::model::NamespacedName;
use crate::tracker::SliceTracker;

fn plan() -> Plan {
    typed(&grown().to_string()).unwrap().0
}

fn described(operation: &Operation<'_>) -> String {
    format!(
        "{} {} {}",
        operation.verb(),
        operation.address_type(),
        operation.name()
    )
}

/// The requested writes, if those with these numbers get an answer other than `Done`.
#[track_caller]
fn check<'p>(
    plan: &'p Plan,
    answer: impl Fn(&str) -> Answer<&'static str>,
    expected: &[&str],
) -> Writing<'p, &'static str> {
    let mut writing = plan.writing();
    let mut asked = Vec::new();
    while let Some(operation) = writing.operation() {
        assert_eq!(
            writing.operation(),
            Some(operation),
            "the same until it is answered"
        );
        asked.push(described(&operation));
        writing.record(answer(&described(&operation)));
    }
    assert_eq!(asked, expected);
    writing
}

const ALL: [&str; 8] = [
    "create IPv4 cart-",
    "create IPv4 cart-",
    "update IPv4 cart-a",
    "delete IPv4 cart-old",
    "create IPv6 cart-",
    "create IPv6 cart-",
    "create IPv6 cart-",
    "delete FQDN cart-names",
];

#[test]
fn in_order() {
    let plan = plan();
    let applied = check(&plan, |_| Answer::Done(None), &ALL).finish().unwrap();
    assert_eq!(
        (
            applied.created.len(),
            applied.updated.len(),
            applied.deleted.len(),
            applied.skipped
        ),
        (5, 1, 2, 0)
    );
    assert_eq!(
        applied.updated, plan.update,
        "without an answer, the slice counts as stored as it was sent"
    );
    assert_eq!(
        plan.operations()
            .map(|operation| described(&operation))
            .collect::<Vec<_>>(),
        ALL
    );
}

#[test]
fn a_failure_ends_its_family() {
    let plan = plan();
    let answer = |operation: &str| {
        if operation.starts_with("update") {
            Answer::Refused("conflict")
        } else {
            Answer::Done(None)
        }
    };
    let error = check(
        &plan,
        answer,
        &[ALL[0], ALL[1], ALL[2], ALL[4], ALL[5], ALL[6], ALL[7]],
    )
    .finish()
    .unwrap_err();
    assert_eq!(
        (
            error.applied.created.len(),
            error.applied.updated.len(),
            error.applied.deleted.len(),
            error.applied.skipped
        ),
        (5, 0, 1, 1)
    );
    assert_eq!(
        error.to_string(),
        "failed to update EndpointSlice cart-a: conflict"
    );

    let error = check(&plan, |_| Answer::Refused("no"), &[ALL[0], ALL[4], ALL[7]])
        .finish()
        .unwrap_err();
    assert_eq!(error.applied.skipped, 5);
    assert_eq!(
        error.to_string(),
        "failed to create EndpointSlice cart-: no; failed to create EndpointSlice cart-: no; failed to delete EndpointSlice cart-names: no"
    );
}

#[test]
fn a_terminating_namespace_ends_its_families_quietly() {
    let plan = plan();
    let answer = |operation: &str| {
        if operation.starts_with("create") {
            Answer::NamespaceTerminating
        } else {
            Answer::Done(None)
        }
    };
    let applied = check(&plan, answer, &[ALL[0], ALL[4], ALL[7]])
        .finish()
        .unwrap();
    assert!(applied.namespace_terminating);
    assert_eq!(
        (
            applied.created.len(),
            applied.deleted.len(),
            applied.skipped
        ),
        (0, 1, 5)
    );
}

#[test]
fn what_is_not_answered_is_not_done() {
    let plan = plan();
    let mut writing = plan.writing::<()>();
    writing.record(Answer::Done(None));
    assert!(writing.operation().is_some());
    writing.record(Answer::Done(None));
    assert!(writing.operation().is_some());
    let applied = writing.finish().unwrap();
    assert_eq!((applied.created.len(), applied.skipped), (1, ALL.len() - 1));
}

#[test]
fn a_slice_of_a_family_the_planner_does_not_know_is_written_all_the_same() {
    let mut plan = plan();
    let mut slice = plan.create[0].clone();
    slice.address_type = "FQDN".into();
    plan.create.push(slice);
    let verbs = ["create FQDN cart-", "delete FQDN cart-names"];
    let expected: Vec<&str> = ALL[..7].iter().chain(&verbs).copied().collect();
    check(&plan, |_| Answer::Done(None), &expected);
}

/// An API whose answers take time.
struct Api;

impl Api {
    async fn write(&self, slice: &EndpointSlice, uid: &str) -> Result<EndpointSlice, ()> {
        let mut waited = false;
        std::future::poll_fn(|context| {
            if std::mem::replace(&mut waited, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let mut stored = slice.clone();
        stored.metadata.uid = Some(uid.to_owned());
        stored.metadata.generation = Some(stored.metadata.generation.unwrap_or_default() + 1);
        Ok(stored)
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

#[test]
fn async_writes_teach_the_tracker() {
    let plan = plan();
    let applied = block_on(async {
        let mut writing = plan.writing();
        let mut number = 0;
        while let Some(operation) = writing.operation() {
            number += 1;
            let answer: Answer<()> = match operation {
                Operation::Create(slice) => Api.write(slice, &format!("new-{number}")).await.into(),
                Operation::Update(slice) => Api
                    .write(slice, slice.metadata.uid.as_deref().unwrap())
                    .await
                    .into(),
                Operation::Delete { namespace, .. } => {
                    assert_eq!(namespace, "shop");
                    Ok(()).into()
                }
            };
            writing.record(answer);
        }
        writing.finish().unwrap()
    });

    let mut tracker = SliceTracker::default();
    applied.record(&plan.service, &mut tracker);
    let service = NamespacedName {
        namespace: "shop".into(),
        name: "cart".into(),
    };
    let is_stale = |slices: &[EndpointSlice]| {
        let seen: Vec<_> = slices.iter().map(metadata_of).collect();
        tracker.stale_slices(&service, &seen)
    };
    let existing = |name: &str| -> EndpointSlice {
        let request = grown();
        let slices = request["slices"].as_array().unwrap();
        let slice = slices
            .iter()
            .find(|slice| slice["metadata"]["name"] == name)
            .unwrap_or(&Value::Null);
        serde_json::from_value(slice.clone()).unwrap()
    };
    let stored: Vec<EndpointSlice> = applied
        .created
        .iter()
        .chain(&applied.updated)
        .cloned()
        .collect();
    assert!(!is_stale(&stored), "all that was written is listed");
    assert!(is_stale(&stored[1..]), "a slice we created is missing");
    let with = |slice: EndpointSlice| [applied.created.clone(), vec![slice]].concat();
    assert!(
        is_stale(&with(existing("cart-a"))),
        "the update is not listed yet"
    );
    assert!(
        is_stale(&[stored, vec![existing("cart-old")]].concat()),
        "the delete is not listed yet"
    );
}

#[test]
fn plans_and_writes_go_from_thread_to_thread() {
    fn check<T: Send + Sync>() {}
    check::<Plan>();
    check::<Planner<'_>>();
    check::<View<'_>>();
    check::<Writing<'_, String>>();
}
