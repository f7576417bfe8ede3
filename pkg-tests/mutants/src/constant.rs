//! Functions that are `const` without need: a change cannot be switched in what the compiler evaluates.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::anyhow;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What some files say about constants and the functions that these are made of.
#[derive(Default)]
pub(crate) struct Constants {
    /// What constants and statics call.
    calls: BTreeSet<String>,
    /// What the functions of each name call.
    bodies: BTreeMap<String, BTreeSet<String>>,
}

impl Constants {
    /// Adds a file.
    pub(crate) fn read(&mut self, source: &str) -> anyhow::Result<()> {
        for Function { name, body, .. } in self.scan(source)? {
            self.bodies.entry(name).or_default().extend(body);
        }
        Ok(())
    }

    /// Once all files have been read: this one, with spaces for each `const` of a function that no constant calls. All else stays
    /// where it is.
    pub(crate) fn without_const(&self, source: &str) -> anyhow::Result<String> {
        let needed = self.needed();
        let mut text = source.to_owned();
        for Function { name, word, .. } in Self::default().scan(source)? {
            if !needed.contains(&name) {
                text.replace_range(word, "     ");
            }
        }
        Ok(text)
    }

    /// The names of functions that constants call, directly or not. Functions of one name count as one.
    fn needed(&self) -> BTreeSet<String> {
        let mut needed = BTreeSet::new();
        let mut calls: Vec<&String> = self.calls.iter().collect();
        while let Some(name) = calls.pop() {
            if let Some(body) = self.bodies.get(name)
                && needed.insert(name.clone())
            {
                calls.extend(body);
            }
        }
        needed
    }

    /// Collects what constants call; returns the functions that are `const`.
    fn scan(&mut self, source: &str) -> anyhow::Result<Vec<Function>> {
        let mut functions = Vec::new();
        let tokens: TokenStream = source.parse().map_err(|error| anyhow!("{error}"))?;
        self.walk(tokens, &mut functions);
        Ok(functions)
    }

    fn walk(&mut self, tokens: TokenStream, functions: &mut Vec<Function>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let is = |place: usize, word: &str| {
                let token = tokens.get(place);
                token.is_some_and(|token| token.to_string() == word)
            };
            match token {
                TokenTree::Group(group) => self.walk(group.stream(), functions),
                TokenTree::Ident(word) if word == "const" && is(at + 1, "fn") => {
                    let rest = &tokens[at + 2..];
                    let body = rest.iter().find_map(|token| match token {
                        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                            Some(group.stream())
                        }
                        _ => None,
                    });
                    functions.push(Function {
                        name: rest.first().map(ToString::to_string).unwrap_or_default(),
                        word: word.span().byte_range(),
                        body: body.map(calls).unwrap_or_default(),
                    });
                }
                // Neither `'static` nor `*const`.
                TokenTree::Ident(word)
                    if (word == "const" || word == "static")
                        && !(at > 0 && (is(at - 1, "'") || is(at - 1, "*"))) =>
                {
                    let rest = tokens[at + 1..].iter();
                    let constant = rest.take_while(|token| token.to_string() != ";");
                    self.calls.extend(calls(constant.cloned().collect()));
                }
                _ => {}
            }
        }
    }
}

/// A `const fn`.
struct Function {
    name: String,
    /// Where `const` stands.
    word: Range<usize>,
    body: BTreeSet<String>,
}

/// The names of what is called, as functions are.
fn calls(tokens: TokenStream) -> BTreeSet<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (TokenTree::Group(group), _) => found.extend(calls(group.stream())),
            (TokenTree::Ident(word), Some(TokenTree::Group(group)))
                if group.delimiter() == Delimiter::Parenthesis =>
            {
                found.insert(word.to_string());
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let mut constants = Constants::default();
        constants.read(source).unwrap();
        assert_eq!(constants.without_const(source).unwrap(), expected);
    }

    #[test]
    fn functions_that_no_constant_calls_are_plain() {
        check(
            "impl A { pub const fn b(&'static self) -> bool { !self.c } }",
            "impl A { pub       fn b(&'static self) -> bool { !self.c } }",
        );
        check(
            "const A: B = B { name: 1 }; impl B { const fn name(&self) -> u8 { self.name } }",
            "const A: B = B { name: 1 }; impl B {       fn name(&self) -> u8 { self.name } }",
        );
        check(
            "fn a() -> *const u8 { b() } const fn b() {}",
            "fn a() -> *const u8 { b() }       fn b() {}",
        );
    }

    #[test]
    fn functions_that_constants_call_directly_or_not_stay() {
        for source in [
            "const A: u8 = b(); const fn b() -> u8 { 1 }",
            "static A: [B; 1] = [B::new(1)]; impl B { const fn new(c: u8) -> B { d(c) } } const fn d(c: u8) -> B { B(c) }",
            "macro_rules! ids { () => { impl A { const NONE: Self = b(); } } } const fn b() -> u8 { 1 }",
            "fn a() { let b = [const { c() }; 2]; } const fn c() -> u8 { 1 }",
        ] {
            check(source, source);
        }
    }
}
