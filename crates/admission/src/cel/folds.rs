//! The macros `all`, `exists`, `exists_one`, `map` and `filter`, recognized in the form that the parser expands them
//! to.

use alloc::boxed::Box;
use alloc::string::String;

use cel::IdedExpr;
use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue, operators};

use super::compile::{Compiler, Lowered};
use super::names::ValueKind;
use super::program::{ExpressionNode, Fold, FoldKind};
use super::typed::Typed;

/// A macro: its condition on an item, and the value it derives from it.
struct Macro<'e> {
    what: FoldKind,
    condition: Option<&'e IdedExpr>,
    item: Option<&'e IdedExpr>,
}

fn call<'e>(expression: &'e IdedExpr, name: &str) -> Option<&'e [IdedExpr]> {
    match &expression.expr {
        Expr::Call(CallExpr {
            func_name, args, ..
        }) if func_name == name => Some(args),
        _ => None,
    }
}

/// `[item]` of `accumulated + [item]`.
fn appended(expression: &IdedExpr) -> Option<&IdedExpr> {
    match call(expression, operators::ADD)? {
        [_, list] => match &list.expr {
            Expr::List(list) => list.elements.first(),
            _ => None,
        },
        _ => None,
    }
}

fn recognize(fold: &ComprehensionExpr) -> Option<Macro<'_>> {
    let step = &fold.loop_step;
    let of = |what, condition, item| {
        Some(Macro {
            what,
            condition,
            item,
        })
    };
    match &fold.accu_init.expr {
        Expr::Literal(LiteralValue::Boolean(is_all)) => {
            let (what, name) = if *is_all.inner() {
                (FoldKind::All, operators::LOGICAL_AND)
            } else {
                (FoldKind::Exists, operators::LOGICAL_OR)
            };
            of(what, call(step, name)?.get(1), None)
        }
        Expr::Literal(LiteralValue::Int(_)) => of(
            FoldKind::ExistsOne,
            call(step, operators::CONDITIONAL)?.first(),
            None,
        ),
        Expr::List(_) => match call(step, operators::CONDITIONAL) {
            None => of(FoldKind::Map, None, Some(appended(step)?)),
            Some([condition, then, _]) => {
                let item = appended(then)?;
                let is_filter = matches!(&item.expr, Expr::Ident(name) if *name == fold.iter_var);
                let what = if is_filter {
                    FoldKind::Filter
                } else {
                    FoldKind::Map
                };
                of(what, Some(condition), Some(item).filter(|_| !is_filter))
            }
            Some(_) => None,
        },
        _ => None,
    }
}

impl Compiler<'_> {
    pub(super) fn lower_fold(&mut self, fold: &ComprehensionExpr) -> Lowered {
        let unknown = || String::from("this macro is not supported");
        let found = recognize(fold)
            .filter(|_| fold.iter_var2.is_none())
            .ok_or_else(unknown)?;
        let range = self.lower(&fold.iter_range)?;
        if !(range.kind.may_be(ValueKind::List) || range.kind == ValueKind::Map) {
            return Err(alloc::format!(
                "a value of type {} has no items",
                range.kind.as_str()
            ));
        }
        self.locals.push(fold.iter_var.clone());
        let condition = found
            .condition
            .map(|condition| self.lower_bool(condition))
            .transpose()?;
        let item = found.item.map(|item| self.lower(item)).transpose()?;
        self.locals.pop();
        let cost = [&condition, &item]
            .into_iter()
            .flatten()
            .map(|part| part.cost);
        let cost = range.each(cost.fold(0, u64::saturating_add));
        let kind = match found.what {
            FoldKind::Map | FoldKind::Filter => ValueKind::List,
            _ => ValueKind::Bool,
        };
        let node = ExpressionNode::Fold(Box::new(Fold {
            what: found.what,
            range: range.node,
            condition: condition.map(|part| part.node),
            item: item.map(|part| part.node),
        }));
        Ok(Typed::new(node, kind, cost).with_items(range.items))
    }
}
