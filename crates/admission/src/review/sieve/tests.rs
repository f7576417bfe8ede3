//! Judging what a sieve keeps is judging the review.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Asking;
use crate::Reviewer;
use slicewise::Code;

/// An update of a Service with much that nobody reads.
fn review(selector: &str) -> String {
    let object = |selector: &str| {
        json!({
            "kind": "Service", "apiVersion": "v1",
            "metadata": {
                "name": "cart", "namespace": "shop", "labels": {"a": "<b>"},
                "annotations": {"é": "\u{1f600} \"\\ <", "x": ""},
                "managedFields": [{"manager": "m", "fieldsV1": {"f:spec": {"f:a": {}, "f:b": [1, -2.5e3, null, true]}}}, 0]
            },
            "spec": {"selector": {"app": selector}, "ports": [{"name": "http", "port": 80, "nodePort": 3, "x": [{}]}]},
            "status": {"loadBalancer": {}}, "more": {"a": {"b": {"c": ["d", {}]}}}
        })
    };
    json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "u", "kind": {"group": "", "version": "v1", "kind": "Service"}, "name": "cart", "namespace": "shop",
            "operation": "UPDATE", "userInfo": {"username": "jane", "extra": {"a": ["b"]}},
            "object": object(selector), "oldObject": object("cart"), "dryRun": false
        }
    })
    .to_string()
}

fn reviewer() -> Reviewer {
    let mut reviewer = Reviewer::new(b"").unwrap();
    let cluster = include_bytes!("../../../../../fuzz/seeds/cluster.json");
    reviewer
        .load(cluster, slicewise::api::Limits::default())
        .unwrap();
    reviewer
}

fn sieved(reviewer: &Reviewer, review: &[u8], cuts: &[usize]) -> Result<Vec<u8>, Error> {
    let mut sieve = reviewer.start_review().unwrap();
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (review.len() + 1)).collect();
    cuts.sort_unstable();
    let mut from = 0;
    for cut in cuts.into_iter().chain([review.len()]) {
        sieve.push(&review[from..cut]);
        from = cut;
    }
    sieve.finish()
}

/// The verdict, or the error without its position.
fn judged(
    reviewer: &mut Reviewer,
    review: &[u8],
) -> Result<String, (Code, Option<String>, String)> {
    let judged = reviewer.judge(review, Asking::default());
    let judged = judged.map(|judged| String::from_utf8(judged).unwrap());
    judged.map_err(|error| {
        let path = error.path().map(Into::into);
        (error.code(), path, error.message().into())
    })
}

#[track_caller]
fn check(review: &[u8], cuts: &[usize]) {
    let mut reviewer = reviewer();
    let whole = judged(&mut reviewer, review);
    let kept = sieved(&reviewer, review, cuts).unwrap();
    let kept_judged = judged(&mut reviewer, &kept);
    let (review, kept) = (
        String::from_utf8_lossy(review),
        String::from_utf8_lossy(&kept),
    );
    assert_eq!(kept_judged, whole, "{kept} of {review}");
}

const ODDITIES: [&str; 50] = [
    "null",
    "{}",
    "[]",
    "\"\"",
    "0",
    "-1",
    "-",
    "01",
    "1.",
    "1.5",
    "1e5",
    "1E+",
    "true",
    "tru",
    "nul",
    "\"a\"",
    "\"\\u00e9\"",
    "\"\\ud800\"",
    "\\ud800",
    "\\udc00",
    "\\ud83d\\ude00",
    "\\ud800\\ud800",
    "\"\\x\"",
    "\\u12",
    "\\u00g0",
    "{\"a\":",
    "[[[[",
    "[",
    "{",
    "]",
    "}",
    ",",
    ":",
    "\u{0}",
    " ",
    "\n",
    "\t",
    "\\",
    "\"",
    "é",
    "\u{1f600}",
    "\u{feff}",
    "{\"k\":1,\"k\":2}",
    "{\"k\":1,\"\\u006b\":2}",
    "{\"\\ud800\":1}",
    "\"kind\":\"Pod\",",
    "\"metadata\":{},",
    "\"x\":{\"a\":1,\"a\":2},",
    "\"object\":[],",
    "[{\"a\":[{\"a\":0,\"b\":{},\"a\":0}]}]",
];

