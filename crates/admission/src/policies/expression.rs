//! `expression`: custom rules in CEL, named and interpreted as in a ValidatingAdmissionPolicy.

mod export;
mod rules;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use export::{Exported, export};
pub use rules::{FailurePolicy, MatchCondition, Targets, Validation, ValidationAction, Variable};

use crate::cel::{Fail, Meter, Value};
use crate::context::ClusterView;
use crate::expressions::names::{ValueSource, uses};
use crate::expressions::{Expression, Params};
use crate::request::Request;
use crate::settings::policy_settings;
use crate::verdict::PolicyVerdict;

policy_settings! {
    /// Settings of `expression`.
    Settings("settings of expression") {
        /// Conditions that must all be true; otherwise no rule is evaluated.
        "matchConditions" match_conditions: Vec<MatchCondition> = Vec::new();
        /// Named expressions that others use as `variables.NAME`; each may use those before it.
        "variables" variables: Vec<Variable> = Vec::new();
        /// A value that expressions read as `params`, such as limits and names that several rules share.
        "params" params: Params = Params::default();
        /// The rules; each is true if the change is allowed.
        "validations" validations: Vec<Validation> = Vec::new();
        /// What to do with a change if an expression fails or exceeds its cost limit. Default `Fail`.
        "failurePolicy" failure_policy: FailurePolicy = FailurePolicy::default();
        /// The maximum cost of one expression in steps, 1 to 1,000,000. Default 200,000.
        "costLimit" cost_limit: u32 = 200_000;
        /// The maximum cost of all expressions of one review in steps, including reading the objects, 1 to 10,000,000.
        /// Default 1,000,000.
        "costBudget" cost_budget: u32 = 1_000_000;
    }
    exempt &[];
    fn ranges(&self) -> Vec<(&'static str, u32, u32, u32)> {
        [
            ("costLimit", self.cost_limit, 1, 1_000_000),
            ("costBudget", self.cost_budget, 1, 10_000_000),
        ]
        .into()
    }

    fn check(&self) -> Result<(), (String, String)> {
        let meter = &mut Meter::new(self.cost_budget.into());
        Value::of_json(self.params.as_json(), meter).map_err(|fail| match fail {
            Fail::Cost => ("params".into(), "has more values than `costBudget` lets one review read".into()),
            Fail::Error(message) => ("params".into(), message),
        })?;
        rules::check(self)
    }
}

impl Settings {
    /// Does any rule look at the objects as written?
    pub const fn is_asked(&self) -> bool {
        !self.validations.is_empty()
    }

    /// Does any expression look at the namespace as an object?
    pub fn reads_namespaces(&self) -> bool {
        let rules = self.validations.iter();
        let rules = rules.flat_map(|rule| [&rule.expression, &rule.message_expression]);
        let variables = self.variables.iter().map(|variable| &variable.expression);
        let conditions = self.match_conditions.iter().map(|condition| &condition.expression);
        self.is_asked()
            && rules
                .chain(variables)
                .chain(conditions)
                .filter_map(Expression::program)
                .any(|program| uses(program, ValueSource::NamespaceObject))
    }
}

/// Judges a change by the rules of the configuration.
pub fn check(request: &Request<'_>, cluster: &ClusterView<'_>, settings: &Settings) -> PolicyVerdict {
    rules::judge(request, cluster, settings)
        .into_iter()
        .collect()
}

fn at(list: &str, place: usize, field: &str) -> String {
    format!("{list}/{place}/{field}")
}

#[cfg(test)]
mod tests;
