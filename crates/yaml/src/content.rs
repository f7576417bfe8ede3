//! The lines that hold a key, a value or both.

use crate::block::{self, BlockKey, BlockText, ReadValue, Told};

/// A line with content, and the lines of its value.
pub(crate) struct ContentLine<'t> {
    pub(crate) column: usize,
    /// How many `- ` it begins with.
    pub(crate) dashes: usize,
    pub(crate) key: Option<BlockKey<'t>>,
    pub(crate) value: ReadValue<'t>,
    /// The columns of the key and the value.
    pub(crate) key_at: usize,
    pub(crate) value_at: usize,
    /// That of the innermost list or map.
    pub(crate) innermost: usize,
}

impl<'t> ContentLine<'t> {
    /// Reads a line, and the lines of its value.
    pub(crate) fn read(
        part: BlockText<'t>,
        content: &'t str,
        column: usize,
        next: usize,
    ) -> Told<Self> {
        let mut rest = content;
        let mut dashes = 0;
        while let Some(behind) = rest.strip_prefix("- ") {
            rest = behind;
            dashes += 1;
        }
        let key_at = column + 2 * dashes;
        let (key, value) = match block::key(rest) {
            Some((key, value)) => (Some(key), value),
            // Of literal text, the parser tells another place.
            None if dashes > 0 && !rest.is_empty() && !rest.starts_with('|') => (None, rest),
            None => return Ok(None),
        };
        if rest.starts_with(' ') {
            return Ok(None);
        }
        let value = value.trim_start_matches(' ');
        let value_at = key_at + (rest.len() - value.len());
        // The lines of a value are further right than the innermost list or map.
        let innermost = if key.is_some() { key_at } else { key_at - 2 };
        let Some(read) = part.value(value, next, innermost)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            column,
            dashes,
            key,
            value: read,
            key_at,
            value_at,
            innermost,
        }))
    }

    pub(crate) const fn is_item(&self) -> bool {
        self.dashes > 0
    }
}
