//! YAML: documents in, as JSON to the core; plans out.
//!
//! What goes in is YAML 1.2 with the core schema, which reads what `kubectl -o yaml` writes as it was meant: `yes` and
//! `12_000` are texts, `0x1F` is a number. What JSON has no place for, or what hides what is said, is refused: merge
//! keys, tags of one's own, infinite numbers, keys given twice. The page and the webhook read the same profile; the
//! cases in `pkg-tests/yaml` hold all three to it.

mod read;
mod refusal;
mod scalar;
mod wanted;
mod write;

pub(super) use read::{Converted, place_of, to_json};
pub(super) use write::to_yaml;
