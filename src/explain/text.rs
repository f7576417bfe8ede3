//! Explanations as text for people: a paragraph each, then what would change it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::words::list;
use crate::plan::explanation::{Explanation, SubjectKind};

/// Of explanations that differ in their pod only, so many are written out.
const MOST_ALIKE: usize = 3;
const CYAN: &str = "\u{1b}[36m";
const GREEN: &str = "\u{1b}[32m";
const RESET: &str = "\u{1b}[0m";

/// Adds explanations to a text, each line behind `indent`.
pub fn write(explanations: &[Explanation], indent: &str, colored: bool, text: &mut String) {
    let paint = |code: &'static str| if colored { code } else { "" };
    let (title, mark, reset) = (paint(CYAN), paint(GREEN), paint(RESET));
    let mut number = 0;
    for group in explanations.chunk_by(are_alike) {
        let shown = if group.len() > MOST_ALIKE + 1 {
            MOST_ALIKE
        } else {
            group.len()
        };
        for explanation in group.iter().take(shown) {
            if number > 0 {
                text.push('\n');
            }
            number += 1;
            let (kind, name) = (explanation.subject.kind.as_str(), &explanation.subject.name);
            let family = explanation
                .address_type
                .map(|family| format!(", {}", family.as_str()));
            text.push_str(&format!(
                "{indent}{title}{}{reset} ({kind} {name}{})\n{indent}  {}\n",
                explanation.code.as_str(),
                family.unwrap_or_default(),
                explanation.message
            ));
            for fix in &explanation.fixes {
                text.push_str(&format!(
                    "{indent}  {mark}->{reset} {}\n{indent}     {}\n",
                    fix.change, fix.effect
                ));
            }
        }
        let hidden: Vec<&str> = group
            .iter()
            .skip(shown)
            .map(|explanation| explanation.subject.name.as_str())
            .collect();
        if !hidden.is_empty() {
            text.push_str(&format!(
                "\n{indent}… and {} more like it: {}\n",
                hidden.len(),
                list(&hidden)
            ));
        }
    }
}

/// Are both about pods, and of one code?
fn are_alike(one: &Explanation, other: &Explanation) -> bool {
    one.code == other.code
        && one.subject.kind == SubjectKind::Pod
        && other.subject.kind == SubjectKind::Pod
}
