//! Compiles a syntax tree into a program: names, functions and kinds are checked once, here.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::functions::{self, CallStyle};
use super::names::{DeclaredNames, HostFields, Name, ValueKind};
use super::parse::parse;
use super::program::{Access, ExpressionNode, Literal, Operator, Program, SearchKind, Used};
use super::special::lower_format;
use super::typed::Typed;
use cel::IdedExpr;
use cel::common::ast::{CallExpr, EntryExpr, Expr, LiteralValue, SelectExpr, operators};
use slicewise::model::text::shorten;

/// Compiles an expression that may use these names.
///
/// # Errors
/// A message that says what is wrong with it and how to fix it.
pub fn compile(text: &str, names: &DeclaredNames) -> Result<Program, String> {
    let tree = parse(text)?;
    let mut compiler = Compiler {
        names,
        locals: Vec::new(),
        depth: 0,
        used: Vec::new(),
        variables: Vec::new(),
    };
    let typed = compiler.lower(&tree)?;
    Ok(Program {
        root: typed.node,
        kind: typed.kind,
        estimate: typed.cost,
        names: compiler.used,
        variables: compiler.variables,
    })
}

/// The maximum depth of nested nodes. Evaluating one takes a stack frame or two.
const MAX_DEPTH: usize = 100;

pub(super) struct Compiler<'c> {
    names: &'c DeclaredNames,
    /// Variables of the enclosing macros, outermost first.
    pub(super) locals: Vec<String>,
    depth: usize,
    used: Vec<Used>,
    variables: Vec<String>,
}

pub(super) type Lowered = Result<Typed, String>;

