//! Questions that users have asked, each with its answer: `samples/questions`, and the list in `docs/explain.md`.
//!
//! After an intended change, `UPDATE_EXPECT=1 cargo test questions` writes the new answers; read
//! each of them: is it true, complete, and actionable?

mod clients;
mod effects;
mod manners;
mod overview;
mod sources;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::api::{self, Limits, Question};
use crate::plan::explanation::{ExplanationCode, Severity};

fn root() -> PathBuf {
    crate::suite::from_root("")
}

/// A question: its file name without the extension, and its contents.
struct Sample {
    path: PathBuf,
    text: String,
    envelope: Value,
}

impl Sample {
    fn name(&self) -> &str {
        self.path.file_name().unwrap().to_str().unwrap()
    }

    fn ask(&self) -> Value {
        self.envelope
            .get("ask")
            .cloned()
            .unwrap_or_else(|| json!({}))
    }

    fn explained(&self) -> api::Explained {
        let ask = self.ask().to_string();
        let question: Question<'_> = serde_json::from_str(&ask).unwrap();
        api::explained(self.text.as_bytes(), &question, Limits::default()).unwrap()
    }
}

fn samples() -> Vec<Sample> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("samples/questions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let envelope = serde_json::from_str(&text).unwrap();
        Sample {
            path: path.with_extension(""),
            text,
            envelope,
        }
    };
    paths.into_iter().map(read).collect()
}

/// Compares a file with what it should hold, or writes it.
#[track_caller]
fn check_file(path: &Path, expected: &str) {
    let found = fs::read_to_string(path).unwrap_or_default();
    if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(path, expected).unwrap();
    }
    assert_eq!(found, expected, "{}", path.display());
}

#[test]
fn every_question_has_its_answer() {
    let samples = samples();
    assert!(samples.len() >= 40, "only {} questions", samples.len());
    for sample in &samples {
        let question = sample.envelope["question"].as_str().unwrap();
        let answer = format!("{question}\n\n{}", sample.explained().to_text(false, true));
        check_file(&sample.path.with_extension("txt"), &answer);
    }
}

#[test]
fn every_answer_answers() {
    for sample in samples() {
        let explained = sample.explained();
        let found: Vec<&str> = explained
            .cluster
            .iter()
            .chain(
                explained
                    .services
                    .iter()
                    .flat_map(|service| &service.explanations),
            )
            .map(|explanation| explanation.code.as_str())
            .collect();
        let expected = sample.envelope["answer"].as_array().unwrap();
        for code in expected {
            let code = code.as_str().unwrap();
            assert!(
                found.contains(&code),
                "{}: no {code} in {found:?}",
                sample.name()
            );
        }
        assert!(!expected.is_empty(), "{}", sample.name());
    }
}

