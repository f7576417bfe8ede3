//! Calls whose arguments are more than values: patterns, variables and the names of formats.

use alloc::boxed::Box;
use alloc::format;

use cel::IdedExpr;
use cel::common::ast::{Expr, LiteralValue};

use super::compile::{Compiler, Lowered};
use super::formats::NamedFormat;
use super::names::ValueKind;
use super::patterns::compile_pattern;
use super::program::{ExpressionNode, Literal, Search, SearchKind};
use super::typed::Typed;
use slicewise::model::text::shorten;

impl Compiler<'_> {
    /// The pattern is compiled here, so that its cost is known and an invalid one is refused.
    pub(super) fn lower_search(
        &mut self,
        what: SearchKind,
        target: Option<&IdedExpr>,
        args: &[IdedExpr],
    ) -> Lowered {
        let (name, kind) = match what {
            SearchKind::Matches => ("matches", ValueKind::Bool),
            SearchKind::Find => ("find", ValueKind::String),
            SearchKind::FindAll => ("findAll", ValueKind::List),
        };
        let (text, pattern, most) = match (what, target, args) {
            (_, Some(text), [pattern]) | (SearchKind::Matches, None, [text, pattern]) => {
                (text, pattern, None)
            }
            (SearchKind::FindAll, Some(text), [pattern, most]) => (text, pattern, Some(most)),
            _ => return Err(format!("`{name}` takes a string and a pattern")),
        };
        let Expr::Literal(LiteralValue::String(pattern)) = &pattern.expr else {
            return Err(format!("the pattern of `{name}` must be a string literal"));
        };
        let pattern = compile_pattern(pattern.inner())?;
        let text = self.lower(text)?;
        if !text.kind.may_be(ValueKind::String) {
            return Err(format!("`{name}` does not take {}", text.kind.as_str()));
        }
        let most = most.map(|most| self.lower(most)).transpose()?;
        let more = most.as_ref().map_or(0, |most| most.cost);
        let cost = text
            .cost
            .saturating_add(pattern.weight as u64)
            .saturating_add(more);
        let node = ExpressionNode::Search(Box::new(Search {
            what,
            text: text.node,
            pattern,
            most: most.map(|most| most.node),
        }));
        Ok(Typed::new(node, kind, cost))
    }

    pub(super) fn lower_optional_map(
        &mut self,
        target: &IdedExpr,
        variable: &IdedExpr,
        item: &IdedExpr,
        is_flat: bool,
    ) -> Lowered {
        let Expr::Ident(variable) = &variable.expr else {
            return Err("`optMap` takes the name of a variable and an expression".into());
        };
        let target = self.lower(target)?;
        self.locals.push(variable.clone());
        let item = self.lower(item);
        self.locals.pop();
        let item = item?;
        let cost = target.cost.saturating_add(item.cost);
        let node = ExpressionNode::OptionalMap(Box::new([target.node, item.node]), is_flat);
        Ok(Typed::new(node, ValueKind::Optional, cost))
    }
}

/// `format.NAME()`
pub(super) fn lower_format(name: &str) -> Lowered {
    let format = NamedFormat::named(name)
        .ok_or_else(|| format!("there is no format `{}`", shorten(name)))?;
    let node = ExpressionNode::Literal(Literal::Format(format));
    Ok(Typed::new(node, ValueKind::Format, 0))
}
