//! The guarantees for every opened array.

use crate::random::Random;
use crate::reading;
use half::f16;
use ndarray::{ArrayD, Dimension, IxDyn, SliceInfo, SliceInfoElem};
use ndbytes::b2nd::Array;
use ndbytes::{Element, ElementKind, Error, Result, Scalar};
use num_complex::Complex;

/// Arrays that decode to more bytes are not read as a whole.
const SMALL: usize = 16 << 10;

/// The number of slices to read.
const SLICES: usize = 3;

/// The maximum number of items of a slice.
const MOST_ITEMS: u64 = 2048;

/// Reads a small array completely in every way, and slices of any array. Returns the bytes of the whole array, unless
/// it is too large.
///
/// # Errors
/// The reason why it cannot be read as a whole.
pub fn examine(array: &Array<'_>, random: &mut Random) -> Result<Vec<u8>> {
    let size = array.item_type().size();
    let count = if array.shape().contains(&0) { Some(0) } else { product(array.shape()) };
    assert_eq!(Some(array.len()), count, "{:?}", array.shape());
    let bytes = array.len().saturating_mul(size);
    let whole = match bytes <= SMALL as u64 {
        true => array.to_bytes(),
        false => Err(Error::Limit { what: "a large array", needed: bytes, left: 0 }),
    };
    if let Ok(whole) = &whole {
        assert_eq!(whole.len() as u64, bytes);
        examine_whole(array, whole, random);
    }
    for _ in 0..SLICES {
        let slices: Vec<SliceInfoElem> = array.shape().iter().map(|&extent| slice(extent, random)).collect();
        examine_slices(array, slices, whole.as_deref().ok(), random);
    }
    examine_outside(array, random);
    examine_metalayers(array);
    whole
}

fn product(shape: &[usize]) -> Option<u64> {
    shape.iter().try_fold(1, |product: u64, &extent| product.checked_mul(extent as u64))
}

/// Reads all items of a small array in other ways.
fn examine_whole(array: &Array<'_>, whole: &[u8], random: &mut Random) {
    match array.dtype().kind {
        ElementKind::I8 => examine_typed::<i8>(array, whole),
        ElementKind::I16 => examine_typed::<i16>(array, whole),
        ElementKind::I32 => examine_typed::<i32>(array, whole),
        ElementKind::I64 => examine_typed::<i64>(array, whole),
        ElementKind::U8 => examine_typed::<u8>(array, whole),
        ElementKind::U16 => examine_typed::<u16>(array, whole),
        ElementKind::U32 => examine_typed::<u32>(array, whole),
        ElementKind::U64 => examine_typed::<u64>(array, whole),
        ElementKind::F16 => examine_typed::<f16>(array, whole),
        ElementKind::F32 => examine_typed::<f32>(array, whole),
        ElementKind::F64 => examine_typed::<f64>(array, whole),
        ElementKind::Complex64 => examine_typed::<Complex<f32>>(array, whole),
        ElementKind::Complex128 => examine_typed::<Complex<f64>>(array, whole),
        _ => assert!(matches!(array.to_array::<u8>(), Err(Error::WrongType { .. }))),
    }
    if array.is_empty() {
        return;
    }
    let number = random.below(array.len());
    let size = array.item_type().size() as usize;
    let bytes = &whole[number as usize * size..][..size];
    let index = index(array.shape(), number);
    let item = array.item(&index).expect("the whole array can be read");
    // NaN is not equal to itself.
    assert_eq!(format!("{item:?}"), format!("{:?}", Scalar::from_item(bytes, array.item_type())));
}

/// The index of the item with this number in C order.
fn index(shape: &[usize], mut number: u64) -> Vec<usize> {
    let mut index: Vec<usize> = Vec::new();
    for &extent in shape.iter().rev() {
        index.push((number % extent as u64) as usize);
        number /= extent as u64;
    }
    index.reverse();
    index
}

fn examine_typed<T: Element>(array: &Array<'_>, whole: &[u8]) {
    let mut buffer = vec![T::zeroed(); array.len() as usize];
    array.read_into(&mut buffer).expect("the buffer has the right length");
    reading::compare(&buffer, whole, array.dtype());
    let elements = array.to_array::<T>().expect("the whole array can be read");
    assert_eq!(elements.shape(), array.shape());
    reading::compare(elements.as_slice().expect("row-major"), whole, array.dtype());
    buffer.push(T::zeroed());
    assert!(matches!(array.read_into(&mut buffer), Err(Error::BufferLength { .. })));
    if !array.is_empty() {
        let last: Vec<usize> = array.shape().iter().map(|extent| extent - 1).collect();
        let last = array.get::<T>(&last).expect("the whole array can be read");
        assert!(Some(bytemuck::bytes_of(&last)) == elements.as_slice().and_then(<[T]>::last).map(bytemuck::bytes_of));
    }
}

/// A random selection along an axis.
fn slice(extent: usize, random: &mut Random) -> SliceInfoElem {
    let extent = extent as u64;
    if extent > 0 && random.one_in(4) {
        let index = random.below(extent) as isize;
        return SliceInfoElem::Index(if random.one_in(2) { index } else { index - extent as isize });
    }
    let start = random.below(extent.saturating_add(1));
    let most = if random.one_in(2) { extent - start } else { (extent - start).min(9) };
    let end = start + random.below(most + 1);
    let negative = |at: u64, random: &mut Random| match random.one_in(4) && at < extent {
        true => at as isize - extent as isize,
        false => at as isize,
    };
    let step = match random.below(8) {
        0 => isize::MIN,
        1 => isize::MAX,
        step => [1, 1, 2, 3, -1, -2][step as usize - 2],
    };
    let start = negative(start, random);
    let end = (end < extent || random.one_in(2)).then(|| negative(end, random));
    SliceInfoElem::Slice { start, end, step }
}

