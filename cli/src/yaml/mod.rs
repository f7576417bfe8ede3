//! YAML: documents in, converted to JSON for the core; plans out.
//!
//! The input is YAML 1.2 with the core schema, which reads the output of `kubectl -o yaml` as intended: `yes` and
//! `12_000` are strings, `0x1F` is a number; merge keys are read as `kubectl` reads them. Whatever JSON cannot express, or
//! obscures the content, is refused: custom tags, infinite numbers, duplicate keys. The page and the webhook read the same
//! profile; the cases in `pkg-tests/yaml` hold all three to it.

#[cfg(test)]
mod alike;
mod block;
mod characters;
mod convert;
mod emitter;
mod item;
mod lines;
mod merge;
mod places;
mod refusal;
mod tag;

pub(crate) use convert::{Conversion, Converted};
pub(crate) use places::Places;

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use slicewise_json::yaml::to_yaml;

    use super::*;

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let value = json!({
            "texts": ["", " ", "a b ", "~", "null", "0x1", "1e3", ".5", "-1", "+", "=", "<<", "a #b", "#", "a:", "\u{85}",
                "\u{feff}", "line\nline", "line\n", "\nline", " line\nx", "a\n\n", "a\n\nb", "tab\there", "\tx\ny", "\r\n",
                "'", "\"", "\\", "ä€😀", "a'b\"c", "? x", "%", "@", "`", "a, b", "[a]", "*x", "&x", "!x", "|", ">"],
            "null": null, "true": true, "1": 1, "a: b": {"": [[], {}, [[]], [{"x": {}}]]},
            "multi\nline key": 1.5,
        });
        let yaml = to_yaml(&value).unwrap();
        let read: Value = {
            let converted = Conversion::new(yaml.as_bytes()).whole().unwrap();
            serde_json::from_slice(&converted.json).unwrap()
        };
        assert_eq!(read, value, "{yaml}");
    }
}
