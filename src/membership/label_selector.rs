//! Selectors as text, in the form of `kubectl --selector`, or as objects have them: which objects have these labels?
//!
//! Reference: `labels.Parse` and `metav1.LabelSelectorAsSelector` of `k8s.io/apimachinery`.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::model::dns::{is_label_value, is_qualified_name};
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::model::{StringMap, Text};
use crate::{Code, Error};

/// The characters that end a key or a value.
const SYMBOLS: [char; 7] = ['=', '!', '(', ')', ',', '>', '<'];

/// A selector such as `app=cart,tier in (web, api),!legacy`; without requirements, it selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector(Vec<Requirement>);

/// What is required of the label with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    of_value: OfValue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum OfValue {
    There,
    Missing,
    In(BTreeSet<String>),
    /// Or it is missing.
    NotIn(BTreeSet<String>),
    Above(i64),
    Below(i64),
}

slim_object! {
    /// A selector as objects have it (`metav1.LabelSelector`).
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ObjectSelector<'a>("LabelSelector") {
        /// Labels and the values they must have.
        "matchLabels" pub match_labels: StringMap<'a>;
        /// Further requirements.
        "matchExpressions" pub match_expressions: Vec<ObjectRequirement<'a>>;
    }
}

slim_object! {
    /// What such a selector requires of a label.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ObjectRequirement<'a>("LabelSelectorRequirement") {
        /// The label.
        "key" pub key: Text<'a>;
        /// `In`, `NotIn`, `Exists` or `DoesNotExist`; the API server refuses others.
        "operator" pub operator: Text<'a>;
        /// The values, for `In` and `NotIn`.
        "values" pub values: Vec<Text<'a>>;
    }
}

impl ObjectSelector<'_> {
    /// The same, ready to match; `None` if an operator is unknown.
    pub fn parsed(&self) -> Option<LabelSelector> {
        let pairs = self.match_labels.iter().map(|(key, value)| {
            let of_value = OfValue::In([value.as_str().to_owned()].into());
            Some((key, of_value))
        });
        let others = self.match_expressions.iter().map(|written| {
            let values = written.values.iter().map(|value| value.as_str().to_owned());
            let of_value = match written.operator.as_str() {
                "In" => OfValue::In(values.collect()),
                "NotIn" => OfValue::NotIn(values.collect()),
                "Exists" => OfValue::There,
                "DoesNotExist" => OfValue::Missing,
                _ => return None,
            };
            Some((&written.key, of_value))
        });
        let requirements = pairs.chain(others).map(|found| {
            let (key, of_value) = found?;
            let key = key.as_str().to_owned();
            Some(Requirement { key, of_value })
        });
        requirements.collect::<Option<_>>().map(LabelSelector)
    }
}

impl LabelSelector {
    /// Reads a selector.
    ///
    /// # Errors
    /// `InvalidValue` if the API server would not take it either.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let requirements = Reading(text).requirements();
        requirements.map(Self).ok_or_else(|| {
            let message = format!(
                "`{}` is not a selector of labels; write it like `app=cart,tier!=web` or `tier in (web, api)`",
                shorten(text)
            );
            Error::new(Code::InvalidValue, message)
        })
    }

    /// How much it requires; nothing selects everything.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Does it require nothing?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Does an object with these labels match?
    pub fn matches(&self, labels: &StringMap<'_>) -> bool {
        self.0.iter().all(|requirement| {
            let value = labels.get(requirement.key.as_str());
            requirement
                .of_value
                .allows(value.map(|value| value.as_str()))
        })
    }
}

