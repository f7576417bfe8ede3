//! A file with all of its changes, each behind a condition.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::Context;
use serde::Deserialize;

use crate::sites::Sites;
use crate::text::{Lines, Span};

/// A change as cargo-mutants lists it, with a number.
#[derive(Deserialize)]
pub(crate) struct Mutant {
    id: usize,
    pub(crate) file: String,
    span: Span,
    replacement: String,
    genre: Genre,
}

#[derive(Deserialize)]
enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// A file, and the numbers of the changes that cannot be switched while the program runs.
pub(crate) struct Rewritten {
    pub(crate) text: String,
    pub(crate) left_out: Vec<usize>,
}

/// Puts the changes into the text of a file.
pub(crate) fn rewrite(source: &str, mutants: &[&Mutant]) -> anyhow::Result<Rewritten> {
    let sites = Sites::of(&syn::parse_file(source)?);
    let lines = Lines::new(source);
    let mut switches = Switches::new();
    let mut left_out = Vec::new();
    for mutant in mutants {
        let changed = lines
            .bytes(&mutant.span)
            .context("a change outside of the file")?;
        match switch(source, &sites, mutant, &changed) {
            Some((place, form, text)) => switches
                .entry((place.start, Reverse(place.end), form))
                .or_default()
                .push((mutant.id, text)),
            None => left_out.push(mutant.id),
        }
    }
    Ok(Rewritten {
        text: render(source, &switches),
        left_out,
    })
}

/// The conditions, with the numbers of their changes, by the text they are about: in the order of the text, what is around others first.
type Switches = BTreeMap<(usize, Reverse<usize>, Form), Vec<(usize, String)>>;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// Stands in front of the text.
    Statement,
    /// Takes the place of the text, which it has as its last branch.
    Expression,
    /// The same for the body of a function that returns an `impl Iterator`.
    Iterator,
}

/// The two sides of an iterator that is chosen while the program runs.
const FIRST: &str = "crate::mutant_switch::Either::First";
const SECOND: &str = "{crate::mutant_switch::Either::Second({";

/// The condition that switches a change on, and the text that it is about; `None` if nothing around the change could be switched.
fn switch(
    source: &str,
    sites: &Sites,
    mutant: &Mutant,
    changed: &Range<usize>,
) -> Option<(Range<usize>, Form, String)> {
    let replacement = &mutant.replacement;
    let on = format!("crate::mutant_switch::on({})", mutant.id);
    let whole = match mutant.genre {
        // What is returned has one type, which `impl Iterator` does not name: either iterator, whichever is chosen.
        Genre::FnValue if replacement.starts_with("::std::iter::") => {
            return Some((
                changed.clone(),
                Form::Iterator,
                format!("if {on} {{ {FIRST}({replacement}) }} else"),
            ));
        }
        Genre::FnValue => {
            return Some((
                changed.clone(),
                Form::Statement,
                format!("if {on} {{ return {replacement}; }}"),
            ));
        }
        Genre::MatchArm => {
            let end = *sites.arms.get(&changed.start)?;
            return Some((end..end, Form::Statement, format!("if !{on}")));
        }
        Genre::BinaryOperator | Genre::UnaryOperator => sites.operators.get(&changed.start)?,
        Genre::MatchArmGuard => sites.guards.get(&changed.start)?,
        Genre::StructField => sites.fields.get(&changed.start)?,
    };
    let before = source.get(whole.start..changed.start)?;
    let after = source.get(changed.end..whole.end)?;
    Some((
        whole.clone(),
        Form::Expression,
        format!("if {on} {{ ({before} {replacement} {after}) }} else"),
    ))
}

fn render(source: &str, switches: &Switches) -> String {
    let mut rendered = Rendered {
        source,
        at: 0,
        text: String::new(),
        open: Vec::new(),
    };
    for ((start, Reverse(end), form), changes) in switches {
        rendered.close_until(*start);
        rendered.copy_until(*start);
        // What stands between two changes, in front of the text and behind it.
        let (between, open, close) = match form {
            Form::Statement => ("", "", String::new()),
            Form::Expression => ("", "{(", ")})".to_owned()),
            Form::Iterator => (SECOND, SECOND, "})}".repeat(changes.len())),
        };
        rendered
            .text
            .push_str(if *form == Form::Expression { " (" } else { " " });
        let ids: Vec<String> = changes.iter().map(|(id, _)| id.to_string()).collect();
        let ids = ids.join(",");
        rendered.text.push_str(&format!("/*{{{ids}*/ "));
        for (nth, (id, text)) in changes.iter().enumerate() {
            if nth > 0 {
                rendered.text.push_str(between);
            }
            rendered
                .text
                .push_str(&format!("/*[{id}*/ {text} /*{id}]*/ "));
        }
        rendered.text.push_str(open);
        rendered.open.push((*end, format!("{close} /*{ids}}}*/ ")));
    }
    rendered.close_until(source.len());
    rendered.copy_until(source.len());
    rendered.text
}

