//! Helpers for tests that run the tool. Other helpers are in the crate `ndbytes-testkit`.

pub mod cli;
pub mod generated;
pub mod tool;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Compresses bytes with gzip.
pub fn gzipped(content: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}
