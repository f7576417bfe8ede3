//! Line-by-line input and output.

use std::io::{BufRead, Write};

use slicewise::Error;
use slicewise::api::Limits;

use crate::failure::{BAD_INPUT, CommandFailure};
use crate::input;
use crate::screen::Data;

/// Answers line by line; a bad line is answered with its error, which includes the line number, and reading continues.
/// Empty lines are skipped.
pub(crate) fn run(
    lines: &mut impl BufRead,
    output: &mut impl Write,
    limits: Limits,
    mut answer: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), Error>,
) -> Result<u8, CommandFailure> {
    let mut code = 0;
    let mut line = Vec::new();
    let mut number = 0;
    while let Some(whole) =
        next_line(lines, &mut line, limits).map_err(CommandFailure::io("cannot read the input"))?
    {
        number += 1;
        if line.trim_ascii().is_empty() && whole {
            continue;
        }
        let mut bytes = Vec::new();
        let answered = if whole {
            answer(&line, &mut bytes)
        } else {
            Err(input::too_large("the line", limits))
        };
        if let Err(error) = answered {
            code = BAD_INPUT;
            bytes.extend(error.in_line(number).to_json());
            bytes.push(b'\n');
        }
        let written = Data::new(&mut *output).write_all(&bytes);
        // A caller that sends single lines waits for each answer.
        let flushed = written.and_then(|()| output.flush());
        flushed.map_err(CommandFailure::io("cannot write the answer"))?;
    }
    Ok(code)
}

/// Reads a line without its terminator. `Some(false)` means that the line is too long: it is consumed but not stored.
fn next_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    limits: Limits,
) -> std::io::Result<Option<bool>> {
    line.clear();
    let (mut whole, mut any) = (true, false);
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Ok(any.then_some(whole));
        }
        any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = available
            .get(..end.unwrap_or(available.len()))
            .unwrap_or_default();
        if line.len() + taken.len() > limits.max_input_bytes {
            whole = false;
            line.clear();
        } else if whole {
            line.extend_from_slice(taken);
        }
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(whole));
        }
    }
}

#[cfg(test)]
mod tests {
    use slicewise::Code;

    use super::*;

    #[track_caller]
    fn check(input: &str, buffer: usize, expected: &[Option<&str>]) {
        let mut reader = std::io::BufReader::with_capacity(buffer, input.as_bytes());
        let (mut line, mut found) = (Vec::new(), Vec::new());
        while let Some(whole) = next_line(&mut reader, &mut line, Limits::new(5)).unwrap() {
            found.push(whole.then(|| String::from_utf8(line.clone()).unwrap()));
        }
        let expected: Vec<Option<String>> = expected
            .iter()
            .map(|line| line.map(str::to_owned))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn errors_have_the_number_of_their_line() {
        let mut lines = "good\n\nbad\r\nfar too long\ngood\n bad".as_bytes();
        let mut output = Vec::new();
        let limits = Limits::new(5);
        let code = run(
            &mut lines,
            &mut output,
            limits,
            |line, output| match std::str::from_utf8(line).unwrap().find("bad") {
                Some(place) => Err(Error::new(Code::InvalidValue, "bad").on(1, place + 1)),
                None => {
                    output.extend(b"fine\n");
                    Ok(())
                }
            },
        );
        assert!(matches!(code, Ok(BAD_INPUT)));
        let text = String::from_utf8(output).unwrap();
        let places = text.lines().map(|line| match line {
            "fine" => None,
            error => {
                let error: serde_json::Value = serde_json::from_str(error).unwrap();
                let place = |name: &str| error["error"][name].as_u64();
                Some((place("line"), place("column")))
            }
        });
        assert_eq!(
            places.collect::<Vec<_>>(),
            [
                None,
                Some((Some(3), Some(1))),
                Some((Some(4), None)),
                None,
                Some((Some(6), Some(2)))
            ]
        );
    }

    #[test]
    fn lines_too_long_are_passed_over_whole() {
        for buffer in [1, 3, 64] {
            check("a\nbc\n", buffer, &[Some("a"), Some("bc")]);
            check("123456789\nbc", buffer, &[None, Some("bc")]);
            check(
                "\n12345\n\n123456\n",
                buffer,
                &[Some(""), Some("12345"), Some(""), None],
            );
            check("", buffer, &[]);
        }
    }
}
