//! Properties of every plan, over random clusters.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;

use super::cluster::request;
use super::wanted::{list, published, wanted};
use crate::api;

fn plan(request: &Value) -> Value {
    let bytes = api::plan(&serde_json::to_vec(request).unwrap()).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The request after its plan has been applied, with names for new slices and the plan's state.
pub(super) fn applied(request: &Value, plan: &Value) -> Value {
    let name = |slice: &Value| slice["metadata"]["name"].as_str().unwrap().to_owned();
    let mut slices: BTreeMap<String, Value> = request["slices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slice| (name(slice), slice.clone()))
        .collect();
    for slice in plan["delete"].as_array().unwrap() {
        slices.remove(slice["name"].as_str().unwrap());
    }
    for slice in plan["update"].as_array().unwrap() {
        slices.insert(name(slice), slice.clone());
    }
    for (number, slice) in plan["create"].as_array().unwrap().iter().enumerate() {
        let mut slice = slice.clone();
        slice["metadata"]["name"] = format!("created-{}-{number}", slices.len()).into();
        slices.insert(name(&slice), slice);
    }
    let mut next = request.clone();
    next["slices"] = slices.into_values().collect();
    next["state"] = plan["state"].clone();
    next
}

fn is_empty(plan: &Value) -> bool {
    ["create", "update", "delete"]
        .iter()
        .all(|writes| list(&plan[*writes]).is_empty())
}

/// A slice without its endpoints' hints.
fn without_hints(slice: &Value) -> Value {
    let mut slice = slice.clone();
    for endpoint in slice["endpoints"].as_array_mut().unwrap() {
        endpoint.as_object_mut().unwrap().remove("hints");
    }
    slice
}

/// Are all writes updates of slices that, seen through `view`, exist already?
fn rewrites_only(plan: &Value, request: &Value, view: fn(&Value) -> Value) -> bool {
    let (creates, deletes) = (list(&plan["create"]), list(&plan["delete"]));
    let is_there = |slice: &Value| {
        list(&request["slices"])
            .iter()
            .any(|before| view(before) == view(slice))
    };
    creates.is_empty() && deletes.is_empty() && list(&plan["update"]).iter().all(is_there)
}

/// Does mode `Auto` examine existing hints? It does not if it gives up before, for lack of nodes or endpoints.
fn judges_hints(plan: &Value) -> bool {
    list(&plan["hints"]).iter().any(|report| {
        let reason = report["reason"].as_str().unwrap_or_default();
        report["mode"] == "Auto"
            && (report["applied"] == true || reason.contains("do not have a zone"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_121), ..ProptestConfig::default() })]

    #[test]
    fn applying_a_plan_leaves_nothing_to_do(request in request()) {
        let first = plan(&request);
        let second_request = applied(&request, &first);
        let second = plan(&second_request);
        if !judges_hints(&second) {
            prop_assert!(is_empty(&second), "{}", second);
            return Ok(());
        }
        // Where mode `Auto` examines the hints it has assigned, it may have more to do, like the reference. A slice
        // with invalid hints is written at every sync, even if unchanged: one with an endpoint that has no zone, or
        // whose zone has no ready node. And a zone may keep one endpoint more than its maximum, because halves are not
        // moved; the next sync then assigns the hints of one of its slices again. Only hints may change, and not a
        // third time.
        prop_assert!(rewrites_only(&second, &second_request, without_hints), "{}", second);
        let third_request = applied(&second_request, &second);
        let third = plan(&third_request);
        prop_assert!(rewrites_only(&third, &third_request, Value::clone), "{}", third);
    }

    #[test]
    fn nothing_is_lost_or_doubled(request in request()) {
        let after = applied(&request, &plan(&request));
        prop_assert_eq!(published(&after), wanted(&request));
    }

    #[test]
    fn no_slice_grows_above_the_maximum(request in request()) {
        let max = request["options"]["maxEndpointsPerSlice"].as_u64().unwrap() as usize;
        let plan = plan(&request);
        let size = |slice: &Value| slice["endpoints"].as_array().unwrap().len();
        for slice in plan["create"].as_array().unwrap() {
            prop_assert!(size(slice) <= max);
        }
        for slice in plan["update"].as_array().unwrap() {
            let before = request["slices"].as_array().unwrap().iter().find(|before| before["metadata"]["name"] == slice["metadata"]["name"]);
            prop_assert!(size(slice) <= max.max(before.map_or(0, size)));
        }
    }

    #[test]
    fn compact_slices_are_at_most_one_more_than_needed(mut request in request()) {
        request["options"]["packing"] = "compact".into();
        let max = request["options"]["maxEndpointsPerSlice"].as_u64().unwrap() as usize;
        let plan = plan(&request);
        let after = applied(&request, &plan);
        let kept: Vec<&str> = list(&plan["unchanged"]).iter().map(|name| name.as_str().unwrap()).collect();
        let written = |slice: &&Value| !list(&request["slices"]).contains(slice);
        let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for slice in list(&after["slices"]).iter().filter(|slice| written(slice) || kept.contains(&slice["metadata"]["name"].as_str().unwrap())) {
            let ports: std::collections::BTreeSet<String> = list(&slice["ports"]).iter().map(Value::to_string).collect();
            let (slices, endpoints) = groups.entry(format!("{} {ports:?}", slice["addressType"])).or_default();
            *slices += 1;
            *endpoints += list(&slice["endpoints"]).len();
        }
        for (ports, (slices, endpoints)) in groups {
            prop_assert!(slices <= endpoints.div_ceil(max) + 1, "{endpoints} endpoints in {slices} slices of {ports}");
        }
    }

    #[test]
    fn compact_writes_a_slice_once_and_more_than_upstream_only_where_it_must(mut request in request()) {
        request["options"]["packing"] = "upstream".into();
        let upstream = plan(&request);
        request["options"]["packing"] = "compact".into();
        let compact = plan(&request);
        let name = |slice: &Value| slice["metadata"]["name"].as_str().or_else(|| slice["name"].as_str()).unwrap().to_owned();
        let written: Vec<String> = list(&compact["update"]).iter().chain(list(&compact["delete"])).map(name).collect();
        prop_assert_eq!(written.iter().collect::<std::collections::BTreeSet<_>>().len(), written.len());
        prop_assert!(list(&compact["create"]).len() <= list(&upstream["create"]).len());
        let max = request["options"]["maxEndpointsPerSlice"].as_u64().unwrap();
        let (slices, endpoints) = (upstream["stats"]["slices"].as_u64().unwrap(), upstream["stats"]["endpoints"].as_u64().unwrap());
        // Over all groups, which is less than the sum of what each of them may have.
        if slices <= endpoints.div_ceil(max) + 1 {
            let writes = |plan: &Value| ["create", "update", "delete"].map(|field| list(&plan[field]).len()).iter().sum::<usize>();
            prop_assert!(writes(&compact) <= writes(&upstream), "{} and {}", writes(&compact), writes(&upstream));
        }
    }

    #[test]
    fn endpoints_move_only_out_of_slices_that_go(request in request()) {
        let identity = |endpoint: &Value| format!("{} {}", endpoint["addresses"], endpoint["targetRef"]["name"]);
        let has = |slice: &Value, wanted: &str| list(&slice["endpoints"]).iter().any(|endpoint| identity(endpoint) == wanted);
        let plan = plan(&request);
        let before_of = |slice: &Value| list(&request["slices"]).iter().find(|before| before["metadata"]["name"] == slice["metadata"]["name"]);
        let written: Vec<&Value> = list(&plan["create"]).iter().chain(list(&plan["update"])).collect();
        for slice in list(&plan["update"]) {
            let before = before_of(slice).unwrap();
            if before["ports"] != slice["ports"] {
                continue;
            }
            for left in list(&before["endpoints"]).iter().map(identity).filter(|left| !has(slice, left)) {
                let moved = written.iter().any(|other| {
                    *other != slice && other["ports"] == slice["ports"] && has(other, &left) && !before_of(other).is_some_and(|before| has(before, &left))
                });
                prop_assert!(!moved, "{left} left {} for another slice", slice["metadata"]["name"]);
            }
        }
    }

    #[test]
    fn the_order_of_the_input_does_not_matter(request in request(), seed in any::<u64>()) {
        let mut shuffled = request.clone();
        for list in ["pods", "nodes", "slices"] {
            let items = shuffled[list].as_array_mut().unwrap();
            if !items.is_empty() {
                let by = (seed % items.len() as u64) as usize;
                items.rotate_left(by);
                items.reverse();
            }
        }
        let bytes = |request: &Value| api::plan(&serde_json::to_vec(request).unwrap()).unwrap();
        prop_assert_eq!(String::from_utf8(bytes(&request)).unwrap(), String::from_utf8(bytes(&shuffled)).unwrap());
    }

    #[test]
    fn updates_keep_what_is_not_ours(request in request()) {
        for slice in plan(&request)["update"].as_array().unwrap() {
            let before = request["slices"].as_array().unwrap().iter().find(|before| before["metadata"]["name"] == slice["metadata"]["name"]).unwrap();
            for kept in ["uid", "resourceVersion", "finalizers"] {
                prop_assert_eq!(&slice["metadata"][kept], &before["metadata"][kept]);
            }
            for endpoint in slice["endpoints"].as_array().unwrap() {
                let stayed = before["endpoints"].as_array().unwrap().iter().any(|old| {
                    old["addresses"] == endpoint["addresses"] && old["targetRef"]["name"] == endpoint["targetRef"]["name"]
                });
                let recycled = before["ports"] != slice["ports"];
                if stayed && !recycled && endpoint["futureField"].is_null() {
                    let reasons = plan(&request)["reasons"][slice["metadata"]["name"].as_str().unwrap()].to_string();
                    prop_assert!(reasons.contains("Recycled"), "an unknown field was lost: {}", reasons);
                }
            }
        }
    }
}
