//! The values of YAML that can be read without the rules for all of it: plain, quoted and literal text, and what is empty.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2};

/// More of the input is needed.
pub(crate) struct Cut;

/// What was read; `None` if the parser must read it.
pub(crate) type Told<T> = Result<Option<T>, Cut>;

/// A part of an input, from the beginning of a line.
#[derive(Clone, Copy)]
pub(crate) struct BlockText<'t> {
    pub(crate) text: &'t str,
    /// Whether the input ends with it.
    pub(crate) is_last: bool,
}

/// What stands behind a key or a dash.
pub(crate) enum BlockValue<'t> {
    /// Nothing: it follows in the next lines.
    Pending,
    Plain(Cow<'t, str>),
    /// Quoted or literal.
    Text(Cow<'t, str>),
    Empty {
        is_list: bool,
    },
}

/// A key, without its quotes if it is not plain.
pub(crate) struct BlockKey<'t> {
    pub(crate) text: &'t str,
    pub(crate) is_plain: bool,
}

/// A value, and what it takes of the lines behind the one it begins in.
pub(crate) struct ReadValue<'t> {
    pub(crate) value: BlockValue<'t>,
    /// Where the next line begins.
    pub(crate) next: usize,
    /// How many lines are before it.
    pub(crate) count: usize,
}

impl<'t> BlockText<'t> {
    /// The line that begins there, and where the next one does; `None` at the end of the input.
    pub(crate) fn line(self, at: usize) -> Told<(&'t str, usize)> {
        let rest = self.text.get(at..).unwrap_or_default();
        match memchr(b'\n', rest.as_bytes()) {
            Some(end) => Ok(rest.get(..end).map(|line| (line, at + end + 1))),
            None if !self.is_last => Err(Cut),
            None if rest.is_empty() => Ok(None),
            None => Ok(Some((rest, self.text.len()))),
        }
    }

    /// The text from there to there.
    pub(crate) fn between(self, at: usize, end: usize) -> &'t str {
        self.text.get(at..end).unwrap_or_default()
    }

    /// Reads the value that begins with `rest` of a line, before the line at `next`, in a list or map in this column.
    pub(crate) fn value(self, rest: &'t str, next: usize, column: usize) -> Told<ReadValue<'t>> {
        let lines = FollowingLines {
            part: self,
            next,
            count: 0,
            column,
        };
        match rest.as_bytes() {
            [] => Ok(Some(lines.ended(BlockValue::Pending))),
            [b'|', ..] => lines.literal(rest),
            [b'\'', ..] => lines.quoted(rest, '\''),
            [b'"', ..] => lines.quoted(rest, '"'),
            b"[]" => lines.alone(BlockValue::Empty { is_list: true }),
            b"{}" => lines.alone(BlockValue::Empty { is_list: false }),
            _ => lines.plain(rest),
        }
    }
}

/// The lines that may belong to a value.
struct FollowingLines<'t> {
    part: BlockText<'t>,
    next: usize,
    count: usize,
    /// They are further right than this column.
    column: usize,
}

