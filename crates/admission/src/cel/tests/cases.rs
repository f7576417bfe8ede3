//! The table of expressions that is also evaluated by the API server's own CEL (`pkg-tests/cluster/cel`).

use serde_json::{Value as Json, json};

use super::*;

const TABLE: &str = include_str!("cases.json");

/// The names of a policy's expressions, in the order of [`Request`].
const NAMES: &DeclaredNames = crate::expressions::names::NAMES;

struct Request<'v>(Vec<(&'static str, Value<'v>)>);

impl<'v> ValueProvider<'v> for Request<'v> {
    fn named(&self, used: Used) -> Result<Value<'v>, Fail> {
        let name = NAMES[used.name].name;
        let found = self.0.iter().find(|(known, _)| *known == name);
        Ok(found.map_or(Value::Null, |(_, value)| value.clone()))
    }

    fn variable(&self, _: &str, _: &mut Meter) -> Result<Value<'v>, Fail> {
        Ok(Value::Null)
    }
}

fn json_of(value: &Value<'_>) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(is) => json!(is),
        Value::Int(number) => json!(*number as f64),
        Value::Uint(number) => json!(*number as f64),
        Value::Double(number) => json!(number),
        Value::List(items) => items.iter().map(json_of).collect(),
        Value::Map(map) => {
            let entries = map.entries().iter();
            let entries =
                entries.map(|(key, value)| (show(&key.value()).replace('"', ""), json_of(value)));
            Json::Object(entries.collect())
        }
        other => match strings::text_of(other) {
            Some(Value::String(text)) => json!(&*text),
            _ => json!(format!("not JSON: {other:?}")),
        },
    }
}

/// Integers and doubles are the same in JSON.
fn as_doubles(value: &Json) -> Json {
    match value {
        Json::Number(number) => json!(number.as_f64()),
        Json::Array(items) => items.iter().map(as_doubles).collect(),
        Json::Object(fields) => {
            let fields = fields.iter();
            Json::Object(
                fields
                    .map(|(key, value)| (key.clone(), as_doubles(value)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

#[test]
fn outcomes_are_those_of_the_api_server() {
    let table: Json = serde_json::from_str(TABLE).unwrap();
    let texts = ["object", "oldObject", "params"].map(|name| (name, table[name].to_string()));
    let request = r#"{"operation": "UPDATE", "name": "cart", "namespace": "shop"}"#;
    let meter = &mut Meter::new(u64::MAX);
    let values = texts.iter().map(|(name, text)| (*name, text.as_str()));
    let values = values.chain([("request", request)]);
    let values = values.map(|(name, text)| (name, Value::of_json(text, meter).unwrap()));
    let request = Request(values.collect());
    let mut wrong = Vec::new();
    for case in table["cases"].as_array().unwrap() {
        let expression = case[0].as_str().unwrap();
        let outcome = match compile(expression, NAMES) {
            Err(message) => (json!("refused"), message),
            Ok(program) => match evaluate(&program, &request, &mut Meter::new(100_000)) {
                Ok(value) => (json_of(&value), String::new()),
                Err(fail) => (json!("error"), format!("{fail:?}")),
            },
        };
        // What the API server's type checker refuses may fail here when it is evaluated.
        let fails = case[1] == "refused" && outcome.0 == "error";
        if !fails && outcome.0 != as_doubles(&case[1]) {
            wrong.push(format!(
                "{expression}\n    is {} {}, not {}",
                outcome.0, outcome.1, case[1]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
