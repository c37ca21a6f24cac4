//! Repairs `.npy` files.

use super::{Attempt, Mend, Mended, TELLING, transport};
use crate::arrays::npy::{header, literal};
use crate::findings::finding::Finding;
use crate::findings::words::bytes as count_of_bytes;
use crate::npy::judge::{Array, fitting_shape, judge_header, read_leniently, tuple};
use crate::npy::rules;
use crate::types::dtype::ElementKind;
use crate::types::item_type::ItemType;
use binrw::args;
use everybyte::{Endian, Source, read};
use ndbytes_schemas::npy::Npy;

pub(super) const MENDS: &[Mend] = &[
    Mend {
        rule: &rules::TRUNCATED_PAYLOAD,
        doc: "The whole items along the slowest-varying axis are kept, and its length becomes their number, unless another type \
              fits the file exactly.",
        mend: whole_items,
    },
    Mend {
        rule: &rules::TRAILING_BYTES,
        doc: "If whole rows of 9 bytes or more follow, or the slowest-varying axis has length 0, its length is increased. A \
              partial row is removed, other bytes only with `--drop`. If another type fits the file exactly, nothing is \
              changed.",
        mend: counted_rows,
    },
    Mend {
        rule: &rules::DUPLICATE_KEY,
        doc: "The header is rewritten with the last value of each key, as NumPy reads it.",
        mend: plain_header,
    },
    Mend { rule: &rules::SYNTAX, doc: SPELLINGS, mend: usual_spelling },
    Mend { rule: &rules::KEYS, doc: SPELLINGS, mend: usual_spelling },
    Mend { rule: &rules::FORTRAN_ORDER, doc: SPELLINGS, mend: usual_spelling },
    Mend { rule: &rules::SHAPE, doc: SPELLINGS, mend: usual_spelling },
    Mend { rule: &rules::DESCR, doc: SPELLINGS, mend: usual_spelling },
    Mend { rule: &rules::SUBARRAY, doc: SPELLINGS, mend: usual_spelling },
];

const SPELLINGS: &str = "Spellings that NumPy does not load, though what they mean is plain, are written as NumPy writes them, if the file \
                         then fits exactly: `np.int64(3)`, JSON, metadata of fields, a list or a number as the shape, 0 or 1 as \
                         `fortran_order`, a key more, zero bytes as padding, a subarray as the type of all items, names of ml_dtypes.";

const OTHERS: &str = "what follows the first array, whose successor has the address `FILE!1`,";

/// The possible sizes of numbers in bytes.
const SIZES: [u64; 5] = [1, 2, 4, 8, 16];

/// Returns the array that a header describes, and everything after the header.
fn described(bytes: &[u8]) -> Option<(Array, &[u8])> {
    let npy = header_of(bytes)?;
    let array = judge_header(&npy).array?;
    Some((array, bytes.get(usize::try_from(npy.payload.offset).ok()?..)?))
}

fn header_of(bytes: &[u8]) -> Option<Npy> {
    read::<Npy>(Source::new(bytes), Endian::Little, args! { elements: u64::MAX }).ok()
}

fn with_shape(array: &Array, shape: &[u64], payload: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = header(&literal(&array.item_type).ok()?, shape, array.is_fortran_order).ok()?;
    bytes.extend_from_slice(payload);
    Some(bytes)
}

/// Refuses to change the number of items if there are signs of another error.
fn refused(array: &Array, bytes: &[u8], payload: &[u8]) -> Option<Attempt> {
    // If the padding of the header does not end with a newline, the elements may begin elsewhere.
    if !header_of(bytes)?.header.text().ends_with(b"\n") {
        return Some(Attempt::refused("the header does not end with a newline: its length may be wrong"));
    }
    let missing = array.length().saturating_sub(payload.len() as u64);
    transport::altered(bytes, payload, missing).or_else(|| other_size(array, payload).map(Attempt::Refused))
}

/// Describes another item size for which the length of the file would be exactly right.
fn other_size(array: &Array, payload: &[u8]) -> Option<String> {
    let ItemType::Plain(dtype) = array.item_type else { return None };
    let (own, size) = (dtype.kind.size(), (payload.len() as u64).checked_div(array.count).filter(|&size| size > 0)?);
    let is_any = matches!(dtype.kind, ElementKind::Bytes(_) | ElementKind::Str(_) | ElementKind::Record(_));
    if size * array.count != payload.len() as u64 || !(is_any || SIZES.contains(&size)) {
        return None;
    }
    // Integers are small when read with the right size, but large when read with another one.
    let large = |size| large_integers(payload, size, dtype.endian);
    if size > own && is_integer(dtype.kind) && large(own) == 0 && large(size) * 2 > array.count {
        return None;
    }
    let text = tuple(&array.shape);
    Some(format!("with items of {size} bytes the file fits exactly as {text}: the type or the shape is wrong"))
}

