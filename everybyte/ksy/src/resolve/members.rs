//! Members of values: fields of structures, and properties and methods of the other kinds.

use super::code::Scope;
use super::kind::Kind;
use super::plan::{Property, Term};
use super::resolver::Resolver;
use crate::expression::{Expr, Form, Word};
use crate::nearest::nearest;
use crate::place::{SpecResult, error_at};
use crate::text::Encoding;
use std::sync::Arc;

impl Resolver<'_> {
    /// Resolves `base.name` and `base.name(arguments)`.
    pub(super) fn member(
        &self,
        scope: Scope<'_>,
        expr: &Expr,
        base: &Expr,
        name: &Word,
        arguments: &[Expr],
    ) -> SpecResult<(Term, Kind)> {
        let resolved = self.term(scope, base)?;
        // A field has the size that is declared for it; a cast states which type is meant.
        let is_field = matches!(base.form, Form::Name(_) | Form::Member(..));
        if let (Term::Slot { number, slot, .. }, "_sizeof", true) = (&resolved.0, &**name, is_field)
            && let Some(field) = self.field(*number, *slot)
        {
            return match self.bits_of_field(*number, field) {
                Some(bits) => Ok((Term::Int(bits.div_ceil(8).into()), Kind::Int)),
                None => {
                    let message = format!("the size of `{}` is not the same in every file", field.name);
                    error_at(scope.code.place(expr), message)
                }
            };
        }
        match (&resolved.1, &**name, arguments) {
            (Kind::Bytes | Kind::List(_) | Kind::Any, "to_s", [encoding]) => {
                let Form::Text(encoding) = &encoding.form else {
                    return error_at(scope.code.place(encoding), "the encoding must be a quoted text");
                };
                self.advise(encoding, || scope.code.place(expr));
                Ok((Term::Decoded(resolved.0.into(), Encoding::named(encoding)), Kind::Text))
            }
            (Kind::Text | Kind::Any, "to_i", [base]) => {
                let base = self.operand(scope, base, &Kind::Int)?;
                Ok((Term::Number(resolved.0.into(), base.into()), Kind::Int))
            }
            (Kind::Text | Kind::Any, "substring", [from, to]) => {
                let [from, to] = [self.operand(scope, from, &Kind::Int)?, self.operand(scope, to, &Kind::Int)?];
                Ok((Term::Substring([resolved.0, from, to].into()), Kind::Text))
            }
            (_, _, []) => self.member_of(scope, expr, resolved, name),
            (kind, ..) => {
                let kind = self.shown(kind);
                error_at(scope.code.place(expr), format!("{kind} has no `{name}` of {} arguments", arguments.len()))
            }
        }
    }

    /// Resolves a name in a value.
    pub(super) fn member_of(
        &self,
        scope: Scope<'_>,
        expr: &Expr,
        (base, kind): (Term, Kind),
        name: &Word,
    ) -> SpecResult<(Term, Kind)> {
        if let Kind::Structure(number) = kind
            && let Some(&slot) = self.own(number).slots.get(name)
        {
            let kind = self.kind_of_slot(number, slot)?;
            return Ok((Term::Slot { of: base.into(), number, slot }, kind));
        }
        if let (Kind::Structure(number), "_sizeof") = (&kind, &**name) {
            return match self.bits_of_type(*number) {
                Some(bits) => Ok((Term::Int(bits.div_ceil(8).into()), Kind::Int)),
                None => {
                    let shown = &self.own(*number).name;
                    error_at(scope.code.place(expr), format!("the size of `{shown}` is not the same in every file"))
                }
            };
        }
        let found = match (&kind, &**name) {
            (Kind::Any, _) => return Ok((Term::Named(base.into(), Arc::clone(name)), Kind::Any)),
            (Kind::Structure(_) | Kind::AnyStructure, "_io") => Some((Property::Io, Kind::Io)),
            (Kind::Structure(number), "_root") => Some((Property::Root, self.root_of(*number))),
            (Kind::Structure(number), "_parent") => Some((Property::Parent, self.parent_of(*number))),
            (Kind::AnyStructure, "_root") => Some((Property::Root, Kind::AnyStructure)),
            (Kind::AnyStructure, "_parent") => Some((Property::Parent, Kind::AnyStructure)),
            (Kind::Io, "pos") => Some((Property::Pos, Kind::Int)),
            (Kind::Io, "eof") => Some((Property::Eof, Kind::Bool)),
            (Kind::Io, "size") | (Kind::Text, "length") => Some((Property::Size, Kind::Int)),
            (Kind::Bytes | Kind::List(_), "size" | "length") => Some((Property::Size, Kind::Int)),
            (Kind::Text, "reverse") => Some((Property::Reverse, Kind::Text)),
            (Kind::Text | Kind::Int | Kind::Float | Kind::Bool | Kind::Enum(_), "to_i") => {
                Some((Property::Integer, Kind::Int))
            }
            (Kind::Int, "to_s") => Some((Property::Text, Kind::Text)),
            (Kind::Bytes | Kind::List(_), name) => element(name).map(|property| {
                let of = if let Kind::List(of) = &kind { (**of).clone() } else { Kind::Int };
                (property, of)
            }),
            _ => None,
        };
        match (found, &kind) {
            (Some((property, kind)), _) => Ok((Term::Property(base.into(), property), kind)),
            (None, Kind::Structure(number)) => {
                let own = self.own(*number);
                let near = nearest(name, own.slots.keys().map(|name| &**name));
                let advice = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                error_at(scope.code.place(expr), format!("`{}` has no `{name}`{advice}", own.name))
            }
            (None, _) => error_at(scope.code.place(expr), format!("{} has no `{name}`", self.shown(&kind))),
        }
    }

    /// Returns the kind of `_root`: the type of the file that declares the type.
    fn root_of(&self, number: usize) -> Kind {
        let outwards = std::iter::successors(Some(number), |&number| self.own(number).outer);
        Kind::Structure(outwards.last().unwrap_or(number))
    }
}

/// Returns the property with this name, if it is one that returns an element of a list.
fn element(name: &str) -> Option<Property> {
    Some(match name {
        "first" => Property::First,
        "last" => Property::Last,
        "min" => Property::Min,
        "max" => Property::Max,
        _ => return None,
    })
}
