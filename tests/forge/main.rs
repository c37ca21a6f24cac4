//! What the forge makes: a module a kind.

mod b2nd;
mod gzip;
mod idx;
mod npy;
mod rawarray;
mod support;
mod zip;
