//! Explanations as text for people: three lines each, optionally followed by the prose.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::words::list;
use slicewise::model::text::printable;
use slicewise::plan::explanation::{Explanation, Severity, SubjectKind, Verdict};

/// The number of explanations written out that differ only in their pod or node.
const MOST_ALIKE: usize = 3;
const BOLD_RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[33m";
const CYAN: &str = "\u{1b}[36m";
const GREEN: &str = "\u{1b}[32m";
const RESET: &str = "\u{1b}[0m";

/// How explanations are formatted.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TextStyle<'s> {
    /// Starts each line.
    pub indent: &'s str,
    /// Use colours?
    pub colored: bool,
    /// Include the prose and all fixes?
    pub verbose: bool,
}

impl TextStyle<'_> {
    fn paint(self, code: &'static str) -> &'static str {
        if self.colored { code } else { "" }
    }

    fn painted(self, severity: Severity) -> String {
        let code = match severity {
            Severity::Broken => BOLD_RED,
            Severity::Degraded => YELLOW,
            Severity::Risk => CYAN,
            Severity::Note => "",
        };
        if code.is_empty() {
            return severity.as_str().into();
        }
        format!(
            "{}{}{}",
            self.paint(code),
            severity.as_str(),
            self.paint(RESET)
        )
    }
}

/// A Service and its verdict in one line.
pub fn write_verdict(service: &str, verdict: &Verdict, style: TextStyle<'_>, text: &mut String) {
    let severity = style.painted(verdict.severity);
    let (service, told) = (safe(service), safe(&verdict.text));
    text.push_str(&format!("{service}: {severity}: {told}\n"));
}

/// Adds explanations to a text.
pub fn write(explanations: &[Explanation], style: TextStyle<'_>, text: &mut String) {
    let mut is_first = true;
    for group in explanations.chunk_by(are_alike) {
        let shown = if group.len() > MOST_ALIKE + 1 {
            MOST_ALIKE
        } else {
            group.len()
        };
        for explanation in group.iter().take(shown) {
            if !core::mem::take(&mut is_first) {
                text.push('\n');
            }
            one(explanation, style, text);
        }
        let hidden: Vec<&str> = group
            .iter()
            .skip(shown)
            .map(|explanation| explanation.subject.name.as_str())
            .collect();
        if !hidden.is_empty() {
            text.push_str(&format!(
                "\n{}… and {} more like it: {}\n",
                style.indent,
                hidden.len(),
                safe(&list(&hidden))
            ));
        }
    }
}

fn one(explanation: &Explanation, style: TextStyle<'_>, text: &mut String) {
    let indent = style.indent;
    let (title, mark, reset) = (style.paint(CYAN), style.paint(GREEN), style.paint(RESET));
    let (kind, name) = (
        explanation.subject.kind.as_str(),
        safe(&explanation.subject.name),
    );
    let family = explanation
        .address_type
        .map(|family| format!(", {}", family.as_str()));
    text.push_str(&format!(
        "{indent}{}: {title}{}{reset} ({kind} {name}{})\n",
        style.painted(explanation.severity),
        explanation.code.as_str(),
        family.unwrap_or_default(),
    ));
    let lines = [
        ("what:   ", &explanation.what),
        ("because:", &explanation.because),
        ("do:     ", &explanation.to_do),
    ];
    for (label, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        text.push_str(&format!("{indent}  {label} {}\n", safe(line)));
    }
    if !style.verbose {
        return;
    }
    if !explanation.details.is_empty() {
        text.push_str(&format!("{indent}  {}\n", safe(&explanation.details)));
    }
    for fix in &explanation.fixes {
        text.push_str(&format!(
            "{indent}  {mark}->{reset} {}\n{indent}     {}\n",
            safe(&fix.change),
            safe(&fix.effect)
        ));
    }
}

/// A value from a cluster, made safe for terminals.
fn safe(text: &str) -> String {
    printable(text.into())
}

/// Are both about pods or both about nodes, with the same code?
fn are_alike(one: &Explanation, other: &Explanation) -> bool {
    one.code == other.code
        && one.subject.kind == other.subject.kind
        && matches!(one.subject.kind, SubjectKind::Pod | SubjectKind::Node)
}
