//! Explanations as text for people: three lines each, optionally followed by the prose.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use super::layout::wrapped;
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
    /// Wrap lines to this number of columns?
    pub width: Option<usize>,
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

    /// Adds a line; if it is wrapped, the rest of it is indented by `hang` columns.
    pub(crate) fn line(self, line: &str, hang: usize, text: &mut String) {
        match self.width {
            Some(width) => text.push_str(&wrapped(line, hang, width)),
            None => text.push_str(line),
        }
        text.push('\n');
    }
}

/// One or several explanations as text.
pub(crate) struct Block {
    /// Whole lines.
    pub(crate) text: String,
    /// The number of explanations.
    pub(crate) count: usize,
}

/// A Service and its verdict in one line.
pub fn write_verdict(service: &str, verdict: &Verdict, style: TextStyle<'_>, text: &mut String) {
    let severity = style.painted(verdict.severity);
    let (service, told) = (safe(service), safe(&verdict.text));
    style.line(&format!("{service}: {severity}: {told}"), 2, text);
}

/// Adds explanations to a text.
pub fn write(explanations: &[Explanation], style: TextStyle<'_>, text: &mut String) {
    let explanations: Vec<&Explanation> = explanations.iter().collect();
    for (number, block) in blocks(&explanations, style).iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        text.push_str(&block.text);
    }
}

/// Explanations one by one; of many that differ only in their pod or node, the last block names the others.
pub(crate) fn blocks(explanations: &[&Explanation], style: TextStyle<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for group in explanations.chunk_by(|one, other| are_alike(one, other)) {
        let shown = if group.len() > MOST_ALIKE + 1 {
            MOST_ALIKE
        } else {
            group.len()
        };
        blocks.extend(group.iter().take(shown).map(|one| block(one, style)));
        let hidden: Vec<&str> = group
            .iter()
            .skip(shown)
            .map(|explanation| explanation.subject.name.as_str())
            .collect();
        if !hidden.is_empty() {
            let (indent, count) = (style.indent, hidden.len());
            let names = safe(&list(&hidden));
            let line = format!("{indent}… and {count} more like it: {names}");
            let mut text = String::new();
            style.line(&line, indent.len() + 2, &mut text);
            blocks.push(Block { text, count });
        }
    }
    blocks
}

fn block(explanation: &Explanation, style: TextStyle<'_>) -> Block {
    let indent = style.indent;
    let hang = indent.len();
    let mut text = String::new();
    let (title, mark, reset) = (style.paint(CYAN), style.paint(GREEN), style.paint(RESET));
    let (kind, name) = (
        explanation.subject.kind.as_str(),
        safe(&explanation.subject.name),
    );
    let family = explanation
        .address_type
        .map(|family| format!(", {}", family.as_str()));
    let first = format!(
        "{indent}{}: {title}{}{reset} ({kind} {name}{})",
        style.painted(explanation.severity),
        explanation.code.as_str(),
        family.unwrap_or_default(),
    );
    style.line(&first, hang + 2, &mut text);
    let none = String::new();
    let lines = [
        ("what:   ", &explanation.what),
        ("because:", &explanation.because),
        ("do:     ", &explanation.to_do),
        (
            "look:   ",
            explanation.look.first().map_or(&none, |look| &look.at),
        ),
    ];
    for (label, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        let line = format!("{indent}  {label} {}", safe(line));
        style.line(&line, hang + 11, &mut text);
    }
    if style.verbose {
        if !explanation.details.is_empty() {
            let line = format!("{indent}  {}", safe(&explanation.details));
            style.line(&line, hang + 2, &mut text);
        }
        let fixes = explanation.fixes.iter();
        let fixes = fixes.map(|fix| ("->", &fix.change, &fix.effect));
        let look = explanation.look.iter();
        let look = look.map(|look| ("? ", &look.at, &look.shows));
        for (arrow, step, effect) in fixes.chain(look) {
            let step = format!("{indent}  {mark}{arrow}{reset} {}", safe(step));
            style.line(&step, hang + 5, &mut text);
            let effect = format!("{indent}     {}", safe(effect));
            style.line(&effect, hang + 5, &mut text);
        }
    }
    Block { text, count: 1 }
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
