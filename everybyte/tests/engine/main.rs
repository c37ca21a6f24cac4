//! The tests of everybyte, as one program, which is built and linked once. It belongs to its own package, so that the formats that
//! it declares are compiled without optimisation, however the library is built.
//!
//! `cargo test --test engine -- layouts::` runs the tests of one module.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod arithmetic;
mod chains;
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
mod tiff;
mod tool;
mod varints;
mod views;
mod wrapped;
