//! Applies the rules.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::{
    RuleResult, FailurePolicy, Settings, Targets, Validation, ValidationAction, Variable, at,
};
use crate::context::ClusterView;
use crate::expressions::Expression;
use crate::expressions::scope::{self, ExpressionScope, Unevaluated};
use crate::policies::not_checked;
use crate::request::{ObjectChange, Request, ReviewSubject};
use crate::verdict::{CauseType, Finding};
use crate::cel::{Program, Value, ValueKind};
use slicewise::model::text::shorten;

/// Checks that variables exist, that each expression has a type that fits its use, and that none exceeds the cost
/// limit.
pub(super) fn check_programs(settings: &Settings) -> RuleResult {
    let Settings {
        match_conditions,
        variables,
        validations,
        ..
    } = settings;
    let limit = u64::from(settings.cost_limit);
    let mut costs: Vec<(&str, u64)> = Vec::new();
    for (place, Variable { name, expression }) in variables.iter().enumerate() {
        let wrong = |message| (at("variables", place, "expression"), message);
        let cost = check_program(expression, ValueKind::Dyn, &costs, limit).map_err(wrong)?;
        costs.push((name, cost));
    }
    let conditions = match_conditions
        .iter()
        .enumerate()
        .map(|(place, condition)| {
            (
                at("matchConditions", place, "expression"),
                &condition.expression,
                ValueKind::Bool,
            )
        });
    let rules = validations.iter().enumerate().flat_map(|(place, rule)| {
        [
            (
                at("validations", place, "expression"),
                &rule.expression,
                ValueKind::Bool,
            ),
            (
                at("validations", place, "messageExpression"),
                &rule.message_expression,
                ValueKind::String,
            ),
        ]
    });
    for (path, expression, kind) in conditions.chain(rules) {
        check_program(expression, kind, &costs, limit).map_err(|message| (path, message))?;
    }
    Ok(())
}

/// Checks an expression given the variables before it, and returns its estimated cost, including theirs.
fn check_program(
    expression: &Expression,
    wanted: ValueKind,
    variables: &[(&str, u64)],
    limit: u64,
) -> Result<u64, String> {
    let Some(program) = expression.program() else {
        return Ok(0);
    };
    if wanted != ValueKind::Dyn && !program.kind.may_be(wanted) {
        let (wanted, kind) = (wanted.as_str(), program.kind.as_str());
        return Err(format!(
            "the expression returns {kind} where {wanted} is needed"
        ));
    }
    let mut cost = program.estimate;
    for name in program.variables() {
        let Some((_, more)) = variables.iter().find(|(known, _)| *known == name) else {
            let known: Vec<_> = variables.iter().map(|(name, _)| *name).collect();
            let known = if known.is_empty() {
                "none".into()
            } else {
                known.join(", ")
            };
            return Err(format!(
                "there is no `variables.{}` here; the variables are: {known}",
                shorten(name)
            ));
        };
        cost = cost.saturating_add(*more);
    }
    if cost > limit {
        return Err(format!(
            "the expression would take about {cost} steps over lists of 100 items, more than the {limit} of `costLimit`; nest fewer macros"
        ));
    }
    Ok(cost)
}

/// What the rules find.
pub(in super::super) fn judge<'a>(
    request: &'a Request<'a>,
    cluster: &'a ClusterView<'a>,
    settings: &'a Settings,
) -> Vec<Finding> {
    let Some((kind, operation)) = target(&request.subject) else {
        return Vec::new();
    };
    let mut rules = settings
        .validations
        .iter()
        .filter(|rule| rule.on.include(kind, operation))
        .peekable();
    if rules.peek().is_none() {
        return Vec::new();
    }
    let variables = settings.variables.iter().map(|variable| scope::ScopeVariable {
        name: &variable.name,
        expression: &variable.expression,
    });
    let (limit, budget) = (settings.cost_limit.into(), settings.cost_budget.into());
    let scope = ExpressionScope::new(request, cluster, variables, &settings.params, limit, budget);
    let mut judging = Judging { settings, scope };
    match judging.is_concerned() {
        Ok(true) => rules.filter_map(|rule| judging.rule(rule)).collect(),
        Ok(false) => Vec::new(),
        Err(finding) => finding.into_iter().collect(),
    }
}

