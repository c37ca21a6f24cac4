//! The files that the forge makes, with one module per kind.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod b2nd;
mod determinism;
mod given;
mod grid;
mod gzip;
mod idv;
mod idx;
mod mutants;
mod npy;
mod rawarray;
mod seeds;
mod support;
mod zip;
