//! Compares b2nd arrays with their expected content: completely, in slices, and item by item.

use ndarray::{ArrayD, IxDyn, SliceInfoElem};
use ndbytes::b2nd::Array;
use ndbytes::{ElementKind, Error, ItemType};
use std::path::Path;

/// For arrays with more items than this, most slices are small.
const LARGE: usize = 1 << 14;

/// The expected content of an array.
pub struct Expected {
    pub item_type: ItemType,
    pub shape: Vec<usize>,
    /// The bytes of the items, as an additional axis.
    items: ArrayD<u8>,
}

impl Expected {
    /// Contiguous items, with the last axis varying fastest.
    pub fn new(item_type: ItemType, shape: Vec<usize>, bytes: Vec<u8>) -> Self {
        let extents: Vec<usize> = shape.iter().copied().chain([item_type.size() as usize]).collect();
        let items = ArrayD::from_shape_vec(IxDyn(&extents), bytes).expect("as many bytes as the items take");
        Expected { item_type, shape, items }
    }

    /// Reads a `.npy` file of version 1.0, in C order.
    pub fn npy(path: &Path) -> Self {
        let file = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(file[..8], *b"\x93NUMPY\x01\x00", "{}", path.display());
        let end = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
        let header = std::str::from_utf8(&file[10..end]).unwrap();
        // {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }
        let (descr, rest) =
            header.trim().strip_prefix("{'descr': ").unwrap().split_once(", 'fortran_order': ").unwrap();
        let (extents, _) = rest.strip_prefix("False, 'shape': (").unwrap().split_once(')').unwrap();
        let extents = extents.split(',').map(str::trim).filter(|extent| !extent.is_empty());
        let descr = descr.strip_prefix('\'').and_then(|descr| descr.strip_suffix('\'')).unwrap_or(descr);
        let item_type = descr.parse().unwrap_or_else(|error| panic!("{descr}: {error}"));
        Expected::new(item_type, extents.map(|extent| extent.parse().unwrap()).collect(), file[end..].to_vec())
    }

    pub fn bytes(&self) -> &[u8] {
        self.items.as_slice().expect("nothing was moved")
    }

    /// The bytes of a slice.
    pub fn slice(&self, slice: &[SliceInfoElem]) -> Vec<u8> {
        let whole_items = SliceInfoElem::Slice { start: 0, end: None, step: 1 };
        let slice: Vec<SliceInfoElem> = slice.iter().copied().chain([whole_items]).collect();
        self.items.slice(&slice[..]).iter().copied().collect()
    }

    fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// A reproducible sequence of pseudorandom numbers.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: &str) -> Self {
        Numbers(digest(seed.as_bytes()))
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) % bound.max(1) as u64) as usize
    }
}

/// FNV-1a, 64 bits.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// A random slice for an array of this shape. It has indices, and ranges with steps in both directions, some of them
/// counted from the end.
pub fn any_slice(shape: &[usize], numbers: &mut Numbers) -> Vec<SliceInfoElem> {
    let is_large = shape.iter().fold(1, |count: usize, &extent| count.saturating_mul(extent)) > LARGE;
    let longest = if is_large && numbers.below(40) > 0 { [1, 3, 12, 50][numbers.below(4)] } else { usize::MAX };
    let along = |&extent: &usize| {
        let from_end = |place: usize, numbers: &mut Numbers| match numbers.below(4) {
            0 if place < extent => place as isize - extent as isize,
            _ => place as isize,
        };
        if extent > 0 && numbers.below(4) == 0 {
            return SliceInfoElem::Index(from_end(numbers.below(extent), numbers));
        }
        let start = numbers.below(extent + 1);
        let length = if numbers.below(3) == 0 { extent } else { numbers.below(extent + 1) }.min(longest);
        // An inverted range is empty.
        let end = if numbers.below(20) == 0 { start / 2 } else { (start + length).min(extent) };
        let to_the_end = end == extent && numbers.below(2) == 0;
        let step = [1, 1, 1, -1, 2, -2, 3, -3, 7, -11, 1000][numbers.below(11)];
        let (start, end) = (from_end(start, numbers), (!to_the_end).then(|| from_end(end, numbers)));
        SliceInfoElem::Slice { start, end, step }
    };
    shape.iter().map(along).collect()
}

