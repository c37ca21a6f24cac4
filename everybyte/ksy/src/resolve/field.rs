//! Resolves the names of fields and instances.

use super::kind::Kind;
use super::plan::{self, Check, Content, Delimiter, Field, Formula, Order, Parent, Process, Repeat, Size, Valid};
use super::resolver::{Resolver, name};
use crate::declared::{self, Endian, Primitive};
use crate::expression::{Binary, Form, Word};
use crate::packing::Unpacking;
use crate::place::{At, LocatedError, SpecResult, error_at};
use crate::sums;
use crate::text::Encoding;
use std::sync::Arc;

impl Resolver<'_> {
    pub(super) fn resolved_field(&self, number: usize, slot: usize, field: &declared::Field) -> SpecResult<Field> {
        let kind = self.kind_of_slot(number, slot)?;
        let element = match (&field.repeat, &kind) {
            (declared::Repeat::Once, kind) => kind.clone(),
            (_, Kind::List(of)) => (**of).clone(),
            _ => Kind::Any,
        };
        let truth = |code: &declared::Code, it: Option<&Kind>| self.expected(number, code, &Kind::Bool, it);
        let integer = |code: &declared::Code| self.expected(number, code, &Kind::Int, None);
        if let Some((encoding, at)) = &field.encoding {
            self.advise(encoding, || *at);
        }
        let content =
            if self.stays_packed(field) { Content::Bytes } else { self.content(number, field, &field.content)? };
        let check = field.check.as_ref().map(|check| self.check(number, check, &kind)).transpose()?;
        Ok(Field {
            name: name(&field.name),
            doc: name(&field.doc),
            at: field.at,
            delimiter: self.delimiter(number, field),
            content,
            repeat: self.repeat(number, field, &element)?,
            when: field.when.as_ref().map(|when| truth(when, None)).transpose()?,
            size: match &field.size {
                declared::Size::Own => Size::Own,
                declared::Size::ToEnd => Size::ToEnd,
                declared::Size::Of(size) => Size::Of(integer(size)?),
            },
            pad: field.pad,
            enumeration: match &field.enumeration {
                Some((path, at)) => Some(self.enumeration(number, path, *at)?),
                None => None,
            },
            process: self.process(number, field)?,
            valid: field.valid.as_ref().map(|valid| self.valid(number, valid, &element)).transpose()?,
            pos: field.pos.as_ref().map(integer).transpose()?,
            io: field.io.as_ref().map(|io| self.expected(number, io, &Kind::Io, None)).transpose()?,
            value: match &field.value {
                Some(value) => Some(self.formula(number, value, None)?.0),
                None => None,
            },
            parent: self.parent(number, field)?,
            contents: field.contents.clone(),
            sum: check
                .as_ref()
                .map(|check| check.sum)
                .or_else(|| field.role.as_ref()?.sum())
                .filter(|_| !matches!(element, Kind::Any)),
            check,
            role: self.role(number, field, &element),
        })
    }

    fn repeat(&self, number: usize, field: &declared::Field, element: &Kind) -> SpecResult<Repeat> {
        Ok(match &field.repeat {
            declared::Repeat::Once => Repeat::Once,
            declared::Repeat::ToEnd => Repeat::ToEnd,
            declared::Repeat::Count(count) => Repeat::Count(self.expected(number, count, &Kind::Int, None)?),
            declared::Repeat::Until(until) => {
                Repeat::Until(self.expected(number, until, &Kind::Bool, Some(element))?)
            }
        })
    }

    fn content(&self, number: usize, field: &declared::Field, content: &declared::Content) -> SpecResult<Content> {
        let order = |is_little: Option<bool>, size: u8| self.order(number, field.at, is_little, size);
        Ok(match content {
            declared::Content::Bytes => Content::Bytes,
            declared::Content::Text | declared::Content::ZeroText => match self.encoding(number, field) {
                Some(encoding) => Content::Text(encoding),
                None => return error_at(field.at, format!("`{}` is a text without an encoding", field.name)),
            },
            declared::Content::Primitive(Primitive::Int { size, is_signed, is_little }) => {
                Content::Int { size: *size, is_signed: *is_signed, order: order(*is_little, *size)? }
            }
            declared::Content::Primitive(Primitive::Float { size, is_little }) => {
                Content::Float { size: *size, order: order(*is_little, *size)? }
            }
            declared::Content::Primitive(Primitive::Bits { width, is_little }) => {
                let is_little = is_little.unwrap_or(self.own(number).bits_are_little);
                Content::Bits { width: *width, is_little }
            }
            declared::Content::User(user) => self.user(number, user)?,
            declared::Content::Switch(switch) => {
                let (on, kind) = self.formula(number, &switch.on, None)?;
                let (mut cases, mut default) = (Vec::new(), None);
                for (case, content) in &switch.cases {
                    let content = self.content(number, field, content)?;
                    match case {
                        Some(case) => cases.push((Some(self.comparable(number, case, &kind, None)?), content)),
                        None => default = Some(content),
                    }
                }
                let rest = if self.leaves_bytes(field) { Content::Bytes } else { Content::Nothing };
                Content::Switch { on, cases, default: Box::new(default.unwrap_or(rest)) }
            }
        })
    }

    fn order(&self, number: usize, at: At, is_little: Option<bool>, size: u8) -> SpecResult<Order> {
        Ok(match (is_little, &self.own(number).endian) {
            (Some(true), _) | (None, Endian::Little) => Order::Little,
            (Some(false), _) | (None, Endian::Big) => Order::Big,
            (None, _) if size == 1 => Order::Little,
            (None, Endian::Chosen(_)) => Order::Chosen,
            (None, Endian::Unstated) => {
                return error_at(
                    at,
                    "the byte order is not stated: add `meta/endian`, or `le` or `be` to the type's name",
                );
            }
        })
    }

    fn encoding(&self, number: usize, field: &declared::Field) -> Option<Encoding> {
        let stated = field.encoding.as_ref().or(self.own(number).encoding.as_ref());
        stated.map(|(name, _)| Encoding::named(name))
    }

    /// Returns the bytes that end a field: those that it states, or the zero that ends its text.
    fn delimiter(&self, number: usize, field: &declared::Field) -> Option<Delimiter> {
        let is_zero_text = |content: &declared::Content| match content {
            declared::Content::ZeroText => true,
            declared::Content::Switch(switch) => {
                switch.cases.iter().any(|(_, content)| matches!(content, declared::Content::ZeroText))
            }
            _ => false,
        };
        let zero = || {
            let unit = self.encoding(number, field).map_or(1, |encoding| encoding.unit());
            is_zero_text(&field.content).then(|| vec![0; unit])
        };
        let bytes = field.terminator.clone().or_else(zero)?;
        Some(Delimiter { bytes, include: field.include, consume: field.consume, is_needed: field.eos_error })
    }

    fn user(&self, number: usize, user: &declared::User) -> SpecResult<Content> {
        let Some(target) = self.known_type(number, &user.path, user.at)? else {
            return Ok(Content::Opaque(Arc::clone(&user.path)));
        };
        let params = &self.own(target).params;
        if params.len() != user.arguments.len() {
            let (has, given) = (params.len(), user.arguments.len());
            return error_at(user.at, format!("`{}` has {has} parameters, but {given} arguments are given", user.path));
        }
        let mut arguments = Vec::new();
        for (param, argument) in params.iter().zip(&user.arguments) {
            let (formula, kind) = self.formula(number, argument, None)?;
            let wanted = self.kind_of_param(target, param)?;
            if !wanted.takes(&kind) {
                let (kind, wanted) = (self.shown(&kind), self.shown(&wanted));
                return error_at(
                    argument.place(&argument.expr),
                    format!("`{}` is {wanted}, but {kind} is given", param.name),
                );
            }
            arguments.push(formula);
        }
        Ok(Content::Structure { number: target, arguments })
    }

    fn parent(&self, number: usize, field: &declared::Field) -> SpecResult<Parent> {
        match &field.parent {
            None => Ok(Parent::Around),
            Some(code) if code.expr.form == Form::Bool(false) => Ok(Parent::None),
            Some(code) => {
                let (formula, kind) = self.formula(number, code, None)?;
                match kind {
                    Kind::Structure(_) | Kind::AnyStructure | Kind::Any => Ok(Parent::Of(formula)),
                    other => error_at(
                        code.at,
                        format!("a parent is a structure; `{}` is {}", code.shown, self.shown(&other)),
                    ),
                }
            }
        }
    }

    /// Returns the process that unpacks the bytes of a field; `None` if there is none.
    fn process(&self, number: usize, field: &declared::Field) -> SpecResult<Option<Process>> {
        let Some(process) = &field.process else { return Ok(None) };
        let by = match self.unpacking(&process.name) {
            Some(Unpacking::Zlib(_)) => Unpacking::Zlib(field.level),
            Some(by) => by,
            None => return Ok(None),
        };
        let (needed, is_custom) = match by {
            Unpacking::Zlib(_) => (0, false),
            Unpacking::Custom(_) => (0, true),
            Unpacking::Xor | Unpacking::RotateLeft | Unpacking::RotateRight => (1, false),
        };
        if !is_custom && process.arguments.len() != needed {
            let given = process.arguments.len();
            return error_at(process.at, format!("`{}` takes {needed} arguments, but {given} are given", process.name));
        }
        let argument = |code: &declared::Code| {
            let (formula, kind) = self.formula(number, code, None)?;
            let is_right = match by {
                Unpacking::Xor => matches!(kind, Kind::Int | Kind::Bytes | Kind::List(_) | Kind::Any),
                Unpacking::RotateLeft | Unpacking::RotateRight => kind.is(&Kind::Int),
                Unpacking::Zlib(_) | Unpacking::Custom(_) => true,
            };
            match is_right {
                true => Ok(formula),
                false => error_at(code.at, format!("{} is not a key of `{}`", self.shown(&kind), process.name)),
            }
        };
        let arguments = process.arguments.iter().map(argument).collect::<SpecResult<_>>()?;
        Ok(Some(Process { by, name: Arc::clone(&process.name), arguments }))
    }

    fn valid(&self, number: usize, valid: &declared::Valid, kind: &Kind) -> SpecResult<Valid> {
        let equal = |code: &declared::Code| self.comparable(number, code, kind, Some(kind));
        let bound = |code: &Option<declared::Code>| -> SpecResult<Option<Formula>> {
            code.as_ref().map(|code| self.compared(number, code, Binary::Less, kind, Some(kind))).transpose()
        };
        Ok(match valid {
            declared::Valid::Equal(wanted) => Valid::Equal(equal(wanted)?),
            declared::Valid::Range(min, max) => Valid::Range(bound(min)?, bound(max)?),
            declared::Valid::AnyOf(list) => Valid::AnyOf(list.iter().map(equal).collect::<SpecResult<_>>()?),
            declared::Valid::InEnum(at) => match kind {
                Kind::Enum(_) | Kind::Any => Valid::InEnum,
                other => return error_at(*at, format!("{} is not an enumeration value", self.shown(other))),
            },
            declared::Valid::Expr(expr) => Valid::Expr(self.expected(number, expr, &Kind::Bool, Some(kind))?),
        })
    }

    fn check(&self, number: usize, check: &declared::Check, kind: &Kind) -> SpecResult<Check> {
        if !matches!(kind, Kind::Int | Kind::Bytes) {
            return error_at(
                check.at,
                format!("a checksum is an integer or bytes; this field is {}", self.shown(kind)),
            );
        }
        let Some(sum) = sums::named(&check.sum) else {
            let known = sums::names().join(", ");
            return error_at(check.at, format!("unknown checksum `{}`: expected {known}", check.sum));
        };
        let slot = |name: &Word| {
            let own = self.own(number);
            let found =
                own.slots.get(name).filter(|&&slot| self.field(number, slot).is_some_and(|it| it.value.is_none()));
            found
                .copied()
                .ok_or_else(|| LocatedError { at: check.at, message: format!("`{}` has no field `{name}`", own.name) })
        };
        let slots = check.over.iter().map(slot).collect::<SpecResult<Vec<_>>>()?;
        let is_ordered = |pair: &[usize]| if check.is_run { pair[0] <= pair[1] } else { pair[0] + 1 == pair[1] };
        let (Some(&first), Some(&last)) = (slots.first(), slots.last()) else {
            return error_at(check.at, "a checksum needs at least one field");
        };
        if !slots.windows(2).all(is_ordered) {
            return error_at(check.at, "the fields of a checksum must be consecutive, in this order");
        }
        Ok(Check { sum, first, last })
    }
}

impl plan::Field {
    /// Returns whether its content is a structure that begins and ends where its parts do.
    pub fn is_unbounded(&self) -> bool {
        matches!(self.size, Size::Own) && self.delimiter.is_none() && self.process.is_none()
    }
}
