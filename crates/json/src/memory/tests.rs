//! Which keys are expected after objects of one kind have been read.

use super::*;
use crate::Reader;

/// The keys that are remembered of objects that were skipped one after the other, in their order.
#[track_caller]
fn check(objects: &[&str], expected: &str) {
    let mut memory = LayoutMemory::default();
    let mut last = None;
    for object in objects {
        let text = format!("{{\"o\":{object}}}");
        let mut reader = Reader::with_memory(&text, memory);
        let root = reader.memory.root(0);
        let member = reader.memory.learn(root, None, b"\"o\":", (0, 3), UNKNOWN);
        reader.advance_by(text.find(object).unwrap());
        assert_eq!(reader.skip(member), Ok(()));
        memory = reader.into_memory();
        last = member;
    }
    let node = memory.child(last).unwrap();
    let (mut keys, mut place) = (String::new(), None);
    while let Some(member) = memory.after(node, place) {
        let name = memory.name(member).unwrap();
        keys.push_str(str::from_utf8(name).unwrap().trim_matches('"'));
        place = Some(member);
    }
    assert_eq!(keys, expected);
}

#[test]
fn keys_are_expected_in_the_order_they_came_in_last() {
    check(&[r#"{"a":1,"b":2,"c":3}"#, r#"{"a":4,"b":5,"c":6}"#], "abc");
    let sorted = r#"{"a":1,"b":2,"c":3,"d":4}"#;
    check(&[sorted, r#"{"c":1,"d":2,"a":3,"b":4}"#], "cdab");
    check(&[sorted, r#"{"d":1,"c":2,"b":3,"a":4}"#], "dcba");
    check(&[sorted, r#"{"b":1,"d":2,"a":3,"c":4}"#], "bdac");
}

#[test]
fn keys_that_may_be_missing_keep_their_place() {
    let all = r#"{"a":1,"b":2,"c":3}"#;
    check(&[all, r#"{"a":4,"c":5}"#], "abc");
    check(&[all, r#"{"c":5}"#], "abc");
    check(&[r#"{"a":4,"c":5}"#, all], "abc");
    check(&[all, r#"{"a":4,"x":0,"c":5}"#], "axbc");
}

#[test]
fn keys_that_come_twice_are_one() {
    check(&[r#"{"a":1,"b":2,"a":3,"b":4}"#], "ab");
    check(&[r#"{"a":1,"a":2}"#, r#"{"a":3,"a":4,"a":5}"#], "a");
}
