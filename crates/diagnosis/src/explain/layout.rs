//! How much of a text is shown, and how wide.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::text::Block;

/// A heading with blocks below it.
pub(crate) struct Part {
    /// Whole lines.
    pub(crate) head: String,
    pub(crate) blocks: Vec<Block>,
}

/// As much of a text as fits.
pub(crate) struct LaidOut {
    pub(crate) text: String,
    /// The number of parts that are not in the text.
    pub(crate) parts_left: usize,
    /// The number of explanations that are not in the text.
    pub(crate) explanations_left: usize,
}

/// Fits parts into a number of lines: the heads come first, then the first block of each, then the second ones.
pub(crate) fn lay_out(parts: &[Part], room: usize) -> LaidOut {
    let sizes: Vec<PartSize> = parts.iter().map(PartSize::of).collect();
    let all: Vec<usize> = sizes.iter().map(|size| size.blocks.len()).collect();
    let shown = match height(&sizes, &all) <= room {
        true => all,
        false => fitting(&sizes, room),
    };
    let mut text = String::new();
    let mut explanations_left = 0;
    let mut has_blocks = false;
    for (place, part) in parts.iter().enumerate() {
        let count = shown.get(place).copied();
        let (here, left) = part.blocks.split_at(count.unwrap_or_default());
        explanations_left += left.iter().map(|block| block.count).sum::<usize>();
        if count.is_none() {
            continue;
        }
        if place > 0 && (has_blocks || !here.is_empty()) {
            text.push('\n');
        }
        text.push_str(&part.head);
        for (number, block) in here.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(&block.text);
        }
        has_blocks = !here.is_empty();
    }
    LaidOut {
        text,
        parts_left: parts.len() - shown.len(),
        explanations_left,
    }
}

/// The number of lines in a part.
struct PartSize {
    head: usize,
    blocks: Vec<usize>,
}

impl PartSize {
    fn of(part: &Part) -> Self {
        let blocks = part.blocks.iter();
        Self {
            head: lines(&part.head),
            blocks: blocks.map(|block| lines(&block.text)).collect(),
        }
    }
}

/// How many blocks of each of the first parts fit; at least the first head is shown.
fn fitting(sizes: &[PartSize], room: usize) -> Vec<usize> {
    let mut heads = 0;
    let count = sizes.iter().take_while(|size| {
        heads += size.head;
        heads <= room
    });
    let sizes = sizes.get(..count.count().max(1)).unwrap_or_default();
    let mut shown = vec![0; sizes.len()];
    let mut is_open = vec![true; sizes.len()];
    while is_open.contains(&true) {
        for place in 0..sizes.len() {
            let (Some(open), Some(size)) = (is_open.get_mut(place), sizes.get(place)) else {
                continue;
            };
            let mut more = shown.clone();
            if let Some(count) = more.get_mut(place) {
                *count += 1;
            }
            *open = *open
                && more.get(place) <= Some(&size.blocks.len())
                && height(sizes, &more) <= room;
            if *open {
                shown = more;
            }
        }
    }
    shown
}

/// The number of lines that so many blocks of each part take.
fn height(sizes: &[PartSize], shown: &[usize]) -> usize {
    let mut height = 0;
    let mut has_blocks = false;
    for (place, (size, shown)) in sizes.iter().zip(shown).enumerate() {
        let is_apart = place > 0 && (has_blocks || *shown > 0);
        let blocks = size.blocks.iter().take(*shown).sum::<usize>();
        height += usize::from(is_apart) + size.head + blocks + shown.saturating_sub(1);
        has_blocks = *shown > 0;
    }
    height
}

/// The number of lines of a text.
pub(crate) fn lines(text: &str) -> usize {
    text.matches('\n').count()
}

/// A line as several that have at most `width` columns; all but the first are indented by `hang` columns. It is broken
/// at spaces, and in words only if they are longer than a line. Colours take no columns.
pub fn wrapped(line: &str, hang: usize, width: usize) -> String {
    let width = width.max(1);
    let hang = hang.min(width / 2);
    let mut text = String::with_capacity(line.len());
    let (mut column, mut has_word) = (0, false);
    let next_line = |text: &mut String| {
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
        text.extend(core::iter::repeat_n(' ', hang));
        hang
    };
    for (number, word) in line.split(' ').enumerate() {
        if number > 0 {
            if has_word && !word.is_empty() && column + 1 + columns(word) > width {
                column = next_line(&mut text);
            } else {
                text.push(' ');
                column += 1;
            }
        }
        has_word |= !word.is_empty();
        let mut is_colour = false;
        for character in word.chars() {
            is_colour |= character == '\u{1b}';
            if !is_colour {
                if column >= width {
                    column = next_line(&mut text);
                }
                column += 1;
            }
            text.push(character);
            is_colour &= character != 'm';
        }
    }
    text
}

/// The number of columns of a word.
fn columns(word: &str) -> usize {
    let mut is_colour = false;
    let counts = |character: &char| {
        is_colour |= *character == '\u{1b}';
        let counts = !is_colour;
        is_colour &= *character != 'm';
        counts
    };
    word.chars().filter(counts).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    #[track_caller]
    fn check(line: &str, hang: usize, width: usize, expected: &str) {
        let text = wrapped(line, hang, width);
        assert_eq!(text, expected);
        assert!(text.lines().all(|line| columns(line) <= width), "{text}");
    }

    #[test]
    fn lines_are_broken_at_spaces_and_hang() {
        check("a bc def", 2, 8, "a bc def");
        check("a bc def", 2, 7, "a bc\n  def");
        check("  what:    one two", 11, 14, "  what:    one\n       two");
        check("  what:    one two", 9, 18, "  what:    one two");
        check("abcdefgh", 1, 4, "abcd\n efg\n h");
        check("ab cdefgh", 0, 4, "ab\ncdef\ngh");
        check("", 4, 1, "");
        check("x y", 9, 1, "x\ny");
        // Colours have no width.
        check(
            "\u{1b}[1;31mab\u{1b}[0m cd",
            0,
            5,
            "\u{1b}[1;31mab\u{1b}[0m cd",
        );
    }

    fn part(name: usize, blocks: usize) -> Part {
        let block = |number: usize| Block {
            text: format!(" {name}.{number}\n  because\n"),
            count: 1,
        };
        Part {
            head: format!("{name}\n"),
            blocks: (0..blocks).map(block).collect(),
        }
    }

    #[test]
    fn what_fits_is_shown_in_fairness() {
        let parts: Vec<Part> = [2, 3, 0, 0]
            .iter()
            .enumerate()
            .map(|(n, b)| part(n, *b))
            .collect();
        let whole = lay_out(&parts, usize::MAX);
        assert_eq!((whole.parts_left, whole.explanations_left), (0, 0));
        assert_eq!(
            lay_out(&parts, 10).text,
            "0\n 0.0\n  because\n\n1\n 1.0\n  because\n\n2\n3\n".to_string()
        );
        for room in 1..30 {
            let out = lay_out(&parts, room);
            assert!(lines(&out.text) <= room, "{room}: {}", out.text);
            let heads = lines(&out.text.replace("  because\n", "").replace(['.', ' '], ""));
            assert!(heads >= 1);
        }
        let few = lay_out(&parts, 3);
        assert_eq!(
            (few.text.as_str(), few.parts_left, few.explanations_left),
            ("0\n1\n2\n", 1, 5)
        );
    }
}
