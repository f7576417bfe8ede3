//! Evaluates a program, step by step.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::calls::call;
use super::meter::{Fail, Meter};
use super::operators::pay_search;
use super::program::{
    Access, ExpressionNode, Fold, FoldKind, Literal, Program, Search, SearchKind, Used,
};
use super::value::{Map, MapKey, Str, Value};
use slicewise::model::text::shorten;

/// Provides the values that an expression names.
pub trait ValueProvider<'v> {
    /// A value that the expression names.
    ///
    /// # Errors
    /// When it does not exist.
    fn named(&self, used: Used) -> Result<Value<'v>, Fail>;

    /// The value of a variable.
    ///
    /// # Errors
    /// When it would cost too much, or has no value.
    fn variable(&self, name: &str, meter: &mut Meter) -> Result<Value<'v>, Fail>;
}

/// Evaluates a program.
///
/// # Errors
/// When it would cost too much, or has no value.
pub fn evaluate<'v>(
    program: &'v Program,
    host: &dyn ValueProvider<'v>,
    meter: &mut Meter,
) -> Result<Value<'v>, Fail> {
    let mut evaluation = Evaluation {
        host,
        meter,
        locals: Vec::new(),
    };
    evaluation.value(&program.root)
}

struct Evaluation<'e, 'v> {
    host: &'e dyn ValueProvider<'v>,
    meter: &'e mut Meter,
    locals: Vec<Value<'v>>,
}

type Evaluated<'v> = Result<Value<'v>, Fail>;

