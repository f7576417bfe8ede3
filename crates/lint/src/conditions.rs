//! Match conditions, decided without a request as far as possible, in three-valued logic.
//!
//! For the writes that a cluster depends on, it is known who writes an object in which namespace. Comparisons of these
//! are evaluated; everything else in an expression may be true or not. So `Maybe` is never wrong, and `No` is certain.

use alloc::vec::Vec;

/// Expressions that are nested deeper are not evaluated.
const MAX_DEPTH: usize = 32;

/// What is known about a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Truth {
    /// It is false.
    No,
    /// It may be true.
    Maybe,
    /// It is true.
    Yes,
}

impl Truth {
    pub(super) fn and(self, other: Self) -> Self {
        self.min(other)
    }

    pub(super) fn or(self, other: Self) -> Self {
        self.max(other)
    }

    const fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::Yes => Self::No,
        }
    }
}

impl From<bool> for Truth {
    fn from(is_true: bool) -> Self {
        if is_true { Self::Yes } else { Self::No }
    }
}

/// A text in a request, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum KnownText<'k> {
    /// The text itself.
    Text(&'k str),
    /// Its prefix.
    Beginning(&'k str),
    /// A text that no one would write in an expression.
    Unnamed,
}

impl KnownText<'_> {
    fn is(self, text: &str) -> Truth {
        match self {
            Self::Text(known) => (known == text).into(),
            Self::Beginning(known) if text.starts_with(known) => Truth::Maybe,
            Self::Beginning(_) | Self::Unnamed => Truth::No,
        }
    }

    fn starts_with(self, text: &str) -> Truth {
        match self {
            Self::Text(known) => known.starts_with(text).into(),
            Self::Beginning(known) if known.starts_with(text) => Truth::Yes,
            Self::Beginning(known) if text.starts_with(known) => Truth::Maybe,
            Self::Beginning(_) => Truth::No,
            Self::Unnamed => Truth::Maybe,
        }
    }
}

/// What is known about a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestFacts<'f> {
    pub(super) namespace: KnownText<'f>,
    pub(super) user: KnownText<'f>,
    /// Groups of the user; `None` if they are unknown.
    pub(super) groups: Option<&'f [&'f str]>,
    pub(super) group: KnownText<'f>,
    pub(super) resource: KnownText<'f>,
    pub(super) subresource: KnownText<'f>,
    pub(super) operation: KnownText<'f>,
}

/// Does an expression hold for a request?
pub(super) fn holds(expression: &str, facts: &RequestFacts<'_>) -> Truth {
    evaluate(expression, facts, MAX_DEPTH)
}

fn evaluate(expression: &str, facts: &RequestFacts<'_>, depth: usize) -> Truth {
    let Some(depth) = depth.checked_sub(1) else {
        return Truth::Maybe;
    };
    let text = expression.trim();
    let alternatives = split(text, "||");
    let conjuncts = split(text, "&&");
    // The conditional operator binds less tightly than both.
    if split(text, "?").len() > 1 {
        return Truth::Maybe;
    }
    if alternatives.len() > 1 {
        let each = alternatives.iter().map(|part| evaluate(part, facts, depth));
        return each.fold(Truth::No, Truth::or);
    }
    if conjuncts.len() > 1 {
        let each = conjuncts.iter().map(|part| evaluate(part, facts, depth));
        return each.fold(Truth::Yes, Truth::and);
    }
    if let Some(inner) = enclosed(text) {
        return evaluate(inner, facts, depth);
    }
    if let Some(rest) = text.strip_prefix('!') {
        // `!a == b` is `(!a) == b`, which does not occur in practice.
        let is_one = ["==", "!=", " in "]
            .iter()
            .all(|operator| split(rest, operator).len() == 1);
        return if is_one {
            evaluate(rest, facts, depth).not()
        } else {
            Truth::Maybe
        };
    }
    atom(text, facts)
}

fn atom(text: &str, facts: &RequestFacts<'_>) -> Truth {
    match text {
        "true" => return Truth::Yes,
        "false" => return Truth::No,
        _ => {}
    }
    for (operator, is_equal) in [("==", true), ("!=", false)] {
        if let [left, right] = split(text, operator).as_slice() {
            let sides = field(left, facts)
                .zip(literal(right))
                .or_else(|| field(right, facts).zip(literal(left)));
            let truth = sides.map_or(Truth::Maybe, |(known, text)| known.is(text));
            return if is_equal { truth } else { truth.not() };
        }
    }
    if let [left, right] = split(text, " in ").as_slice() {
        return is_in(left.trim(), right.trim(), facts);
    }
    let call = text
        .strip_suffix(')')
        .and_then(|call| call.split_once(".startsWith("));
    if let Some((subject, argument)) = call
        && let Some((known, text)) = field(subject, facts).zip(literal(argument))
    {
        return known.starts_with(text);
    }
    Truth::Maybe
}

fn is_in(left: &str, right: &str, facts: &RequestFacts<'_>) -> Truth {
    if right == "request.userInfo.groups" {
        return match (literal(left), facts.groups) {
            (Some(group), Some(groups)) => groups.contains(&group).into(),
            _ => Truth::Maybe,
        };
    }
    let items = right
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let (Some(known), Some(items)) = (field(left, facts), items) else {
        return Truth::Maybe;
    };
    let each = split(items, ",")
        .into_iter()
        .map(|item| literal(item).map_or(Truth::Maybe, |text| known.is(text)));
    each.fold(Truth::No, Truth::or)
}

