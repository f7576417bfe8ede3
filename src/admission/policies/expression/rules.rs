//! The rules: how they are written, checked and applied.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Settings, at};
use crate::admission::expressions::Expression;
use crate::model::object::slim_object;
use crate::model::read::{one_of, scalar_fields};
use crate::model::text::shorten;

slim_object! {
    /// A rule.
    #[derive(Clone, Debug, Default)]
    pub struct Validation("validation") refuse {
        /// Names the rule in verdicts: lower case letters, digits and `-`.
        "name" pub name: String = required;
        /// True where the change may be made.
        "expression" pub expression: Expression = required;
        /// What is said where it may not.
        "message" pub message: String;
        /// An expression that says it; `message` is said where that has no value.
        "messageExpression" pub message_expression: Expression;
        /// The field that the verdict names. Default `metadata`.
        "field" pub cause_field: String;
        /// What a false expression is. Default `deny`.
        "action" pub action: ValidationAction;
        /// What it judges.
        "on" pub on: Targets = required;
    }
}

slim_object! {
    /// What a rule judges.
    #[derive(Clone, Debug, Default)]
    pub struct Targets("targets of a validation") refuse {
        /// `EndpointSlice`, `Service`, `Node`, `Endpoints`.
        "kinds" pub kinds: Vec<String> = required;
        /// `CREATE`, `UPDATE`, `DELETE`. Default `[CREATE, UPDATE]`.
        "operations" pub operations: Vec<String>;
    }
}

slim_object! {
    /// An expression that others may name.
    #[derive(Clone, Debug, Default)]
    pub struct Variable("variable") refuse {
        /// As in `variables.NAME`.
        "name" pub name: String = required;
        /// What it stands for.
        "expression" pub expression: Expression = required;
    }
}

slim_object! {
    /// A condition for any rule to be asked.
    #[derive(Clone, Debug, Default)]
    pub struct MatchCondition("match condition") refuse {
        /// Names it in verdicts.
        "name" pub name: String = required;
        /// True where the change is judged.
        "expression" pub expression: Expression = required;
    }
}

/// What a false expression is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum ValidationAction {
    /// A reason to refuse the change.
    #[default]
    Deny,
    /// Worth telling.
    Warn,
}

/// What happens to a change that an expression cannot judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum FailurePolicy {
    /// That is a reason to refuse it.
    #[default]
    Fail,
    /// It is told.
    Ignore,
}

one_of!(
    ValidationAction, "`deny` or `warn`", "is not an action", "`deny` or `warn`",
    { "deny" => Deny, "warn" => Warn }
);

one_of!(
    FailurePolicy, "`Fail` or `Ignore`", "is not a failure policy", "`Fail` or `Ignore`",
    { "Fail" => Fail, "Ignore" => Ignore }
);

scalar_fields!(ValidationAction, FailurePolicy);

const KINDS: [&str; 4] = ["EndpointSlice", "Service", "Node", "Endpoints"];
const OPERATIONS: [&str; 3] = ["CREATE", "UPDATE", "DELETE"];

type Checked = Result<(), (String, String)>;

/// Checks names, and what each expression is used for.
pub(super) fn check(settings: &Settings) -> Checked {
    let Settings {
        match_conditions,
        variables,
        validations,
        ..
    } = settings;
    check_names(
        "validations",
        &validations.iter().map(|rule| rule.name.as_str()),
        is_label,
    )?;
    check_names(
        "matchConditions",
        &match_conditions.iter().map(|rule| rule.name.as_str()),
        is_label,
    )?;
    check_names(
        "variables",
        &variables.iter().map(|rule| rule.name.as_str()),
        is_identifier,
    )?;
    for (place, rule) in validations.iter().enumerate() {
        check_targets(&rule.on, place)?;
    }
    check_programs(settings)
}

fn is_label(name: &str) -> bool {
    let is_legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty()
        && name.len() <= 63
        && name.bytes().all(is_legal)
        && !name.starts_with('-')
        && !name.ends_with('-')
}

fn is_identifier(name: &str) -> bool {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty()
        && name.len() <= 63
        && name.bytes().all(is_legal)
        && !name.starts_with(|first: char| first.is_ascii_digit())
}

fn check_names<'n>(
    list: &str,
    names: &(impl Iterator<Item = &'n str> + Clone),
    is_legal: impl Fn(&str) -> bool,
) -> Checked {
    for (place, name) in names.clone().enumerate() {
        let wrong = |message: String| Err((at(list, place, "name"), message));
        if !is_legal(name) {
            let like = if list == "variables" {
                "`readyCount`"
            } else {
                "`no-node-ports`"
            };
            return wrong(format!(
                "`{}` is not a valid name; write one like {like}",
                shorten(name)
            ));
        }
        if names.clone().take(place).any(|other| other == name) {
            return wrong(format!("the name `{name}` appears twice"));
        }
        if ["not-checked", "not-evaluated"].contains(&name) {
            return wrong(format!(
                "`{name}` is reserved by the policy; choose another"
            ));
        }
    }
    Ok(())
}

fn check_targets(on: &Targets, place: usize) -> Checked {
    if on.kinds.is_empty() {
        let message = format!("name the kinds that the rule checks: {}", KINDS.join(", "));
        return Err((at("validations", place, "on/kinds"), message));
    }
    let lists = [
        ("kinds", &on.kinds, &KINDS[..]),
        ("operations", &on.operations, &OPERATIONS[..]),
    ];
    for (list, given, known) in lists {
        for (item, name) in given.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let message = format!(
                    "`{}` cannot be checked here; write {}",
                    shorten(name),
                    known.join(", ")
                );
                return Err((
                    at("validations", place, &format!("on/{list}/{item}")),
                    message,
                ));
            }
        }
    }
    Ok(())
}

#[cfg(not(feature = "expressions"))]
fn check_programs(_: &Settings) -> Checked {
    Ok(())
}

#[cfg(feature = "expressions")]
use applied::check_programs;
#[cfg(feature = "expressions")]
pub(super) use applied::judge;

#[cfg(feature = "expressions")]
mod applied;
