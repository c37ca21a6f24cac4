//! Mending `.npy` files.

use super::{Mend, Mended};
use crate::arrays::npy::{header, literal};
use crate::findings::finding::Finding;
use crate::npy::judge::{Array, judge_header};
use crate::npy::rules;
use binrw::args;
use everybyte::{Endian, Source, read};
use ndbytes_schemas::npy::Npy;

pub(super) const MENDS: &[Mend] = &[
    Mend {
        rule: &rules::TRUNCATED_PAYLOAD,
        doc: "The whole items along the axis that varies slowest are kept, and its length is their number.",
        mend: whole_items,
    },
    Mend { rule: &rules::TRAILING_BYTES, doc: "The bytes after the payload are cut.", mend: cut },
    Mend {
        rule: &rules::DUPLICATE_KEY,
        doc: "The header is written anew, with the last value of each key, as NumPy reads it.",
        mend: plain_header,
    },
];

/// The array that a header describes, and all that follows the header.
fn described(bytes: &[u8]) -> Option<(Array, &[u8])> {
    let npy = read::<Npy>(Source::new(bytes), Endian::Little, args! { elements: u64::MAX }).ok()?;
    let array = judge_header(&npy).array?;
    Some((array, bytes.get(usize::try_from(npy.payload.offset).ok()?..)?))
}

fn with_shape(array: &Array, shape: &[u64], payload: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = header(&literal(&array.item_type).ok()?, shape, array.is_fortran_order).ok()?;
    bytes.extend_from_slice(payload);
    Some(bytes)
}

fn whole_items(_: &Finding, bytes: &[u8]) -> Option<Mended> {
    let (array, payload) = described(bytes)?;
    let slowest = if array.is_fortran_order { array.shape.len().checked_sub(1)? } else { 0 };
    let extent = *array.shape.get(slowest)?;
    let item = array.length().checked_div(extent)?;
    let whole = (payload.len() as u64).checked_div(item).filter(|&whole| whole > 0)?;
    let mut shape = array.shape.clone();
    shape[slowest] = whole;
    let mended = with_shape(&array, &shape, &payload[..(whole * item) as usize])?;
    let done = format!("the length of axis {slowest} is {whole} instead of {extent}");
    Some(Mended::new(mended, done).giving_up_items(extent.checked_sub(whole)?, extent, 0))
}

fn cut(finding: &Finding, bytes: &[u8]) -> Option<Mended> {
    Mended::cut_at(finding, bytes, "what follows the payload is cut")
}

fn plain_header(_: &Finding, bytes: &[u8]) -> Option<Mended> {
    let (array, payload) = described(bytes)?;
    Some(Mended::new(with_shape(&array, &array.shape, payload)?, "the header is written anew, with each key once"))
}
