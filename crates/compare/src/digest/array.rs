//! The digest of an array.

use super::leaves::{Cutter, Leaves, Noted};
use super::{Digest, canonical, number, text};
use ndbytes::{Array, Limits, Result};
use std::ops::Range;

/// The number of bytes to request at a time if that does not need memory.
const PIECE: u64 = 16 << 20;

/// The digest of the values of an array: see the [module](super).
///
/// ```
/// use ndbytes::Limits;
/// use ndbytes_compare::digest;
///
/// let path = "../../samples/temperatures.b2nd";
/// let limits = Limits::default();
/// let array = ndbytes::open(path)?.into_array()?;
/// let of_file = digest::values(&ndbytes::Input::open(path, limits)?, &limits)?;
/// assert_eq!(digest::of_array(&array, &limits)?, of_file);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// Any error while reading its items. [`Error::Invalid`](ndbytes::Error::Invalid) with the rule `limit-exceeded` if they exceed
/// [`Limits::output`].
pub fn of_array(array: &Array<'_>, limits: &Limits) -> Result<Digest> {
    noted(array, limits, &|_: &[u8]| (), &mut |_| ())
}

/// Returns the digest of an array and records its leaves. `note` is called with the bytes of each leaf, in any order.
/// `took` is called with the hash and the note of each leaf, in order.
pub(crate) fn noted<N: Send>(
    array: &Array<'_>,
    limits: &Limits,
    note: &(dyn Fn(&[u8]) -> N + Sync),
    took: &mut dyn FnMut(Noted<N>),
) -> Result<Digest> {
    let mut items = array.items();
    let item_type = items.item_type().clone();
    let (count, stride) = (items.count(), item_type.stride());
    limits.ensure_output("the array", count.saturating_mul(stride))?;
    let shape: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
    let mut hasher = blake3::Hasher::new();
    text(&mut hasher, b"ndbytes array 1");
    text(&mut hasher, canonical::name(&item_type).as_bytes());
    number(&mut hasher, shape.len() as u64);
    shape.iter().for_each(|&extent| number(&mut hasher, extent));
    let mut cutter = Cutter::new(Leaves::of(&shape, canonical::size(&item_type)), &item_type, note);
    let needed = if canonical::is_stored_so(&item_type) { 0 } else { canonical::size(&item_type) };
    let debit = array.debit();
    debit.take(needed, "an item")?;
    // Plain items in C order are borrowed, so their number does not matter.
    let is_lent = !array.is_fortran_order() && !matches!(array, Array::B2nd(_));
    let piece = if is_lent { (PIECE / stride.max(1)).max(1) } else { items.piece() };
    // Items without bytes leave nothing to hash.
    let mut start = if stride == 0 { count } else { 0 };
    while start < count {
        debit.ensure_time()?;
        let asked = piece.min(count - start);
        for noted in cutter.push(items.read(start, asked)?) {
            hasher.update(&noted.0);
            took(noted);
        }
        start += asked;
    }
    unwritten(array, &mut hasher)?;
    Ok(Digest::of(&hasher))
}

/// The number of items that were never written, because a b2nd file declares their chunks uninitialised. They are read as zeros.
///
/// ```
/// let array = ndbytes::open("../../samples/temperatures.b2nd")?.into_array()?;
/// assert_eq!(ndbytes_compare::digest::unwritten_items(&array)?, 0);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`](ndbytes::Error::Io).
pub fn unwritten_items(array: &Array<'_>) -> Result<u64> {
    let items = |ranges: &[Range<u64>]| ranges.iter().map(|range| range.end - range.start).product::<u64>();
    Ok(boxes(array)?.iter().map(|ranges| items(ranges)).sum())
}

/// Adds the chunks without values.
fn unwritten(array: &Array<'_>, hasher: &mut blake3::Hasher) -> Result<()> {
    let boxes = boxes(array)?;
    if !boxes.is_empty() {
        text(hasher, b"unwritten");
    }
    for range in boxes.into_iter().flatten() {
        number(hasher, range.start);
        number(hasher, range.end);
    }
    Ok(())
}

/// Returns the positions of the chunks without values.
fn boxes(array: &Array<'_>) -> Result<Vec<Vec<Range<u64>>>> {
    match array {
        Array::B2nd(array) => array.unwritten(),
        _ => Ok(Vec::new()),
    }
}