/// Asserts that a slice of the array equals the same slice of all items.
fn examine_slices(array: &Array<'_>, mut slices: Vec<SliceInfoElem>, whole: Option<&[u8]>, random: &mut Random) {
    if random.one_in(8) {
        slices.insert(random.below(slices.len() as u64 + 1) as usize, SliceInfoElem::NewAxis);
    }
    let size = array.item_type().size();
    let Some(whole) = whole else {
        // The array is too large or broken, so the slice is read if possible.
        let most = slices.iter().zip(array.shape()).filter_map(|(slice, &extent)| match *slice {
            SliceInfoElem::Slice { start, end, .. } => {
                let from_end = |at: isize| if at < 0 { at.unsigned_abs().abs_diff(extent) } else { at.unsigned_abs() };
                Some(end.map_or(extent, from_end).saturating_sub(from_end(start)))
            }
            _ => None,
        });
        if most.fold(size, |bytes, count| bytes.saturating_mul(count as u64)) <= SMALL as u64 {
            match array.slice_to_bytes(&slices) {
                Ok(_) | Err(Error::Invalid(_) | Error::Limit { .. }) => {}
                Err(error) => panic!("{error} in {slices:?} of {:?}", array.shape()),
            }
        }
        return;
    };
    let numbers = ArrayD::from_shape_vec(IxDyn(array.shape()), (0..array.len()).collect()).expect("it is small");
    let selected = SliceInfo::<_, IxDyn, IxDyn>::try_from(slices.clone()).expect("of any number of axes");
    let selected = numbers.slice(selected);
    if selected.len() as u64 > MOST_ITEMS {
        return;
    }
    let read = array.slice_to_bytes(&slices).expect("the whole array can be read");
    let size = size as usize;
    assert_eq!(read.len(), selected.len() * size, "{slices:?} of {:?}", array.shape());
    for (item, &number) in read.chunks(size).zip(&selected) {
        assert!(*item == whole[number as usize * size..][..size], "item {number} in {slices:?} of {:?}", array.shape());
    }
    if array.dtype().kind == ElementKind::F32 {
        let elements = array.slice::<f32>(&slices).expect("the whole array can be read");
        assert_eq!(elements.shape(), selected.raw_dim().slice());
    }
}

/// Asserts that indices outside the array, or with the wrong number of axes, are refused.
fn examine_outside(array: &Array<'_>, random: &mut Random) {
    let Some(axis) =
        (random.below(array.shape().len() as u64) as usize..).next().filter(|&axis| axis < array.shape().len())
    else {
        assert!(matches!(array.item(&[0]), Err(Error::Selection { .. })));
        return;
    };
    let mut index = vec![0; array.shape().len()];
    index[axis] = array.shape()[axis];
    assert!(matches!(array.item(&index), Err(Error::OutOfRange { .. } | Error::Limit { .. })));
    index.push(0);
    assert!(matches!(array.item(&index), Err(Error::Selection { .. } | Error::Limit { .. })));
    let extent = array.shape()[axis] as isize;
    let mut slices = vec![SliceInfoElem::Slice { start: 0, end: None, step: 1 }; array.shape().len()];
    let outside = [
        SliceInfoElem::Index(extent),
        SliceInfoElem::Index(-extent - 1),
        SliceInfoElem::Slice { start: 0, end: Some(extent.saturating_add(1)), step: 1 },
    ];
    slices[axis] = outside[random.below(3) as usize];
    if extent < isize::MAX {
        assert!(matches!(array.slice_to_bytes(&slices), Err(Error::OutOfRange { .. })), "{slices:?}");
    }
}

fn examine_metalayers(array: &Array<'_>) {
    for name in array.metalayer_names() {
        match (array.metalayer(&name), array.metalayer_value(&name)) {
            (Ok(_), Ok(_) | Err(Error::NoMsgpack { .. } | Error::Limit { .. })) => {}
            // A name that is not UTF-8 is not reported literally.
            (Err(Error::NoMetalayer { .. }), Err(Error::NoMetalayer { .. })) if name.contains('\u{fffd}') => {}
            (bytes, value) => panic!("{bytes:?}, {value:?}"),
        }
    }
    for name in array.attribute_names() {
        match (array.attribute(&name), array.attribute_value(&name)) {
            (Ok(_), Ok(_) | Err(Error::NoMsgpack { .. } | Error::Limit { .. })) => {}
            (Err(Error::Invalid(finding)), Err(Error::Invalid(other))) => assert_eq!(finding, other),
            (Err(Error::Limit { .. }), Err(Error::Limit { .. })) => {}
            (Err(Error::NoMetalayer { .. }), Err(Error::NoMetalayer { .. })) if name.contains('\u{fffd}') => {}
            (bytes, value) => panic!("{bytes:?}, {value:?}"),
        }
    }
    assert!(
        matches!(array.attribute("\u{1}"), Err(Error::NoMetalayer { .. }))
            || array.attribute_names().contains(&"\u{1}".into())
    );
}
