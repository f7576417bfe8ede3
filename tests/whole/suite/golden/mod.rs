//! The golden cases: every plan must agree with what the reference does for the same request.
//!
//! Cases and their normal form: `pkg-tests/differential/README.md`. The reference wrote the expectations.

mod normal;
mod slice;
mod spoilt;

use std::fs;

use serde_json::Value;

use super::versions;
use crate::api;
use crate::kubernetes::KubernetesVersion;

/// A case: its steps, and the acceptable normal forms of each step.
struct Case {
    name: String,
    steps: Vec<(Value, Vec<Value>)>,
}

/// The cases as the default version decides them.
fn cases() -> Vec<Case> {
    cases_of(KubernetesVersion::default())
}

fn cases_of(version: KubernetesVersion) -> Vec<Case> {
    let mut files: Vec<_> = fs::read_dir(versions::folder().join("corpus"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert!(files.len() > 100, "the corpus has moved");
    files
        .iter()
        .map(|file| {
            let name = file.trim_end_matches(".json").to_owned();
            let file = versions::golden(version, &format!("corpus/{file}"));
            let case: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
            let mut steps = read_steps(&case).unwrap_or_else(|| panic!("{name} is no case"));
            for (request, _) in &mut steps {
                versions::adapt(&mut request["options"], version);
            }
            Case { name, steps }
        })
        .collect()
}

fn read_steps(case: &Value) -> Option<Vec<(Value, Vec<Value>)>> {
    let one = |request: &Value, expected: &Value| {
        let forms = expected["oneOf"].as_array().cloned();
        let mut forms = forms.unwrap_or_else(|| vec![expected.clone()]);
        forms.iter_mut().for_each(normal::sort);
        assert!(!forms.is_empty(), "nothing is expected");
        (request.clone(), forms)
    };
    if let Some(request) = case.get("request") {
        return Some(vec![one(request, case.get("expected")?)]);
    }
    let (history, expected) = (case["history"].as_array()?, case["expected"].as_array()?);
    assert_eq!(history.len(), expected.len(), "steps and expectations");
    let steps = history.iter().zip(expected);
    Some(steps.map(|(request, form)| one(request, form)).collect())
}

fn plan(request: &Value) -> Value {
    let answer = api::plan(&serde_json::to_vec(request).unwrap());
    serde_json::from_slice(&answer.unwrap_or_else(|error| panic!("{error}"))).unwrap()
}

/// The requests of a case with their plans; each step passes its `state` to the next.
fn plans(case: &Case) -> Vec<(Value, Value)> {
    let mut state = None;
    let step = |(request, _): &(Value, Vec<Value>)| {
        let mut request = request.clone();
        if let Some(state) = state.take() {
            request["state"] = state;
        }
        let plan = plan(&request);
        state = Some(plan["state"].clone());
        (request, plan)
    };
    case.steps.iter().map(step).collect()
}

/// Where two values differ: a pointer and both sides.
fn differences(at: &str, expected: &Value, found: &Value, out: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(one), Value::Object(other)) => {
            let mut keys: Vec<_> = one.keys().chain(other.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                differences(&format!("{at}/{key}"), &expected[key], &found[key], out);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (expected, found)) in one.iter().zip(other).enumerate() {
                differences(&format!("{at}/{index}"), expected, found, out);
            }
        }
        _ if expected != found => out.push(format!("{at}: expected {expected}, found {found}")),
        _ => {}
    }
}

/// How a plan differs from all acceptable forms, shown for the nearest one; empty if it matches one.
fn misses(request: &Value, plan: &Value, forms: &[Value]) -> Vec<String> {
    let found = match normal::normalise(request, plan) {
        Ok(found) => found,
        Err(problem) => return vec![problem],
    };
    let against = |expected: &Value| {
        let mut out = Vec::new();
        differences("", expected, &found, &mut out);
        out
    };
    forms.iter().map(against).min_by_key(Vec::len).unwrap()
}

#[test]
fn every_plan_is_the_references() {
    let mut failures = Vec::new();
    for case in KubernetesVersion::ALL.into_iter().flat_map(cases_of) {
        for (number, ((request, plan), (_, forms))) in
            plans(&case).iter().zip(&case.steps).enumerate()
        {
            let missed = misses(request, plan, forms);
            if !missed.is_empty() {
                failures.push(format!(
                    "{} step {number}:\n  {}",
                    case.name,
                    missed.join("\n  ")
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Without the state of the previous step, an event would be repeated or missing.
#[test]
fn the_state_matters() {
    let stateless = |case: &Case| {
        let mut steps = case.steps.iter();
        steps.any(|(request, forms)| !misses(request, &plan(request), forms).is_empty())
    };
    let forgetful: Vec<_> = cases()
        .into_iter()
        .filter(|case| case.steps.len() > 1 && stateless(case))
        .map(|case| case.name)
        .collect();
    assert!(!forgetful.is_empty(), "no case depends on `state`");
}
