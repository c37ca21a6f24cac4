//! Tests of the crate `ndbytes-arrow`.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod round;
mod support;
mod types;
mod write;
