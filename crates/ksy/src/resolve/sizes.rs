//! The sizes of types, if they are the same in every file.

use super::resolver::Resolver;
use crate::declared::field::primitive;
use crate::declared::{Content, Field, Primitive, Repeat, Size};
use crate::expression::Form;

/// The deepest nesting of types whose size is asked for.
const DEPTH: u32 = 32;

/// The most types that are added up for one size.
const MOST_TYPES: u32 = 10_000;

impl Resolver<'_> {
    /// The bits of a type by its name; `None` if files differ in them, or if there is no such type.
    pub(super) fn bits_of_name(&self, scope: usize, name: &str) -> Option<u64> {
        match primitive(name) {
            Some(primitive) => Some(bits(primitive)),
            None => self.bits_of_type(self.find_type(scope, name)?),
        }
    }

    /// The bits of a type; `None` if files differ in them.
    pub(super) fn bits_of_type(&self, number: usize) -> Option<u64> {
        self.sum(number, 0, &mut 0)
    }

    /// The bits of a field; `None` if files differ in them.
    pub(super) fn bits_of_field(&self, number: usize, field: &Field) -> Option<u64> {
        self.one(number, field, 0, &mut 0)
    }

    fn sum(&self, number: usize, depth: u32, types: &mut u32) -> Option<u64> {
        // A size may be asked for by each of many fields.
        if let Some(&known) = self.sizes.borrow().get(&number) {
            return Some(known);
        }
        *types += 1;
        if depth > DEPTH || *types > MOST_TYPES {
            return None;
        }
        let mut total = 0_u64;
        for field in &self.own(number).seq {
            if !matches!(field.content, Content::Primitive(Primitive::Bits { .. })) {
                total = total.checked_next_multiple_of(8)?;
            }
            total = total.checked_add(self.one(number, field, depth, types)?)?;
        }
        self.sizes.borrow_mut().insert(number, total);
        Some(total)
    }

    fn one(&self, number: usize, field: &Field, depth: u32, types: &mut u32) -> Option<u64> {
        let literal = |code: &crate::declared::Code| match code.expr.form {
            Form::Int(number) => u64::try_from(number).ok(),
            _ => None,
        };
        if field.when.is_some() {
            return None;
        }
        let count = match &field.repeat {
            Repeat::Once => 1,
            Repeat::Count(count) => literal(count)?,
            Repeat::ToEnd | Repeat::Until(_) => return None,
        };
        let each = match (&field.size, &field.content, &field.contents) {
            (Size::Of(size), ..) => literal(size)?.checked_mul(8)?,
            (Size::Own, _, Some(contents)) => contents.len() as u64 * 8,
            (Size::Own, Content::Primitive(primitive), _) => bits(*primitive),
            (Size::Own, Content::User(user), _) => self.sum(self.find_type(number, &user.path)?, depth + 1, types)?,
            _ => return None,
        };
        each.checked_mul(count)
    }
}

fn bits(primitive: Primitive) -> u64 {
    match primitive {
        Primitive::Int { size, .. } | Primitive::Float { size, .. } => u64::from(size) * 8,
        Primitive::Bits { width, .. } => width.into(),
    }
}
