//! Scans several bytes at a time, without `unsafe`.

const ONES: u64 = u64::MAX / 0xff;
const HIGHS: u64 = ONES << 7;

/// The position of the first quote, backslash or control character from `at` on; the length of the text if there is
/// none.
#[inline]
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let found = special(word);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            break;
        }
        at += 1;
    }
    at
}

/// The high bit of each byte that is a quote, a backslash or a control character. (Mycroft's method; bytes above the
/// first match may be marked in error.)
#[inline]
const fn special(word: u64) -> u64 {
    let control = word.wrapping_sub(ONES * 0x20);
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let is_control = control & !word;
    let is_quote = quote.wrapping_sub(ONES) & !quote;
    let is_backslash = backslash.wrapping_sub(ONES) & !backslash;
    (is_control | is_quote | is_backslash) & HIGHS
}

/// Does the text have `known` at this position?
///
/// Compares blocks and words in place, the last of which overlaps the one before: most texts are too short for a call of
/// the C library's `memcmp` to pay off.
#[inline]
pub fn stands_at(bytes: &[u8], at: usize, known: &[u8]) -> bool {
    const BLOCK: usize = 32;
    const WORD: usize = 8;
    const HALF: usize = 4;
    let Some(there) = bytes.get(at..at + known.len()) else {
        return false;
    };
    match (there.last_chunk::<WORD>(), known.last_chunk::<WORD>()) {
        (Some(there_end), Some(known_end)) => {
            let (blocks, there) = there.as_chunks::<BLOCK>();
            let (known_blocks, known) = known.as_chunks::<BLOCK>();
            let mut blocks = blocks.iter().zip(known_blocks);
            let words = there.as_chunks::<WORD>().0.iter();
            let mut words = words.zip(known.as_chunks::<WORD>().0);
            blocks.all(|(one, other)| difference(one, other) == 0)
                && words.all(|(one, other)| difference(one, other) == 0)
                && difference(there_end, known_end) == 0
        }
        _ if known.len() >= HALF => {
            there.first_chunk::<HALF>() == known.first_chunk()
                && there.last_chunk::<HALF>() == known.last_chunk()
        }
        _ => there.iter().zip(known).all(|(one, other)| one == other),
    }
}

/// Does the text go on with `known`, which may be long? Where the C library has long vectors, its call pays off for long ones.
#[inline]
pub fn runs_along(bytes: &[u8], at: usize, known: &[u8]) -> bool {
    const LONG: usize = 64;
    if cfg!(target_arch = "wasm32") || known.len() < LONG {
        return stands_at(bytes, at, known);
    }
    bytes.get(at..at + known.len()) == Some(known)
}

/// Zero if two blocks are equal. Without an early exit, the compiler uses the widest vectors there are.
#[inline]
fn difference<const N: usize>(one: &[u8; N], other: &[u8; N]) -> u64 {
    let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
    words.fold(0, |found, (one, other)| {
        found | (u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_plain_text() {
        for special in ["\"", "\\", "\n", "\u{1f}", "\0"] {
            for before in 0..40 {
                for after in 0..20 {
                    let text = ["é".repeat(before / 2), "~".repeat(before % 2)].concat();
                    let whole = format!("{text}{special}{}", "\"".repeat(after));
                    assert_eq!(plain_end(whole.as_bytes(), 0), text.len(), "{whole:?}");
                }
            }
        }
        assert_eq!(plain_end(b"abc\x7f\xff and more of it", 1), 20);
    }

    #[test]
    fn what_stands_somewhere() {
        let text: Vec<u8> = (b' '..=b'~').collect();
        let text = text.as_slice();
        for start in 0..text.len() {
            for end in start..=text.len() {
                let known = &text[start..end];
                assert!(stands_at(text, start, known));
                assert_eq!(stands_at(text, start + 1, known), known.is_empty());
                for place in 0..known.len() {
                    let mut other = known.to_vec();
                    other[place] = 0x7f;
                    assert!(!stands_at(text, start, &other));
                }
            }
        }
    }
}
