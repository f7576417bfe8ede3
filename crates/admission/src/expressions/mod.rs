//! Expressions of the configuration, and the values they look at.
//!
//! A value that an expression names is computed when it is needed, not before: most reviews need no plan.

mod facts;
pub(super) mod names;
pub(super) mod scope;

use alloc::string::String;

use slicewise::model::Text;
use slicewise::model::read::{Field, Scalar, Slot, scalar_fields};

/// An expression, compiled when the configuration is read.
#[derive(Clone, Debug, Default)]
pub struct Expression {
    text: String,
    program: Option<alloc::sync::Arc<crate::cel::Program>>,
}

impl Expression {
    /// The source text; empty if it was left out.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The compiled program.
    pub(super) fn program(&self) -> Option<&crate::cel::Program> {
        self.program.as_deref()
    }
}

impl<'a> Scalar<'a> for Expression {
    fn what(&self) -> &'static str {
        "an expression"
    }

    fn set(&mut self, text: Text<'a>, _: bool) -> Result<(), String> {
        self.program = Some(crate::cel::compile(&text, names::NAMES)?.into());
        self.text = text.as_str().into();
        Ok(())
    }
}

scalar_fields!(Expression);

/// A value of the configuration that expressions read, as JSON text; empty if there is none.
#[derive(Clone, Debug, Default)]
pub struct Params(String);

impl Params {
    /// Does the configuration have any?
    pub fn is_given(&self) -> bool {
        !self.0.is_empty()
    }

    /// The JSON text; `null` if there is none.
    pub fn as_json(&self) -> &str {
        match self.0.as_str() {
            "" => "null",
            json => json,
        }
    }
}

impl<'a> Field<'a> for Params {
    fn slot(&mut self) -> Slot<'_, 'a> {
        Slot::Json(&mut self.0)
    }
}

slicewise::model::describe::schema_of! {
    Expression => String;
    Params => serde_json::Value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_has_a_text_if_it_was_given() {
        let mut expression = Expression::default();
        assert_eq!(expression.as_str(), "");
        assert!(expression.set("objekt".into(), false).is_err());
        assert_eq!(expression.as_str(), "");
        expression.set("object == null".into(), false).unwrap();
        assert_eq!(expression.as_str(), "object == null");
    }
}
