//! The tests of the library, as one program, so that it is built and linked once. Tests that run the tool are in
//! `crates/cli/tests/it`. The tests belong to `ndbytes-testkit`, which is compiled without optimisation, because the
//! profile of `ndbytes` would also apply to its tests.
//!
//! `cargo test --test library -- formats::idv::` runs the tests of one module.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod corpus;
mod dictionaries;
mod envelope;
mod files;
mod formats;
mod hostile;
mod item_types;
mod limits;
mod repair;
mod roles;
mod samples;
mod schemas;
mod source;
mod threads;
mod whole;
