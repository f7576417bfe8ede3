//! The table of operations, as a real API server sends them: in the host, the verdicts and the words are those of the webhook.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use crate::common::{answer, granted, root};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use slicewise_kubewarden_host::{Answer, Cluster};

#[derive(Deserialize)]
struct Table {
    config: Value,
    operations: Vec<Operation>,
}

#[derive(Deserialize)]
struct Operation {
    name: String,
    #[serde(default)]
    differs: BTreeMap<String, Difference>,
}

#[derive(Deserialize)]
struct Difference {
    verdict: String,
}

/// What the API server sent, and about which cluster; `None` if it did not ask.
#[derive(Deserialize)]
struct Requests {
    cluster: Vec<Value>,
    requests: BTreeMap<String, Option<Value>>,
}

#[derive(Deserialize)]
struct Verdicts {
    operations: BTreeMap<String, Heard>,
}

/// The reasons of a denial, if it is one, and the warnings.
#[derive(Debug, Deserialize, PartialEq, Eq)]
struct Heard {
    message: String,
    warnings: Vec<String>,
}

impl From<Answer> for Heard {
    fn from(answer: Answer) -> Self {
        let message = answer.message.filter(|_| !answer.accepted);
        Self {
            message: message.unwrap_or_default(),
            warnings: answer.warnings.unwrap_or_default(),
        }
    }
}

impl Heard {
    /// Is it this verdict, such as `denied slice-shape/orphan`?
    fn is(&self, verdict: &str) -> bool {
        let (expected, rule) = verdict.split_once(' ').unwrap_or((verdict, ""));
        let (is, said) = match (self.message.as_str(), self.warnings.as_slice()) {
            ("", []) => ("allowed", String::new()),
            ("", warnings) => ("warned", warnings.join("\n")),
            (message, _) => ("denied", message.to_owned()),
        };
        is == expected && (rule.is_empty() || said.contains(&format!("{rule}: ")))
    }
}

/// A file of the table; YAML includes JSON.
fn read<T: DeserializeOwned>(name: &str) -> T {
    let file = root().join("pkg-tests/operations").join(name);
    serde_yaml::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn the_operations_of_the_table() {
    let table: Table = read("operations.yaml");
    let requests: Requests = read("requests.json");
    let verdicts: Verdicts = read("verdicts.json");
    let list = json!({"kind": "List", "items": requests.cluster}).to_string();
    let cluster = Arc::new(Cluster::read(&list, granted()).unwrap());
    let mut asked = 0;
    for Operation { name, differs } in &table.operations {
        let Some(request) = &requests.requests[name] else {
            continue;
        };
        asked += 1;
        let heard = Heard::from(answer(request, &table.config, &cluster));
        let same = &verdicts.operations[name];
        match differs.get("kubewarden") {
            None => assert_eq!(&heard, same, "{name}"),
            Some(difference) => {
                assert!(heard.is(&difference.verdict), "{name}: {heard:?}");
                assert_ne!(&heard, same, "{name}: there is no difference any more");
            }
        }
    }
    assert!(asked >= 60, "{asked} operations");
}
