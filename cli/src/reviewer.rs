//! The policies that subcommands judge by: those of the webhook's configuration, with the exceptions among the objects of a
//! cluster.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use slicewise::api::place;
use slicewise::model::Timestamp;
use slicewise::{Code, Error};
use slicewise_admission::{Asking, Reviewer, policies};
use slicewise_cluster::resource::{BESIDE_VERDICTS, BESIDE_VERDICTS_OF_NAMESPACES, Resource};
use slicewise_json::find_ambiguity;

use crate::failure::{CommandFailure, not_json};
use crate::input::ReadableInput;
use crate::review::given::objects;
use crate::source;

/// What to judge by.
#[derive(clap::Args)]
pub(crate) struct ReviewerArgs {
    /// The webhook's configuration, JSON or YAML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Only this policy
    #[arg(long, value_name = "NAME", value_parser = policies::NAMES.to_vec())]
    policy: Option<String>,
}

impl ReviewerArgs {
    /// The policies in the configuration, for a subcommand.
    pub(crate) fn config(
        &self,
        command: &str,
        max_input_bytes: usize,
    ) -> Result<Option<Value>, CommandFailure> {
        let Some(file) = &self.config else {
            return Ok(None);
        };
        let what = "give a configuration";
        let input = ReadableInput::open_own(Some(file), command, max_input_bytes, what);
        let input = input.map_err(|failure| source::within(failure, file))?;
        Ok(Some(read_config(&input, Some(file))?.0))
    }

    /// The policy to ask, and the time by which exceptions end, in seconds since 1970.
    pub(crate) fn asking(&self, now: i64) -> Asking<'_> {
        let mut asking = Asking::default();
        asking.policy = self.policy.as_deref();
        asking.now = Timestamp::from_unix(now, 0);
        asking
    }

    /// Is only one policy asked?
    pub(crate) const fn is_of_one(&self) -> bool {
        self.policy.is_some()
    }
}

/// The policies in a configuration of the webhook, and a reviewer with them.
pub(crate) fn read_config(
    input: &ReadableInput,
    file: Option<&Path>,
) -> Result<(Value, Reviewer), CommandFailure> {
    let read = policies_of(input.json()).and_then(|policies| {
        let reviewer = configured(Some(&policies))?;
        Ok((policies, reviewer))
    });
    read.map_err(|error| {
        let told = Error::new(error.code(), error.message());
        let text = std::str::from_utf8(input.json()).unwrap_or_default();
        // The reviewer reads a part of the file; a path leads to the same place in the whole.
        let error = match error.path() {
            Some(path) => place::locate(told.at(path), text),
            None => told,
        };
        let failure = input.placed(error).into();
        match file {
            Some(file) => source::within(failure, file),
            None => failure,
        }
    })
}

/// The part of the webhook's configuration that a reviewer reads; the rest is about sockets and files.
fn policies_of(config: &[u8]) -> Result<Value, Error> {
    const REVIEWER: [&str; 5] = ["policies", "writers", "exceptions", "context", "ownService"];
    const SERVICE: [&str; 6] = ["server", "tls", "snapshot", "cluster", "logLevel", "arm"];
    let text = std::str::from_utf8(config).unwrap_or_default();
    let value: Value =
        serde_json::from_slice(config).map_err(|error| not_json(&error, "the configuration"))?;
    if let Some(key) = find_ambiguity(text).and_then(|fault| fault.field) {
        let message = format!("the key `{key}` appears twice in one object");
        return Err(Error::new(Code::InvalidJson, message));
    }
    let Value::Object(mut fields) = value else {
        return Err(Error::new(
            Code::InvalidType,
            "the configuration must be an object",
        ));
    };
    if let Some(unknown) = fields
        .keys()
        .find(|key| !REVIEWER.contains(&key.as_str()) && !SERVICE.contains(&key.as_str()))
    {
        let message = format!(
            "`{unknown}` is not a setting; the settings are {}, {}",
            REVIEWER.join(", "),
            SERVICE.join(", ")
        );
        return Err(Error::new(Code::UnknownField, message).at(format!("/{unknown}")));
    }
    fields.retain(|key, _| REVIEWER.contains(&key.as_str()));
    Ok(Value::Object(fields))
}

/// A reviewer that knows nothing about a cluster yet.
pub(crate) fn configured(config: Option<&Value>) -> Result<Reviewer, Error> {
    let config = config.map(Value::to_string).unwrap_or_default();
    Reviewer::new(config.as_bytes())
}

/// What verdicts depend on besides the objects that plans depend on, if it may be read.
pub(crate) fn besides(reviewer: &Reviewer) -> &'static [Resource] {
    match reviewer.reads_namespaces() {
        true => BESIDE_VERDICTS_OF_NAMESPACES,
        false => BESIDE_VERDICTS,
    }
}

