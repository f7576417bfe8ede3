//! Buffers as a host uses them, and `bindings/conformance.json`: calls and their answers, which every binding has to give,
//! byte for byte. Each case is an instance of its own.
//!
//! After an intended change, `UPDATE_EXPECT=1 cargo test -p slicewise-abi` writes the new answers; read them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::value::RawValue;
use slicewise::Error;

use crate::{Instance, functions};

/// A case.
#[derive(serde::Deserialize)]
struct Case {
    name: String,
    calls: Vec<Call>,
}

/// A call, with the texts of its input and answer.
#[derive(serde::Deserialize)]
struct Call {
    function: String,
    input: String,
    answer: String,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../bindings/conformance.json")
}

fn cases() -> Vec<Case> {
    serde_json::from_str(&fs::read_to_string(path()).unwrap()).unwrap()
}

/// As the file is written: a line for each call.
fn written(cases: &[Case]) -> String {
    let text = |text: &str| serde_json::to_string(text).unwrap();
    let call = |call: &Call| {
        let [function, input, answer] =
            [&call.function, &call.input, &call.answer].map(|each| text(each));
        format!("      {{\"function\": {function}, \"input\": {input}, \"answer\": {answer}}}")
    };
    let case = |case: &Case| {
        let calls: Vec<_> = case.calls.iter().map(call).collect();
        format!(
            "  {{\n    \"name\": {},\n    \"calls\": [\n{}\n    ]\n  }}",
            text(&case.name),
            calls.join(",\n")
        )
    };
    let cases: Vec<_> = cases.iter().map(case).collect();
    format!("[\n{}\n]\n", cases.join(",\n"))
}

#[test]
fn the_answers_are_those_of_the_file() {
    let mut cases = cases();
    for case in &mut cases {
        let mut instance = Instance::default();
        for call in &mut case.calls {
            let answer = instance.call(&call.function, call.input.as_bytes());
            call.answer = String::from_utf8(answer).unwrap();
        }
    }
    let (found, expected) = (written(&cases), fs::read_to_string(path()).unwrap());
    if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path(), found).unwrap();
        return;
    }
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found, expected);
}

#[test]
fn every_function_succeeds_and_only_errors_look_like_errors() {
    let mut succeeded = BTreeSet::new();
    for case in cases() {
        for call in &case.calls {
            let answer: Value = serde_json::from_str(&call.answer).unwrap();
            let is_error = call.answer.starts_with(r#"{"error":"#);
            let is_error_object = answer.get("error").is_some_and(Value::is_object);
            assert_eq!(
                is_error_object, is_error,
                "{}: {}",
                case.name, call.function
            );
            if !is_error {
                succeeded.insert(call.function.clone());
            }
        }
    }
    assert_eq!(succeeded, functions().map(str::to_owned).collect());
}

/// The field of an input as a text; empty if there is none.
fn field<'a>(input: &'a str, name: &str) -> &'a [u8] {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(input).unwrap();
    let field = fields.get(name).filter(|field| field.get() != "null");
    field.map_or(b"", |field| field.get().as_bytes())
}

/// What the libraries answer, without this crate.
fn native(function: &str, input: &str) -> Option<Result<Vec<u8>, Error>> {
    let both = |first, second| (field(input, first), field(input, second));
    let asked = || both("input", "question");
    Some(match function {
        "plan" => slicewise_diagnosis::plan(input.as_bytes()),
        "planSnapshot" => {
            let (snapshot, options) = both("snapshot", "options");
            slicewise_diagnosis::plan_snapshot(snapshot, options)
        }
        "explain" => slicewise_diagnosis::explain(asked().0, asked().1),
        "glance" => slicewise_diagnosis::glance(asked().0, asked().1),
        "upgrade" => slicewise_diagnosis::upgrade(asked().0, asked().1),
        "diff" => {
            let (before, after) = both("before", "after");
            slicewise::api::diff(before, after)
        }
        "apply" => {
            let (plan, slices) = both("plan", "slices");
            slicewise_live::json::apply(plan, slices)
        }
        "route" => slicewise_traffic::route(input.as_bytes()),
        "traffic" => slicewise_traffic::traffic(input.as_bytes()),
        "mirror" => slicewise_sources::mirror(input.as_bytes()),
        "mirrorSnapshot" => slicewise_sources::mirror_snapshot(input.as_bytes()),
        "kubernetesService" => slicewise_sources::kubernetes_service(input.as_bytes()),
        _ => return None,
    })
}

#[test]
fn the_answers_are_those_of_the_libraries() {
    for case in cases()
        .iter()
        .filter(|case| !case.name.starts_with("errors: "))
    {
        for call in &case.calls {
            if let Some(answer) = native(&call.function, &call.input) {
                let answer = answer.unwrap_or_else(|error| error.to_json());
                assert_eq!(
                    String::from_utf8(answer).unwrap(),
                    call.answer,
                    "{}",
                    case.name
                );
            }
        }
    }
}

fn buffer(instance: &mut Instance, text: &str) -> [u32; 2] {
    let length = u32::try_from(text.len()).unwrap();
    let pointer = instance.alloc(length);
    instance.buffers.write(pointer, text.as_bytes());
    [pointer, length]
}

#[track_caller]
fn check(instance: &mut Instance, function: [u32; 2], input: [u32; 2], expected: &str) {
    let packed = instance.call_buffers(function, input);
    let answer = String::from_utf8(instance.buffers.read(packed).to_vec()).unwrap();
    assert!(answer.starts_with(expected), "{answer}");
    instance.free(u32::try_from(packed >> 32).unwrap());
}

#[test]
fn the_host_keeps_what_it_passes_and_gives_back_what_it_gets() {
    let mut instance = Instance::default();
    let function = buffer(&mut instance, "detect");
    let input = buffer(&mut instance, "[]");
    for _ in 0..3 {
        check(&mut instance, function, input, r#""snapshot""#);
    }
    assert_eq!(instance.buffers.count(), 2);
    instance.free(function[0]);
    instance.free(input[0]);
    instance.free(input[0]);
    assert_eq!(instance.buffers.count(), 0);
}

#[test]
fn a_pointer_that_names_no_buffer_is_an_error() {
    let mut instance = Instance::default();
    let function = buffer(&mut instance, "detect");
    let [input, length] = buffer(&mut instance, "[]");
    let refused = r#"{"error":{"code":"InvalidValue","message":"there is no buffer of "#;
    for wrong in [
        [0, 0],
        [input + 1, 1],
        [input, length + 1],
        [u32::MAX, u32::MAX],
    ] {
        check(&mut instance, function, wrong, refused);
        check(&mut instance, wrong, [input, length], refused);
    }
    // One buffer may be both.
    check(&mut instance, function, function, r#""request""#);
    check(&mut instance, function, [input, length], r#""snapshot""#);
}

#[test]
fn a_part_of_a_buffer_and_an_empty_one_can_be_passed() {
    let mut instance = Instance::default();
    let [function, _] = buffer(&mut instance, "plans");
    let empty = buffer(&mut instance, "");
    let refused = r#"{"error":{"code":"InvalidJson","message":"the input is empty"#;
    check(&mut instance, [function, 4], empty, refused);
    check(&mut instance, [function, 4], [function, 0], refused);
}

#[test]
fn names_of_functions_are_unique() {
    let names: BTreeSet<_> = functions().collect();
    assert_eq!(names.len(), functions().count());
}
