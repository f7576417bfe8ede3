//! Regular expressions, which take time proportional to the text.

use alloc::format;
use alloc::string::{String, ToString as _};

use regex_lite::RegexBuilder;

use super::program::Pattern;
use slicewise::model::text::shorten;

/// The minimum memory of one state of a pattern.
const STATE_BYTES: usize = 32;
/// The number of states visited in one step.
const STATES_OF_STEP: usize = 8;
/// Larger patterns are refused.
const MAX_PATTERN: usize = 64 << 10;

/// Compiles a pattern. The cost of matching depends on its size, measured by the smallest size limit it compiles under.
pub(super) fn compile_pattern(text: &str) -> Result<Pattern, String> {
    let mut limit = 1 << 10;
    loop {
        let regex = RegexBuilder::new(text)
            .size_limit(limit)
            .nest_limit(24)
            .build();
        match regex {
            Ok(regex) => {
                return Ok(Pattern {
                    regex,
                    weight: limit / STATE_BYTES / STATES_OF_STEP,
                });
            }
            Err(_) if limit < MAX_PATTERN => limit *= 2,
            Err(error) => {
                return Err(format!(
                    "the pattern of `matches` is invalid: {}",
                    shorten(&error.to_string())
                ));
            }
        }
    }
}