impl Compiler<'_> {
    pub(super) fn lower(&mut self, expression: &IdedExpr) -> Lowered {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!(
                "the expression is nested deeper than {MAX_DEPTH} levels; move parts of it into variables"
            ));
        }
        let typed = match &expression.expr {
            Expr::Literal(literal) => lower_literal(literal),
            Expr::Ident(name) => self.lower_name(name),
            Expr::Select(select) => self.lower_select(select),
            Expr::Call(call) => self.lower_call(call),
            Expr::List(list) => {
                let (mut items, mut cost) = (Vec::new(), 0_u64);
                for (place, item) in list.elements.iter().enumerate() {
                    let item = self.lower(item)?;
                    cost = cost.saturating_add(item.cost);
                    items.push((item.node, list.optional_indices.contains(&place)));
                }
                let count = items.len() as u64;
                Ok(
                    Typed::new(ExpressionNode::List(items), ValueKind::List, cost)
                        .with_items(count),
                )
            }
            Expr::Map(map) => {
                let (mut entries, mut cost) = (Vec::new(), 0_u64);
                for entry in &map.entries {
                    let EntryExpr::MapEntry(entry) = &entry.expr else {
                        return Err("a map has keys and values".into());
                    };
                    let (key, value) = (self.lower(&entry.key)?, self.lower(&entry.value)?);
                    cost = cost.saturating_add(key.cost).saturating_add(value.cost);
                    entries.push((key.node, value.node, entry.optional));
                }
                let count = entries.len() as u64;
                Ok(
                    Typed::new(ExpressionNode::Map(entries), ValueKind::Map, cost)
                        .with_items(count),
                )
            }
            Expr::Comprehension(fold) => self.lower_fold(fold),
            Expr::Struct(object) => Err(format!(
                "there is no type `{}` for creating objects; write a map",
                shorten(&object.type_name)
            )),
            Expr::Unspecified => Err("the expression is not complete".into()),
        };
        self.depth -= 1;
        typed
    }

    fn lower_name(&mut self, name: &str) -> Lowered {
        if let Some(place) = self.locals.iter().rposition(|local| local == name) {
            return Ok(Typed::new(ExpressionNode::Local(place), ValueKind::Dyn, 0));
        }
        match self.find(name) {
            Some((_, known)) if matches!(known.fields, HostFields::Each(_)) => {
                let fields = known.fields.names().join(", ");
                Err(format!("name a field of `{name}`: {fields}"))
            }
            Some((number, _)) => Ok(self.named(number, 0, ValueKind::Dyn)),
            None => match ValueKind::named(name) {
                Some(kind) => Ok(Typed::new(
                    ExpressionNode::Literal(Literal::Kind(kind)),
                    ValueKind::Type,
                    0,
                )),
                None => Err(self.unknown_name(name)),
            },
        }
    }

    fn find(&self, name: &str) -> Option<(usize, Name)> {
        let mut names = self.names.iter().copied().enumerate();
        names.find(|(_, known)| known.name == name)
    }

    fn named(&mut self, name: usize, field: usize, kind: ValueKind) -> Typed {
        let used = Used { name, field };
        if !self.used.contains(&used) {
            self.used.push(used);
        }
        Typed::new(ExpressionNode::Named(used), kind, 0)
    }

    fn unknown_name(&self, name: &str) -> String {
        if name == "variables" {
            return "name a variable, as in `variables.name`".into();
        }
        let known = self.names.iter().map(|known| known.name);
        let known: Vec<_> = known.chain(["variables"]).collect();
        format!(
            "there is no variable `{}`; there are {}",
            shorten(name),
            known.join(", ")
        )
    }

    /// A global name that no macro variable shadows.
    fn global<'e>(&self, expression: &'e IdedExpr) -> Option<&'e str> {
        match &expression.expr {
            Expr::Ident(name) if !self.locals.contains(name) => Some(name),
            _ => None,
        }
    }

    fn lower_select(&mut self, select: &SelectExpr) -> Lowered {
        let SelectExpr {
            operand,
            field,
            test,
        } = select;
        if let Some(name) = self.global(operand)
            && let Some(typed) = self.lower_field(name, field, *test)
        {
            return typed;
        }
        let operand = self.lower(operand)?;
        let holds_fields =
            [ValueKind::Dyn, ValueKind::Map, ValueKind::Optional].contains(&operand.kind);
        if !holds_fields {
            return Err(format!(
                "`{}` is a field of a value without fields, of type {}",
                shorten(field),
                operand.kind.as_str()
            ));
        }
        let inner = Box::new(operand.node);
        Ok(if *test {
            Typed::new(
                ExpressionNode::Has(inner, field.clone()),
                ValueKind::Bool,
                operand.cost,
            )
        } else {
            let node = ExpressionNode::Select(inner, field.clone(), Access::Strict);
            Typed::new(node, ValueKind::Dyn, operand.cost)
        })
    }

    /// A field that is known at compile time to exist or not; `None` for others.
    fn lower_field(&mut self, name: &str, field: &String, is_test: bool) -> Option<Lowered> {
        if name == "variables" {
            if is_test {
                return Some(Err("a variable is always present; leave out has()".into()));
            }
            if !self.variables.contains(field) {
                self.variables.push(field.clone());
            }
            return Some(Ok(Typed::new(
                ExpressionNode::Variable(field.clone()),
                ValueKind::Dyn,
                0,
            )));
        }
        let (number, known) = self.find(name)?;
        let names = known.fields.names();
        let place = names.iter().position(|known| known == field);
        match (known.fields, place) {
            (HostFields::Any, _) | (HostFields::Among(_), Some(_)) => None,
            (_, None) => Some(Err(format!(
                "`{name}` has no field `{}`; it has {}",
                shorten(field),
                names.join(", ")
            ))),
            (HostFields::Each(_), Some(_)) if is_test => Some(Err(format!(
                "`{name}.{field}` is always present; leave out has()"
            ))),
            (HostFields::Each(fields), Some(place)) => {
                let kind = fields.get(place).map_or(ValueKind::Dyn, |(_, kind)| *kind);
                Some(Ok(self.named(number, place, kind)))
            }
        }
    }

    fn lower_call(&mut self, call: &CallExpr) -> Lowered {
        let CallExpr {
            func_name: name,
            target,
            args,
        } = call;
        let search = match name.as_str() {
            "matches" => Some(SearchKind::Matches),
            "find" => Some(SearchKind::Find),
            "findAll" => Some(SearchKind::FindAll),
            _ => None,
        };
        if let Some(what) = search {
            return self.lower_search(what, target.as_deref(), args);
        }
        match (target.as_deref(), args.as_slice()) {
            (None, [condition, then, otherwise]) if name == operators::CONDITIONAL => {
                self.lower_choice(condition, then, otherwise)
            }
            (None, [one, other]) => match self.lower_operator(name, one, other) {
                Some(typed) => typed,
                None => self.lower_function(name, CallStyle::Global, args.iter()),
            },
            (None, [operand]) if name == operators::LOGICAL_NOT => {
                let operand = self.lower_bool(operand)?;
                let node = ExpressionNode::Not(Box::new(operand.node));
                Ok(Typed::new(node, ValueKind::Bool, operand.cost))
            }
            (None, [operand]) if name == operators::NEGATE => {
                let operand = self.lower(operand)?;
                if !(operand.kind == ValueKind::Dyn || operand.kind.is_number()) {
                    return Err(format!("`-` does not take {}", operand.kind.as_str()));
                }
                let node = ExpressionNode::Negate(Box::new(operand.node));
                Ok(Typed::new(node, operand.kind, operand.cost))
            }
            (Some(target), [variable, item]) if name == "optMap" || name == "optFlatMap" => {
                self.lower_optional_map(target, variable, item, name == "optFlatMap")
            }
            (Some(target), args) => match self.global(target) {
                Some("format") if args.is_empty() => lower_format(name),
                Some(library @ ("optional" | "format" | "sets" | "lists" | "ip")) => self
                    .lower_function(&format!("{library}.{name}"), CallStyle::Global, args.iter()),
                _ => self.lower_function(name, CallStyle::Member, [target].into_iter().chain(args)),
            },
            (None, args) => self.lower_function(name, CallStyle::Global, args.iter()),
        }
    }

    fn lower_function<'e>(
        &mut self,
        name: &str,
        style: CallStyle,
        arguments: impl Iterator<Item = &'e IdedExpr>,
    ) -> Lowered {
        let (mut nodes, mut cost) = (Vec::new(), 0_u64);
        for argument in arguments {
            let argument = self.lower(argument)?;
            cost = cost.saturating_add(argument.cost);
            nodes.push(argument.node);
        }
        let (function, kind) = functions::find(name, style, nodes.len())?;
        Ok(Typed::new(
            ExpressionNode::Call(function, nodes),
            kind,
            cost,
        ))
    }

    pub(super) fn lower_bool(&mut self, expression: &IdedExpr) -> Lowered {
        let typed = self.lower(expression)?;
        if typed.kind.may_be(ValueKind::Bool) {
            return Ok(typed);
        }
        Err(format!(
            "a condition is needed where there is a value of type {}",
            typed.kind.as_str()
        ))
    }

    fn lower_choice(
        &mut self,
        condition: &IdedExpr,
        then: &IdedExpr,
        otherwise: &IdedExpr,
    ) -> Lowered {
        let condition = self.lower_bool(condition)?;
        let (then, otherwise) = (self.lower(then)?, self.lower(otherwise)?);
        let kind = if then.kind == otherwise.kind {
            then.kind
        } else {
            ValueKind::Dyn
        };
        let cost = condition.cost.saturating_add(then.cost.max(otherwise.cost));
        let items = then.items.max(otherwise.items);
        let parts = [condition.node, then.node, otherwise.node];
        Ok(Typed::new(ExpressionNode::Choose(Box::new(parts)), kind, cost).with_items(items))
    }

    /// `None` if it is not a binary operator.
    fn lower_operator(&mut self, name: &str, one: &IdedExpr, other: &IdedExpr) -> Option<Lowered> {
        let is_logic = name == operators::LOGICAL_AND || name == operators::LOGICAL_OR;
        let operator = Operator::named(name);
        let access = match name {
            operators::INDEX => Some(Access::Strict),
            operators::OPT_INDEX | operators::OPT_SELECT => Some(Access::Optional),
            _ => None,
        };
        if !is_logic && operator.is_none() && access.is_none() {
            return None;
        }
        let mut lower = |expression| {
            if is_logic {
                self.lower_bool(expression)
            } else {
                self.lower(expression)
            }
        };
        let (one, other) = match (lower(one), lower(other)) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(wrong), _) | (_, Err(wrong)) => return Some(Err(wrong)),
        };
        let cost = one.cost.saturating_add(other.cost);
        if let Some(operator) = operator {
            return Some(operator.typed(one, other));
        }
        let parts = Box::new([one.node, other.node]);
        let (node, kind) = match (name, access) {
            (_, Some(Access::Optional)) => (
                ExpressionNode::Index(parts, Access::Optional),
                ValueKind::Optional,
            ),
            (_, Some(access)) => (ExpressionNode::Index(parts, access), ValueKind::Dyn),
            (operators::LOGICAL_AND, None) => (ExpressionNode::And(parts), ValueKind::Bool),
            (_, None) => (ExpressionNode::Or(parts), ValueKind::Bool),
        };
        Some(Ok(Typed::new(node, kind, cost)))
    }
}

fn lower_literal(literal: &LiteralValue) -> Lowered {
    let (literal, kind) = match literal {
        LiteralValue::Null => (Literal::Null, ValueKind::Null),
        LiteralValue::Boolean(value) => (Literal::Bool(*value.inner()), ValueKind::Bool),
        LiteralValue::Int(value) => (Literal::Int(*value.inner()), ValueKind::Int),
        LiteralValue::UInt(value) => (Literal::Uint(*value.inner()), ValueKind::Uint),
        LiteralValue::Double(value) => (Literal::Double(*value.inner()), ValueKind::Double),
        LiteralValue::String(value) => (
            Literal::String(value.inner().to_string()),
            ValueKind::String,
        ),
        LiteralValue::Bytes(_) => return Err("bytes are not supported; write a string".into()),
    };
    Ok(Typed::new(ExpressionNode::Literal(literal), kind, 0))
}
