//! Properties of any bytes and any value of a format, for fuzz targets and tests. Feature `arbitrary`.
//!
//! A fuzz target of cargo-fuzz is one line: `fuzz_target!(|file: &[u8]| everybyte::fuzzing::bytes::<MyFormat>(file));`, or
//! `fuzz_target!(|value: MyFormat| everybyte::fuzzing::value(&value));`. A test without a fuzzer calls [`values`].

use crate::format::{Format, explain, rewrite};
use crate::map::spans;
use crate::trace::write;
use arbitrary::{Arbitrary, Unstructured};

/// Bytes out of which [`values`] makes one value.
const BYTES_OF_A_VALUE: usize = 512;

/// Examines a file of any bytes.
///
/// # Panics
/// If the map leaves out a byte or has one twice; if a file that was written back differs when it is written once more.
pub fn bytes<F: Format>(file: &[u8]) {
    let explained = explain::<F>(file);
    for space in &explained.spaces {
        let mut reached = 0;
        for span in spans(std::slice::from_ref(space)) {
            assert_eq!(span.node.start, reached, "{} does not begin where the field before it ends", span.path);
            reached = span.node.end;
        }
        assert_eq!(reached, space.length, "the fields of {} do not reach its end", space.title);
    }
    if let Ok(written) = rewrite::<F>(file) {
        let again = rewrite::<F>(&written).expect("what was written can be read");
        assert!(written == again, "what was written is written differently when it is read");
    }
}

/// Writes any value, and examines the file.
///
/// # Panics
/// As [`bytes`].
pub fn value<F: Format>(value: &F) {
    // A value that cannot be written, such as a list that is longer than its count can say, is refused with an error.
    if let Ok(file) = write(value, F::byte_order(&[])) {
        bytes::<F>(&file);
    }
}

/// Examines some values, always the same ones, and the beginnings of their files.
///
/// # Panics
/// As [`bytes`].
pub fn values<F: Format + for<'a> Arbitrary<'a>>(count: u64) {
    for seed in 1..=count {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let random: Vec<u8> = (0..BYTES_OF_A_VALUE)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state as u8
            })
            .collect();
        let Ok(made) = F::arbitrary(&mut Unstructured::new(&random)) else { continue };
        value(&made);
        bytes::<F>(&random);
        if let Ok(file) = write(&made, F::byte_order(&[])) {
            bytes::<F>(&file[..file.len() / 2]);
        }
    }
}
