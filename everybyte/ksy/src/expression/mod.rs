//! Expressions of specifications: tokens, and a parser into a syntax tree.

mod ast;
mod lex;
mod parse;

pub use ast::{Binary, Expr, Form, Unary, Word};
pub use parse::{call, parse};
