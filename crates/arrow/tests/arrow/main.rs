//! Tests of the `ndbytes-arrow` crate.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod bounded;
mod coerced;
mod lake;
mod portions;
mod previous;
mod round;
mod samples;
mod support;
mod types;
mod validated;
mod write;
