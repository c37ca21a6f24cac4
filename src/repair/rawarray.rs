//! Repairs RawArray files.

use super::{Attempt, Mend, Mended, transport};
use crate::findings::finding::Finding;
use crate::findings::words::bytes as count_of_bytes;
use crate::rawarray::judge::{byte_order, read_header};
use crate::rawarray::rules;
use everybyte::{Source, write};
use ndbytes_schemas::rawarray::RawArray;

pub(super) const MENDS: &[Mend] = &[
    Mend {
        rule: &rules::SIZE_MISMATCH,
        doc: "If `size` exceeds the file and the dimensions fit it exactly, `size` becomes their product. If they exceed it and \
              `size` fits, a single dimension is corrected so that they fit, too. Otherwise, it is not clear which number is \
              wrong.",
        mend: fitting_size,
    },
    Mend {
        rule: &rules::TRUNCATED_PAYLOAD,
        doc: "The whole items along the last axis, which varies slowest, are kept, and its length becomes their number. \
              Compressed data is not repaired.",
        mend: whole_items,
    },
];

/// Returns the header of plain elements and everything after it.
fn plain(bytes: &[u8]) -> Option<(RawArray, &[u8])> {
    let header = read_header(Source::new(bytes), byte_order(bytes)).ok()?;
    let is_plain = !header.flags.encoded() && !header.flags.bits();
    let start = usize::try_from(header.data.offset).ok().filter(|_| is_plain)?;
    Some((header, bytes.get(start..)?))
}

/// Builds a file from a header and the bytes after it.
fn written(header: &RawArray, bytes: &[u8], rest: &[u8]) -> Option<Vec<u8>> {
    let mut mended = write(header, byte_order(bytes)).ok()?;
    mended.extend_from_slice(rest);
    Some(mended)
}

/// The possible sizes of elements in bytes.
const SIZES: [u64; 5] = [1, 2, 4, 8, 16];

/// Returns the number of elements; `None` if it is zero or overflows.
fn count(header: &RawArray) -> Option<u64> {
    header.dims.iter().try_fold(1, |count: u64, &dim| count.checked_mul(dim)).filter(|&count| count > 0)
}

/// Refuses to change the number of items if there are signs of another error.
fn refused(header: &RawArray, bytes: &[u8], rest: &[u8], length: u64) -> Option<Attempt> {
    if let Some(refused) = transport::altered(bytes, rest, header.size.saturating_sub(rest.len() as u64)) {
        return Some(refused);
    }
    let count = count(header)?;
    let size = length.checked_div(count).filter(|size| size * count == length && SIZES.contains(size))?;
    let text = "the file fits exactly: the type or the dimensions are wrong";
    (size != header.elbyte).then(|| Attempt::refused(format!("with elements of {} {text}", count_of_bytes(size))))
}

fn fitting_size(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let (header, rest) = plain(bytes)?;
    let (size, present) = (count(&header).and_then(|count| count.checked_mul(header.elbyte)), rest.len() as u64);
    // Bytes after the elements are allowed, so only a size beyond the end of the file is certainly wrong.
    if let Some(size) = size.filter(|&size| size == present && size < header.size) {
        let done = format!("`size` is {size} instead of {}: the file ends there", header.size);
        return Some(Mended::new(written(&RawArray { size, ..header }, bytes, rest)?, done).into());
    }
    if header.size != present || size.is_some_and(|size| size < present) {
        return Some(Attempt::refused("the end of the file does not show whether `size` or the dimensions are wrong"));
    }
    if let Some(refused) = refused(&header, bytes, rest, present) {
        return Some(refused);
    }
    let fits = |axis: usize| {
        let others = header.dims.iter().enumerate().filter(|(other, _)| *other != axis);
        let item = others.map(|(_, dim)| *dim).try_fold(header.elbyte, u64::checked_mul)?;
        present.checked_div(item).filter(|extent| extent * item == present && *extent > 0)
    };
    let mut fitting = (0..header.dims.len()).filter_map(|axis| Some((axis, fits(axis)?)));
    let (Some((axis, extent)), None) = (fitting.next(), fitting.next()) else {
        return Some(Attempt::refused(
            "the file ends where `size` says, and no dimension or more than one may be wrong",
        ));
    };
    let mut dims = header.dims.clone();
    let old = std::mem::replace(&mut dims[axis], extent);
    let done = format!("the length of axis {axis} is {extent} instead of {old}: the file ends where `size` says");
    Some(Mended::new(written(&RawArray { dims, ..header }, bytes, rest)?, done).into())
}

fn whole_items(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let (header, rest) = plain(bytes)?;
    if let Some(refused) = refused(&header, bytes, rest, rest.len() as u64) {
        return Some(refused);
    }
    let (&extent, others) = header.dims.split_last()?;
    let item = others.iter().try_fold(header.elbyte, |item, &dim| item.checked_mul(dim))?;
    let whole = (rest.len() as u64).checked_div(item).filter(|&whole| whole > 0)?;
    let lost = extent.checked_sub(whole)?;
    let dims = [others, &[whole]].concat();
    let axis = others.len();
    let size = whole * item;
    let mended = written(&RawArray { size, dims, ..header }, bytes, rest.get(..size as usize)?)?;
    let mended = Mended::new(mended, format!("the length of axis {axis} is {whole} instead of {extent}"));
    let left = rest.len() as u64 - size;
    Some(mended.giving_up_items(lost, extent, left).into())
}
