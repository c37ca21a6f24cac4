//! Constants in expressions of declarations, which definitions in other languages replace with their values.

use super::offset_value::OffsetValue;
use crate::terms::Term;

/// A constant in an expression.
#[derive(Debug)]
pub struct Constant<'c, T>(pub &'c T);

/// The term of an integer constant: its value.
pub trait Number {
    /// The term.
    fn term(&self, name: &'static str) -> Term;
}

/// The term of any other constant: its name.
pub trait Named {
    /// The term.
    fn term(&self, name: &'static str) -> Term;
}

// A code contains an integer but is not an integer type, so it keeps its name.
impl<T: OffsetValue + Copy + TryInto<i128>> Number for Constant<'_, T> {
    fn term(&self, name: &'static str) -> Term {
        (*self.0).try_into().map_or(Term::Name(name), Term::Number)
    }
}

// Implemented for a reference, so that the compiler prefers the other trait where that applies.
impl<T> Named for &Constant<'_, T> {
    fn term(&self, name: &'static str) -> Term {
        Term::Name(name)
    }
}
