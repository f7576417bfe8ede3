//! How callers change a plan before it is applied, and the effect on the next plan.

use k8s_openapi::api::core::v1::{Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use serde_json::{Value, json};

use super::noise::{after, among_others};
use super::requests::{all, grown};
use super::routes::{check, typed};
use crate::k8s::{Operation, Options, Plan, Planner};
use crate::plan::Reason;

fn plan(request: &Value) -> Plan {
    typed(&request.to_string()).unwrap().0
}

#[test]
fn a_veto_drops_writes_and_their_reasons() {
    let request = grown();
    let whole = plan(&request);
    assert!(
        whole.create.len() > 2 && !whole.update.is_empty() && !whole.delete.is_empty(),
        "{whole:?}"
    );

    let mut changed = whole.clone();
    assert_eq!(changed.retain(|_| true), 0);
    assert_eq!(changed, whole);

    let (first, rest) = whole.create.split_first().unwrap();
    assert_eq!(
        changed.retain(|operation| operation.slice() != Some(first)),
        1
    );
    assert_eq!(changed.create, rest);
    assert_eq!(changed.reasons.len(), whole.reasons.len() - 1);
    assert!(
        !changed
            .reasons
            .contains_key(&format!("create/{}", rest.len()))
    );
    for operation in changed.operations() {
        assert!(!changed.reasons_for(&operation).is_empty(), "{operation:?}");
    }

    assert_eq!(
        changed.retain(|operation| matches!(operation, Operation::Update(_))),
        rest.len() + whole.delete.len()
    );
    assert_eq!(changed.update, whole.update);
    assert_eq!(changed.reasons.len(), whole.update.len());

    assert_eq!(changed.retain(|_| false), whole.update.len());
    assert!(changed.is_empty() && changed.reasons.is_empty());
    assert_eq!(changed.operations().count(), 0);
    // The reasons still hold, so the next plan is the same.
    assert_eq!(
        plan(&after(&request, &changed)).update.len(),
        whole.update.len()
    );
}

#[test]
fn annotations_of_others_stay() {
    let request = grown();
    let mut first = plan(&request);
    for slice in first.slices_mut() {
        slice
            .metadata
            .annotations
            .get_or_insert_default()
            .insert("example.com/a".into(), "b".into());
    }
    let mut next = after(&request, &first);
    assert!(
        plan(&next).is_empty(),
        "an annotation is no reason to write"
    );
    next["service"]["metadata"]["labels"] = json!({"team": "blue"});
    let (second, _) = check("a label of the Service", &next);
    assert!(!second.update.is_empty());
    for slice in &second.update {
        assert_eq!(
            slice
                .metadata
                .annotations
                .as_ref()
                .unwrap()
                .get("example.com/a")
                .map(String::as_str),
            Some("b")
        );
    }
}

#[test]
fn labels_that_only_the_slice_has_are_taken_away_again() {
    let request = grown();
    let mut first = plan(&request);
    for slice in first.slices_mut() {
        slice
            .metadata
            .labels
            .get_or_insert_default()
            .insert("example.com/a".into(), "b".into());
    }
    let second = plan(&after(&request, &first));
    assert!(!second.update.is_empty());
    for (operation, slice) in second.operations().zip(&second.update) {
        assert_eq!(second.reasons_for(&operation), [Reason::LabelsChanged]);
        assert!(
            !slice
                .metadata
                .labels
                .as_ref()
                .unwrap()
                .contains_key("example.com/a")
        );
    }
}

#[test]
fn a_plan_outlives_its_input() {
    let plans: Vec<Plan> = all()
        .into_iter()
        .map(|(_, request)| plan(&request))
        .collect();
    assert!(
        plans
            .iter()
            .any(|plan| !plan.hints.is_empty() && !plan.events.is_empty())
    );
}

#[test]
fn a_view_shows_what_concerns_the_service() {
    let request = among_others(grown());
    let of = |list: &str| request[list].as_array().unwrap().clone();
    let pods: Vec<Pod> = of("pods")
        .into_iter()
        .map(|pod| serde_json::from_value(pod).unwrap())
        .collect();
    let slices: Vec<EndpointSlice> = of("slices")
        .into_iter()
        .map(|slice| serde_json::from_value(slice).unwrap())
        .collect();
    let service: Service = serde_json::from_value(request["service"].clone()).unwrap();
    let planner = Planner::new(Options::default()).unwrap();
    let view = planner.read(&service, &pods, &slices).unwrap();
    assert_eq!(view.key().to_string(), "shop/cart");
    assert_eq!(view.service().metadata.uid, "s1");
    let pods: Vec<&str> = view
        .pods()
        .iter()
        .map(|pod| pod.metadata.name.as_str())
        .collect();
    assert_eq!(pods, ["cart-1", "cart-2", "cart-3"]);
    let slices: Vec<&str> = view.slices().iter().map(|slice| slice.name()).collect();
    assert_eq!(slices, ["cart-a", "cart-old", "cart-names"]);
}
