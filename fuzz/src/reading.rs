//! The guarantees for every accepted array.

use ndbytes::{Array, Dtype, Element, Error, Limits};
use std::io;

/// The maximum decoded length of arrays that are read element by element.
pub const SMALL: usize = 64 << 10;

/// NumPy's limit on the number of axes.
const NUMPY_AXES: usize = 64;

/// Reads an array whose type is known only at run time.
pub fn examine(array: &Array<'_>) {
    let bytes = array.bytes().expect("what was accepted can be read");
    let count = array.shape().iter().product::<usize>() as u64;
    let size = array.item_type().stride();
    assert_eq!(bytes.len() as u64, count * size, "{:?} of {}", array.shape(), array.dtype());
    if let Some(last) = count.checked_sub(1) {
        array.scalar(0).expect("there is a first element");
        array.scalar(last).expect("there is a last element");
    }
    assert!(matches!(array.scalar(count), Err(Error::OutOfRange { .. })));
    if bytes.len() <= SMALL {
        let is_for_numpy = array.shape().len() <= NUMPY_AXES && array.item_type().size() <= i32::MAX as u64;
        match array.write_npy(io::sink(), &Limits::default()) {
            Ok(()) => assert!(is_for_numpy),
            Err(error) => assert!(!is_for_numpy, "{error}"),
        }
    }
}

/// Returns the bytes of the elements in native order, swapped in a simple way.
pub fn native(bytes: &[u8], dtype: Dtype) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if dtype.is_swapped() {
        bytes.chunks_mut(dtype.kind.swapped() as usize).for_each(<[u8]>::reverse);
    }
    bytes
}

/// Asserts that elements read as a type equal those in the file, bit for bit.
pub fn compare<T: Element>(elements: &[T], bytes: &[u8], dtype: Dtype) {
    assert_eq!(T::KIND, dtype.kind);
    assert!(bytemuck::cast_slice::<T, u8>(elements) == native(bytes, dtype), "elements of type {dtype}");
}