/// The caller has one problem: at most one explanation that is broken or degraded is beside the point.
#[test]
fn little_is_beside_the_point() {
    let mut found = Vec::new();
    for sample in samples() {
        let explained = sample.explained();
        let expected = sample.envelope["answer"].as_array().unwrap();
        let services = explained.services.iter();
        let told = services.flat_map(|service| &service.explanations);
        let beside: Vec<&str> = explained
            .cluster
            .iter()
            .chain(told)
            .filter(|told| told.severity <= Severity::Degraded)
            .map(|told| told.code.as_str())
            .filter(|code| !expected.iter().any(|expected| expected == code))
            .collect();
        if beside.len() > 1 {
            found.push(format!("{}: {beside:?}", sample.name()));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn every_code_answers_some_question() {
    let asked: BTreeSet<String> = samples()
        .iter()
        .flat_map(|sample| sample.envelope["answer"].as_array().unwrap().clone())
        .map(|code| code.as_str().unwrap().to_owned())
        .collect();
    let unasked: Vec<&str> = ExplanationCode::ALL
        .iter()
        .map(|code| code.as_str())
        .filter(|code| !asked.contains(*code) && *code != "TooManyPorts")
        .collect();
    assert!(unasked.is_empty(), "no question is answered by {unasked:?}");
}

/// Too large for a sample that people would read.
#[test]
fn a_service_has_more_ports_than_a_slice_takes() {
    let service = |ports: u32| {
        let ports = (1..=ports).map(|port| json!({"name": format!("p{port}"), "port": port}));
        let spec = json!({"selector": {"app": "cart"}, "ipFamilies": ["IPv4"], "ports": ports.collect::<Vec<_>>()});
        let service =
            json!({"service": {"metadata": {"name": "cart", "namespace": "shop"}, "spec": spec}});
        let explained = api::explain(service.to_string().as_bytes(), br#"{"about": "service"}"#);
        String::from_utf8(explained.unwrap()).unwrap()
    };
    assert!(!service(20_000).contains("TooManyPorts"));
    let told = service(20_001);
    assert!(
        told.contains("TooManyPorts") && told.contains("split it into 2 Services"),
        "{told}"
    );
}

/// What only explanations read is not even parsed.
#[test]
fn explanations_cost_nothing_when_nobody_asks() {
    let mut sample = json!({
        "service": {"metadata": {"name": "cart"}, "spec": {"selector": {"app": "cart"}}},
        "pods": [{"metadata": {"name": "a", "labels": {"app": "cart"}}, "status": {"containerStatuses": 7}}],
    });
    let plan = api::plan(sample.to_string().as_bytes()).unwrap();
    assert!(!String::from_utf8(plan).unwrap().contains("explanations"));
    sample["options"] = json!({"explain": true});
    let error = api::plan(sample.to_string().as_bytes()).unwrap_err();
    assert_eq!(error.path(), Some("/pods/0/status/containerStatuses"));
}

#[test]
fn the_document_lists_codes_and_questions() {
    let path = root().join("docs/explain.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- codes -->\n").unwrap();
    let (_, rest) = rest.split_once("<!-- end of codes -->").unwrap();
    let (between, rest) = rest.split_once("<!-- questions -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of questions -->").unwrap();
    let row = |code: &ExplanationCode| {
        let (name, topic) = (code.as_str(), code.topic().as_str());
        let severity = code.severity().as_str();
        format!("| `{name}` | {topic} | {severity} | {} |\n", code.meaning())
    };
    let codes: String = ExplanationCode::ALL.iter().map(row).collect();
    let line = |sample: &Sample| {
        let of = |key: &str| {
            let values = sample.envelope[key].as_array().unwrap().iter();
            values
                .map(|value| value.as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let answer: Vec<String> = of("answer")
            .iter()
            .map(|code| format!("`{code}`"))
            .collect();
        let (name, question) = (sample.name(), sample.envelope["question"].as_str().unwrap());
        format!(
            "| [{question}](../samples/questions/{name}.txt) | {} | {} |\n",
            answer.join(", "),
            of("issues").join(", ")
        )
    };
    let questions: String = samples().iter().map(line).collect();
    let expected = format!(
        "{before}<!-- codes -->\n| Code | About | As a rule | What it says |\n|---|---|---|---|\n{codes}<!-- end of codes -->{between}<!-- questions -->\n| Question | Answer | Asked in |\n|---|---|---|\n{questions}<!-- end of questions -->{after}"
    );
    check_file(&path, &expected);
}

/// A question as equivalent requests: one Service each, and all objects.
fn requests(sample: &Sample) -> Vec<Value> {
    let items = sample.envelope["items"].as_array().unwrap();
    let of = |kind: &str| -> Vec<Value> {
        // Some are in a list of their kind.
        let within = items.iter().filter_map(|item| item["items"].as_array());
        items
            .iter()
            .chain(within.flatten())
            .filter(|item| item["kind"] == kind)
            .cloned()
            .collect()
    };
    let options = sample
        .ask()
        .get("options")
        .cloned()
        .unwrap_or_else(|| json!({}));
    let request = |service| {
        json!({
            "service": service, "pods": of("Pod"), "nodes": of("Node"), "slices": of("EndpointSlice"),
            "options": options,
        })
    };
    of("Service").into_iter().map(request).collect()
}

#[test]
fn a_plan_with_explanations_is_the_plan_without_them_and_more() {
    for sample in samples() {
        for mut request in requests(&sample) {
            let plan = |request: &Value| -> Value {
                serde_json::from_slice(&api::plan(request.to_string().as_bytes()).unwrap()).unwrap()
            };
            let without = plan(&request);
            assert!(without.get("explanations").is_none());
            request["options"]["explain"] = json!(true);
            let mut with = plan(&request);
            let explanations = with
                .as_object_mut()
                .unwrap()
                .remove("explanations")
                .unwrap();
            assert!(explanations.is_array());
            assert_eq!(with, without, "{}", sample.name());
            request["options"]["explain"] = json!(false);
            assert_eq!(plan(&request), without);
        }
    }
}

#[test]
fn a_snapshot_gives_the_explanations_of_its_requests() {
    for sample in samples() {
        let mut options = sample
            .ask()
            .get("options")
            .cloned()
            .unwrap_or_else(|| json!({}));
        options["explain"] = json!(true);
        // A request has no place for other objects.
        let mut items = sample.envelope["items"].as_array().unwrap().clone();
        items.retain(|item| {
            !["Deployment", "Endpoints", "Event", "Lease"]
                .iter()
                .any(|kind| item["kind"] == *kind)
        });
        let list = json!({"kind": "List", "items": items}).to_string();
        let plans = api::plan_snapshot(list.as_bytes(), options.to_string().as_bytes());
        let plans: Value = serde_json::from_slice(&plans.unwrap()).unwrap();
        for plan in plans["plans"].as_array().unwrap() {
            let service = &plan["service"];
            let mut request = requests(&sample)
                .into_iter()
                .find(|request| {
                    let metadata = &request["service"]["metadata"];
                    metadata["name"] == service["name"]
                        && metadata["namespace"] == service["namespace"]
                })
                .unwrap();
            request["options"]["explain"] = json!(true);
            let answer = api::plan(request.to_string().as_bytes()).unwrap();
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            assert_eq!(
                answer["explanations"],
                plan["explanations"],
                "{}",
                sample.name()
            );
        }
    }
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    for sample in samples() {
        let mut items = sample.envelope["items"].as_array().unwrap().clone();
        items.reverse();
        let reversed = format!(r#"{{"kind": "List", "items": {}}}"#, Value::from(items));
        let ask = sample.ask().to_string();
        let [one, other] = [sample.text.clone(), reversed].map(|text| {
            String::from_utf8(api::explain(text.as_bytes(), ask.as_bytes()).unwrap()).unwrap()
        });
        assert_eq!(one, other, "{}", sample.name());
    }
}

#[track_caller]
fn check_error(input: &str, question: &str, expected: &str) {
    let error = api::explain(input.as_bytes(), question.as_bytes()).unwrap_err();
    let path = error.path().unwrap_or_default();
    assert_eq!(
        format!("{} {path}", error.code().as_str()),
        expected,
        "{}",
        error.message()
    );
}

#[test]
fn wrong_questions() {
    let list = r#"{"kind": "List", "items": [{"kind": "Service", "metadata": {"name": "cart", "namespace": "shop"}}]}"#;
    check_error(list, r#"{"service": "shop/card"}"#, "InvalidValue /service");
    check_error(list, r#"{"service": "till"}"#, "InvalidValue /service");
    check_error(list, r#"{"pod": "cart-1"}"#, "InvalidValue /pod");
    check_error(list, r#"{"about": "weather"}"#, "InvalidValue /about");
    check_error(list, r#"{"topic": "hints"}"#, "UnknownField /topic");
    check_error(
        list,
        r#"{"options": {"maxEndpointsPerSlice": 0}}"#,
        "InvalidValue /options/maxEndpointsPerSlice",
    );
    let pod = r#"[{"kind": "Pod", "metadata": {"name": "p"}, "status": {"containerStatuses": [{"ready": "yes"}]}}]"#;
    check_error(pod, "", "InvalidType /0/status/containerStatuses/0/ready");
    check_error("", "", "InvalidJson ");
}
