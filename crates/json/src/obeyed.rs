//! Characters that terminals obey rather than show, and JSON without them.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

/// Does a terminal or text layout obey a character rather than show it? Control characters move the cursor and worse,
/// line separators start lines, direction marks reverse the text, and zero-width characters make two names look the
/// same.
pub fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// JSON, or part of it, without characters that terminals obey, except newlines. They only occur in strings, where they are
/// escaped; tabs and carriage returns between values become spaces.
pub fn shown(json: &str) -> Cow<'_, str> {
    // Without an early exit in a block, the compiler uses vectors.
    const BLOCK: usize = 256;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n');
    let are_plain = |block: &[u8]| block.iter().fold(true, |all, byte| all & is_plain(byte));
    let is_changed = |character: char| is_obeyed(character) && character != '\n';
    if json.as_bytes().chunks(BLOCK).all(are_plain) || !json.chars().any(is_changed) {
        return json.into();
    }
    let mut safe = String::with_capacity(json.len() + 32);
    for character in json.chars() {
        match character {
            '\t' | '\r' => safe.push(' '),
            _ if is_changed(character) => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    safe.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => safe.push(character),
        }
    }
    safe.into()
}
