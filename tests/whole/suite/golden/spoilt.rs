//! Spoilt plans must not match: a comparison that ignores too much proves nothing.

use serde_json::{Value, json};

use super::{cases, misses, plans};

/// Spoils a plan; returns false if there is nothing to spoil.
type Spoil = fn(&mut Value) -> bool;

fn first<'v>(plan: &'v mut Value, list: &str) -> Option<&'v mut Value> {
    plan[list].as_array_mut()?.first_mut()
}

fn with_first(plan: &mut Value, list: &str, spoil: impl FnOnce(&mut Value)) -> bool {
    first(plan, list).map(spoil).is_some()
}

fn drop_first(plan: &mut Value, list: &str) -> bool {
    let items = plan[list].as_array_mut().unwrap();
    let any = !items.is_empty();
    items.drain(..usize::from(any));
    any
}

/// Spoils the first endpoint that is written.
fn with_endpoint(plan: &mut Value, spoil: impl FnOnce(&mut Value)) -> bool {
    let written = if plan["update"][0]["endpoints"][0].is_null() {
        "create"
    } else {
        "update"
    };
    let endpoint = plan.pointer_mut(&format!("/{written}/0/endpoints/0"));
    endpoint.map(spoil).is_some()
}

const SPOILS: &[(&str, Spoil)] = &[
    ("create dropped", |plan| drop_first(plan, "create")),
    ("update dropped", |plan| drop_first(plan, "update")),
    ("delete dropped", |plan| drop_first(plan, "delete")),
    ("unchanged dropped", |plan| drop_first(plan, "unchanged")),
    ("event dropped", |plan| drop_first(plan, "events")),
    ("error dropped", |plan| drop_first(plan, "errors")),
    ("update forgotten", |plan| {
        let Some(name) = first(plan, "update").map(|slice| slice["metadata"]["name"].clone())
        else {
            return false;
        };
        plan["unchanged"].as_array_mut().unwrap().push(name);
        drop_first(plan, "update")
    }),
    ("endpoint doubled", |plan| {
        with_first(plan, "create", |slice| {
            let endpoints = slice["endpoints"].as_array_mut().unwrap();
            endpoints.extend(endpoints.first().cloned().or_else(|| Some(json!({}))));
        })
    }),
    ("endpoints swapped", |plan| {
        let Some([one, other]) = plan["update"].as_array_mut().map(Vec::as_mut_slice) else {
            return false;
        };
        let swaps = one["addressType"] == other["addressType"]
            && one["ports"] == other["ports"]
            && one["endpoints"] != json!([])
            && other["endpoints"] != json!([]);
        if swaps {
            core::mem::swap(&mut one["endpoints"], &mut other["endpoints"]);
        }
        swaps
    }),
    ("address", |plan| {
        with_endpoint(plan, |endpoint| {
            endpoint["addresses"] = json!(["192.0.2.1"])
        })
    }),
    ("ready", |plan| {
        with_endpoint(plan, |endpoint| {
            let ready = endpoint["conditions"]["ready"] == true;
            endpoint["conditions"]["ready"] = (!ready).into();
        })
    }),
    ("zone", |plan| {
        with_endpoint(plan, |endpoint| endpoint["zone"] = "elsewhere".into())
    }),
    ("node", |plan| {
        with_endpoint(plan, |endpoint| endpoint["nodeName"] = "elsewhere".into())
    }),
    ("target", |plan| {
        with_endpoint(plan, |endpoint| {
            endpoint["targetRef"]["uid"] = "other".into()
        })
    }),
    ("hostname", |plan| {
        with_endpoint(plan, |endpoint| endpoint["hostname"] = "invented".into())
    }),
    ("node hint", |plan| {
        with_endpoint(plan, |endpoint| {
            endpoint["hints"]["forNodes"] = json!([{"name": "elsewhere"}])
        })
    }),
    ("zone hint", |plan| {
        with_endpoint(plan, |endpoint| {
            endpoint["hints"]["forZones"] = json!([{"name": "elsewhere"}])
        })
    }),
    ("port", |plan| {
        with_first(plan, "create", |slice| {
            slice["ports"] = json!([{"port": 1}])
        })
    }),
    ("label", |plan| {
        with_first(plan, "update", |slice| {
            slice["metadata"]["labels"]["new"] = "".into()
        })
    }),
    ("owner", |plan| {
        with_first(plan, "create", |slice| {
            slice["metadata"]["ownerReferences"] = json!([])
        })
    }),
    ("trigger time", |plan| {
        with_first(plan, "update", |slice| {
            slice["metadata"]["annotations"] =
                json!({"endpoints.kubernetes.io/last-change-trigger-time": "2020-01-01T00:00:00Z"});
        })
    }),
    ("prefix", |plan| {
        with_first(plan, "create", |slice| {
            slice["metadata"]["generateName"] = "other-".into()
        })
    }),
    ("event", |plan| {
        with_first(plan, "events", |event| event["message"] = "".into())
    }),
    ("requeue", |plan| {
        plan["requeue"] = (plan["requeue"] != true).into();
        true
    }),
    ("added", |plan| {
        plan["stats"]["added"] = 12_345.into();
        true
    }),
    ("desired slices", |plan| {
        plan["stats"]["desiredSlices"] = 12_345.into();
        true
    }),
];

#[test]
fn every_spoilt_plan_misses() {
    let cases: Vec<_> = cases()
        .into_iter()
        .map(|case| (plans(&case), case))
        .collect();
    for (what, spoil) in SPOILS {
        let mut met = 0;
        for (plans, case) in &cases {
            for ((request, plan), (_, forms)) in plans.iter().zip(&case.steps) {
                let mut spoilt = plan.clone();
                if !spoil(&mut spoilt) || spoilt == *plan {
                    continue;
                }
                met += 1;
                assert!(
                    !misses(request, &spoilt, forms).is_empty(),
                    "{what}: a spoilt plan of {} passes",
                    case.name
                );
            }
        }
        assert!(met > 0, "{what}: no case has anything to spoil");
    }
}
