//! Values of any depth: read as `serde_json` reads what it ignores, with memory and without.

use proptest::prelude::*;
use serde::de::IgnoredAny;

use super::*;
use crate::{Fault, LayoutMemory, find_ambiguity};

const DEPTHS: [usize; 6] = [
    MAX_DEPTH - 2,
    MAX_DEPTH,
    MAX_DEPTH + 1,
    150,
    10_000,
    1_000_000,
];

/// The fault in a member that is skipped, and the memory of it.
fn skipped(text: &str, memory: LayoutMemory) -> (Option<Fault>, LayoutMemory) {
    let mut reader = Reader::with_memory(text, memory);
    let root = reader.memory.root(0);
    let member = reader.memory.learn(root, None, b"\"o\":", (0, 3), UNKNOWN);
    let read = reader.skip(member).and_then(|()| reader.end());
    let fault = reader.take_fault();
    assert_eq!(read.is_err(), fault.is_some());
    (fault, reader.into_memory())
}

/// Skips a text without memory, with memory, and with the memory of that text and of another one. Each time, the fault
/// must be that of `serde_json`.
#[track_caller]
fn check(text: &str, other: &str) {
    let theirs = serde_json::from_str::<IgnoredAny>(text).err();
    let theirs = theirs.map(|error| (error.line(), error.column(), error.to_string()));
    let begins: String = text.chars().take(200).collect();
    let same = |fault: Option<Fault>, how: &str| {
        let ours = fault.map(|fault| {
            let read = &text.as_bytes()[..fault.at];
            let line = read.iter().filter(|byte| **byte == b'\n').count() + 1;
            let column = read.iter().rev().take_while(|byte| **byte != b'\n').count();
            let message = format!("{} at line {line} column {column}", fault.message);
            (line, column, message)
        });
        assert_eq!(ours, theirs, "{how}: {begins}");
    };
    let mut plain = Reader::new(text);
    let read = plain.skip(None).and_then(|()| plain.end());
    same(read.err().and_then(|Stop| plain.take_fault()), "plain");
    let (fault, memory) = skipped(text, LayoutMemory::default());
    same(fault, "first");
    let (fault, memory) = skipped(text, memory);
    same(fault, "again");
    let (_, memory) = skipped(other, memory);
    same(skipped(text, memory).0, "after another one");
}

/// Objects and arrays by turns, with something at the innermost place.
fn nested(depth: usize, inner: &str) -> String {
    let opened = |level: usize| match level % 3 {
        0 => "[",
        1 => "{\"a\":",
        _ => "[{\"b\":1},",
    };
    let closed = |level: usize| if level % 3 == 1 { "}" } else { "]" };
    let open: String = (0..depth).map(opened).collect();
    let close: String = (0..depth).rev().map(closed).collect();
    [&open, inner, &close].concat()
}

#[test]
fn values_of_any_depth() {
    for depth in DEPTHS {
        let whole = nested(depth, "0");
        check(&nested(depth, "[}"), "{}");
        check(whole.get(..whole.len() - depth / 2).unwrap(), "[]");
        if depth > 10_000 {
            continue;
        }
        check(&whole, "{}");
        check(&nested(depth, ""), "[]");
        for inner in ["01", "{\"a\" 1}", "[1,]", "\"\\u12\"", "{]"] {
            check(&nested(depth, inner), &whole);
        }
        check(whole.split_once('0').unwrap().0, &whole);
        check(&format!("{whole}]"), &whole);
        let (bracket, wrong) = match whole.contains("0]") {
            true => ("0]", "0}"),
            false => ("0}", "0]"),
        };
        check(&whole.replacen(bracket, wrong, 1), &whole);
    }
}

#[test]
fn ambiguities_at_any_depth() {
    let found = |text: &str| {
        let fault = find_ambiguity(text)?;
        Some((fault.class, fault.field.unwrap_or_default(), fault.at - 1))
    };
    for depth in DEPTHS {
        let twice = r#"{"x":{"k":1},"k":[{"k":2}],"\u006b":3}"#;
        for (inner, within, class, key) in [
            (twice, r#""\u006b":3"#, Class::RepeatedKey, "k"),
            (r#""\ud800""#, r"\ud800", Class::HalfSurrogate, ""),
            (r#"{"\ude00":1}"#, r"\ude00", Class::HalfSurrogate, ""),
        ] {
            let text = nested(depth, inner);
            let at = text.find(within).unwrap();
            assert_eq!(found(&text), Some((class, key.into(), at)), "{depth}");
        }
        // A key of an object around it comes again behind it.
        for level in [1, depth / 2, depth - 1] {
            let inner = nested(depth - level, "0");
            let text = nested(level, &format!("{{\"k\":{inner},\"m\":1,\"k\":2}}"));
            let at = text.rfind("\"k\"").unwrap();
            let expected = Some((Class::RepeatedKey, "k".into(), at));
            assert_eq!(found(&text), expected, "{level} of {depth}");
        }
        assert_eq!(
            found(&nested(depth, r#"{"x":{"k":1},"k":[{"k":2}]}"#)),
            None
        );
    }
}

fn value() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "0",
        "-1.5e3",
        "null",
        "true",
        "\"\"",
        "\"a\\u0041\"",
        "\"é\"",
        "01",
        "tru",
        "\"\\x\"",
        "",
    ]);
    let scalar = scalar.prop_map(String::from);
    scalar.prop_recursive(8, 64, 4, |inner| {
        let key = prop::sample::select(vec!["\"a\"", "\"b\"", "\"\\u0061\"", "a", ""]);
        let gap = prop::sample::select(vec!["", " ", "\n", "\t "]);
        let member = (key, gap.clone(), inner.clone());
        let member = member.prop_map(|(key, gap, value)| format!("{gap}{key}{gap}:{gap}{value}"));
        prop_oneof![
            (prop::collection::vec(inner, 0..4), gap)
                .prop_map(|(items, gap)| format!("[{gap}{}{gap}]", items.join(","))),
            prop::collection::vec(member, 0..4)
                .prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_at_any_depth(
        inner in value(), other in value(), depth in 0_usize..130, end in 0_usize..300, tail in "[\\]}{\\[,:\"0 ]{0,2}"
    ) {
        let text = nested(depth, &inner);
        let from = text.len().saturating_sub(end);
        let is_boundary = |at: &usize| text.is_char_boundary(*at);
        let from = (from..).find(is_boundary).unwrap_or(0);
        let other = nested(depth, &other);
        check(&text, &other);
        let (before, behind) = text.split_at(from);
        check(&format!("{before}{tail}"), &text);
        check(&format!("{before}{tail}{behind}"), &text);
    }
}