impl<'v> Evaluation<'_, 'v> {
    fn value(&mut self, node: &'v ExpressionNode) -> Evaluated<'v> {
        self.meter.pay(1)?;
        match node {
            ExpressionNode::Literal(literal) => Ok(literal_value(literal)),
            ExpressionNode::Local(place) => {
                Ok(self.locals.get(*place).cloned().unwrap_or(Value::Null))
            }
            ExpressionNode::Named(used) => self.host.named(*used),
            ExpressionNode::Variable(name) => self.host.variable(name, self.meter),
            ExpressionNode::Select(operand, field, access) => {
                let value = self.value(operand)?;
                member(&value, &MapKey::String(Str::Borrowed(field)), *access)
            }
            ExpressionNode::Has(operand, field) => {
                let value = self.value(operand)?;
                has(&value, field)
            }
            ExpressionNode::Index(parts, access) => self.index(parts, *access),
            ExpressionNode::And(parts) => self.decide(parts, false),
            ExpressionNode::Or(parts) => self.decide(parts, true),
            ExpressionNode::Not(operand) => self.truth(operand).map(|is| Value::Bool(!is)),
            ExpressionNode::Negate(operand) => negated(&self.value(operand)?),
            ExpressionNode::Choose(parts) => {
                let [condition, then, otherwise] = &**parts;
                if self.truth(condition)? {
                    self.value(then)
                } else {
                    self.value(otherwise)
                }
            }
            ExpressionNode::Binary(operator, parts) => {
                let [one, other] = &**parts;
                let (one, other) = (self.value(one)?, self.value(other)?);
                operator.apply(one, other, self.meter)
            }
            ExpressionNode::List(items) => self.list(items),
            ExpressionNode::Map(entries) => self.map(entries),
            ExpressionNode::Call(function, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(argument)?);
                }
                call(*function, &values, self.meter)
            }
            ExpressionNode::Search(search) => self.search(search),
            ExpressionNode::OptionalMap(parts, is_flat) => self.optional_map(parts, *is_flat),
            ExpressionNode::Fold(fold) => self.fold(fold),
        }
    }

    fn truth(&mut self, node: &'v ExpressionNode) -> Result<bool, Fail> {
        match self.value(node)? {
            Value::Bool(is) => Ok(is),
            other => Err(not_a_condition(&other)),
        }
    }

    /// `&&` and `||`: if either side has the decisive value, the other one does not matter.
    fn decide(&mut self, parts: &'v [ExpressionNode; 2], decisive: bool) -> Evaluated<'v> {
        let [one, other] = parts;
        let first = match self.truth(one) {
            Ok(is) if is == decisive => return Ok(Value::Bool(decisive)),
            Err(Fail::Cost) => return Err(Fail::Cost),
            first => first,
        };
        match self.truth(other) {
            Ok(is) if is == decisive => Ok(Value::Bool(decisive)),
            Err(fail) => Err(fail),
            Ok(_) => first.map(Value::Bool),
        }
    }

    fn index(&mut self, parts: &'v [ExpressionNode; 2], access: Access) -> Evaluated<'v> {
        let [container, index] = parts;
        let (container, index) = (self.value(container)?, self.value(index)?);
        let key = index
            .key()
            .ok_or_else(|| Fail::error("a list is indexed by int, and a map by its keys"))?;
        if let Value::Map(map) = &container {
            pay_search(&key, map.entries().len(), self.meter)?;
        }
        member(&container, &key, access)
    }

    fn list(&mut self, items: &'v [(ExpressionNode, bool)]) -> Evaluated<'v> {
        let mut values = Vec::with_capacity(items.len());
        for (item, is_optional) in items {
            let value = self.value(item)?;
            values.extend(present(value, *is_optional)?);
        }
        Ok(Value::list(values))
    }

    fn map(&mut self, entries: &'v [(ExpressionNode, ExpressionNode, bool)]) -> Evaluated<'v> {
        let mut made = Vec::with_capacity(entries.len());
        for (key, value, is_optional) in entries {
            let key = self.value(key)?;
            let key = key
                .key()
                .ok_or_else(|| Fail::error("keys of maps are bool, int, uint or string"))?;
            // Sorting compares it with other keys.
            pay_search(&key, entries.len(), self.meter)?;
            let value = self.value(value)?;
            made.extend(present(value, *is_optional)?.map(|value| (key, value)));
        }
        let map = Map::new(made).ok_or_else(|| Fail::error("the map has a key twice"))?;
        Ok(Value::Map(Rc::new(map)))
    }

    fn search(&mut self, search: &'v Search) -> Evaluated<'v> {
        let Search {
            what,
            text,
            pattern,
            most,
        } = search;
        let Value::String(text) = self.value(text)? else {
            return Err(Fail::error("a pattern is looked for in a string"));
        };
        let most = match most.as_ref().map(|most| self.value(most)).transpose()? {
            None => usize::MAX,
            Some(Value::Int(most)) => usize::try_from(most).unwrap_or(usize::MAX),
            Some(_) => return Err(Fail::error("the number of matches is an int")),
        };
        let cost = |rest: usize| (rest + 1).saturating_mul(pattern.weight);
        self.meter.pay(cost(text.len()))?;
        let part =
            |from: usize, to: usize| Value::owned(text.get(from..to).unwrap_or_default().into());
        match what {
            SearchKind::Matches => Ok(Value::Bool(pattern.regex.is_match(&text))),
            SearchKind::Find => {
                let found = pattern.regex.find(&text);
                Ok(found.map_or(Value::text(""), |found| part(found.start(), found.end())))
            }
            SearchKind::FindAll => {
                let mut parts = Vec::new();
                for found in pattern.regex.find_iter(&text).take(most) {
                    // The next one is looked for from here on.
                    self.meter.pay(cost(text.len() - found.end()))?;
                    parts.push(part(found.start(), found.end()));
                }
                Ok(Value::list(parts))
            }
        }
    }

    fn optional_map(&mut self, parts: &'v [ExpressionNode; 2], is_flat: bool) -> Evaluated<'v> {
        let [optional, item] = parts;
        let Value::Optional(optional) = self.value(optional)? else {
            return Err(Fail::error("`optMap` takes an optional"));
        };
        let Some(value) = optional else {
            return Ok(Value::Optional(None));
        };
        self.locals.push(Rc::unwrap_or_clone(value));
        let item = self.value(item);
        self.locals.pop();
        match item? {
            optional @ Value::Optional(_) if is_flat => Ok(optional),
            _ if is_flat => Err(Fail::error("`optFlatMap` needs an optional")),
            value => Ok(Value::Optional(Some(Rc::new(value)))),
        }
    }

    fn fold(&mut self, fold: &'v Fold) -> Evaluated<'v> {
        let items = match self.value(&fold.range)? {
            Value::List(items) => items,
            Value::Map(map) => {
                self.meter.pay(map.entries().len())?;
                Rc::new(map.entries().iter().map(|(key, _)| key.value()).collect())
            }
            other => {
                return Err(Fail::Error(format!(
                    "a value of type {} has no items",
                    other.kind().as_str()
                )));
            }
        };
        let mut state = Folding {
            count: 0,
            made: Vec::new(),
            failed: None,
        };
        for item in &*items {
            self.meter.pay(1)?;
            self.locals.push(item.clone());
            let is_decided = self.fold_item(fold, item, &mut state);
            self.locals.pop();
            if let Some(value) = is_decided? {
                return Ok(value);
            }
        }
        if let Some(message) = state.failed {
            return Err(Fail::Error(message));
        }
        Ok(match fold.what {
            FoldKind::All => Value::Bool(true),
            FoldKind::Exists => Value::Bool(false),
            FoldKind::ExistsOne => Value::Bool(state.count == 1),
            FoldKind::Map | FoldKind::Filter => Value::List(Rc::new(state.made)),
        })
    }

    /// Takes one item; returns the final value once it is decided.
    fn fold_item(
        &mut self,
        fold: &'v Fold,
        item: &Value<'v>,
        state: &mut Folding<'v>,
    ) -> Result<Option<Value<'v>>, Fail> {
        let holds = match &fold.condition {
            Some(condition) => self.truth(condition),
            None => Ok(true),
        };
        match (fold.what, holds) {
            (FoldKind::All, Ok(false)) => return Ok(Some(Value::Bool(false))),
            (FoldKind::Exists, Ok(true)) => return Ok(Some(Value::Bool(true))),
            // Another item may still decide.
            (FoldKind::All | FoldKind::Exists, Err(Fail::Error(message))) => {
                state.failed.get_or_insert(message);
            }
            (_, Err(fail)) => return Err(fail),
            (FoldKind::ExistsOne, Ok(true)) => state.count += 1,
            (FoldKind::Filter, Ok(true)) => state.made.push(item.clone()),
            (FoldKind::Map, Ok(true)) => {
                if let Some(made) = &fold.item {
                    let made = self.value(made)?;
                    state.made.push(made);
                }
            }
            (_, Ok(_)) => {}
        }
        Ok(None)
    }
}

/// The state of a macro.
struct Folding<'v> {
    count: usize,
    made: Vec<Value<'v>>,
    /// The error of the first item that could not be evaluated.
    failed: Option<String>,
}

fn literal_value(literal: &Literal) -> Value<'_> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Uint(value) => Value::Uint(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(value) => Value::text(value),
        Literal::Kind(kind) => Value::Type(*kind),
        Literal::Format(format) => Value::Format(*format),
    }
}

#[cold]
fn not_a_condition(value: &Value<'_>) -> Fail {
    Fail::Error(format!(
        "a condition is needed where there is a value of type {}",
        value.kind().as_str()
    ))
}

fn negated<'v>(value: &Value<'v>) -> Evaluated<'v> {
    match value {
        Value::Int(number) => number
            .checked_neg()
            .map(Value::Int)
            .ok_or_else(|| Fail::error("the number is too large")),
        Value::Double(number) => Ok(Value::Double(-number)),
        other => Err(Fail::Error(format!(
            "`-` does not take {}",
            other.kind().as_str()
        ))),
    }
}

