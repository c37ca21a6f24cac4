//! The context in which an expression is evaluated.

use super::value::Val;

/// The context of an expression.
#[derive(Debug, Clone)]
pub struct Context {
    pub structure: u32,
    /// `_`
    pub it: Option<Val>,
    /// `_index`
    pub index: Option<i128>,
}

impl Context {
    /// Returns the context of a structure, outside of repetitions.
    pub fn of(structure: u32) -> Self {
        Context { structure, it: None, index: None }
    }
}