fn is_integer(kind: ElementKind) -> bool {
    use ElementKind::{I16, I32, I64, U16, U32, U64};
    matches!(kind, I16 | I32 | I64 | U16 | U32 | U64)
}

/// Returns how many integers of a given size have a nonzero upper half.
fn large_integers(payload: &[u8], size: u64, order: Endian) -> u64 {
    let is_large = |item: &&[u8]| {
        let (first, second) = item.split_at(item.len() / 2);
        let (upper, sign) = match order {
            Endian::Little => (second, first.last()),
            Endian::Big => (first, second.first()),
        };
        let fill = if sign.is_some_and(|byte| byte & 0x80 > 0) { 0xFF } else { 0 };
        upper.iter().any(|&byte| byte != 0) && upper.iter().any(|&byte| byte != fill)
    };
    payload.chunks_exact(size as usize).filter(is_large).count() as u64
}

/// Returns the file without another file's header in front of it, if the rest is complete.
fn after_other_header(array: &Array, payload: &[u8]) -> Option<Attempt> {
    let (own, rest) = described(payload).filter(|_| array.count > 0)?;
    let done = "the header before the file is cut: it is that of another file";
    (own.length() == rest.len() as u64).then(|| Mended::new(payload.to_vec(), done).into())
}

fn whole_items(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let (array, payload) = described(bytes)?;
    if let Some(attempt) = after_other_header(&array, payload) {
        return Some(attempt);
    }
    if let Some(refused) = refused(&array, bytes, payload) {
        return Some(refused);
    }
    let (slowest, item) = (array.slowest_axis()?, array.row()?);
    let extent = *array.shape.get(slowest)?;
    let whole = (payload.len() as u64).checked_div(item).filter(|&whole| whole > 0)?;
    let mut shape = array.shape.clone();
    shape[slowest] = whole;
    let mended = with_shape(&array, &shape, &payload[..(whole * item) as usize])?;
    let done = format!("the length of axis {slowest} is {whole} instead of {extent}");
    Some(Mended::new(mended, done).giving_up_items(extent.checked_sub(whole)?, extent, 0).into())
}

fn counted_rows(finding: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let (array, payload) = described(bytes)?;
    if let Some(attempt) = after_other_header(&array, payload) {
        return Some(attempt);
    }
    let row = array.row();
    let next = payload.get(usize::try_from(array.length()).ok()?..)?;
    let is_another = next.starts_with(&Npy::MAGIC);
    if let Some(refused) = refused(&array, bytes, payload).filter(|_| !is_another) {
        return Some(refused);
    }
    let counts = |row: u64| row >= TELLING || array.count == 0;
    let shape = fitting_shape(&array, payload.len() as u64).filter(|_| row.is_some_and(counts) && !is_another);
    match (shape, array.slowest_axis()) {
        (Some(shape), Some(slowest)) => {
            let (new, old) = (shape[slowest], array.shape[slowest]);
            let done = format!(
                "the length of axis {slowest} is {new} instead of {old}: as {} the file fits exactly",
                tuple(&shape)
            );
            Some(Mended::new(with_shape(&array, &shape, payload)?, done).into())
        }
        _ => {
            let what = if is_another { OTHERS } else { "what follows the payload" };
            Some(Mended::cut(bytes, finding.offset, row.unwrap_or_default(), what)?.into())
        }
    }
}

fn plain_header(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let (array, payload) = described(bytes)?;
    let mended = with_shape(&array, &array.shape, payload)?;
    Some(Mended::new(mended, "the header is rewritten, with each key once").into())
}

fn usual_spelling(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let npy = header_of(bytes)?;
    let (array, spellings) = read_leniently(&npy)?;
    let payload = bytes.get(usize::try_from(npy.payload.offset).ok()?..)?;
    let shape = tuple(&array.shape);
    if array.length() != payload.len() as u64 {
        let (needed, present) = (count_of_bytes(array.length()), count_of_bytes(payload.len() as u64));
        let reason = format!("{spellings}: read as {shape}, the items take {needed}, but {present} follow");
        return Some(Attempt::refused(reason));
    }
    let done = format!("the header is written as NumPy writes it ({spellings}): as {shape} the file fits exactly");
    Some(Mended::new(with_shape(&array, &array.shape, payload)?, done).into())
}