impl<'t> FollowingLines<'t> {
    fn ended(self, value: BlockValue<'t>) -> ReadValue<'t> {
        ReadValue {
            value,
            next: self.next,
            count: self.count,
        }
    }

    /// The value, if no line further right follows: that would be a mistake.
    fn alone(self, value: BlockValue<'t>) -> Told<ReadValue<'t>> {
        if self.is_over()? {
            return Ok(Some(self.ended(value)));
        }
        let mut at = self.next;
        while let Some((line, next)) = self.part.line(at)? {
            let indentation = indentation(line);
            match line.as_bytes().get(indentation) {
                None | Some(b'#') => at = next,
                // A tab, or the end of a line in another notation, is part of the text before it, or a mistake.
                Some(first) if first.is_ascii_control() => return Ok(None),
                Some(_) if indentation > self.column => return Ok(None),
                Some(_) => break,
            }
        }
        Ok(Some(self.ended(value)))
    }

    /// Whether the next line is content that is not further right, as most are.
    fn is_over(&self) -> Result<bool, Cut> {
        let rest = self
            .part
            .text
            .as_bytes()
            .get(self.next..)
            .unwrap_or_default();
        match rest.iter().position(|byte| *byte != b' ') {
            None if self.part.is_last => Ok(false),
            None => Err(Cut),
            Some(at) => {
                let is_content = rest
                    .get(at)
                    .is_some_and(|first| *first > b'#' && *first < 0x7f);
                Ok(is_content && at <= self.column)
            }
        }
    }

    /// The next line, if it continues a text: it has content, further right.
    fn continued(&mut self) -> Told<&'t str> {
        let Some((line, next)) = self.part.line(self.next)? else {
            return Ok(None);
        };
        let indentation = indentation(line);
        let is_more = indentation > self.column && indentation < line.len() && is_printable(line);
        Ok(is_more.then(|| {
            (self.next, self.count) = (next, self.count + 1);
            line.get(indentation..).unwrap_or_default()
        }))
    }

    /// Plain text; its lines are joined by spaces.
    fn plain(mut self, rest: &'t str) -> Told<ReadValue<'t>> {
        let first = rest.trim_end_matches(' ');
        if !begins_plain(first) || !is_plain(first) {
            return Ok(None);
        }
        if self.is_over()? {
            return Ok(Some(self.ended(BlockValue::Plain(first.into()))));
        }
        let mut text = Cow::Borrowed(first);
        while let Some(line) = self.continued()? {
            let line = line.trim_end_matches(' ');
            if line.starts_with('#') || !is_plain(line) {
                return Ok(None);
            }
            let text = text.to_mut();
            text.push(' ');
            text.push_str(line);
        }
        self.alone(BlockValue::Plain(text))
    }

    /// Quoted text; its lines are joined by spaces, or by nothing behind a backslash.
    fn quoted(mut self, rest: &'t str, quote: char) -> Told<ReadValue<'t>> {
        let mut line = rest.get(1..).unwrap_or_default();
        let special = |line: &str| match quote {
            '"' => memchr2(b'"', b'\\', line.as_bytes()),
            _ => memchr(b'\'', line.as_bytes()),
        };
        if let Some(end) = special(line) {
            let (text, behind) = line.split_at(end);
            let behind = behind.strip_prefix(quote);
            if behind.is_some_and(|behind| behind.trim_end_matches(' ').is_empty()) {
                return self.alone(BlockValue::Text(Cow::Borrowed(text)));
            }
        }
        let mut text = String::new();
        // Spaces before the end of a line do not count, unless they are escaped.
        let mut kept = 0;
        loop {
            let Some(end) = special(line) else {
                text.push_str(line);
                let length = text.trim_end_matches(' ').len();
                text.truncate(length.max(kept));
                let Some(more) = self.continued()? else {
                    return Ok(None);
                };
                text.push(' ');
                line = more;
                continue;
            };
            let (before, rest) = line.split_at(end);
            text.push_str(before);
            let behind = rest.get(1..).unwrap_or_default();
            if rest.starts_with('\\') {
                if behind.is_empty() {
                    kept = text.len();
                    let Some(more) = self.continued()? else {
                        return Ok(None);
                    };
                    line = more;
                    continue;
                }
                let Some((character, behind)) = escaped(behind) else {
                    return Ok(None);
                };
                text.push(character);
                (line, kept) = (behind, text.len());
            } else if let Some(behind) = behind.strip_prefix('\'').filter(|_| quote == '\'') {
                text.push('\'');
                (line, kept) = (behind, text.len());
            } else if behind.trim_end_matches(' ').is_empty() {
                return self.alone(BlockValue::Text(Cow::Owned(text)));
            } else {
                return Ok(None);
            }
        }
    }

    /// Literal text: lines as they are, without the indentation of the first.
    fn literal(mut self, header: &str) -> Told<ReadValue<'t>> {
        let (is_stripped, is_kept) = match header {
            "|" => (false, false),
            "|-" => (true, false),
            "|+" => (false, true),
            _ => return Ok(None),
        };
        let (mut text, mut newlines) = (String::new(), 0);
        let mut block = None;
        while let Some((line, next)) = self.part.line(self.next)? {
            let indentation = indentation(line);
            if indentation == line.len() {
                if indentation > block.unwrap_or(0) {
                    return Ok(None);
                }
                newlines += 1;
            } else {
                let is_odd = line
                    .as_bytes()
                    .get(indentation)
                    .is_some_and(u8::is_ascii_control);
                if indentation <= self.column && !is_odd {
                    break;
                }
                let block = *block.get_or_insert(indentation);
                let Some(content) = line.get(block..).filter(|_| indentation >= block) else {
                    return Ok(None);
                };
                if !is_printable(content) {
                    return Ok(None);
                }
                text.extend(std::iter::repeat_n('\n', newlines));
                text.push_str(content);
                newlines = 1;
            }
            (self.next, self.count) = (next, self.count + 1);
        }
        if block.is_none()
            || !self
                .part
                .text
                .get(..self.next)
                .unwrap_or_default()
                .ends_with('\n')
        {
            return Ok(None);
        }
        let newlines = match is_stripped {
            true => 0,
            false if is_kept => newlines,
            false => 1,
        };
        text.extend(std::iter::repeat_n('\n', newlines));
        Ok(Some(self.ended(BlockValue::Text(Cow::Owned(text)))))
    }
}

/// The key that a line begins with, and what stands behind its colon; `None` if it has no key, or not one that can be
/// told so simply.
pub(crate) fn key(line: &str) -> Option<(BlockKey<'_>, &str)> {
    /// The parser does not take longer ones, unless they are marked.
    const LONGEST: usize = 1000;
    let (text, behind, is_plain) = match line.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let quote = char::from(*quote);
            let (text, behind) = line.get(1..)?.split_once(quote)?;
            let behind = behind.strip_prefix(':').filter(|_| !text.contains('\\'))?;
            (text, behind, false)
        }
        _ => {
            let is_end = |end: &usize| matches!(line.as_bytes().get(end + 1), None | Some(b' '));
            let end = memchr_iter(b':', line.as_bytes()).find(is_end)?;
            let (text, behind) = (line.get(..end)?, line.get(end + 1..)?);
            let is_key = begins_plain(text) && is_plain(text) && !text.ends_with(' ');
            (
                Some(text).filter(|text| is_key && *text != "<<")?,
                behind,
                true,
            )
        }
    };
    let is_behind = behind.is_empty() || behind.starts_with(' ');
    (is_behind && text.len() <= LONGEST).then_some((BlockKey { text, is_plain }, behind))
}

