//! The tests of the library, as one program: it is built and linked once. Those that run the tool are in `tests/it`.
//! They belong to `ndbytes-testkit`, which is compiled without optimisation: the profile of `ndbytes` would hold for its tests, too.
//!
//! `cargo test --test library -- formats::idv::` runs those of one module.

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
