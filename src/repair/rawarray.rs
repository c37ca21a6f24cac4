//! Mending RawArray files.

use super::{Mend, Mended};
use crate::findings::finding::Finding;
use crate::rawarray::judge::{byte_order, read_header};
use crate::rawarray::rules;
use everybyte::{Source, write};
use ndbytes_schemas::rawarray::RawArray;

pub(super) const MENDS: &[Mend] = &[
    Mend {
        rule: &rules::SIZE_MISMATCH,
        doc: "`size` becomes what the dimensions multiply to, if the file has so many bytes. Otherwise the whole items along the \
              last axis are kept, and its length is their number.",
        mend: fitting_size,
    },
    Mend {
        rule: &rules::TRUNCATED_PAYLOAD,
        doc: "The whole items along the last axis, which varies slowest, are kept, and its length is their number. Data that \
              are compressed are not mended.",
        mend: whole_items,
    },
];

/// The header of plain elements, and all that follows it.
fn plain(bytes: &[u8]) -> Option<(RawArray, &[u8])> {
    let header = read_header(Source::new(bytes), byte_order(bytes)).ok()?;
    let is_plain = !header.flags.encoded() && !header.flags.bits();
    let start = usize::try_from(header.data.offset).ok().filter(|_| is_plain)?;
    Some((header, bytes.get(start..)?))
}

/// A file with this header, and with these bytes after it.
fn written(header: &RawArray, bytes: &[u8], rest: &[u8]) -> Option<Vec<u8>> {
    let mut mended = write(header, byte_order(bytes)).ok()?;
    mended.extend_from_slice(rest);
    Some(mended)
}

fn fitting_size(finding: &Finding, bytes: &[u8]) -> Option<Mended> {
    let (header, rest) = plain(bytes)?;
    let size = header.dims.iter().try_fold(header.elbyte, |size, &dim| size.checked_mul(dim))?;
    if size > rest.len() as u64 {
        return whole_items(finding, bytes);
    }
    let done = format!("`size` is {size} instead of {}", header.size);
    Some(Mended::new(written(&RawArray { size, ..header }, bytes, rest)?, done))
}

fn whole_items(_: &Finding, bytes: &[u8]) -> Option<Mended> {
    let (header, rest) = plain(bytes)?;
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
    Some(mended.giving_up_items(lost, extent, left))
}
