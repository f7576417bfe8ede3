//! Parses text into a syntax tree with the crate `cel`, which gets nothing that could overflow its stack.

use alloc::format;
use alloc::string::{String, ToString as _};

use cel::IdedExpr;
use cel::parser::PrattParser;
use cel::parser::pratt_parser::{Lexer, TokenKind};

use slicewise::model::text::shorten;

/// Longer expressions are refused.
pub const MAX_BYTES: usize = 4096;
/// The maximum nesting of brackets, conditionals and signs.
const MAX_NESTING: usize = 48;

/// Parses an expression.
///
/// # Errors
/// A message that says what is wrong with it, and where.
pub(super) fn parse(text: &str) -> Result<IdedExpr, String> {
    if text.trim().is_empty() {
        return Err(
            "the expression is empty; write one that is true where the change may be made".into(),
        );
    }
    if text.len() > MAX_BYTES {
        return Err(format!(
            "the expression has {} bytes, more than the limit of {MAX_BYTES}; split it, or move parts of it into variables",
            text.len()
        ));
    }
    check_tokens(text)?;
    let parser = PrattParser::default()
        .enable_optional_syntax(true)
        .enable_ident_escape_syntax(true);
    parser.parse(text).map_err(|errors| {
        let first = errors.errors.into_iter().next();
        first.map_or_else(String::new, |error| {
            let (line, column) = error.pos;
            let message = shorten(error.msg.trim_start_matches("Syntax error: "));
            if line > 0 {
                format!("line {line}, column {column} of the expression: {message}")
            } else {
                message
            }
        })
    })
}

/// Checks that nothing is nested too deeply, and that the parser would not split a token within a character.
fn check_tokens(text: &str) -> Result<(), String> {
    let mut lexer = Lexer::new(text);
    let (mut brackets, mut signs, mut conditionals) = (0_usize, 0_usize, 0_usize);
    loop {
        let token = lexer.lex();
        if text.get(token.start..token.end).is_none() {
            return Err("only strings may contain characters beyond ASCII".to_string());
        }
        match token.kind {
            TokenKind::TokEnd | TokenKind::TokError => return Ok(()),
            TokenKind::TokWhitespace | TokenKind::TokComment => continue,
            TokenKind::TokLeftBrace | TokenKind::TokLeftBracket | TokenKind::TokLeftParen => {
                brackets += 1;
            }
            TokenKind::TokRightBrace | TokenKind::TokRightBracket | TokenKind::TokRightParen => {
                brackets = brackets.saturating_sub(1);
            }
            TokenKind::TokQuestion => conditionals += 1,
            _ => {}
        }
        signs = match token.kind {
            TokenKind::TokExclamation | TokenKind::TokMinus => signs + 1,
            _ => 0,
        };
        if brackets + signs + conditionals > MAX_NESTING {
            return Err(format!(
                "the expression is nested deeper than {MAX_NESTING} levels; move parts of it into variables"
            ));
        }
    }
}

/// The text with another name in place of a variable of the host; `None` if a macro has a variable of that name.
pub fn renamed(text: &str, name: &str, new: &str) -> Option<String> {
    const MACROS: [&str; 7] = [
        "all",
        "exists",
        "exists_one",
        "map",
        "filter",
        "optMap",
        "optFlatMap",
    ];
    let mut lexer = Lexer::new(text);
    let (mut made, mut end, mut before) = (String::new(), 0, [""; 2]);
    loop {
        let token = lexer.lex();
        let word = text.get(token.start..token.end)?;
        match token.kind {
            TokenKind::TokEnd | TokenKind::TokError => break,
            TokenKind::TokWhitespace | TokenKind::TokComment => continue,
            _ => {}
        }
        if word == name && before[1] != "." && before != [".", "?"] {
            if before[1] == "(" && MACROS.contains(&before[0]) {
                return None;
            }
            made.push_str(text.get(end..token.start)?);
            made.push_str(new);
            end = token.end;
        }
        before = [before[1], word];
    }
    made.push_str(text.get(end..)?);
    Some(made)
}
