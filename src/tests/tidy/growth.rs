//! What callers see can grow: a new variant or field of a public type must not break programs that were written before.

use std::fs;

use super::{sources, without_tests};

/// What is complete, and why; callers may match all of it, or write it down field by field.
const CLOSED: [(&str, &str); 31] = [
    ("AddressType", "IP has two families"),
    ("Both", "two of something"),
    ("ByFamily", "IP has two families"),
    ("Class", "who reports a fault has words for each kind"),
    (
        "Command",
        "a driver that ignores a command is a wrong driver",
    ),
    ("Container", "JSON has two"),
    ("Cpu", "a number"),
    ("Difference", "who follows a template handles each"),
    (
        "EndpointChange",
        "it is there before, after, or both, in one slice or two",
    ),
    (
        "EndpointSeen",
        "a tuple in the JSON, whose length is its type",
    ),
    ("EventType", "Kubernetes has two types of Events"),
    ("Few", "one item, or any number"),
    ("Field", "a macro writes it field by field"),
    ("FieldName", "a macro writes it field by field"),
    ("Kind", "who does not watch one of them plans without it"),
    ("Limit", "a macro makes it of what a field states"),
    ("NamespacedName", "a namespace and a name"),
    ("Numeral", "whole numbers and others"),
    ("Object", "one for each kind"),
    ("ObjectKind", "the API servers write two objects"),
    ("OffText", "a reference"),
    ("Operation", "the API creates, updates and deletes"),
    ("Plain", "the scalars of YAML's core schema"),
    ("Shape", "who detects what an input is can read each"),
    ("SliceChange", "it is there before, after, or both"),
    ("SliceRef", "a reference"),
    ("Span", "a duration"),
    ("TargetPort", "a number or a name, as in the API"),
    ("Verb", "the API creates, updates and deletes"),
    ("What", "who follows a template handles each"),
    ("Written", "a value"),
];

/// A public type of the library, as its source declares it.
struct Declared<'t> {
    name: &'t str,
    /// Does it say that it may grow, or do its private fields?
    may_grow: bool,
}

fn declared<'t>(lines: &[&'t str], place: usize) -> Option<Declared<'t>> {
    let width = lines[place].len() - lines[place].trim_start().len();
    let (indent, line) = lines[place].split_at(width);
    let (is_enum, rest) = match (
        line.strip_prefix("pub enum "),
        line.strip_prefix("pub struct "),
    ) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    // The macros of the model say it themselves.
    let is_of_macro = name.starts_with('$') || name.is_empty() || rest.contains("(\"");
    let above = lines[..place].iter().rev();
    let mut attributes = above.take_while(|line| {
        let line = line.trim_start();
        !line.is_empty() && line != "}" && !line.starts_with("pub ")
    });
    let says_it = attributes.any(|line| line.trim() == "#[non_exhaustive]");
    let fields = || {
        let below = lines[place + 1..].iter();
        let mut body = below.take_while(|line| !line.starts_with(&format!("{indent}}}")));
        body.any(|line| {
            let field = line.trim_start();
            let is_of_body = line.len() - field.len() == indent.len() + 4;
            let name = field.split(':').next().unwrap_or_default();
            let is_field = field.contains(": ") && !field.starts_with(['/', '#']);
            is_of_body && is_field && (name.starts_with("pub(") || !name.starts_with("pub "))
        })
    };
    let is_private = match rest.split_once('(') {
        Some((_, tuple)) => !tuple.starts_with("pub "),
        None if rest.ends_with(';') => true,
        None => fields(),
    };
    Some(Declared {
        name,
        may_grow: is_of_macro || says_it || (!is_enum && is_private),
    })
}

/// `unreachable_pub` sees to it that what is `pub` is seen by callers.
#[test]
fn public_types_can_grow() {
    let mut wrong = Vec::new();
    let mut closed = Vec::new();
    for path in sources() {
        if path.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = without_tests(&text).lines().collect();
        for place in 0..lines.len() {
            let Some(found) = declared(&lines, place).filter(|found| !found.may_grow) else {
                continue;
            };
            match CLOSED.iter().find(|(name, _)| *name == found.name) {
                Some((name, _)) => closed.push(*name),
                None => wrong.push(format!("{}: {}", path.display(), found.name)),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "mark them non_exhaustive, or list them as closed: {wrong:#?}"
    );
    closed.sort_unstable();
    closed.dedup();
    let listed: Vec<&str> = CLOSED.iter().map(|(name, _)| *name).collect();
    assert_eq!(closed, listed, "what is listed is there");
}
