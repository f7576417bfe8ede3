//! Options out of range are refused, each with its name and its valid values.

use super::bad_input::{check, with};

#[test]
fn options_out_of_range() {
    let options = |options: &str| with(&format!(r#""options": {{{options}}}"#));
    check(
        &options(r#""maxEndpointsPerSlice": 0"#),
        "InvalidValue",
        Some("/options/maxEndpointsPerSlice"),
        "invalid value for `maxEndpointsPerSlice`: number `0`, expected a whole number between 1 and 1000",
    );
    check(
        &options(r#""maxEndpointsPerSlice": 1001"#),
        "InvalidValue",
        Some("/options/maxEndpointsPerSlice"),
        "number `1001`",
    );
    check(
        &options(r#""maxEndpointsPerSlice": -1"#),
        "InvalidValue",
        Some("/options/maxEndpointsPerSlice"),
        "-1",
    );
    check(
        &options(r#""maxEndpointsPerSlice": 1e400"#),
        "InvalidValue",
        Some("/options/maxEndpointsPerSlice"),
        "out of range",
    );
    check(
        &options(r#""maxEndpointsPerSlice": "many""#),
        "InvalidType",
        Some("/options/maxEndpointsPerSlice"),
        "invalid type for `maxEndpointsPerSlice`: string \"many\", expected a whole number",
    );
    check(
        &options(r#""managedBy": "no spaces""#),
        "InvalidValue",
        Some("/options/managedBy"),
        "label value",
    );
    check(
        &options(r#""managedBy": 5"#),
        "InvalidType",
        Some("/options/managedBy"),
        "number `5`, expected a string",
    );
    check(
        &options(r#""packing": 5"#),
        "InvalidType",
        Some("/options/packing"),
        "number `5`, expected a string",
    );
    check(
        &options(r#""packing": "tight""#),
        "InvalidValue",
        Some("/options/packing"),
        "balanced",
    );
    check(
        &options(r#""patches": ["json", "xml"]"#),
        "InvalidValue",
        Some("/options/patches/1"),
        "is not a kind of patch",
    );
}

#[test]
fn the_core_explains_nothing() {
    let request = with(r#""options": {"explain": true}"#);
    let error = slicewise::api::plan(request.as_bytes()).unwrap_err();
    assert_eq!(error.code(), slicewise::Code::Unsupported);
    assert_eq!(error.path(), Some("/options/explain"));
    assert!(error.message().contains("slicewise/tools"), "{error}");
    let error = slicewise::api::plan_snapshot(b"[]", br#"{"explain": true}"#).unwrap_err();
    assert_eq!(error.path(), Some("/explain"));
    let mut nothing = slicewise::api::SnapshotStream::new(&slicewise::model::own::Alone);
    nothing.push(b"[]").unwrap();
    let mut options = slicewise::plan::request::Options::default();
    options.explain = Some(true);
    let refused = nothing.finish().unwrap().with_plans(&options, |_, _| ());
    assert_eq!(refused.unwrap_err().path(), Some("/options/explain"));
}
