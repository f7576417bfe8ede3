//! One review as expressions see it, and what they have cost so far.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{OnceCell, RefCell};

use super::facts::ChangeFacts;
use super::names::ValueSource;
use super::{Expression, Params};
use crate::cel::{self, Fail, Meter, Program, Used, Value, ValueProvider};
use crate::context::{ClusterUnknown, ClusterView};
use crate::request::Request;

/// A variable of the configuration.
pub(crate) struct ScopeVariable<'a> {
    /// As in `variables.NAME`.
    pub(crate) name: &'a str,
    /// Its value.
    pub(crate) expression: &'a Expression,
}

type Cell<'a> = OnceCell<Result<Value<'a>, Fail>>;

/// The values that the expressions of one review share. Each is computed once.
pub(crate) struct ExpressionScope<'a> {
    request: &'a Request<'a>,
    params: &'a Params,
    cluster: &'a ClusterView<'a>,
    facts: ChangeFacts<'a>,
    values: RefCell<Vec<(Used, Result<Value<'a>, Fail>)>>,
    variables: Vec<(ScopeVariable<'a>, Cell<'a>)>,
    /// Steps allowed for one expression.
    limit: u64,
    /// Steps left in the review's budget.
    left: u64,
}

/// Why an expression has no value.
#[derive(Debug)]
pub(crate) enum Unevaluated {
    /// The cluster is not known well enough.
    Unknown(ClusterUnknown),
    /// The expression, or the objects, would cost too much.
    Cost,
    /// It has no value, for this reason.
    Error(String),
}

impl From<Fail> for Unevaluated {
    fn from(fail: Fail) -> Self {
        match fail {
            Fail::Cost => Self::Cost,
            Fail::Error(message) => Self::Error(message),
        }
    }
}

impl<'a> ExpressionScope<'a> {
    pub(crate) fn new(
        request: &'a Request<'a>,
        cluster: &'a ClusterView<'a>,
        variables: impl Iterator<Item = ScopeVariable<'a>>,
        params: &'a Params,
        limit: u64,
        budget: u64,
    ) -> Self {
        Self {
            request,
            params,
            cluster,
            facts: ChangeFacts::new(request, cluster),
            values: RefCell::new(Vec::new()),
            variables: variables
                .map(|variable| (variable, OnceCell::new()))
                .collect(),
            limit,
            left: budget,
        }
    }

    /// Evaluates an expression within the review's budget.
    pub(crate) fn evaluate(&mut self, program: &'a Program) -> Result<Value<'a>, Unevaluated> {
        let used = self.all_used(program);
        self.check_known(&used)?;
        let mut reading = Meter::new(self.left);
        let ready = used
            .iter()
            .try_for_each(|used| self.prepare(*used, &mut reading));
        self.left -= reading.spent();
        ready?;
        let mut meter = Meter::new(self.limit.min(self.left));
        let value = cel::evaluate(program, self, &mut meter);
        self.left -= meter.spent();
        Ok(value?)
    }

    /// What a program names, directly or through variables.
    fn all_used(&self, program: &'a Program) -> Vec<Used> {
        let mut used = program.names().to_vec();
        let mut pending: Vec<&str> = program.variables().collect();
        let mut seen: Vec<&str> = Vec::new();
        while let Some(name) = pending.pop() {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            if let Some(program) = self
                .variable_named(name)
                .and_then(|(variable, _)| variable.expression.program())
            {
                used.extend_from_slice(program.names());
                pending.extend(program.variables());
            }
        }
        used
    }

    fn variable_named(&self, name: &str) -> Option<&(ScopeVariable<'a>, Cell<'a>)> {
        self.variables
            .iter()
            .find(|(variable, _)| variable.name == name)
    }

    /// Checks that the cluster is known as far as the expression needs it, unless the expression checks that itself.
    fn check_known(&self, used: &[Used]) -> Result<(), Unevaluated> {
        let sources = || {
            used.iter()
                .filter_map(|used| ValueSource::at(used.name, used.field))
        };
        // No expression can tell whether it is known.
        if sources().any(|source| source == ValueSource::NamespaceObject) {
            self.cluster
                .namespace_object()
                .map_err(Unevaluated::Unknown)?;
        }
        if sources().any(ValueSource::tells_what_is_known) {
            return Ok(());
        }
        for source in sources() {
            let known = match source {
                ValueSource::Plan(_) => self.facts.knows(true),
                ValueSource::Context(_) => self.facts.knows(false),
                _ => continue,
            };
            known.map_err(Unevaluated::Unknown)?;
        }
        Ok(())
    }

    /// Computes a value at the review's expense: no single expression is to blame for the size of the objects.
    fn prepare(&self, used: Used, meter: &mut Meter) -> Result<(), Fail> {
        if self.values.borrow().iter().any(|(known, _)| *known == used) {
            return Ok(());
        }
        let written = &self.request.written;
        let json = |raw: Option<slicewise_json::Raw<'a>>, meter: &mut Meter| {
            raw.map_or(Ok(Value::Null), |raw| Value::of_json(raw.get(), meter))
        };
        let value = match ValueSource::at(used.name, used.field) {
            Some(ValueSource::Object) => json(written.object, meter),
            Some(ValueSource::OldObject) => json(written.old_object, meter),
            Some(ValueSource::Request) => {
                let review = written.review.unwrap_or("{}");
                Value::of_member(review, "request", &["object", "oldObject"], meter)
            }
            Some(ValueSource::Plan(field)) => self.facts.plan(field),
            Some(ValueSource::Context(field)) => self.facts.context(field, meter),
            Some(ValueSource::Params) => Value::of_json(self.params.as_json(), meter),
            Some(ValueSource::NamespaceObject) => {
                let namespace = self.cluster.namespace_object().unwrap_or_default();
                namespace.map_or(Ok(Value::Null), |json| Value::of_json(json, meter))
            }
            None => Ok(Value::Null),
        };
        if value.as_ref().is_err_and(|fail| *fail == Fail::Cost) {
            return Err(Fail::Cost);
        }
        self.values.borrow_mut().push((used, value));
        Ok(())
    }
}

impl<'a> ValueProvider<'a> for ExpressionScope<'a> {
    fn named(&self, used: Used) -> Result<Value<'a>, Fail> {
        let values = self.values.borrow();
        let known = values.iter().find(|(known, _)| *known == used);
        known.map_or(Ok(Value::Null), |(_, value)| value.clone())
    }

    fn variable(&self, name: &str, meter: &mut Meter) -> Result<Value<'a>, Fail> {
        let Some((variable, cell)) = self.variable_named(name) else {
            return Ok(Value::Null);
        };
        let Some(program) = variable.expression.program() else {
            return Ok(Value::Null);
        };
        if let Some(value) = cell.get() {
            return value.clone();
        }
        // One expression may not be able to afford what another still can.
        let value = cel::evaluate(program, self, meter);
        if value.as_ref().is_err_and(|fail| *fail == Fail::Cost) {
            return value;
        }
        cell.get_or_init(|| value).clone()
    }
}