/// How many spaces a line begins with.
pub(crate) fn indentation(line: &str) -> usize {
    let end = line.bytes().position(|byte| byte != b' ');
    end.unwrap_or(line.len())
}

/// Whether all characters are ones that YAML takes as they are, and no tab.
pub(crate) fn is_printable(line: &str) -> bool {
    let is_special = |character| matches!(character, '\0'..' ' | '\u{7f}'..'\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    // Looks at all bytes at once, rather than stop at the first that differs.
    let is_ascii = |all, byte| all & matches!(byte, b' '..=b'~');
    line.bytes().fold(true, is_ascii) || !line.chars().any(is_special)
}

/// Whether text can begin like this without quotes.
fn begins_plain(text: &str) -> bool {
    match text.as_bytes() {
        [b'-', after, ..] => *after != b' ',
        [first, ..] => !b"-?:,[]{}#&*!|>'\"%@`".contains(first),
        [] => false,
    }
}

/// Whether the text holds neither a key nor a comment.
fn is_plain(text: &str) -> bool {
    memchr2(b':', b'#', text.as_bytes()).is_none()
        || !(text.contains(": ") || text.ends_with(':') || text.contains(" #"))
}

/// The character behind a backslash, and what follows.
fn escaped(text: &str) -> Option<(char, &str)> {
    let mut rest = text.chars();
    let character = match rest.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        same @ ('"' | '\\' | '/' | ' ') => same,
        kind @ ('x' | 'u' | 'U') => {
            let digits = match kind {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            let (digits, behind) = rest.as_str().split_at_checked(digits)?;
            let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
            return Some((char::from_u32(code)?, behind));
        }
        _ => return None,
    };
    Some((character, rest.as_str()))
}
