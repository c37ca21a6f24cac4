//! IDX through the public interface.

mod loads;
mod read;
mod tolerance;
mod write;

use ndarray::Dimension;
use ndbytes::idx::{self, IdxElement};

pub fn both_ways<T: IdxElement, D: Dimension>(array: &ndarray::ArrayRef<T, D>) -> (Vec<u8>, Vec<u8>) {
    let (mut plain, mut compressed) = (Vec::new(), Vec::new());
    idx::Writer::new().write_to(&mut plain, array).unwrap();
    idx::Writer::new().gzip(true).write_to(&mut compressed, array).unwrap();
    (plain, compressed)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = flate2::read::GzEncoder::new(bytes, flate2::Compression::fast());
    let mut out = Vec::new();
    std::io::copy(&mut compressed, &mut out).unwrap();
    out
}
