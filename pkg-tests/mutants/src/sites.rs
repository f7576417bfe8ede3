//! Where in the syntax a change can be switched: the expression around an operator, the pattern of an arm, the body of a function.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprMatch, ExprStruct, ExprUnary, Pat};

/// What can be switched, by the first byte of what cargo-mutants replaces.
#[derive(Default)]
pub(crate) struct Sites {
    /// Operators, and the expressions that they make.
    pub(crate) operators: BTreeMap<usize, Range<usize>>,
    /// Arms without a guard, where the match can do without them, and where a guard would stand.
    pub(crate) arms: BTreeMap<usize, usize>,
    /// Guards.
    pub(crate) guards: BTreeMap<usize, Range<usize>>,
    /// Fields in front of `..rest`, and the expressions that they are part of.
    pub(crate) fields: BTreeMap<usize, Range<usize>>,
    /// The expression of operators that is being visited, if the next one is a part of it without parentheses.
    around: Option<Range<usize>>,
}

impl Sites {
    pub(crate) fn of(file: &syn::File) -> Self {
        let mut sites = Self::default();
        sites.visit_file(file);
        sites
    }
}

impl Visit<'_> for Sites {
    fn visit_expr_binary(&mut self, binary: &ExprBinary) {
        // `a && let b = c` is no expression that could be moved.
        let around = self.around.take();
        let has_let = has_let(&binary.left) || has_let(&binary.right);
        // The widest expression, because another operator may bind other operands: `a || b && c`.
        let whole = around.or_else(|| {
            let own = start(&binary.left)..binary.right.span().byte_range().end;
            (!has_let).then_some(own)
        });
        if let Some(whole) = &whole {
            self.operators.insert(operator(&binary.op), whole.clone());
        }
        for side in [&binary.left, &binary.right] {
            self.around = whole.clone().filter(|_| matches!(**side, Expr::Binary(_)));
            self.visit_expr(side);
        }
        self.around = None;
    }

    fn visit_expr_unary(&mut self, unary: &ExprUnary) {
        let operator = unary.op.span().byte_range().start;
        self.operators
            .insert(operator, operator..unary.expr.span().byte_range().end);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, expression: &ExprStruct) {
        if expression.rest.is_some() {
            for field in &expression.fields {
                self.fields.insert(
                    field.span().byte_range().start,
                    expression.path.span().byte_range().start
                        ..expression.brace_token.span.close().byte_range().end,
                );
            }
        }
        visit::visit_expr_struct(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &ExprMatch) {
        // What takes whatever the others do not: an arm with a guard may, for all the compiler knows, take nothing.
        let has_rest = expression
            .arms
            .iter()
            .any(|arm| arm.guard.is_none() && matches!(arm.pat, Pat::Wild(_)));
        for arm in &expression.arms {
            match &arm.guard {
                Some((_, guard)) => {
                    self.guards.insert(start(guard), guard.span().byte_range());
                }
                None if has_rest => {
                    let pattern = arm.pat.span().byte_range();
                    self.arms.insert(arm.span().byte_range().start, pattern.end);
                }
                None => {}
            }
        }
        visit::visit_expr_match(self, expression);
    }

    // Changes inside constants and statics cannot be switched: they are evaluated by the compiler.
    fn visit_item_const(&mut self, _: &syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &syn::ItemStatic) {}
    fn visit_expr_const(&mut self, _: &syn::ExprConst) {}
    fn visit_type(&mut self, _: &syn::Type) {}
    fn visit_pat(&mut self, _: &syn::Pat) {}
}

fn operator(operator: &BinOp) -> usize {
    operator.span().byte_range().start
}

fn start(expression: &Expr) -> usize {
    expression.span().byte_range().start
}

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}
