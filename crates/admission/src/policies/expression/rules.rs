//! The rules: how they are written, checked and applied.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Settings, at};
use crate::expressions::Expression;
use crate::policies::UNDECIDED;
use slicewise::model::dns::is_label;
use slicewise::model::object::slim_object;
use slicewise::model::read::{one_of, scalar_fields};
use slicewise::model::text::shorten;

slim_object! {
    /// A rule.
    #[derive(Clone, Debug, Default)]
    pub struct Validation("validation") refuse {
        /// The name of the rule in verdicts: lower case letters, digits and `-`, at most 63 characters.
        "name" pub name: String = required;
        /// A boolean expression: true if the change is allowed.
        "expression" pub expression: Expression = required;
        /// The message if the change is not allowed. Default: the expression.
        "message" pub message: String;
        /// A string expression for the message. If it does not return a single line of text, `message` is used.
        "messageExpression" pub message_expression: Expression;
        /// The field that the verdict refers to. Default `metadata`.
        "field" pub cause_field: String;
        /// The severity of a false expression. Default `deny`.
        "action" pub action: ValidationAction;
        /// The objects and operations that the rule applies to.
        "on" pub on: Targets = required;
    }
}

slim_object! {
    /// The objects and operations that a rule applies to.
    #[derive(Clone, Debug, Default)]
    pub struct Targets("targets of a validation") refuse {
        /// The kinds of objects: `EndpointSlice`, `Service`, `Node`, `Endpoints`.
        "kinds" pub kinds: Vec<String> = required;
        /// The operations: `CREATE`, `UPDATE`, `DELETE`. Default `[CREATE, UPDATE]`.
        "operations" pub operations: Vec<String>;
    }
}

slim_object! {
    /// A named expression that other expressions can use.
    #[derive(Clone, Debug, Default)]
    pub struct Variable("variable") refuse {
        /// The name, used as `variables.NAME`: letters, digits and `_`, not starting with a digit.
        "name" pub name: String = required;
        /// The expression.
        "expression" pub expression: Expression = required;
    }
}

slim_object! {
    /// A condition that must be true for any rule to be evaluated.
    #[derive(Clone, Debug, Default)]
    pub struct MatchCondition("match condition") refuse {
        /// The name of the condition in verdicts.
        "name" pub name: String = required;
        /// A boolean expression: true if the rules apply to the change.
        "expression" pub expression: Expression = required;
    }
}

/// The severity of a false expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, schemars::JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ValidationAction {
    /// A reason to refuse the change.
    #[default]
    Deny,
    /// A warning.
    Warn,
}

/// What to do with a change if an expression cannot be evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, schemars::JsonSchema)]
#[non_exhaustive]
pub enum FailurePolicy {
    /// It is a reason to refuse the change.
    #[default]
    Fail,
    /// It is only a warning.
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

type RuleResult = Result<(), (String, String)>;

/// Checks names, and what each expression is used for.
pub(super) fn check(settings: &Settings) -> RuleResult {
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
) -> RuleResult {
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
        if UNDECIDED.contains(&name) {
            return wrong(format!(
                "`{name}` is reserved by the policy; choose another"
            ));
        }
    }
    Ok(())
}

fn check_targets(on: &Targets, place: usize) -> RuleResult {
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

use applied::check_programs;
pub(super) use applied::judge;

mod applied;
