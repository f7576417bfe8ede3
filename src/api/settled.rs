//! Watch events as text: the objects that exist after all of them. For callers that need whole objects; those that plan
//! read events themselves.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::input::{self, Limits};
use super::objects::numbers::HEADS;
use super::objects::{Base, ObjectWalk, PartialObject, WatchEventKind};
use crate::Error;
use crate::model::read::ObjectReader;

/// Is a value a watch event, judging by its first keys?
#[doc(hidden)]
pub fn is_watch_event(text: &str) -> bool {
    let mut reader = ObjectReader::new(text);
    let mut walk = ObjectWalk::new(&mut reader, Base::default());
    walk.peek().is_some() && walk.is_event().unwrap_or_default()
}

/// The objects that exist after the watch events of an input, each at its position there, so that errors in them have
/// the same position in both. `None` if the input does not begin with an event, or is not a text within the limits.
///
/// # Errors
/// When an event cannot be read, or is the error that ended the watch.
#[doc(hidden)]
pub fn settle_events(input: &[u8], limits: Limits) -> Result<Option<Vec<u8>>, Error> {
    let Ok(text) = input::text(input, limits) else {
        return Ok(None);
    };
    if !is_watch_event(text) {
        return Ok(None);
    }
    let places = places_of_objects(text)?;
    let mark = input.len() - text.len();
    let blank = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
    let mut settled: Vec<u8> = input.iter().map(blank).collect();
    for place in &places {
        let place = mark + place.start..mark + place.end;
        if let (Some(to), Some(from)) = (settled.get_mut(place.clone()), input.get(place)) {
            to.copy_from_slice(from);
        }
    }
    if places.is_empty() {
        // Events are longer than that.
        settled.splice(..2, *b"[]");
    }
    Ok(Some(settled))
}

/// The last version of each object that was not deleted.
fn places_of_objects(text: &str) -> Result<Vec<Range<usize>>, Error> {
    let mut there: BTreeMap<[String; 4], Range<usize>> = BTreeMap::new();
    let mut reader = ObjectReader::new(text);
    let mut walk = ObjectWalk::new(&mut reader, Base::default());
    let mut number = 0;
    while walk.peek().is_some() {
        let mut note = |walk: &mut ObjectWalk<'_, '_>, told| {
            let mut standing = walk.standing();
            let start = standing.start();
            let object: PartialObject<'_> = standing.read(HEADS)?;
            let metadata = &object.metadata;
            let key = [
                &object.api_version,
                &object.kind,
                &metadata.namespace,
                &metadata.name,
            ];
            let key = key.map(|text| text.as_str().to_owned());
            match told {
                WatchEventKind::There => drop(there.insert(key, start..walk.reader().at())),
                WatchEventKind::Gone => drop(there.remove(&key)),
            }
            Ok(())
        };
        // The first document may be the only one: its pointers have no index.
        let read = match number {
            0 => walk.event_with(&mut note),
            _ => walk.within_item(number, |walk| walk.event_with(&mut note)),
        };
        read.map_err(|halt| walk.error(halt))?;
        number += 1;
    }
    Ok(there.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: &str, name: &str, version: u8) -> String {
        format!(
            "{{\n  \"type\": \"{kind}\",\n  \"object\": {{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {{\"name\": \"{name}\", \"resourceVersion\": \"{version}\"}}}}\n}}\n"
        )
    }

    fn settle(json: &str) -> Result<Option<Vec<u8>>, Error> {
        settle_events(json.as_bytes(), Limits::default())
    }

    #[track_caller]
    fn check(json: &str, expected: &[(&str, &str)]) {
        let settled = settle(json).unwrap().unwrap();
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
    fn what_is_no_event_is_said() {
        let refused = |json: &str| {
            let error = settle(json).unwrap_err();
            let (path, line) = (error.path().unwrap_or_default(), error.line().unwrap());
            format!(
                "{} {path} {line} {}",
                error.code().as_str(),
                error.message()
            )
        };
        let status = r#"{"kind": "Status", "message": "too old resource version"}"#;
        let cases = [
            event("ADDED", "a", 1) + "{\"type\": \"ADD",
            format!(r#"{{"type": "ERROR", "object": {status}}}"#),
            event("ADDED", "a", 1) + &event("CHANGED", "a", 1),
            event("ADDED", "a", 1) + r#"{"kind":"Pod"}"#,
            r#"{"type": "ADDED"}"#.into(),
        ];
        let said = [
            "InvalidJson  5 EOF while parsing a string: the input ends too early; was it truncated?",
            "InvalidValue /object 1 the API server ended the watch: `too old resource version`; start it again",
            "InvalidValue /1/type 6 `CHANGED` is not a watch event; use ADDED, MODIFIED, DELETED, BOOKMARK or ERROR",
            "MissingField /1/type 5 missing field `type`: it is required",
            "MissingField /object 1 missing field `object`: it is required",
        ];
        assert_eq!(cases.each_ref().map(|case| refused(case)), said);
    }

    #[test]
    fn other_inputs_are_left_alone() {
        for other in [
            "",
            "[]",
            "{",
            "a: b",
            r#"{"kind": "Pod"}"#,
            r#"{"type": 1}"#,
        ] {
            assert_eq!(settle(other).unwrap(), None, "{other}");
        }
        assert_eq!(
            settle_events(b"{\"type\": \"ADDED\", \"\xff", Limits::default()).unwrap(),
            None
        );
        assert!(is_watch_event(r#" {"type": "ADDED"}"#));
    }
}
