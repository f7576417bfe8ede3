//! Output for people and programs: no terminal obeys anything in it except what we put there ourselves.
//!
//! Names, messages and annotations come from a cluster, where anyone may have written them (CVE-2021-25743). [`Screen`]
//! handles text, [`Data`] handles JSON; both sit between the writers and the output, so that no writer has to think
//! about it.

use std::fmt;
use std::io::{self, BufWriter, StderrLock, StdoutLock, Write};

use slicewise::model::text::printable;
use slicewise_json::shown;

/// Escapes formatted text, one line or part of a line at a time: in `write!` and `writeln!`, only a trailing newline is
/// kept. Raw bytes, such as colours, pass through unchanged.
pub(crate) struct Screen<W>(pub(crate) W);

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        let text = text.to_string();
        let (line, end) = match text.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (text.as_str(), ""),
        };
        let shown = printable(line.to_owned());
        self.0.write_all(shown.as_bytes())?;
        self.0.write_all(end.as_bytes())
    }
}

/// Standard output.
pub(crate) type Stdout = Screen<BufWriter<StdoutLock<'static>>>;

/// Standard output, for text.
pub(crate) fn stdout() -> Stdout {
    Screen(BufWriter::new(io::stdout().lock()))
}

/// Standard error, for text.
pub(crate) fn stderr() -> Screen<StderrLock<'static>> {
    Screen(io::stderr().lock())
}

/// Writes part of a line, coloured if a colour is given.
pub(crate) fn painted(
    output: &mut impl Write,
    color: Option<&str>,
    text: fmt::Arguments<'_>,
) -> io::Result<()> {
    const RESET: &str = "\u{1b}[0m";
    let Some(color) = color else {
        return output.write_fmt(text);
    };
    output.write_all(color.as_bytes())?;
    output.write_fmt(text)?;
    output.write_all(RESET.as_bytes())
}

/// Escapes in JSON what a terminal would obey.
pub(crate) struct Data<W> {
    output: W,
    /// The beginning of a character that is not complete yet.
    begun: Vec<u8>,
}

impl<W: Write> Data<W> {
    pub(crate) const fn new(output: W) -> Self {
        Self {
            output,
            begun: Vec::new(),
        }
    }

    fn write_text(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(shown(text).as_bytes())
    }
}

impl<W: Write> Write for Data<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            self.write_text(text)?;
            return Ok(bytes.len());
        }
        self.begun.extend_from_slice(bytes);
        let begun = std::mem::take(&mut self.begun);
        let mut chunks = begun.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.write_text(chunk.valid())?;
            if chunks.peek().is_none() && chunk.invalid().len() < 4 {
                self.begun = chunk.invalid().to_vec();
            } else {
                self.output.write_all(chunk.invalid())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_formatted_is_shown_and_what_is_written_is_obeyed() {
        let mut screen = Screen(Vec::new());
        let [name, state, end] = ["a\u{1b}]0;x\u{7}", "ready\nslice b: ok", "\u{202e}end"];
        writeln!(screen, "pod {name} is {state}").unwrap();
        write!(screen, "{end}").unwrap();
        let intruder = "\u{9b}1m";
        painted(&mut screen, Some("\u{1b}[31m"), format_args!("{intruder}")).unwrap();
        painted(&mut screen, None, format_args!("{}\n", "plain")).unwrap();
        assert_eq!(
            String::from_utf8(screen.0).unwrap(),
            "pod a\\u{1b}]0;x\\u{7} is ready\\nslice b: ok\n\\u{202e}end\u{1b}[31m\\u{9b}1m\u{1b}[0mplain\n"
        );
    }

    #[track_caller]
    fn check(json: &str, expected: &str) {
        // However it is split.
        for size in 1..=json.len() {
            let mut data = Data::new(Vec::new());
            for piece in json.as_bytes().chunks(size) {
                data.write_all(piece).unwrap();
            }
            assert_eq!(String::from_utf8(data.output).unwrap(), expected);
        }
        let [before, after] = [json, expected].map(|json| {
            let value: serde_json::Value = serde_json::from_str(json).unwrap();
            value
        });
        assert_eq!(before, after);
    }

    #[test]
    fn data_stays_the_same_json() {
        check(
            "{\"a\": \"Größe 東京 🚀\"}\n",
            "{\"a\": \"Größe 東京 🚀\"}\n",
        );
        check("\"\u{7f}\u{9b}31m\"", "\"\\u007f\\u009b31m\"");
        check(
            "[\"\u{202e}\u{2028}\u{e0041}\\u001b\"]",
            "[\"\\u202e\\u2028\\udb40\\udc41\\u001b\"]",
        );
        check("{\t\"a\":\r\n1}", "{ \"a\": \n1}");
    }
}
