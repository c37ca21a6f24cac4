//! What the forge makes: a module a kind.

mod gzip;
mod idx;
mod npy;
mod rawarray;
mod support;
mod zip;
