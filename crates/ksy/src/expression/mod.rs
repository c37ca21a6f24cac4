//! Expressions of specifications, as they are written.

mod ast;
mod lex;
mod parse;

pub use ast::{Binary, Expr, Form, Unary, Word};
pub use parse::{call, parse};
