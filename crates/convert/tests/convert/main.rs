//! Tests of the command `convert` and of its crate.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod columns;
mod command;
mod containers;
mod foreign;
mod forged;
mod lines;
mod pairs;
mod peers;
mod pictures;
mod support;
mod tables;
mod text;
mod written;
mod zarr;
