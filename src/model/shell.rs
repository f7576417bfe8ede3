//! Words of a POSIX shell, for commands to copy.

use alloc::borrow::{Cow, ToOwned};

/// A text as one word that every POSIX shell takes literally: as it is if no character in it means anything to a shell,
/// otherwise in single quotes. `$'…'` would not do: `dash`, the `sh` of Debian, takes it for a dollar and a word.
///
/// Characters that terminals obey stay as they are; whoever prints words refuses or escapes these.
pub fn word(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b',' | b':')
    };
    if !text.is_empty() && text.bytes().all(is_plain) {
        return text.into();
    }
    let mut quoted = "'".to_owned();
    quoted.push_str(&text.replace('\'', r"'\''"));
    quoted.push('\'');
    quoted.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_apart() {
        for (text, expected) in [
            ("cart-a", "cart-a"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$(rm)", "'$(rm)'"),
            ("a\\'", r"'a\'\'''"),
            ("~", "'~'"),
            ("a=b", "'a=b'"),
        ] {
            assert_eq!(word(text), expected);
        }
    }
}
