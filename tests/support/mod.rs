//! What the tests share.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]
#![allow(dead_code, reason = "every test binary compiles its own copy and uses the part it needs")]

pub mod b2nd;
pub mod corpus;
pub mod frames;
pub mod recipe;
pub mod tables;
pub mod tool;
pub mod values;
