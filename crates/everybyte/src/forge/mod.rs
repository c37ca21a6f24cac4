//! The forge: files made out of files, along the fields that the layouts declare.

mod choices;
mod grammar;

pub use choices::Choices;
pub use grammar::Grammar;