#[test]
fn any_cut_gives_the_same() {
    let text = review("crat");
    let reviewer = reviewer();
    let whole = sieved(&reviewer, text.as_bytes(), &[]).unwrap();
    for cut in 0..=text.len() {
        assert_eq!(sieved(&reviewer, text.as_bytes(), &[cut]).unwrap(), whole);
    }
    check(text.as_bytes(), &[]);
    check(format!("\u{feff} {text}\n").as_bytes(), &[1, 2, 4]);
}

#[test]
fn what_is_read_keeps_its_escapes() {
    let written = r#""\u003cb\u003e\u0026\u00e9\ud83d\ude00\u003c""#;
    let text = review("crat").replace("\"<b>\"", written);
    let reviewer = reviewer();
    for cut in 0..=text.len() {
        let kept = sieved(&reviewer, text.as_bytes(), &[cut]).unwrap();
        let kept = String::from_utf8(kept).unwrap();
        assert_eq!(kept.matches(written).count(), 2, "{kept}");
    }
    check(text.as_bytes(), &[]);
}

#[test]
fn what_nobody_reads_is_gone() {
    let long = "\\u003c".repeat(100_000);
    let deep =
        format!("{}{}", "[{\"a\":".repeat(100_000), "}]".repeat(100_000)).replacen(":}", ":0}", 1);
    let text = review("crat").replace("\"m\"", &format!("\"{long}\",\"y\":{deep}"));
    let kept = sieved(&reviewer(), text.as_bytes(), &[]).unwrap();
    assert!(kept.len() < 2000, "{}", String::from_utf8_lossy(&kept));
    check(text.as_bytes(), &[]);
    for (from, to) in [
        ("0}", "0]"),
        ("\"a\":0", "\"a\":0,\"a\":1"),
        ("0}", "0"),
        ("0}", "\"\\ud800\"}"),
    ] {
        let at = text.find("[{\"a\":").unwrap();
        let (head, tail) = text.split_at(at);
        check(
            [head, &tail.replacen(from, to, 1)].concat().as_bytes(),
            &[at, at + 7],
        );
    }
}

#[test]
fn rules_that_read_whole_objects_get_them() {
    let rule = r#"{"name": "a", "expression": "true", "on": {"kinds": ["Service"]}}"#;
    let config = format!(r#"{{"policies": {{"expression": {{"validations": [{rule}]}}}}}}"#);
    let reviewer = Reviewer::new(config.as_bytes()).unwrap();
    assert!(reviewer.start_review().is_none());
}

#[test]
fn reviews_that_are_too_large() {
    let mut sieve = reviewer().start_review().unwrap();
    let piece = vec![b' '; MAX_REVIEW_BYTES / 2];
    (0..3).for_each(|_| sieve.push(&piece));
    let error = sieve.finish().unwrap_err();
    let whole = judged(&mut reviewer(), &vec![b' '; piece.len() * 3]).unwrap_err();
    assert_eq!((error.code(), error.message()), (whole.0, whole.2.as_str()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn odd_reviews(
        is_crat in any::<bool>(), end in prop::option::weighted(0.1, any::<usize>()),
        puts in prop::collection::vec((any::<usize>(), 0..ODDITIES.len(), 0_usize..12, 0..3), 0..3),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
        byte in prop::option::weighted(0.1, (any::<usize>(), any::<u8>())),
    ) {
        let mut text = review(if is_crat { "crat" } else { "cart" });
        for (at, oddity, len, how) in puts {
            let places: Vec<usize> = match how {
                0 => text.char_indices().map(|(at, _)| at).collect(),
                1 => text.match_indices(':').map(|(at, _)| at + 1).collect(),
                _ => text.match_indices(['{', '[', ',']).map(|(at, _)| at + 1).collect(),
            };
            let Some(at) = places.get(at % places.len().max(1)).copied() else { continue };
            let end = (at..text.len()).find(|end| *end >= at + len && text.is_char_boundary(*end)).unwrap_or(text.len());
            text.replace_range(at..end, ODDITIES[oddity]);
        }
        let mut text = text.into_bytes();
        if let Some(end) = end {
            text.truncate(end % (text.len() + 1));
        }
        if let Some((at, byte)) = byte && !text.is_empty() {
            let at = at % text.len();
            text[at] = byte;
        }
        check(&text, &cuts);
    }
}
