//! Changes of slices: our own, others', and those whose events are in transit.

use serde_json::{Value, json};

use super::*;

#[test]
fn changes_of_slices_by_others_wait_a_second_or_the_batch_period() {
    for (period, expected) in [("0s", "2000"), ("300ms", "2000"), ("5s", "6000")] {
        let mut run = Run::new(json!({"endpointUpdatesBatchPeriod": period}));
        run.event(0, "ADDED", service("cart"))
            .check(&["0 shop/cart success +1 ~0 -0"])
            .event(1000, "ADDED", slice("other", "cart", 1))
            .until(10_000)
            .check(&[&format!("{expected} shop/cart success +0 ~1 -1")]);
    }
}

#[test]
fn a_slice_of_another_manager_is_not_ours_until_it_is() {
    let mut run = settled(json!({}));
    let mut foreign = slice("other", "cart", 1);
    let label = "endpointslice.kubernetes.io/managed-by";
    foreign["metadata"]["labels"][label] = "somebody".into();
    run.event(1000, "ADDED", foreign.clone())
        .until(5000)
        .check(&[])
        .event(5000, "MODIFIED", slice("other", "cart", 1))
        .until(6000)
        .check(&["6000 shop/cart success +0 ~0 -1"])
        .event(7000, "ADDED", foreign)
        .event(7000, "MODIFIED", slice("other", "cart", 1))
        .event(7500, "DELETED", slice("other", "cart", 1))
        .until(9000)
        .check(&["8000 shop/cart success +0 ~0 -0"]);
}

#[test]
fn a_slice_that_changes_its_service_queues_both() {
    let mut run = settled(json!({}));
    run.event(100, "ADDED", service("till"));
    run.check(&["100 shop/till success +1 ~0 -0"]);
    let mut moved = slice("cart-bbbbc", "till", 1);
    moved["metadata"]["uid"] = "00000000-0000-4000-8000-000000000001".into();
    run.event(1000, "MODIFIED", moved).until(3000).check(&[
        "2000 shop/till success +0 ~1 -1",
        "2000 shop/cart success +1 ~0 -0",
    ]);
}

/// A finalizer that is never removed does not prevent the Service from being synced.
#[test]
fn a_slice_that_leaves_its_service_is_not_waited_for() {
    let label = "endpointslice.kubernetes.io/managed-by";
    let leaves: [(&str, Value); 2] = [
        ("/metadata/deletionTimestamp", "2026-01-02T03:04:05Z".into()),
        (
            "/metadata/labels",
            json!({"kubernetes.io/service-name": "cart", label: "somebody"}),
        ),
    ];
    for (place, value) in leaves {
        let mut run = settled(json!({}));
        let mut left = slice("cart-bbbbc", "cart", 2);
        left["metadata"]["uid"] = "00000000-0000-4000-8000-000000000001".into();
        left["metadata"]["deletionTimestamp"] = Value::Null;
        *left.pointer_mut(place).unwrap() = value;
        run.event(1000, "MODIFIED", left.clone())
            .until(3000)
            .check(&["2000 shop/cart success +1 ~0 -0"])
            .event(4000, "DELETED", left)
            .until(6000)
            .check(&[]);
    }
}

#[test]
fn slices_that_wait_for_their_finalizers_are_left_alone() {
    let mut run = settled(json!({}));
    let mut doomed = slice("doomed", "cart", 1);
    doomed["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    doomed["metadata"]["finalizers"] = json!(["a/b"]);
    run.event(1000, "ADDED", doomed)
        .until(3000)
        .check(&["2000 shop/cart success +0 ~0 -0"])
        .check_slices(&["cart-bbbbc 1 1", "doomed 1 0"]);
}

#[test]
fn a_slice_deleted_by_another_is_made_again() {
    let mut run = settled(json!({}));
    run.event(1000, "DELETED", slice("cart-bbbbc", "cart", 1))
        .until(3000)
        .check(&["2000 shop/cart success +1 ~0 -0"])
        .check_slices(&["cart-bbbbd 1 1"]);
}

#[test]
fn a_cache_that_lags_is_stale() {
    let mut run = Run::new(json!({"watchLag": "2500ms"}));
    run.event(0, "ADDED", node("n1"))
        .event(0, "ADDED", service("cart"))
        .check(&["0 shop/cart success +1 ~0 -0"])
        .event(100, "ADDED", pod(1))
        .until(10_000)
        .check(&[
            "100 shop/cart stale",
            "100 retry 1 1s",
            "1100 shop/cart stale",
            "1100 retry 2 2s",
            "3100 shop/cart success +0 ~1 -0",
        ]);
}

#[test]
fn what_is_written_does_not_wake_the_controller() {
    let mut run = settled(json!({}));
    run.until(60_000)
        .check(&[])
        .check_slices(&["cart-bbbbc 1 1"]);
}

#[test]
fn another_slice_under_a_known_name_ends_the_wait_for_the_one_before() {
    let mut run = settled(json!({}));
    let mut other = slice("cart-bbbbc", "cart", 1);
    other["metadata"]["uid"] = "another".into();
    // Its owner is different as well, so it is replaced.
    run.event(1000, "MODIFIED", other)
        .until(3000)
        .check(&["2000 shop/cart success +1 ~0 -1"]);
}
