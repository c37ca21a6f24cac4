//! Constants in expressions of declarations: definitions in other languages have their values.

use super::whole::Whole;
use crate::terms::Term;

/// A constant that an expression names.
#[derive(Debug)]
pub struct Constant<'c, T>(pub &'c T);

/// The term of a constant that is an integer: its value.
pub trait Number {
    /// The term.
    fn term(&self, name: &'static str) -> Term;
}

/// The term of any other constant: its name.
pub trait Named {
    /// The term.
    fn term(&self, name: &'static str) -> Term;
}

// A code is a whole number, and no integer: it keeps its name.
impl<T: Whole + Copy + TryInto<i128>> Number for Constant<'_, T> {
    fn term(&self, name: &'static str) -> Term {
        (*self.0).try_into().map_or(Term::Name(name), Term::Number)
    }
}

// One more reference: the compiler takes the other trait where it can.
impl<T> Named for &Constant<'_, T> {
    fn term(&self, name: &'static str) -> Term {
        Term::Name(name)
    }
}
