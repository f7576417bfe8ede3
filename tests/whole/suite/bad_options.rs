//! Options out of range are refused, each with its name and its valid values.

use super::bad_input::{check, with};

#[test]
fn options_out_of_range() {
    let options = |options: &str| with(&format!(r#""options": {{{options}}}"#));
    check(
        &options(r#""maxEndpointsPerSlice": 0"#),
        "InvalidValue",
        Some("/options/maxEndpointsPerSlice"),
        "invalid value for `maxEndpointsPerSlice`: integer `0`, expected a whole number between 1 and 1000",
    );
    check(
        &options(r#""maxEndpointsPerSlice": 1001"#),
        "InvalidValue",
        Some("/options/maxEndpointsPerSlice"),
        "integer `1001`",
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
        "integer `5`, expected a string",
    );
    check(
        &options(r#""packing": 5"#),
        "InvalidType",
        Some("/options/packing"),
        "integer `5`, expected a string",
    );
    check(
        &options(r#""packing": "tight""#),
        "InvalidValue",
        Some("/options/packing"),
        "balanced",
    );
    #[cfg(not(feature = "explain"))]
    check(
        &options(r#""explain": true"#),
        "Unsupported",
        Some("/options/explain"),
        "slicewise/tools",
    );
    check(
        &options(r#""patches": ["json", "xml"]"#),
        "InvalidValue",
        Some("/options/patches/1"),
        "is not a kind of patch",
    );
}
