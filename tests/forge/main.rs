//! What the forge makes: a module a kind.

mod b2nd;
mod gzip;
mod idv;
mod idx;
mod mutants;
mod npy;
mod rawarray;
mod support;
mod zip;
