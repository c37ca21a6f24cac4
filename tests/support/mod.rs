//! What the tests share.

#![allow(dead_code, reason = "every test binary compiles its own copy and uses the part it needs")]

pub mod corpus;
pub mod recipe;
pub mod values;