/// The text up to a place, and what is still to be closed behind it: the outermost first.
struct Rendered<'a> {
    source: &'a str,
    at: usize,
    text: String,
    open: Vec<(usize, String)>,
}

impl Rendered<'_> {
    fn close_until(&mut self, place: usize) {
        while let Some((end, closing)) = self.open.pop_if(|(end, _)| *end <= place) {
            self.copy_until(end);
            self.text.push_str(&closing);
        }
    }

    fn copy_until(&mut self, place: usize) {
        self.text
            .push_str(self.source.get(self.at..place).unwrap_or_default());
        self.at = place;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A change of `text`, which is there once, into `replacement`.
    fn mutant(source: &str, id: usize, text: &str, replacement: &str, genre: &str) -> Mutant {
        let start = source.find(text).unwrap();
        let place = |at: usize| -> Value {
            let before = &source[..at];
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            json!({"line": before.matches('\n').count() + 1, "column": before[line..].chars().count() + 1})
        };
        let span = json!({"start": place(start), "end": place(start + text.len())});
        serde_json::from_value(json!({
            "id": id, "file": "a.rs", "span": span, "replacement": replacement, "genre": genre,
        }))
        .unwrap()
    }

    #[track_caller]
    fn check(source: &str, mutants: &[Mutant], expected: &str) {
        let rewritten = rewrite(source, &mutants.iter().collect::<Vec<_>>()).unwrap();
        let plain = rewritten.text.replace("crate::mutant_switch::", "");
        // Without the marks, and with one space where there are several.
        let marks = plain
            .split("*/")
            .map(|text| text.split("/*").next().unwrap());
        let text = marks.collect::<String>();
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>().join(" "),
            expected
        );
        assert!(rewritten.left_out.is_empty());
    }

    #[test]
    fn an_operator_is_chosen_by_number() {
        let source = "fn f(ä: u8) -> bool { ä < 1 }";
        let of = |id, replacement| mutant(source, id, "<", replacement, "BinaryOperator");
        check(
            source,
            &[of(1, "=="), of(2, "<=")],
            "fn f(ä: u8) -> bool { ( if on(1) { (ä == 1) } else if on(2) { (ä <= 1) } else {(ä < 1)}) }",
        );
        let source = "fn f() { g(a && b() && c) }";
        let first = mutant(source, 1, "&&", "||", "BinaryOperator");
        check(
            source,
            &[first],
            "fn f() { g( ( if on(1) { (a || b() && c) } else {(a && b() && c)}) ) }",
        );
        let source = "fn f() {\n    g(!a && b);\n}";
        let not = mutant(source, 1, "!", "", "UnaryOperator");
        let and = mutant(source, 2, "&&", "||", "BinaryOperator");
        check(
            source,
            &[not, and],
            "fn f() { g( ( if on(2) { (!a || b) } else {( ( if on(1) { ( a) } else {(!a)}) && b)}) ); }",
        );
    }

    #[test]
    fn iterators_are_either_of_two() {
        let source = "fn f() -> impl Iterator<Item = u8> { let a = b; g(a) }";
        let of = |id, replacement| mutant(source, id, "let a = b; g(a)", replacement, "FnValue");
        check(
            source,
            &[of(1, "::std::iter::empty()"), of(2, "::std::iter::once(0)")],
            "fn f() -> impl Iterator<Item = u8> { if on(1) { Either::First(::std::iter::empty()) } else \
            {Either::Second({ if on(2) { Either::First(::std::iter::once(0)) } else \
            {Either::Second({let a = b; g(a)})}})} }",
        );
    }

    #[test]
    fn functions_arms_guards_and_fields_are_chosen_too() {
        let source = "fn f() -> u8 { g(1) }";
        let body = mutant(source, 1, "g(1)", "0", "FnValue");
        check(
            source,
            &[body],
            "fn f() -> u8 { if on(1) { return 0; } g(1) }",
        );
        let source = "fn f() { match a { 1 => b, c if d => e, _ => f } }";
        let arm = mutant(source, 1, "1 => b,", "", "MatchArm");
        let guard = mutant(source, 2, "d", "true", "MatchArmGuard");
        check(
            source,
            &[arm, guard],
            "fn f() { match a { 1 if !on(1) => b, c if ( if on(2) { ( true ) } else {(d)}) => e, _ => f } }",
        );
        let source = "fn f() { A { b: 1, ..C } }";
        let field = mutant(source, 1, "b: 1,", "", "StructField");
        check(
            source,
            &[field],
            "fn f() { ( if on(1) { (A { ..C }) } else {(A { b: 1, ..C })}) }",
        );
    }

    #[test]
    fn conditions_with_let_and_constants_are_left_out() {
        let source = "fn f() { if a && let b = c {} }\nconst D: bool = !e;";
        let and = mutant(source, 1, "&&", "||", "BinaryOperator");
        let not = mutant(source, 2, "!", "", "UnaryOperator");
        let rewritten = rewrite(source, &[&and, &not]).unwrap();
        assert_eq!(
            (rewritten.text.as_str(), rewritten.left_out),
            (source, vec![1, 2])
        );
    }
}