/// Asserts that an array has the expected content when it is read all at once, in a number of slices, and item by item.
pub fn assert_holds(array: &Array<'_>, expected: &Expected, slices: usize, what: &str) {
    assert_eq!((array.shape(), array.len()), (&expected.shape[..], expected.count() as u64), "{what}");
    // Structures without field names are raw bytes in `.npy`.
    match expected.item_type.dtype().kind {
        ElementKind::Record(size) => assert_eq!(array.item_type().size(), size, "{what}"),
        _ => assert_eq!(array.item_type(), &expected.item_type, "{what}"),
    }
    let whole = array.to_bytes().unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(whole == expected.bytes(), "{what}: the items are others");
    let mut numbers = Numbers::new(what);
    for _ in 0..slices {
        let slice = any_slice(&expected.shape, &mut numbers);
        let found = array.slice_to_bytes(&slice).unwrap_or_else(|error| panic!("{what}, {slice:?}: {error}"));
        assert!(found == expected.slice(&slice), "{what}, {slice:?}: the items are others");
    }
    for _ in 0..slices.min(20) * usize::from(expected.count() > 0) {
        let index: Vec<usize> = expected.shape.iter().map(|&extent| numbers.below(extent)).collect();
        let place = index.iter().zip(&expected.shape).fold(0, |place, (index, extent)| place * extent + index);
        let size = expected.item_type.size() as usize;
        let bytes = &expected.bytes()[place * size..(place + 1) * size];
        let (found, wanted) = (array.item(&index).unwrap(), ndbytes::Scalar::from_item(bytes, array.item_type()));
        // NaN is not equal to itself.
        assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{what}, {index:?}");
    }
    if let Some(&extent) = expected.shape.first() {
        let beyond: Vec<usize> = expected.shape.iter().map(|_| extent).collect();
        assert!(matches!(array.item(&beyond), Err(Error::OutOfRange { .. })), "{what}");
        assert!(matches!(array.item(&beyond[1..]), Err(Error::Selection { .. })), "{what}");
    }
}

/// Reads everything in an array that has a name, and reports the errors.
fn use_names(array: &Array<'_>, what: &dyn Fn() -> String) -> Vec<Error> {
    let mut errors = Vec::new();
    // A name that is not UTF-8 cannot be requested.
    for name in array.metalayer_names().into_iter().filter(|name| !name.contains(char::REPLACEMENT_CHARACTER)) {
        array.metalayer(&name).unwrap_or_else(|error| panic!("{}: {name}: {error}", what()));
        let value = array.metalayer_value(&name);
        let may_be = matches!(value, Ok(_) | Err(Error::NoMsgpack { .. } | Error::Limit { .. }));
        assert!(may_be, "{}: {name}: {value:?}", what());
    }
    for name in array.attribute_names() {
        errors.extend(array.attribute(&name).err());
        let _ = array.attribute_value(&name);
    }
    errors
}

/// Reads everything in an array in several ways and reports the errors. All ways must return the same values.
pub fn use_array(array: &Array<'_>, what: &dyn Fn() -> String) -> Vec<Error> {
    let mut errors = use_names(array, what);
    let (axes, dtype) = (array.shape().len(), array.dtype());
    assert_eq!((array.chunk_shape().len(), array.block_shape().len()), (axes, axes), "{}", what());
    assert_eq!(array.item_type().size(), dtype.kind.size(), "{}", what());
    let _ = (array.codec().name(), array.level(), array.filters(), array.dtype_text(), array.stored_bytes());
    assert_eq!(array.is_empty(), array.shape().contains(&0), "{}", what());

    let size = array.item_type().size() as usize;
    let whole = match array.to_bytes() {
        Ok(bytes) => {
            assert_eq!(bytes.len() as u64, array.len() * size as u64, "{}", what());
            // The other axes of an array without items may have any length.
            if bytes.is_empty() {
                return errors;
            }
            Some(Expected::new(array.item_type().clone(), array.shape().to_vec(), bytes))
        }
        Err(error) => {
            errors.push(error);
            None
        }
    };
    let mut numbers = Numbers::new(&format!("{:?}", array.shape()));
    for _ in 0..3 {
        let slice = any_slice(array.shape(), &mut numbers);
        match (array.slice_to_bytes(&slice), &whole) {
            (Ok(found), Some(whole)) => assert!(found == whole.slice(&slice), "{}: {slice:?}", what()),
            (Err(error), Some(_)) => panic!("{}: {slice:?}: {error}", what()),
            // The requested items may be intact.
            (_, None) => {}
        }
    }
    if !array.is_empty() {
        let last: Vec<usize> = array.shape().iter().map(|extent| extent - 1).collect();
        match (array.item(&last), &whole) {
            (Ok(item), Some(whole)) => {
                let bytes = &whole.bytes()[whole.bytes().len() - size..];
                let expected = ndbytes::Scalar::from_item(bytes, array.item_type());
                assert_eq!(format!("{item:?}"), format!("{expected:?}"), "{}", what());
            }
            (Err(error), Some(_)) => panic!("{}: {error}", what()),
            (_, None) => {}
        }
    }
    errors
}
