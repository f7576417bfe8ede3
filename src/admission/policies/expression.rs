//! `expression`: custom rules in CEL, named and interpreted as in a ValidatingAdmissionPolicy.

mod rules;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use rules::{FailurePolicy, MatchCondition, Targets, Validation, ValidationAction, Variable};

use crate::admission::context::Cluster;
use crate::admission::request::Request;
use crate::admission::settings::policy_settings;
use crate::admission::verdict::Verdict;

policy_settings! {
    /// Settings of `expression`.
    Settings("settings of expression") {
        /// Conditions that must all be true for a change to be judged.
        "matchConditions" match_conditions: Vec<MatchCondition> = Vec::new();
        /// Expressions to name in others, as `variables.NAME`; each may name those before it.
        "variables" variables: Vec<Variable> = Vec::new();
        /// The rules, each true where a change may be made.
        "validations" validations: Vec<Validation> = Vec::new();
        /// What happens to a change for which an expression has no value, or would cost too much. Default `Fail`.
        "failurePolicy" failure_policy: FailurePolicy = FailurePolicy::default();
        /// Steps that one expression may take, 1 to 1,000,000. Default 200,000.
        "costLimit" cost_limit: u32 = 200_000;
        /// Steps that all expressions may take for one review, reading the objects included, 1 to 10,000,000. Default
        /// 1,000,000.
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
        rules::check(self)
    }
}

impl Settings {
    /// Does any rule look at the objects as written?
    pub const fn is_asked(&self) -> bool {
        !self.validations.is_empty()
    }
}

/// Judges a change by the rules of the configuration.
#[cfg(feature = "expressions")]
pub fn check(request: &Request<'_>, cluster: &Cluster<'_>, settings: &Settings) -> Verdict {
    rules::judge(request, cluster, settings)
        .into_iter()
        .collect()
}

/// Without the feature `expressions` there are no rules.
#[cfg(not(feature = "expressions"))]
pub fn check(_: &Request<'_>, _: &Cluster<'_>, _: &Settings) -> Verdict {
    Verdict::allow()
}

fn at(list: &str, place: usize, field: &str) -> String {
    format!("{list}/{place}/{field}")
}

#[cfg(test)]
#[cfg(feature = "expressions")]
mod tests;
