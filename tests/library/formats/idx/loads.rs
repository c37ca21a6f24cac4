//! Arrays of more than one piece are loaded correctly in every way.

use ndarray::{Array, ArrayD};
use ndbytes::idx::{self, IdxElement};
use std::fmt::Debug;

/// The arrays are slightly longer than whole pieces. The number of axes determines the start of the payload.
const SHAPES: [&[usize]; 5] = [&[300_001], &[3, 100_003], &[2, 3, 50_001], &[2, 1, 3, 50_001], &[1_500_007]];

fn loads<T: IdxElement + PartialEq + Debug>(value: impl Fn(usize) -> T) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("array.idx");
    for shape in SHAPES {
        let array: ArrayD<T> =
            Array::from_iter((0..shape.iter().product()).map(&value)).into_shape_with_order(shape).unwrap();
        idx::write(&path, &array).unwrap();
        let same = |loaded: ArrayD<T>, way: &str| assert!(loaded == array, "{shape:?} of {}, {way}", T::KIND);
        let opened = idx::open(&path).unwrap();
        same(opened.to_array().unwrap(), "read");
        opened.bytes().unwrap();
        same(opened.to_array().unwrap(), "mapped");
        let bytes = std::fs::read(&path).unwrap();
        same(idx::from_slice(&bytes).unwrap().to_array().unwrap(), "from a slice");
        // The buffer may have any alignment.
        let opened = idx::open(&path).unwrap();
        let mut buffer = vec![value(0); array.len() + 64];
        for skipped in 0..64 / size_of::<T>() {
            let buffer = &mut buffer[skipped..skipped + array.len()];
            opened.read_into(buffer).unwrap();
            assert!(buffer == array.as_slice().unwrap(), "{shape:?} of {}, {skipped} elements on", T::KIND);
        }
    }
}

#[test]
fn elements_of_one_byte_are_loaded_alike_in_every_way() {
    loads(|index| (index * 7 % 251) as u8);
}

#[test]
fn elements_of_two_bytes_are_loaded_alike_in_every_way() {
    loads(|index| (index * 7) as i16);
}

#[test]
fn elements_of_four_bytes_are_loaded_alike_in_every_way() {
    loads(|index| index as f32);
}

#[test]
fn elements_of_eight_bytes_are_loaded_alike_in_every_way() {
    loads(|index| index as f64 / 3.0);
}

#[test]
fn elements_that_do_not_stay_in_the_caches_are_copied_to_any_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("array.idx");
    let array = Array::from_shape_fn(17_000_003, |index| (index * 7 % 251) as u8);
    idx::write(&path, &array).unwrap();
    let opened = idx::open(&path).unwrap();
    let mut buffer = vec![0; array.len() + 64];
    for skipped in [0, 1, 16, 63] {
        let buffer = &mut buffer[skipped..skipped + array.len()];
        buffer.fill(0xaa);
        opened.read_into(buffer).unwrap();
        assert!(buffer == array.as_slice().unwrap(), "{skipped} elements on");
    }
}

#[test]
fn a_file_that_has_shrunk_since_it_was_opened_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("array.idx");
    idx::write(&path, &Array::from_elem(20_000_000, 7_u8)).unwrap();
    let opened = idx::open(&path).unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(10_000).unwrap();
    assert!(matches!(opened.to_array::<u8>(), Err(ndbytes::Error::Io { .. })));
}