fn target(subject: &ReviewSubject<'_>) -> Option<(&'static str, &'static str)> {
    const fn operation<T>(change: &ObjectChange<T>) -> &'static str {
        match change {
            ObjectChange::Create(_) => "CREATE",
            ObjectChange::Update { .. } => "UPDATE",
            ObjectChange::Delete(_) => "DELETE",
        }
    }
    Some(match subject {
        ReviewSubject::EndpointSlice(change) => ("EndpointSlice", operation(change)),
        ReviewSubject::Service(change) => ("Service", operation(change)),
        ReviewSubject::Node(change) => ("Node", operation(change)),
        ReviewSubject::Endpoints(change) => ("Endpoints", operation(change)),
        _ => return None,
    })
}

impl Targets {
    fn include(&self, kind: &str, operation: &str) -> bool {
        let is_operation = if self.operations.is_empty() {
            operation != "DELETE"
        } else {
            self.operations.iter().any(|other| other == operation)
        };
        is_operation && self.kinds.iter().any(|other| other == kind)
    }
}

struct Judging<'a> {
    settings: &'a Settings,
    scope: ExpressionScope<'a>,
}

impl<'a> Judging<'a> {
    /// Do all conditions hold? If that cannot be evaluated, returns the finding to report instead.
    fn is_concerned(&mut self) -> Result<bool, Option<Finding>> {
        for condition in &self.settings.match_conditions {
            let Some(program) = condition.expression.program() else {
                continue;
            };
            match self.truth(program) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(why) => {
                    let what = format!("match condition {}", condition.name);
                    return Err(self.unevaluated(&what, why, "metadata", ValidationAction::Deny));
                }
            }
        }
        Ok(true)
    }

    fn truth(&mut self, program: &'a Program) -> Result<bool, Unevaluated> {
        match self.scope.evaluate(program)? {
            Value::Bool(is) => Ok(is),
            other => Err(Unevaluated::Error(format!(
                "it returns {} where bool is needed",
                other.kind().as_str()
            ))),
        }
    }

    fn rule(&mut self, rule: &'a Validation) -> Option<Finding> {
        let field = if rule.cause_field.is_empty() {
            "metadata"
        } else {
            &rule.cause_field
        };
        match self.truth(rule.expression.program()?) {
            Ok(true) => None,
            Ok(false) => {
                let finding = match rule.action {
                    ValidationAction::Deny => Finding::deny,
                    ValidationAction::Warn => Finding::warn,
                };
                let message = self.message(rule);
                Some(finding(
                    rule.name.clone(),
                    CauseType::FieldValueInvalid,
                    field,
                    message,
                ))
            }
            Err(why) => self.unevaluated(&format!("rule {}", rule.name), why, field, rule.action),
        }
    }

    /// As in a ValidatingAdmissionPolicy: if the expression does not give a single line of text, `message` is used.
    fn message(&mut self, rule: &'a Validation) -> String {
        let said = rule
            .message_expression
            .program()
            .map(|program| self.scope.evaluate(program));
        if let Some(Ok(Value::String(text))) = said
            && !text.trim().is_empty()
            && !text.contains('\n')
        {
            return text.trim().to_string();
        }
        if rule.message.is_empty() {
            format!("failed expression: {}", rule.expression.as_str())
        } else {
            rule.message.clone()
        }
    }

    /// What to report if an expression has no value.
    fn unevaluated(
        &self,
        what: &str,
        why: Unevaluated,
        field: &str,
        action: ValidationAction,
    ) -> Option<Finding> {
        let why = match why {
            Unevaluated::Unknown(why) => {
                let effect = format!("{what} was not evaluated");
                return not_checked(self.settings.when_stale, &why, &effect);
            }
            Unevaluated::Cost => String::from(
                "it would take more steps than `costLimit` and `costBudget` allow; make the expression, or the object, smaller",
            ),
            Unevaluated::Error(why) => {
                format!("{why}; use has() in the expression for fields that may be missing")
            }
        };
        // A rule that only warns does not refuse what it cannot judge either.
        let finding = match (self.settings.failure_policy, action) {
            (FailurePolicy::Fail, ValidationAction::Deny) => Finding::deny,
            _ => Finding::warn,
        };
        let message = format!("{what} cannot be evaluated: {why}");
        Some(finding(
            "not-evaluated",
            CauseType::FieldValueInvalid,
            field,
            message,
        ))
    }
}
