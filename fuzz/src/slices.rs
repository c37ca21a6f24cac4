//! Compares parts of a file with the whole.

use crate::bounds::limits;
use crate::random::Random;
use crate::reading::SMALL;
use crate::statistics;
use ndarray::{ArrayD, IxDyn, SliceInfo, SliceInfoElem};
use ndbytes::{Array, Error, File, Options};

/// The number of parts to read from a file.
const PARTS: usize = 6;

/// Asserts that every part of an array or a table equals the same part of the whole.
pub fn examine(bytes: &[u8]) {
    if let Ok(file) = Options::new().limits(limits()).from_slice(bytes) {
        examine_file(&file, &mut Random::of(bytes));
    }
}

/// The same, but for an open file.
pub fn examine_file(file: &File<'_>, random: &mut Random) {
    match file {
        File::Array(array) => examine_array(array, random),
        File::Table(table) => crate::tables::examine_ranges(table, random, PARTS),
    }
}

fn examine_array(array: &Array<'_>, random: &mut Random) {
    let (item_type, shape) = (array.item_type(), array.shape());
    let size = item_type.stride();
    let count = array.items().count();
    if count.saturating_mul(size) > SMALL as u64 {
        return;
    }
    // A file that is broken at one position may be intact at another.
    let whole = array.items().read(0, count).map(<[u8]>::to_vec);
    let whole = match whole {
        Ok(whole) => whole,
        Err(Error::Invalid(_) | Error::Limit { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    statistics::examine(&item_type, &whole, random);
    let size = size as usize;
    let mut items = array.items();
    for _ in 0..PARTS {
        let start = random.below(count + 1);
        let some = random.below(count - start + 1);
        let read = items.read(start, some).expect("the whole can be read");
        assert!(read == &whole[start as usize * size..][..some as usize * size], "{some} items from {start} on");
        examine_selection(array, shape, &whole, size, random);
    }
    assert!(matches!(items.read(count, 1), Err(Error::OutOfRange { .. })));
}

/// Asserts that a selection has the same items that ndarray selects from an array of item numbers.
fn examine_selection(array: &Array<'_>, shape: &[usize], whole: &[u8], size: usize, random: &mut Random) {
    let slices: Vec<SliceInfoElem> = shape.iter().map(|&extent| slice(extent, random)).collect();
    let numbers: Vec<usize> = (0..whole.len().checked_div(size).unwrap_or(0)).collect();
    // Items without bytes, and empty arrays with huge other axes, are skipped.
    let (Ok(numbers), Ok(slicing)) =
        (ArrayD::from_shape_vec(IxDyn(shape), numbers), SliceInfo::<_, IxDyn, IxDyn>::try_from(slices.clone()))
    else {
        return;
    };
    let selected = numbers.slice(slicing);
    let mut read = array.select(&slices).expect("the slices lie inside");
    assert_eq!(read.shape(), selected.shape(), "{slices:?} of {shape:?}");
    let count = read.count();
    let read = read.read(0, count).expect("the whole can be read");
    assert_eq!(read.len(), selected.len() * size, "{slices:?} of {shape:?}");
    for (item, &number) in read.chunks(size.max(1)).zip(&selected) {
        assert!(*item == whole[number * size..][..size], "item {number} in {slices:?} of {shape:?}");
    }
    let outside = SliceInfoElem::Index(shape.first().map_or(0, |&extent| extent as isize));
    let refused: Vec<_> = [outside].into_iter().chain(slices.into_iter().skip(1)).collect();
    assert!(array.select(refused).is_err(), "an index lies outside");
}

/// Returns any slice of an axis: an index, or a range with any step.
fn slice(extent: usize, random: &mut Random) -> SliceInfoElem {
    let extent = extent as u64;
    if extent > 0 && random.one_in(4) {
        let index = random.below(extent) as isize;
        return SliceInfoElem::Index(if random.one_in(2) { index } else { index - extent as isize });
    }
    let start = random.below(extent.saturating_add(1));
    let end = start + random.below(extent - start + 1);
    let step = [1, 1, 2, 3, -1, -2, isize::MIN, isize::MAX][random.below(8) as usize];
    SliceInfoElem::Slice { start: start as isize, end: Some(end as isize), step }
}