/// The kind of exceptions that are objects.
const EXCEPTION: &str = "SliceException";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SliceException {
    api_version: String,
    kind: String,
    #[serde(default)]
    metadata: ExceptionMeta,
    #[serde(default)]
    spec: Map<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ExceptionMeta {
    name: String,
}

/// Gives a reviewer the exceptions among the objects of these inputs, besides those of its configuration; of the same name,
/// the last one counts. Returns why some cannot be used, as the webhook logs it.
///
/// # Errors
/// If the configuration cannot be used.
pub(crate) fn take_exceptions(
    reviewer: &mut Reviewer,
    config: Option<&Value>,
    inputs: &[&[u8]],
) -> Result<Vec<String>, Error> {
    let mut found = BTreeMap::new();
    let mut unusable = Vec::new();
    for input in inputs {
        let is_there = std::str::from_utf8(input).is_ok_and(|text| text.contains(EXCEPTION));
        // What cannot be read is refused elsewhere.
        let Ok(objects) = objects(if is_there { input } else { b"" }) else {
            continue;
        };
        let objects = objects.iter().filter(|object| object.contains(EXCEPTION));
        for object in objects {
            let Ok(object) = serde_json::from_str::<SliceException>(object) else {
                continue;
            };
            let SliceException {
                kind,
                api_version,
                metadata,
                mut spec,
            } = object;
            if kind != EXCEPTION || !api_version.starts_with("slicewise.dev/") {
                continue;
            }
            spec.insert("name".into(), metadata.name.clone().into());
            match configured(Some(&json!({"exceptions": [spec]}))) {
                Ok(_) => drop(found.insert(metadata.name, Value::Object(spec))),
                Err(error) => unusable.push(format!(
                    "{EXCEPTION} {} cannot be used: {}",
                    metadata.name,
                    error.message()
                )),
            }
        }
    }
    if !found.is_empty() {
        let mut config = config.cloned().unwrap_or_else(|| json!({}));
        let exceptions = config
            .as_object_mut()
            .map(|fields| fields.entry("exceptions"));
        let exceptions = exceptions.map(|entry| entry.or_insert_with(|| json!([])));
        if let Some(exceptions) = exceptions.and_then(Value::as_array_mut) {
            exceptions.extend(found.into_values());
        }
        reviewer.configure(config.to_string().as_bytes())?;
    }
    Ok(unusable)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REVIEW: &str = r#"{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "u", "kind": {"group": "", "version": "v1", "kind": "Service"}, "operation": "CREATE",
        "name": "cart", "namespace": "shop", "userInfo": {"username": "jane"}, "object": {
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": "cart", "namespace": "shop"},
            "spec": {"externalIPs": ["203.0.113.7"], "ports": [{"port": 80}]}}}}"#;

    fn exception(name: &str, until: &str) -> Value {
        json!({"apiVersion": "slicewise.dev/v1alpha1", "kind": "SliceException", "metadata": {"name": name},
               "spec": {"policies": ["service-traffic"], "reason": "a move", "until": until, "namespaces": ["shop"]}})
    }

    /// The verdict in 1970, and the exceptions that cannot be used.
    fn judged(config: Option<&Value>, inputs: &[Value]) -> (bool, String, Vec<String>) {
        let mut reviewer = configured(config).unwrap();
        let inputs: Vec<Vec<u8>> = inputs
            .iter()
            .map(|input| input.to_string().into_bytes())
            .collect();
        let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let unusable = take_exceptions(&mut reviewer, config, &inputs).unwrap();
        let arguments = ReviewerArgs {
            config: None,
            policy: None,
        };
        let answer = reviewer
            .review(REVIEW.as_bytes(), arguments.asking(0))
            .unwrap();
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        let allowed = answer["response"]["allowed"].as_bool().unwrap();
        let annotation = &answer["response"]["auditAnnotations"]["service-traffic"];
        (
            allowed,
            annotation.as_str().unwrap_or_default().into(),
            unusable,
        )
    }

    #[test]
    fn an_exception_among_objects_applies_as_in_the_webhook() {
        let valid = exception("move", "1970-01-02T00:00:00Z");
        let list = json!({"apiVersion": "slicewise.dev/v1alpha1", "kind": "SliceExceptionList", "items": [{
            "metadata": valid["metadata"], "spec": valid["spec"]}]});
        let (allowed, annotation, _) = judged(None, std::slice::from_ref(&list));
        assert!(allowed);
        assert_eq!(
            annotation,
            "excepted: would deny: external-ip; exception move until 1970-01-02T00:00:00Z: a move"
        );
        // Of the same name, the later input counts.
        let over = exception("move", "1970-01-01T00:00:00Z");
        assert!(!judged(None, &[list.clone(), over]).0);
        let others = [
            json!({"apiVersion": "v1", "kind": "SliceException"}),
            json!({"kind": "Service"}),
            json!([1]),
        ];
        assert!(!judged(None, &others).0);
    }

    #[test]
    fn those_of_the_configuration_stay_and_unusable_ones_are_said() {
        let mut configured = exception("kept", "1970-01-02T00:00:00Z")["spec"].clone();
        configured["name"] = "kept".into();
        let config = json!({"exceptions": [configured]});
        let wrong = exception("wrong", "tomorrow");
        let other = exception("other", "1970-01-01T00:00:00Z");
        let (allowed, annotation, unusable) = judged(Some(&config), &[wrong, other]);
        assert!(
            allowed && annotation.contains("exception kept"),
            "{annotation}"
        );
        let why = "SliceException wrong cannot be used: `tomorrow` is no time; write it like `2026-01-02T03:04:05Z`";
        assert_eq!(unusable, [why]);
    }
}
