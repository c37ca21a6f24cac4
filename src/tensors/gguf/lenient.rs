//! Headers that the reference reader accepts although they break a rule.
//!
//! That reader slices the file as Python does: the part of a string, number or list of numbers that is beyond the end of the file
//! is empty. It checks the type of the items in a list only if there are any. In effect, it reads a header with different bytes in
//! these positions.

use crate::bytes::limits::Debit;
use crate::error::Result;
use everybyte::{Endian, ParseError, Source, error::Problem};
use ndbytes_schemas::gguf::{Header, Kind};

/// The maximum number of errors in one header that are examined.
const MOST: usize = 4;

/// The maximum number of items in a list. The reader counts them one by one, even if they do not exist.
const MOST_ITEMS: u64 = 1 << 20;

/// Returns the header as the reference reader sees it, if that reader accepts a header with this error.
pub(super) fn header(bytes: &[u8], error: &ParseError, order: Endian, debit: &Debit<'_>) -> Result<Option<Header>> {
    if !is_flaw(error) {
        return Ok(None);
    }
    debit.take(bytes.len() as u64, "a copy of the header")?;
    let mut bytes = bytes.to_vec();
    let mut error = error.clone();
    for _ in 0..MOST {
        if patch(&mut bytes, &error, order).is_none() {
            return Ok(None);
        }
        match everybyte::read(Source::new(&bytes), order, ()) {
            Ok(header) => return Ok(Some(header)),
            Err(next) => error = *next,
        }
    }
    Ok(None)
}

/// Returns whether an error may be of this kind. Only the metadata can have such errors, because if it ends with the file, there
/// are no tensors.
fn is_flaw(error: &ParseError) -> bool {
    let is_of_value = [".value", ".item"].iter().any(|part| error.path.contains(part));
    error.path.starts_with("facts[") && is_of_value
}

/// Writes the bytes that the reader would use instead; `None` if it would report an error.
fn patch(bytes: &mut Vec<u8>, error: &ParseError, order: Endian) -> Option<()> {
    if !is_flaw(error) {
        return None;
    }
    let at = usize::try_from(error.offset).ok()?;
    let left = (bytes.len() as u64).checked_sub(error.offset)?;
    if matches!(error.problem, Problem::UnknownCode { .. }) {
        let is_empty = error.path.ends_with("item_kind") && bytes.get(at + 4..at + 12)? == [0; 8];
        return is_empty.then(|| bytes[at..at + 4].fill(0));
    }
    if !matches!(error.problem, Problem::End { .. } | Problem::TooMany { .. }) {
        return None;
    }
    if error.path.ends_with(".text") {
        return put(bytes, at.checked_sub(8)?, left, order);
    }
    if error.path.ends_with(".items") {
        let kind = everybyte::read::<Kind>(Source::new(bytes.get(at.checked_sub(12)?..)?), order, ()).ok()?;
        let width = kind.width()?;
        let is_taken = left.is_multiple_of(width) && number(bytes, at - 8, order)? <= MOST_ITEMS;
        return if is_taken { put(bytes, at - 8, left / width, order) } else { None };
    }
    // A number that is completely missing from the file is read as zero.
    let is_number = left == 0 && error.length <= 8 && !error.path.ends_with(".length");
    is_number.then(|| bytes.extend(&[0; 8][..error.length as usize]))
}

fn number(bytes: &[u8], at: usize, order: Endian) -> Option<u64> {
    let bytes = *bytes.get(at..)?.first_chunk()?;
    Some(match order {
        Endian::Little => u64::from_le_bytes(bytes),
        Endian::Big => u64::from_be_bytes(bytes),
    })
}

fn put(bytes: &mut [u8], at: usize, number: u64, order: Endian) -> Option<()> {
    let number = if order == Endian::Little { number.to_le_bytes() } else { number.to_be_bytes() };
    bytes.get_mut(at..at + 8)?.copy_from_slice(&number);
    Some(())
}
