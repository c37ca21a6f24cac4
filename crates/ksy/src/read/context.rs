//! The surroundings of an expression that is evaluated.

use super::value::Val;

/// The surroundings of an expression.
#[derive(Debug, Clone)]
pub struct Context {
    pub structure: u32,
    /// `_`
    pub it: Option<Val>,
    /// `_index`
    pub index: Option<i128>,
}

impl Context {
    pub fn of(structure: u32) -> Self {
        Context { structure, it: None, index: None }
    }
}
