//! The kinds of fields, parameters and type names.

use super::kind::Kind;
use super::resolver::Resolver;
use crate::declared::field::primitive;
use crate::declared::{self, Content, Primitive};
use crate::place::{LocatedError, SpecResult};

/// The maximum length of a chain of values that refer to each other.
const DEPTH: u32 = 100;

impl Resolver<'_> {
    /// Returns the kind, as text.
    pub(super) fn shown(&self, kind: &Kind) -> String {
        match kind {
            Kind::Int => "an integer".into(),
            Kind::Float => "a number".into(),
            Kind::Bool => "true or false".into(),
            Kind::Text => "a text".into(),
            Kind::Bytes => "bytes".into(),
            Kind::Enum(number) => format!("a value of `{}`", self.declared.enums[*number].name),
            Kind::Structure(number) => format!("a `{}`", self.own(*number).name),
            Kind::AnyStructure => "a structure whose type is not known".into(),
            Kind::Io => "a stream".into(),
            Kind::List(of) => format!("a list, each {}", self.shown(of)),
            Kind::Any => "a value whose kind is not known".into(),
        }
    }

    /// Returns the kind of a slot.
    pub(super) fn kind_of_slot(&self, number: usize, slot: usize) -> SpecResult<Kind> {
        let own = self.own(number);
        let Some(field) = self.field(number, slot) else { return self.kind_of_param(number, &own.params[slot]) };
        if let Some(known) = self.kinds.borrow().get(&(number, slot)) {
            let depends =
                || LocatedError { at: field.at, message: format!("the kind of `{}` depends on itself", field.name) };
            return known.clone().unwrap_or_else(|| Err(depends()));
        }
        self.kinds.borrow_mut().insert((number, slot), None);
        self.depth.set(self.depth.get() + 1);
        let kind = if self.depth.get() > DEPTH {
            let message = format!("values refer to each other more than {DEPTH} deep");
            Err(LocatedError { at: field.at, message })
        } else {
            self.kind_of_field(number, field)
        };
        self.depth.set(self.depth.get() - 1);
        self.kinds.borrow_mut().insert((number, slot), Some(kind.clone()));
        kind
    }

    fn kind_of_field(&self, number: usize, field: &declared::Field) -> SpecResult<Kind> {
        let one = self.kind_of_element(number, field)?;
        let is_once = matches!(field.repeat, declared::Repeat::Once);
        Ok(if is_once { one } else { Kind::list(one) })
    }

    /// Returns the kind of a field or of each element of a repeated one.
    fn kind_of_element(&self, number: usize, field: &declared::Field) -> SpecResult<Kind> {
        let stored = match &field.value {
            Some(value) => self.formula(number, value, None)?.1,
            // Expressions may refer to content that is never unpacked, but evaluating them fails.
            None if self.stays_packed(field) && !matches!(field.content, Content::Bytes) => Kind::Any,
            None => self.kind_of_content(number, &field.content, self.leaves_bytes(field))?,
        };
        let Some((path, at)) = &field.enumeration else { return Ok(stored) };
        let found = Kind::Enum(self.enumeration(number, path, *at)?);
        match stored {
            Kind::Int | Kind::Bool | Kind::Any | Kind::Enum(_) => Ok(found),
            other => {
                let message = format!("`{}` is {}; an enumeration names integers", field.name, self.shown(&other));
                Err(LocatedError { at: *at, message })
            }
        }
    }

    /// Returns whether the bytes of a field, which has its own end, are kept if a value selects no case.
    pub(super) fn leaves_bytes(&self, field: &declared::Field) -> bool {
        !matches!(field.size, declared::Size::Own) || field.terminator.is_some()
    }

    fn kind_of_content(&self, number: usize, content: &Content, leaves_bytes: bool) -> SpecResult<Kind> {
        Ok(match content {
            Content::Bytes => Kind::Bytes,
            Content::Text | Content::ZeroText => Kind::Text,
            Content::Primitive(Primitive::Int { .. }) => Kind::Int,
            Content::Primitive(Primitive::Float { .. }) => Kind::Float,
            Content::Primitive(Primitive::Bits { width: 1, .. }) => Kind::Bool,
            Content::Primitive(Primitive::Bits { .. }) => Kind::Int,
            Content::User(user) => self.known_type(number, &user.path, user.at)?.map_or(Kind::Any, Kind::Structure),
            Content::Switch(switch) => {
                let mut kinds = Vec::new();
                for (_, content) in &switch.cases {
                    kinds.push(self.kind_of_content(number, content, leaves_bytes)?);
                }
                let has_default = switch.cases.iter().any(|(case, _)| case.is_none());
                kinds.extend((!has_default && leaves_bytes).then_some(Kind::Bytes));
                kinds.into_iter().reduce(Kind::or).unwrap_or(Kind::Any)
            }
        })
    }

    pub(super) fn kind_of_param(&self, number: usize, param: &declared::Param) -> SpecResult<Kind> {
        if let Some(path) = &param.enumeration {
            return Ok(Kind::Enum(self.enumeration(number, path, param.at)?));
        }
        let name = param.type_name.as_deref().unwrap_or("bytes");
        self.named_kind(number, name)
            .map_err(|path| LocatedError { at: param.at, message: format!("there is no type `{path}` here") })
    }

    /// Returns the kind for the name of a type, in parameters and casts.
    ///
    /// # Errors
    /// Returns the name if there is no such type.
    pub(super) fn named_kind(&self, number: usize, name: &str) -> Result<Kind, String> {
        if let Some(of) = name.strip_suffix("[]") {
            return Ok(Kind::list(self.named_kind(number, of)?));
        }
        Ok(match (name, primitive(name)) {
            ("str", _) => Kind::Text,
            ("bytes", _) => Kind::Bytes,
            ("bool", _) => Kind::Bool,
            ("io", _) => Kind::Io,
            ("struct", _) => Kind::AnyStructure,
            ("any", _) => Kind::Any,
            (_, Some(Primitive::Float { .. })) => Kind::Float,
            (_, Some(Primitive::Bits { width: 1, .. })) => Kind::Bool,
            (_, Some(_)) => Kind::Int,
            (path, None) => match self.find_type(number, path) {
                Some(found) => Kind::Structure(found),
                None if self.declared.has_opaque_types => Kind::Any,
                None => return Err(path.to_owned()),
            },
        })
    }
}
