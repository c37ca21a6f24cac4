//! The sizes of types, if they are the same in every file.
//!
//! `sizeof<header>` is a constant only if no field of the type, nor of the types in it, depends on a value. The types
//! may contain each other or share parts many times over, so depth and number are limited, and known sizes are kept.

use super::resolver::Resolver;
use crate::declared::field::primitive;
use crate::declared::{Content, Field, Primitive, Repeat, Size};
use crate::expression::Form;

/// The maximum nesting of types whose size is computed.
const DEPTH: u32 = 32;

/// The maximum number of types that are added up for one size.
const MOST_TYPES: u32 = 10_000;

impl Resolver<'_> {
    /// Returns the number of bits in a type, given its name; `None` if it differs between files or if there is no such type.
    pub(super) fn bits_of_name(&self, scope: usize, name: &str) -> Option<u64> {
        match primitive(name) {
            Some(primitive) => Some(bits(primitive)),
            None => self.bits_of_type(self.find_type(scope, name)?),
        }
    }

    /// Returns the number of bits in a type; `None` if it differs between files.
    pub(super) fn bits_of_type(&self, number: usize) -> Option<u64> {
        self.sum(number, 0, &mut 0)
    }

    /// Returns the number of bits in a field; `None` if it differs between files.
    pub(super) fn bits_of_field(&self, number: usize, field: &Field) -> Option<u64> {
        self.one(number, field, 0, &mut 0)
    }

    fn sum(&self, number: usize, depth: u32, types: &mut u32) -> Option<u64> {
        // Many fields may need the same size.
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
