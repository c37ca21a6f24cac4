//! Helpers for the tests. Nothing here depends on the tool, since tests of the library are built without it.
//!
//! Every test program that uses this crate counts its allocations (`allocations`).

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]
#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub mod allocations;
pub mod archives;
pub mod assembly;
pub mod b2nd;
pub mod cases;
pub mod corpus;
pub mod frames;
pub mod idv;
pub mod look_alikes;
mod project;
pub mod recipe;
pub mod reports;
pub mod share;
pub mod snapshot;
pub mod sources;
pub mod stores;
pub mod tables;
pub mod values;
pub mod web;
mod written_back;
pub mod zip;

pub use project::{frozen, project, samples};