/// An item of a literal; `None` if it is optional and has no value.
fn present<'v>(value: Value<'v>, is_optional: bool) -> Result<Option<Value<'v>>, Fail> {
    match value {
        value if !is_optional => Ok(Some(value)),
        Value::Optional(value) => Ok(value.map(Rc::unwrap_or_clone)),
        _ => Err(Fail::error("the value after `?` is not an optional")),
    }
}

fn has<'v>(value: &Value<'v>, field: &str) -> Evaluated<'v> {
    match value {
        Value::Map(map) => Ok(Value::Bool(map.field(field).is_some())),
        Value::Optional(None) => Ok(Value::Bool(false)),
        Value::Optional(Some(value)) => has(value, field),
        other => Err(no_members(other)),
    }
}

#[cold]
fn no_members(value: &Value<'_>) -> Fail {
    Fail::Error(format!(
        "a value of type {} has no members",
        value.kind().as_str()
    ))
}

/// A member of a map or a list. A member of an optional is optional.
fn member<'v>(value: &Value<'v>, key: &MapKey<'_>, access: Access) -> Evaluated<'v> {
    let found = match value {
        Value::Optional(value) => {
            let inner = value.as_deref().map_or(Ok(Value::Optional(None)), |value| {
                member(value, key, Access::Optional)
            });
            return inner;
        }
        Value::Map(map) => map.get(key),
        Value::List(items) => match key {
            MapKey::Int(place) => usize::try_from(*place)
                .ok()
                .and_then(|place| items.get(place)),
            MapKey::Uint(place) => usize::try_from(*place)
                .ok()
                .and_then(|place| items.get(place)),
            _ => return Err(Fail::error("a list is indexed by int")),
        },
        other => return Err(no_members(other)),
    };
    match (found, access) {
        (Some(found), Access::Strict) => Ok(found.clone()),
        (Some(found), Access::Optional) => Ok(Value::Optional(Some(Rc::new(found.clone())))),
        (None, Access::Optional) => Ok(Value::Optional(None)),
        (None, Access::Strict) => Err(missing(key)),
    }
}

#[cold]
fn missing(key: &MapKey<'_>) -> Fail {
    Fail::Error(match key {
        MapKey::String(name) => format!("no such key: {}", shorten(name)),
        MapKey::Int(place) => format!("index out of bounds: {place}"),
        MapKey::Uint(place) => format!("index out of bounds: {place}"),
        MapKey::Bool(key) => format!("no such key: {key}"),
    })
}
