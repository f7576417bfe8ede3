//! YAML in, JSON text out: as it is read, and with the place of each line.
//!
//! Input is read as `kubectl` reads it, with YAML 1.2's syntax: `yes` is true, `010` and `0x8` are 8, merge keys merge. Whatever
//! JSON cannot express, or obscures the content, is refused: custom tags, infinite numbers, duplicate keys. The differences
//! are in `docs/deviations.md`. The page and the webhook read the same; the cases in `pkg-tests/yaml` hold all three to it.
//!
//! ```
//! use slicewise_yaml::{Conversion, Stopped};
//!
//! let yaml = "kind: Service\nspec:\n  ports: [{port: 80}, {port: 80, port: 81}]\n";
//! let Err(Stopped::Refused(error)) = Conversion::new(yaml.as_bytes()).whole() else { unreachable!() };
//! assert_eq!((error.line(), error.column()), (Some(3), Some(34)));
//!
//! let converted = Conversion::new(yaml.replace(", port: 81", "").as_bytes()).whole().unwrap();
//! let value: serde_json::Value = serde_json::from_slice(&converted.json).unwrap();
//! assert_eq!(value["spec"]["ports"][1]["port"], 80);
//! ```

#[cfg(test)]
mod alike;
mod anchor;
mod block;
mod characters;
mod content;
mod conversion;
mod emitter;
mod item;
mod lines;
mod merge;
mod places;
mod refusal;
mod tag;

pub use conversion::{Conversion, Converted};
pub use places::Places;
pub use refusal::Stopped;
pub use tag::Words;

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
