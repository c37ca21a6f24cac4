//! Fields and instances whose names are resolved.

use super::kind::Kind;
use super::plan::{self, Check, Content, Delimiter, Field, Formula, Order, Parent, Process, Repeat, Size, Valid};
use super::resolver::{Resolver, name};
use crate::declared::{self, Endian, Primitive};
use crate::expression::{Binary, Form, Word};
use crate::packing::Unpacking;
use crate::place::{At, Flaw, Sound, flaw};
use crate::sums;
use crate::text::Encoding;
use std::sync::Arc;

impl Resolver<'_> {
    pub(super) fn resolved_field(&self, number: usize, slot: usize, field: &declared::Field) -> Sound<Field> {
        let kind = self.kind_of_slot(number, slot)?;
        let element = match (&field.repeat, &kind) {
            (declared::Repeat::Once, kind) => kind.clone(),
            (_, Kind::List(of)) => (**of).clone(),
            _ => Kind::Any,
        };
        let truth = |code: &declared::Code, it: Option<&Kind>| self.expected(number, code, &Kind::Bool, it);
        let integer = |code: &declared::Code| self.expected(number, code, &Kind::Int, None);
        let optional = |code: &Option<declared::Code>| code.as_ref().map(integer).transpose();
        if let Some((encoding, at)) = &field.encoding {
            self.advise(encoding, || *at);
        }
        let content = self.content(number, field, &field.content)?;
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
            process: field.process.as_ref().map(|process| self.process(number, process, field.level)).transpose()?,
            valid: field.valid.as_ref().map(|valid| self.valid(number, valid, &element)).transpose()?,
            pos: optional(&field.pos)?,
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

    fn repeat(&self, number: usize, field: &declared::Field, element: &Kind) -> Sound<Repeat> {
        Ok(match &field.repeat {
            declared::Repeat::Once => Repeat::Once,
            declared::Repeat::ToEnd => Repeat::ToEnd,
            declared::Repeat::Count(count) => Repeat::Count(self.expected(number, count, &Kind::Int, None)?),
            declared::Repeat::Until(until) => {
                Repeat::Until(self.expected(number, until, &Kind::Bool, Some(element))?)
            }
        })
    }

    fn content(&self, number: usize, field: &declared::Field, content: &declared::Content) -> Sound<Content> {
        let order = |is_little: Option<bool>, size: u8| self.order(number, field.at, is_little, size);
        Ok(match content {
            declared::Content::Bytes => Content::Bytes,
            declared::Content::Text | declared::Content::ZeroText => match self.encoding(number, field) {
                Some(encoding) => Content::Text(encoding),
                None => return flaw(field.at, format!("`{}` is a text without an encoding", field.name)),
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

    fn order(&self, number: usize, at: At, is_little: Option<bool>, size: u8) -> Sound<Order> {
        Ok(match (is_little, &self.own(number).endian) {
            (Some(true), _) | (None, Endian::Little) => Order::Little,
            (Some(false), _) | (None, Endian::Big) => Order::Big,
            (None, _) if size == 1 => Order::Little,
            (None, Endian::Chosen(_)) => Order::Chosen,
            (None, Endian::Unstated) => {
                return flaw(
                    at,
                    "the byte order is not stated: `meta/endian` or the end of the type's name, `le` or `be`",
                );
            }
        })
    }

    fn encoding(&self, number: usize, field: &declared::Field) -> Option<Encoding> {
        let stated = field.encoding.as_ref().or(self.own(number).encoding.as_ref());
        stated.map(|(name, _)| Encoding::named(name))
    }

    /// The bytes that end a field: those that it states, or the zero of its text.
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

    fn user(&self, number: usize, user: &declared::User) -> Sound<Content> {
        let Some(target) = self.known_type(number, &user.path, user.at)? else {
            return Ok(Content::Opaque(Arc::clone(&user.path)));
        };
        let params = &self.own(target).params;
        if params.len() != user.arguments.len() {
            let (has, given) = (params.len(), user.arguments.len());
            return flaw(user.at, format!("`{}` has {has} parameters; {given} arguments stand here", user.path));
        }
        let mut arguments = Vec::new();
        for (param, argument) in params.iter().zip(&user.arguments) {
            let (formula, kind) = self.formula(number, argument, None)?;
            let wanted = self.kind_of_param(target, param)?;
            if !wanted.takes(&kind) {
                let (kind, wanted) = (self.shown(&kind), self.shown(&wanted));
                return flaw(
                    argument.place(&argument.expr),
                    format!("`{}` is {wanted}; {kind} stands here", param.name),
                );
            }
            arguments.push(formula);
        }
        Ok(Content::Structure { number: target, arguments })
    }

    fn parent(&self, number: usize, field: &declared::Field) -> Sound<Parent> {
        match &field.parent {
            None => Ok(Parent::Around),
            Some(code) if code.expr.form == Form::Bool(false) => Ok(Parent::None),
            Some(code) => {
                let (formula, kind) = self.formula(number, code, None)?;
                match kind {
                    Kind::Structure(_) | Kind::AnyStructure | Kind::Any => Ok(Parent::Of(formula)),
                    other => {
                        flaw(code.at, format!("a parent is a structure; `{}` is {}", code.shown, self.shown(&other)))
                    }
                }
            }
        }
    }

    fn process(&self, number: usize, process: &declared::Process, level: Option<u8>) -> Sound<Process> {
        let by = match &*process.name {
            "xor" => Unpacking::Xor,
            "rol" => Unpacking::RotateLeft,
            "ror" => Unpacking::RotateRight,
            "zlib" => Unpacking::Zlib(level),
            other => match self.processes.get(other) {
                Some(by) => *by,
                None => {
                    let known = "xor, rol, ror, zlib and those that are supplied";
                    return flaw(process.at, format!("the process `{other}` is not known: known are {known}"));
                }
            },
        };
        let (needed, is_custom) = match by {
            Unpacking::Zlib(_) => (0, false),
            Unpacking::Custom(_) => (0, true),
            Unpacking::Xor | Unpacking::RotateLeft | Unpacking::RotateRight => (1, false),
        };
        if !is_custom && process.arguments.len() != needed {
            let given = process.arguments.len();
            return flaw(process.at, format!("`{}` takes {needed} arguments; {given} stand here", process.name));
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
                false => flaw(code.at, format!("{} is no key of `{}`", self.shown(&kind), process.name)),
            }
        };
        let arguments = process.arguments.iter().map(argument).collect::<Sound<_>>()?;
        Ok(Process { by, name: Arc::clone(&process.name), arguments })
    }

    fn valid(&self, number: usize, valid: &declared::Valid, kind: &Kind) -> Sound<Valid> {
        let equal = |code: &declared::Code| self.comparable(number, code, kind, Some(kind));
        let bound = |code: &Option<declared::Code>| -> Sound<Option<Formula>> {
            code.as_ref().map(|code| self.compared(number, code, Binary::Less, kind, Some(kind))).transpose()
        };
        Ok(match valid {
            declared::Valid::Equal(wanted) => Valid::Equal(equal(wanted)?),
            declared::Valid::Range(min, max) => Valid::Range(bound(min)?, bound(max)?),
            declared::Valid::AnyOf(list) => Valid::AnyOf(list.iter().map(equal).collect::<Sound<_>>()?),
            declared::Valid::InEnum(at) => match kind {
                Kind::Enum(_) | Kind::Any => Valid::InEnum,
                other => return flaw(*at, format!("{} is no value of an enumeration", self.shown(other))),
            },
            declared::Valid::Expr(expr) => Valid::Expr(self.expected(number, expr, &Kind::Bool, Some(kind))?),
        })
    }

    fn check(&self, number: usize, check: &declared::Check, kind: &Kind) -> Sound<Check> {
        if !matches!(kind, Kind::Int | Kind::Bytes) {
            return flaw(check.at, format!("a checksum is an integer or bytes; this field is {}", self.shown(kind)));
        }
        let Some(sum) = sums::named(&check.sum) else {
            let known = sums::names().join(", ");
            return flaw(check.at, format!("the checksum `{}` is not known: known are {known}", check.sum));
        };
        let slot = |name: &Word| {
            let own = self.own(number);
            let found =
                own.slots.get(name).filter(|&&slot| self.field(number, slot).is_some_and(|it| it.value.is_none()));
            found
                .copied()
                .ok_or_else(|| Flaw { at: check.at, message: format!("`{}` has no field `{name}`", own.name) })
        };
        let slots = check.over.iter().map(slot).collect::<Sound<Vec<_>>>()?;
        let is_ordered = |pair: &[usize]| if check.is_run { pair[0] <= pair[1] } else { pair[0] + 1 == pair[1] };
        let (Some(&first), Some(&last)) = (slots.first(), slots.last()) else {
            return flaw(check.at, "a checksum is about a field at least");
        };
        if !slots.windows(2).all(is_ordered) {
            return flaw(check.at, "the fields of a checksum stand one after the other, in this order");
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
