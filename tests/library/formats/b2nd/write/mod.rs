//! Writing b2nd arrays. Written arrays can be read again without findings, and values that the format cannot hold are refused.

mod any;
mod chunks;
mod files;
mod filters;
mod items;
mod metadata;

use ndarray::{ArrayD, Dimension, IxDyn};
use ndbytes::b2nd::{self, B2ndElement, Codec, Writer};
use ndbytes::{Checker, Error, Finding, Result};
use ndbytes_testkit::b2nd::{Expected, assert_holds};
use std::path::Path;

const CODECS: [Codec; 5] = [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD];

/// Item types of all kinds and of many sizes.
const TYPES: [&str; 20] = [
    "|b1",
    "|i1",
    "<u2",
    ">i4",
    "<f4",
    "<f8",
    ">f8",
    "<f16",
    "<c8",
    "<c32",
    "|S5",
    "|S300",
    "<U3",
    "<U100",
    "|V7",
    "<M8[25s]",
    "<m8[D]",
    "[('a', '<i4'), ('b', '>f8'), ('c', 'S3', (2,))]",
    "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [1, 8], 'itemsize': 24}",
    "[('large', 'S400')]",
];

/// The reason for a refusal, as stated in the error.
fn inexpressible<T>(result: Result<T>) -> String {
    match result {
        Err(Error::Inexpressible { format: "b2nd", what }) => what,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

fn assert_clean(path: &Path) {
    let findings = Checker::new().check(path).unwrap();
    assert!(findings.findings().is_empty(), "{}: {:?}", path.display(), findings.findings());
}

/// Asserts that there are no findings, except about a delta across several blocks, which was requested.
fn assert_slice_clean(bytes: &[u8]) {
    let report = Checker::new().check_slice(bytes).unwrap();
    let is_asked_for = |finding: &Finding| finding.rule.id == "b2nd/delta-blocks";
    assert!(report.findings().iter().all(is_asked_for), "{:?}", report.findings());
}

/// Writes an array and reads it again in all ways.
fn round_trip(writer: &Writer, expected: &Expected, what: &str) -> Vec<u8> {
    let bytes = writer
        .bytes_to_vec(&expected.shape, &expected.item_type, expected.bytes())
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_slice_clean(&bytes);
    let array = b2nd::from_slice(&bytes).unwrap();
    assert_eq!(array.item_type(), &expected.item_type, "{what}");
    assert_eq!(array.dtype_text(), Some(expected.item_type.to_string()), "{what}");
    assert_holds(&array, expected, 10, what);
    bytes
}

fn bytes_of<T: B2ndElement, D: Dimension>(array: &ndarray::ArrayRef<T, D>) -> Vec<u8> {
    let items: Vec<T> = array.iter().copied().collect();
    bytemuck::cast_slice(&items).to_vec()
}

fn ramp(shape: &[usize]) -> ArrayD<f64> {
    let mut next = 0.0;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        next += 1.0;
        next
    })
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}