impl OfValue {
    fn allows(&self, value: Option<&str>) -> bool {
        let is_among =
            |values: &BTreeSet<String>| value.is_some_and(|value| values.contains(value));
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        match self {
            Self::There => value.is_some(),
            Self::Missing => value.is_none(),
            Self::In(values) => is_among(values),
            Self::NotIn(values) => !is_among(values),
            Self::Above(bound) => number().is_some_and(|number| number > *bound),
            Self::Below(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

/// The rest of a selector that is being read.
#[derive(Clone, Copy)]
struct Reading<'t>(&'t str);

impl<'t> Reading<'t> {
    /// The next symbol, key or value; empty at the end.
    fn next(&mut self) -> &'t str {
        let rest = self.0.trim_start();
        let is_end = |character: char| SYMBOLS.contains(&character) || character.is_whitespace();
        let length = match rest.as_bytes() {
            [b'=' | b'!', b'=', ..] => 2,
            _ if rest.starts_with(SYMBOLS) => 1,
            _ => rest.find(is_end).unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at_checked(length).unwrap_or((rest, ""));
        self.0 = rest;
        token
    }

    fn peek(mut self) -> &'t str {
        self.next()
    }

    fn requirements(&mut self) -> Option<Vec<Requirement>> {
        let mut requirements = Vec::new();
        if self.peek().is_empty() {
            return Some(requirements);
        }
        loop {
            requirements.push(self.requirement()?);
            match self.next() {
                "" => return Some(requirements),
                "," => {}
                _ => return None,
            }
        }
    }

    fn requirement(&mut self) -> Option<Requirement> {
        let first = self.next();
        let (key, of_value) = match first {
            "!" => (self.next(), OfValue::Missing),
            key => (key, self.of_value()?),
        };
        is_qualified_name(key).then(|| Requirement {
            key: key.to_owned(),
            of_value,
        })
    }

    fn of_value(&mut self) -> Option<OfValue> {
        if matches!(self.peek(), "" | ",") {
            return Some(OfValue::There);
        }
        Some(match self.next() {
            "=" | "==" => OfValue::In([self.value()?].into()),
            "!=" => OfValue::NotIn([self.value()?].into()),
            "in" => OfValue::In(self.values()?),
            "notin" => OfValue::NotIn(self.values()?),
            ">" => OfValue::Above(self.next().parse().ok()?),
            "<" => OfValue::Below(self.next().parse().ok()?),
            _ => return None,
        })
    }

    /// A value, which may be empty.
    fn value(&mut self) -> Option<String> {
        let value = match self.peek() {
            "" | "," | ")" => "",
            _ => self.next(),
        };
        (value.is_empty() || is_label_value(value)).then(|| value.to_owned())
    }

    fn values(&mut self) -> Option<BTreeSet<String>> {
        if self.next() != "(" {
            return None;
        }
        let mut values = BTreeSet::new();
        loop {
            values.insert(self.value()?);
            match self.next() {
                ")" => return Some(values),
                "," => {}
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of these labels the selector matches.
    #[track_caller]
    fn check(selector: &str, expected: &[&str]) {
        const LABELS: [&str; 4] = [
            "{}",
            r#"{"app": "cart"}"#,
            r#"{"app": "till", "tier": "web", "round": "7"}"#,
            r#"{"app": "", "example.com/tier": "api"}"#,
        ];
        let parsed = LabelSelector::parse(selector).unwrap();
        let is_matched = |labels: &&str| parsed.matches(&serde_json::from_str(labels).unwrap());
        let matched: Vec<&str> = LABELS
            .into_iter()
            .filter(|labels| is_matched(labels))
            .collect();
        let expected: Vec<&str> = expected
            .iter()
            .map(|index| LABELS[index.parse::<usize>().unwrap()])
            .collect();
        assert_eq!(matched, expected, "{selector}");
    }

    #[test]
    fn every_form_of_kubectl_is_read() {
        check("", &["0", "1", "2", "3"]);
        check(" app = cart ", &["1"]);
        check("app==till,tier=web", &["2"]);
        check("app!=cart", &["0", "2", "3"]);
        check("app", &["1", "2", "3"]);
        check("!app", &["0"]);
        check("app,!tier", &["1", "3"]);
        check("app in (cart, till)", &["1", "2"]);
        check("app notin (cart,till)", &["0", "3"]);
        check("app=", &["3"]);
        check("app in ()", &["3"]);
        check("example.com/tier=api", &["3"]);
        check("round>6", &["2"]);
        check("round<7", &[]);
        check("in=web", &[]);
    }

    #[test]
    fn a_selector_of_an_object_means_the_same_as_its_text() {
        let expression = |key: &str, operator: &str, values: &[&str]| serde_json::json!({"key": key, "operator": operator, "values": values});
        for (labels, expressions, text) in [
            (
                r#"{"app": "cart", "tier": "web"}"#,
                vec![],
                "app=cart,tier=web",
            ),
            (
                "{}",
                vec![expression("app", "In", &["cart", "till"])],
                "app in (cart,till)",
            ),
            (
                "{}",
                vec![expression("app", "NotIn", &["cart"])],
                "app notin (cart)",
            ),
            (
                r#"{"app": "cart"}"#,
                vec![
                    expression("tier", "Exists", &[]),
                    expression("old", "DoesNotExist", &[]),
                ],
                "app=cart,tier,!old",
            ),
            ("{}", vec![], ""),
        ] {
            let written = format!(
                r#"{{"matchLabels": {labels}, "matchExpressions": {}}}"#,
                serde_json::json!(expressions)
            );
            let written: ObjectSelector<'_> = serde_json::from_str(&written).unwrap();
            assert_eq!(
                written.parsed(),
                Some(LabelSelector::parse(text).unwrap()),
                "{text}"
            );
        }
        let unknown = r#"{"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}"#;
        assert_eq!(
            serde_json::from_str::<ObjectSelector<'_>>(unknown)
                .unwrap()
                .parsed(),
            None
        );
    }

    #[test]
    fn what_the_api_server_would_not_take_is_refused() {
        for text in [
            ",",
            "app=cart,",
            "=cart",
            "app in",
            "app in (cart",
            "app cart",
            "app=a b",
            "!",
            "round>x",
            "app=-",
            "a/b/c=d",
            "app=cart)",
            "app in cart",
            "!app=cart",
        ] {
            let error = LabelSelector::parse(text).unwrap_err();
            assert_eq!(error.code(), Code::InvalidValue, "{text}");
            assert!(
                error.message().contains("is not a selector of labels"),
                "{text}"
            );
        }
    }
}
