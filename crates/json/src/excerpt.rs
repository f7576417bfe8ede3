//! Excerpts of texts for messages.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// The excerpt of a text of any length for a message.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 64;
    cut(text, LONGEST)
}

/// At most `most` characters of a text, with an ellipsis if there are more.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
