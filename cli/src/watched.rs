//! Watch events, as `kubectl get --watch --output-watch-events -o json` prints them: the last version of each object
//! counts, and deleted objects are dropped. For commands that take whole objects as text; the core reads events itself
//! for those that plan.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;
use slicewise::{Code, Error};

use crate::failure::not_json;

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    object: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ObjectHead<'a> {
    #[serde(borrow, default)]
    api_version: Cow<'a, str>,
    #[serde(borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    metadata: ObjectMeta<'a>,
    #[serde(borrow, default)]
    message: Cow<'a, str>,
}

#[derive(Deserialize, Default)]
struct ObjectMeta<'a> {
    #[serde(borrow, default)]
    namespace: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
}

/// Whether the input begins with a watch event. No request and no object has a `type`.
pub(crate) fn begins(json: &[u8]) -> bool {
    let start = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let start = start.trim_ascii_start().strip_prefix(b"{");
    start.is_some_and(|start| start.trim_ascii_start().starts_with(b"\"type\""))
}

/// The objects that exist after all events, each at its original position in the input, so that errors in them have the
/// same position in both.
///
/// # Errors
/// If an event cannot be read, or is the error that ended the watch.
pub(crate) fn settle(json: &[u8]) -> Result<Vec<u8>, Error> {
    let mut there: BTreeMap<[String; 4], Range<usize>> = BTreeMap::new();
    let text = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let mark = json.len() - text.len();
    let events = serde_json::Deserializer::from_slice(text).into_iter::<Event<'_>>();
    for event in events {
        let Event { kind, object } = event.map_err(|error| unreadable(&error))?;
        let head: ObjectHead<'_> =
            serde_json::from_str(object.get()).map_err(|error| unreadable(&error))?;
        let key = [
            head.api_version,
            head.kind,
            head.metadata.namespace,
            head.metadata.name,
        ];
        let key = key.map(Cow::into_owned);
        match &*kind {
            "ADDED" | "MODIFIED" => {
                let start = mark + object.get().as_ptr().addr() - text.as_ptr().addr();
                there.insert(key, start..start + object.get().len());
            }
            "DELETED" => drop(there.remove(&key)),
            "BOOKMARK" => {}
            "ERROR" => {
                let message = format!(
                    "the API server ended the watch: `{}`; start it again",
                    head.message
                );
                return Err(Error::new(Code::InvalidValue, message).at("/object"));
            }
            other => {
                let message = format!(
                    "`{other}` is not a watch event; use ADDED, MODIFIED, DELETED, BOOKMARK or ERROR"
                );
                return Err(Error::new(Code::InvalidValue, message).at("/type"));
            }
        }
    }
    let blank = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
    let mut settled: Vec<u8> = json.iter().map(blank).collect();
    for place in there.values() {
        let (to, from) = (settled.get_mut(place.clone()), json.get(place.clone()));
        if let (Some(to), Some(from)) = (to, from) {
            to.copy_from_slice(from);
        }
    }
    if there.is_empty() {
        // Events are longer than that.
        settled.splice(..2, *b"[]");
    }
    Ok(settled)
}

fn unreadable(error: &serde_json::Error) -> Error {
    let told = not_json(error, "the watch");
    if error.is_eof() {
        return told;
    }
    let message = format!(
        "{}; give events as `kubectl get --watch --output-watch-events -o json` prints them",
        told.message()
    );
    Error::new(told.code(), message).on(error.line(), error.column())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: &str, name: &str, version: u8) -> String {
        format!(
            "{{\n  \"type\": \"{kind}\",\n  \"object\": {{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {{\"name\": \"{name}\", \"resourceVersion\": \"{version}\"}}}}\n}}\n"
        )
    }

    #[track_caller]
    fn check(json: &str, expected: &[(&str, &str)]) {
        assert!(begins(json.as_bytes()));
        let settled = settle(json.as_bytes()).unwrap();
        assert_eq!(settled.len(), json.len());
        let text = String::from_utf8(settled).unwrap();
        let values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
        let values: Vec<_> = values
            .map(Result::unwrap)
            .filter(|value| !value.is_array())
            .collect();
        let found: Vec<_> = values
            .iter()
            .map(|value| {
                let field = |field: &str| value["metadata"][field].as_str().unwrap();
                (field("name"), field("resourceVersion"))
            })
            .collect();
        assert_eq!(found, expected);
        for (name, version) in expected {
            let pattern = format!("\"{name}\", \"resourceVersion\": \"{version}\"");
            let place = |text: &str| text.find(&pattern);
            assert!(
                place(&text).is_some() && place(&text) == place(json),
                "{name} has moved"
            );
        }
    }

    #[test]
    fn the_last_version_counts_and_what_is_deleted_is_gone() {
        let stream = [
            event("ADDED", "a", 1),
            event("ADDED", "b", 2),
            event("MODIFIED", "a", 3),
            event("DELETED", "b", 4),
            event("BOOKMARK", "", 5),
            event("ADDED", "c", 6),
        ];
        check(&stream.concat(), &[("a", "3"), ("c", "6")]);
        check(
            &format!("\u{feff}{}", stream.concat()),
            &[("a", "3"), ("c", "6")],
        );
        check(
            &[event("ADDED", "a", 1), event("DELETED", "a", 2)].concat(),
            &[],
        );
    }

    #[test]
    fn what_is_no_event_is_told() {
        let refused = |json: &str| {
            let error = settle(json.as_bytes()).unwrap_err();
            format!(
                "{} {:?} {}",
                error.code().as_str(),
                error.line(),
                error.message()
            )
        };
        let cut = event("ADDED", "a", 1) + "{\"type\": \"ADD";
        assert_eq!(
            refused(&cut),
            "InvalidJson Some(5) EOF while parsing a string: the watch ends too early; was it truncated?"
        );
        assert_eq!(
            refused(
                r#"{"type": "ERROR", "object": {"kind": "Status", "message": "too old resource version"}}"#
            ),
            "InvalidValue None the API server ended the watch: `too old resource version`; start it again"
        );
        assert!(
            refused(&event("CHANGED", "a", 1))
                .starts_with("InvalidValue None `CHANGED` is not a watch event")
        );
        assert!(
            refused("{\"type\": \"ADDED\"}")
                .starts_with("InvalidJson Some(1) missing field `object`; give events")
        );
        assert!(!begins(b"{\"kind\": \"Pod\"}") && !begins(b"[]") && begins(b" { \"type\": 1}"));
    }
}