fn field<'f>(text: &str, facts: &RequestFacts<'f>) -> Option<KnownText<'f>> {
    Some(match text.trim() {
        "request.namespace" | "object.metadata.namespace" | "oldObject.metadata.namespace" => {
            facts.namespace
        }
        "request.userInfo.username" => facts.user,
        "request.resource.group" => facts.group,
        "request.resource.resource" => facts.resource,
        "request.subResource" => facts.subresource,
        "request.operation" => facts.operation,
        _ => return None,
    })
}

/// A quoted text without escapes.
fn literal(text: &str) -> Option<&str> {
    let text = text.trim();
    ['\'', '"'].iter().find_map(|quote| {
        let inner = text.strip_prefix(*quote)?.strip_suffix(*quote)?;
        (!inner.contains(['\'', '"', '\\'])).then_some(inner)
    })
}

/// The inside of an expression that is wholly enclosed in parentheses.
fn enclosed(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_usize;
    for (_, character) in outside_quotes(inner) {
        match character {
            '(' => depth += 1,
            // Closed before the end: `(a) && (b)`.
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    Some(inner)
}

/// The parts of a text between operators that are outside of brackets and quotes.
fn split<'t>(text: &'t str, operator: &str) -> Vec<&'t str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, character) in outside_quotes(text) {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_operator = depth == 0
            && at >= start
            && text
                .get(at..)
                .is_some_and(|rest| rest.starts_with(operator));
        if is_operator {
            parts.extend(text.get(start..at));
            start = at + operator.len();
        }
    }
    parts.extend(text.get(start..));
    parts
}

/// The characters of a text outside of quotes, with their positions.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut is_escaped) = (None, false);
    text.char_indices().filter(move |(_, character)| {
        let Some(open) = quote else {
            quote = Some(*character).filter(|character| ['\'', '"'].contains(character));
            return quote.is_none();
        };
        if *character == open && !is_escaped {
            quote = None;
        }
        is_escaped = *character == '\\' && !is_escaped;
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: RequestFacts<'_> = RequestFacts {
        namespace: KnownText::Text("shop"),
        user: KnownText::Beginning("system:node:"),
        groups: Some(&["system:nodes"]),
        group: KnownText::Text(""),
        resource: KnownText::Text("pods"),
        subresource: KnownText::Text("status"),
        operation: KnownText::Text("UPDATE"),
    };

    #[track_caller]
    fn check(expression: &str, expected: Truth) {
        assert_eq!(holds(expression, &FACTS), expected, "{expression}");
    }

    #[test]
    fn comparisons_of_what_is_known() {
        check("request.namespace == 'shop'", Truth::Yes);
        check(r#"request.namespace != "shop""#, Truth::No);
        check("'shop' == request.namespace", Truth::Yes);
        check("request.namespace in ['a', \"shop\"]", Truth::Yes);
        check("!(request.namespace in ['a', 'b'])", Truth::Yes);
        check("request.userInfo.username == 'kubelet'", Truth::No);
        check("request.userInfo.username == 'system:node:a'", Truth::Maybe);
        check(
            "request.userInfo.username.startsWith('system:')",
            Truth::Yes,
        );
        check(
            "!request.userInfo.username.startsWith('system:node:')",
            Truth::No,
        );
        check(
            "request.userInfo.username.startsWith('system:node:a')",
            Truth::Maybe,
        );
        check("'system:nodes' in request.userInfo.groups", Truth::Yes);
        check("request.subResource == 'status'", Truth::Yes);
        check("request.resource.group == 'apps'", Truth::No);
    }

    #[test]
    fn what_is_not_known_may_be() {
        for unknown in [
            "object.spec.replicas > 3",
            "has(object.metadata.labels)",
            "request.namespace.matches('^sh')",
            "request.namespace == variables.own",
            "request.namespace == 'shop' ? true : false",
            "request.namespace == 'it\\'s'",
            "!request.namespace == 'shop'",
            "request.userInfo.groups.exists(group, group == 'system:nodes')",
            "",
        ] {
            check(unknown, Truth::Maybe);
        }
        check(&"(".repeat(40), Truth::Maybe);
        check(&"!".repeat(40), Truth::Maybe);
    }

    #[test]
    fn put_together() {
        check("has(object.x) && request.namespace != 'shop'", Truth::No);
        check("has(object.x) || request.namespace == 'shop'", Truth::Yes);
        check("has(object.x) && request.namespace == 'shop'", Truth::Maybe);
        check("!(has(object.x) || request.namespace == 'shop')", Truth::No);
        check(
            "(request.namespace == 'a') || (request.namespace == 'shop')",
            Truth::Yes,
        );
        check(
            "request.namespace == 'a && b' || request.operation == 'UPDATE'",
            Truth::Yes,
        );
        check("request.namespace == \"a || b\"", Truth::No);
        check(
            "!(request.namespace == 'a') && !(request.namespace == 'b')",
            Truth::Yes,
        );
        check("true && !false", Truth::Yes);
    }
}
