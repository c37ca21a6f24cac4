//! The tests of everybyte, as one program, which is built and linked once. It belongs to a package of its own, so that the formats
//! that it declares are compiled without optimisation, whatever the library is built with.
//!
//! `cargo test --test engine -- layouts::` runs those of one module.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod arithmetic;
mod check;
mod codes;
mod compared;
mod contents;
mod declared;
mod definition;
mod definition_orders;
mod definition_terms;
mod depth;
mod diff;
mod digits;
mod examples;
mod fields;
mod forge;
mod formats;
mod inline;
mod json;
mod language;
mod layouts;
mod matching;
mod nodes;
mod page;
mod places;
mod places_exported;
mod readme;
mod roles;
mod shown;
mod single;
mod sums;
mod support;
mod tool;
mod wrapped;
