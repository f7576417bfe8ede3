//! Snapshots in pieces: the same plans as in one piece, and the same errors at the same positions.

mod events;
mod pages;
mod requests;

use core::fmt::Debug;

use serde_json::{Value, json};

use crate::Error;
use crate::api::{
    self, Limits, MirrorStream, RouteOptions, SnapshotStream, StreamedSnapshot, TrafficOptions,
    TrafficStream,
};
use crate::mirroring::request::MirrorOptions;
use crate::model::own::Alone;
use crate::plan::request::Options;

const CLUSTER: &str = include_str!("../../../samples/cluster-at-rest.json");

/// A part of the cluster, small enough to be read many times.
fn few() -> Vec<Value> {
    let cluster: Value = serde_json::from_str(CLUSTER).unwrap();
    let items = cluster["items"].as_array().unwrap();
    let of = |kind: &str, count: usize| -> Vec<Value> {
        let items = items.iter().filter(|item| item["kind"] == kind);
        items.take(count).cloned().collect()
    };
    let endpoints = json!({
        "apiVersion": "v1", "kind": "Endpoints", "metadata": {"namespace": "shop", "name": "own"},
        "subsets": [{"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 80}]}]
    });
    [
        of("Service", 2),
        of("Pod", 6),
        of("Node", 4),
        of("EndpointSlice", 2),
        vec![endpoints],
    ]
    .concat()
}

fn read(text: &str, piece: usize) -> Result<StreamedSnapshot<'static>, Error> {
    let mut stream = SnapshotStream::new(&Alone).with_details();
    for piece in text.as_bytes().chunks(piece) {
        stream.push(piece)?;
    }
    stream.finish()
}

fn plans(snapshot: &StreamedSnapshot<'_>) -> Vec<u8> {
    let options = Options::default();
    let plans = snapshot.with_plans(&options, |plans, _| serde_json::to_vec(plans).unwrap());
    plans.unwrap()
}

/// The plans, or the error, in one piece and in several.
#[track_caller]
fn check(text: &str, pieces: &[usize]) {
    let whole = api::plan_snapshot(text.as_bytes(), b"");
    for piece in pieces {
        let streamed = read(text, *piece).map(|snapshot| plans(&snapshot));
        assert_eq!(streamed, whole, "in pieces of {piece} of {text}");
        check_others(text, *piece);
    }
}

/// Consecutive inputs form one cluster, and errors name their input, with positions in it.
#[test]
fn several_inputs() {
    let read = |inputs: &[&str]| {
        let mut stream = SnapshotStream::new(&Alone);
        for (number, input) in inputs.iter().enumerate() {
            if number > 0 {
                stream.next_input()?;
            }
            stream.push(input.as_bytes())?;
        }
        stream.finish()
    };
    let lists: Vec<String> = few()
        .chunks(3)
        .map(|items| json!({"kind": "List", "items": items}).to_string())
        .collect();
    let inputs: Vec<&str> = lists.iter().map(String::as_str).collect();
    let whole = api::plan_snapshot(
        json!({"kind": "List", "items": few()})
            .to_string()
            .as_bytes(),
        b"",
    );
    assert_eq!(read(&inputs).map(|snapshot| plans(&snapshot)), whole);
    let service = r#"{"kind":"Service","metadata":{"name":"cart","namespace":"shop"}}"#;
    let wrong = "[\n{\"kind\":\"Service\",\"metadata\":{\"name\":7}}]";
    let error = read(&[service, wrong]).err().unwrap();
    assert_eq!(
        (error.path(), error.line()),
        (Some("/0/metadata/name"), Some(2))
    );
    assert!(read(&[service, service]).is_ok());
    let other = r#"{"kind":"Service","metadata":{"name":"cart","namespace":"shop","uid":"u"}}"#;
    let twice = read(&[service, other]).err().unwrap();
    assert_eq!(
        (twice.code().as_str(), twice.line()),
        ("DuplicateName", Some(1))
    );
    // Two halves of an object are not objects.
    let (first, second) = service.split_at(20);
    let cut = read(&[first, second]).err().unwrap();
    assert_eq!(cut.code().as_str(), "InvalidJson");
}

/// The same for what is derived from a cluster besides plans.
#[track_caller]
fn check_others(text: &str, piece: usize) {
    let (bytes, limits) = (text.as_bytes(), Limits::default());
    let pieces = || bytes.chunks(piece);
    let shown = |value: &dyn Debug| format!("{value:?}");
    let mut stream = TrafficStream::new(&Alone);
    let pushed = pieces().try_for_each(|piece| stream.push(piece));
    let streamed = pushed.and_then(|()| stream.finish());
    let options = TrafficOptions::default();
    let whole = api::with_traffic(bytes, &options, limits);
    let streamed = streamed.and_then(|objects| objects.traffic(&options));
    assert_eq!(shown(&streamed), shown(&whole), "{piece} of {text}");

    let mut stream = TrafficStream::new(&Alone);
    let pushed = pieces().try_for_each(|piece| stream.push(piece));
    let options = {
        let mut made = RouteOptions::default();
        made.node = Some("any".into());
        made.zone = Some("zone".into());
        made
    };
    let whole = api::with_route(bytes, &options, limits);
    let streamed = pushed
        .and_then(|()| stream.finish())
        .and_then(|objects| objects.route(&options));
    assert_eq!(shown(&streamed), shown(&whole), "{piece} of {text}");

    let mut stream = MirrorStream::new(&Alone);
    let pushed = pieces().try_for_each(|piece| stream.push(piece));
    let options = MirrorOptions::default();
    let streamed = pushed.and_then(|()| stream.finish());
    let streamed =
        streamed.and_then(|objects| objects.with_plans(options, |plans, _| shown(plans)));
    let whole = api::with_mirror_plans(bytes, options, limits, |plans, _| shown(plans));
    assert_eq!(streamed, whole, "{piece} of {text}");

    let mut stream = SnapshotStream::of_slices(&Alone);
    let pushed = pieces().try_for_each(|piece| stream.push(piece));
    let streamed = pushed.and_then(|()| stream.finish());
    let streamed = streamed.map(|streamed| streamed.snapshot.slices);
    assert_eq!(
        shown(&streamed),
        shown(&api::slices(bytes, limits).map(|slices| slices.items)),
        "{piece} of {text}"
    );
}

#[test]
fn slices_that_do_not_say_what_they_are() {
    let mut slices: Vec<Value> = few();
    slices.retain(|item| item["kind"] == "EndpointSlice");
    for slice in &mut slices {
        let slice = slice.as_object_mut().unwrap();
        slice.remove("kind");
        slice.remove("apiVersion");
    }
    let text = json!(slices).to_string();
    assert_eq!(
        api::slices(text.as_bytes(), Limits::default())
            .unwrap()
            .items
            .len(),
        2
    );
    for piece in [1, 100, 1 << 20] {
        check_others(&text, piece);
    }
}

#[test]
fn a_cluster_in_pieces_is_the_cluster() {
    let whole = api::plan_snapshot(CLUSTER.as_bytes(), b"").unwrap();
    for piece in [1000, 65_536, 1 << 20, 4 << 20] {
        let streamed = read(CLUSTER, piece).unwrap();
        assert_eq!(plans(&streamed), whole);
        let question = api::Question::default();
        let limits = Limits::default();
        let explained = api::explained(CLUSTER.as_bytes(), &question, limits).unwrap();
        let streamed = streamed.explained(&question, &api::InTurn).unwrap();
        assert_eq!(
            streamed.to_text(false, true),
            explained.to_text(false, true)
        );
    }
}

#[test]
fn in_whatever_form_objects_come() {
    let items = few();
    let text = |value: &Value| value.to_string();
    let pods: Vec<_> = items.iter().filter(|item| item["kind"] == "Pod").collect();
    let bare: Vec<Value> = pods
        .iter()
        .map(|pod| json!({"metadata": pod["metadata"], "spec": pod["spec"], "status": pod["status"]}))
        .collect();
    let others: Vec<_> = items.iter().filter(|item| item["kind"] != "Pod").collect();
    let one_by_one: Vec<String> = items.iter().map(text).collect();
    let forms = [
        text(&json!({"apiVersion": "v1", "kind": "List", "items": items})),
        format!(
            "{:#}",
            json!({"apiVersion": "v1", "items": items, "kind": "List"})
        ),
        format!(
            "{{\"apiVersion\":\"v1\",\"items\":{},\"kind\":\"List\"}}",
            text(&json!(items))
        ),
        text(&json!(items)),
        one_by_one.join("\n"),
        one_by_one.concat(),
        // A list of one kind, which is stated before or after the items, but not in them.
        format!(
            "{}{}",
            text(&json!({"kind": "PodList", "apiVersion": "v1", "items": bare})),
            text(&json!(others))
        ),
        format!(
            "{{\"items\":{},\"apiVersion\":\"v1\",\"kind\":\"PodList\"}}{}",
            text(&json!(bare)),
            text(&json!(others))
        ),
        // Lists within a list.
        text(&json!([{"kind": "PodList", "items": bare}, {"kind": "List", "items": others}])),
    ];
    let planned = |text: &str| -> Value {
        serde_json::from_slice(&api::plan_snapshot(text.as_bytes(), b"").unwrap()).unwrap()
    };
    let expected = planned(&forms[0]);
    for form in &forms {
        assert_eq!(planned(form), expected, "{form}");
        check(form, &[1, 13, 4096]);
    }
}

#[test]
fn what_an_object_says_of_itself_counts_wherever_it_says_it() {
    let count = |text: &str| -> Vec<usize> {
        let snapshot = api::Snapshot::read(text).unwrap();
        let ignored = snapshot.ignored.iter().map(|(_, count)| *count).sum();
        vec![
            snapshot.services.len(),
            snapshot.pods.len(),
            snapshot.nodes.len(),
            ignored,
        ]
    };
    let pod = r#"{"metadata":{"name":"p"},"spec":{},"kind":"Pod"}"#;
    assert_eq!(count(pod), [0, 1, 0, 0]);
    assert_eq!(
        count(&format!(r#"{{"kind":"ServiceList","items":[{pod}]}}"#)),
        [0, 1, 0, 0]
    );
    let other =
        r#"{"kind":"Service","metadata":{"name":"s"},"apiVersion":"serving.knative.dev/v1"}"#;
    assert_eq!(count(&format!("[{other}]")), [0, 0, 0, 1]);
    // An object that has items but is not a list is ignored with all its contents.
    assert_eq!(
        count(&format!(r#"{{"items":[{pod}],"kind":"Bundle"}}"#)),
        [0, 0, 0, 1]
    );
    assert_eq!(count(r#"{"kind":"PodList"}"#), [0, 0, 0, 1]);
}

#[test]
fn divided_by_lines_as_in_yaml() {
    let items = few();
    let text: Vec<String> = items.iter().map(|item| format!("{item:#}\n")).collect();
    let list = json!({"kind": "List", "items": items}).to_string();
    let expected = plans(&read(&list, 1000).unwrap());
    for piece in [1, 2, 3, 1000] {
        assert_eq!(plans(&read(&text.join("---\n"), piece).unwrap()), expected);
    }
    let error = read("[]\n--", 1)
        .err()
        .map(|error| error.message().to_owned());
    assert!(error.is_some_and(|message| message.starts_with("trailing characters")));
}

/// Wherever the input is cut off, nothing is planned, and the error is the same as for the whole input.
#[test]
fn an_input_that_is_cut_off_gives_nothing() {
    let text = format!(
        "{:#}",
        json!({"apiVersion": "v1", "items": few(), "kind": "List"})
    );
    for end in (0..text.len()).step_by(97).chain([text.len() - 1]) {
        let cut = text.get(..end).unwrap();
        assert!(api::plan_snapshot(cut.as_bytes(), b"").is_err(), "{cut}");
        check(cut, &[5000]);
    }
}

#[test]
fn errors_have_their_place_in_the_whole_input() {
    let text = format!(
        "{:#}",
        json!({"apiVersion": "v1", "items": few(), "kind": "List"})
    );
    for (old, new) in [
        ("\"podIP\": \"", "\"podIP\": 7, \"x\": \""),
        (
            "\"kind\": \"Node\"",
            "\"kind\": \"Pod\", \"kind\": \"Node\"",
        ),
        ("\"kind\": \"Node\"", "\"kind\": 5"),
        ("\"nodeName\": \"", "\"nodeName\": [\"x\"], \"y\": \""),
        ("\"addressType\": \"IPv4\"", "\"addressType\": \"\""),
        ("\"containers\": [", "\"containers\": [,"),
        ("\"phase\": \"Running\"", "\"phase\": \"Running"),
        (
            "\"apiVersion\": \"discovery.k8s.io/v1\"",
            "\"apiVersion\": \"discovery.k8s.io/v1beta1\"",
        ),
        ("\"kind\": \"List\"", "\"kind\": 7"),
        (
            "\"kind\": \"List\"",
            "\"kind\": \"List\", \"kind\": \"List\"",
        ),
        ("\"items\": [", "\"items\": [7,"),
    ] {
        let (before, behind) = text.rsplit_once(old).unwrap();
        let spoilt = [before, new, behind].concat();
        let error = api::plan_snapshot(spoilt.as_bytes(), b"").unwrap_err();
        assert!(
            error.line().is_some_and(|line| line > 1),
            "{new}: {error:?}"
        );
        check(&spoilt, &[100, 3000, 1 << 20]);
    }
    let twice = [few(), few()].concat();
    check(&format!("{:#}", json!(twice)), &[100, 3000]);
    let mut bytes = text.into_bytes();
    let middle = bytes.len() / 2;
    bytes[middle] = 0xff;
    let mut stream = SnapshotStream::new(&Alone);
    let pushed = bytes.chunks(1000).try_for_each(|piece| stream.push(piece));
    let whole = api::plan_snapshot(&bytes, b"").unwrap_err();
    assert_eq!(pushed.unwrap_err(), whole);
}
