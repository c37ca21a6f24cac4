//! Checks values against the rules of the specification.

use super::context::Context;
use super::machine::Machine;
use super::value::{Cause, Read, Val, fault};
use crate::resolve::{Field, Valid};

/// The maximum number of characters of a value in a message.
const SHOWN: usize = 60;

impl<'s> Machine<'s> {
    /// Compares a value with the conditions in `valid`.
    pub(super) fn validate(&mut self, valid: &'s Valid, val: &Val, field: &Field, context: &Context) -> Read<()> {
        let context = &Context { it: Some(val.clone()), ..context.clone() };
        let shown = |machine: &Self| machine.shown(val);
        match valid {
            Valid::Equal(wanted) => {
                let found = self.evaluate(wanted, context)?;
                if !self.equal(&found, val)? {
                    let (val, wanted) = (shown(self), &wanted.text);
                    return fault(Cause::NotEqual, format!("the value is {val}, not `{wanted}`"));
                }
            }
            Valid::Range(min, max) => {
                for (bound, cause, word) in [(min, Cause::TooSmall, "less"), (max, Cause::TooLarge, "more")] {
                    let Some(bound) = bound else { continue };
                    let limit = self.evaluate(bound, context)?;
                    let order = self.order(val, &limit)?;
                    let is_beyond = if cause == Cause::TooSmall { order.is_lt() } else { order.is_gt() };
                    if is_beyond {
                        return fault(cause, format!("the value is {}, {word} than `{}`", shown(self), bound.text));
                    }
                }
            }
            Valid::AnyOf(list) => {
                for wanted in list {
                    let found = self.evaluate(wanted, context)?;
                    if self.equal(&found, val)? {
                        return Ok(());
                    }
                }
                let known: Vec<&str> = list.iter().take(16).map(|wanted| &*wanted.text).collect();
                let message = format!("the value is {}, none of {}", shown(self), known.join(", "));
                return fault(Cause::NotAnyOf, message);
            }
            Valid::InEnum => {
                if let Val::Label(number, value) = val
                    && !self.plan.enums[*number].labels.contains_key(value)
                {
                    let name = &self.plan.enums[*number].name;
                    return fault(Cause::NotInEnum, format!("{value} is not in `{name}`"));
                }
            }
            Valid::Expr(wanted) => {
                if !self.truth(wanted, context)? {
                    let (val, text) = (shown(self), &wanted.text);
                    return fault(Cause::NotExpr, format!("`{text}` is false: `{}` is {val}", field.name));
                }
            }
        }
        Ok(())
    }

    /// Returns a value as it appears in a message.
    pub fn shown(&self, val: &Val) -> String {
        match val {
            Val::Nothing => "missing".into(),
            Val::Int(number) => number.to_string(),
            Val::Float(number) => number.to_string(),
            Val::Bool(is) => is.to_string(),
            Val::Text(text) => format!("{:?}", text.chars().take(SHOWN).collect::<String>()),
            Val::Bytes(bytes) => everybyte::map::Value::bytes(self.bytes(bytes)).to_string(),
            Val::Label(number, value) => match self.plan.enums[*number].labels.get(value) {
                Some(label) => format!("{value} ({})", label.name),
                None => value.to_string(),
            },
            Val::List(list) => format!("a list of {}", list.len()),
            Val::Structure(it) => format!("a `{}`", self.own(*it).name),
            Val::Io(_) => "a stream".into(),
        }
    }
}
