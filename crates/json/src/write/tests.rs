//! Compares the writer with `serde_json`: the same bytes, or the same failures.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{append, to_string, to_vec};
use crate::{Raw, field_name};

#[track_caller]
fn check(value: &(impl Serialize + ?Sized)) {
    let expected = serde_json::to_string(value).ok();
    assert_eq!(to_string(value).ok(), expected);
}

#[test]
fn every_character_at_every_place() {
    for character in (0..=0x100).filter_map(char::from_u32).chain(['€', '😀']) {
        for length in 0..40 {
            for place in [0, length / 2, length] {
                let mut text = "x".repeat(length);
                text.insert(place, character);
                check(&text);
            }
        }
        check(&character);
    }
}

#[test]
fn texts_of_every_length() {
    for length in 0..200 {
        let text: String = ('!'..='~').cycle().skip(length).take(length).collect();
        check(&text);
        check(&text.replace(['"', '\\'], "é"));
    }
}

#[test]
fn numbers() {
    for bits in 0..64 {
        let number = 1_u64 << bits;
        check(&[number - 1, number, number + 1]);
        check(&[number.cast_signed(), number.wrapping_neg().cast_signed()]);
    }
    check(&(u64::MAX, i64::MIN, u128::MAX, i128::MIN));
    check(&(0_u8, -1_i8, 1_u16, -1_i16, 0_u32, i32::MIN));
    check(&[0.0, -0.0, 1.0, 0.1, 1e21, 1e-7, f64::MAX, f64::MIN_POSITIVE]);
    check(&[f64::NAN, f64::INFINITY]);
    check(&[0.1_f32, 16_777_216.0, f32::NAN]);
}

/// An object with these names of fields, in which each value is an object again.
struct Fields(u8);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(depth) = self.0.checked_sub(1) {
            let inner = Self(depth);
            map.serialize_entry(field_name!(""), &inner)?;
            map.serialize_entry(field_name!("a"), &true)?;
            map.serialize_entry("\"", &depth)?;
            map.serialize_entry(field_name!("of_twenty-eight_characters__"), &inner)?;
            map.serialize_entry(field_name!("of_twenty-nine_characters____"), &inner)?;
            map.serialize_entry(field_name!("longer than what is copied in one piece"), &"é")?;
        }
        map.end()
    }
}

#[test]
fn known_names_of_fields() {
    for depth in 0..4 {
        check(&Fields(depth));
        check(&[Fields(depth), Fields(depth)]);
    }
    let text = to_string(&Fields(1)).unwrap();
    assert!(
        text.contains(r#"{},"of_twenty-nine_characters____":{}"#),
        "{text}"
    );
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Newtype(Vec<Unit>);

#[derive(Serialize)]
struct Tuple(u8, Option<()>);

#[derive(Serialize)]
enum Variant {
    Unit,
    Newtype(Box<Self>),
    Tuple(u8, u8),
    Struct { nothing: [u8; 0], some: Option<u8> },
}

#[test]
fn shapes() {
    check(&Newtype(vec![]));
    check(&Newtype(vec![Unit, Unit]));
    check(&Tuple(1, None));
    check(&[
        Variant::Unit,
        Variant::Newtype(Box::new(Variant::Unit)),
        Variant::Tuple(1, 2),
        Variant::Newtype(Box::new(Variant::Struct {
            nothing: [],
            some: Some(1),
        })),
    ]);
    check(&json!([[], {}, [[]], [{}], {"": []}, {"a": {}}, [null, true, false]]));
    check(&format_args!("{}\"{}\u{1}", "a", "é"));
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OnlyRaw(&'static str);

impl Serialize for OnlyRaw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Raw::new(self.0).serialize(serializer)
    }
}

/// A failed write leaves nothing behind.
#[test]
fn keys() {
    check(&BTreeMap::from([(1, -1), (-20, 2)]));
    check(&BTreeMap::from([(true, 'a'), (false, '"')]));
    check(&BTreeMap::from([(Some("a"), ()), (Some("\n"), ())]));
    check(&BTreeMap::from([('a', ()), ('\\', ())]));
    check(&BTreeMap::from([(None::<u8>, 1)]));
    check(&BTreeMap::from([([1], 1)]));
    check(&BTreeMap::from([((), 1)]));
    check(&BTreeMap::from([(["a"], 1)]));
    let mut output = b"before".to_vec();
    assert!(append(&json!({"a": 1}), &mut output).is_ok());
    assert!(append(&[BTreeMap::from([((), 1)])], &mut output).is_err());
    assert_eq!(output, br#"before{"a":1}"#);
}

/// Answers of a stream are written one after the other.
#[test]
fn values_behind_others() {
    let mut output = Vec::new();
    let mut expected = Vec::new();
    for number in 0..300 {
        let value = json!({"number": number, "text": "x".repeat(number)});
        append(&value, &mut output).unwrap();
        expected.extend(serde_json::to_vec(&value).unwrap());
        assert_eq!(output, expected);
    }
}

#[test]
fn raw_text_is_written_as_it_stands() {
    let text = r#"{ "a" : [ 1.50, "\u00e9" ] }"#;
    let raw: Box<RawValue> = serde_json::from_str(text).unwrap();
    check(&raw);
    check(&[Some(&*raw), None, Some(&*raw)]);
    check(&BTreeMap::from([("before", &raw), ("then", &raw)]));
    check(&(Raw::new(text), "\"then\"", Raw::new("1")));
    assert_eq!(to_string(&Raw::new(text)).unwrap(), text);
    check(&BTreeMap::from([(OnlyRaw("\"key\""), 1)]));
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9.-]{0,80}",
        any::<String>(),
        prop::collection::vec(0..0x80_u8, 0..40)
            .prop_map(|bytes| String::from_utf8(bytes).unwrap_or_default()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_written_as_serde_json_writes_it(value in value()) {
        prop_assert_eq!(to_vec(&value).unwrap(), serde_json::to_vec(&value).unwrap());
    }
}
