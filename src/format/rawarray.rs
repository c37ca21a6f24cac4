//! The facts about RawArray.

use super::facts::{Facts, Signature, is_nearly};
use super::form::{Form, Holds};
use everybyte::Endian;
use ndbytes_schemas::rawarray::RawArray;

pub(super) const FACTS: Facts = Facts {
    name: "rawarray",
    title: "RawArray",
    article: "a",
    reference_reader: "the crate rawarray 0.1.4",
    forms: &[Form::shared("ra", Holds::File)],
    signature: Signature::Magic(has_magic),
    states_byte_order: true,
    is_in_one_piece: true,
    is_often_gzipped: false,
    inner_space: None,
};

/// Returns whether a file begins exactly or nearly with the magic in either byte order.
fn has_magic(head: &[u8]) -> bool {
    [Endian::Little, Endian::Big].into_iter().any(|order| is_nearly(head, &RawArray::magic(order)))
}

/// Checks whether flags, eltype, elbyte, size and ndims at the beginning of a file all have plausible values.
pub(crate) fn is_ancient(head: &[u8]) -> bool {
    let Some(words) = head.as_chunks::<8>().0.first_chunk::<5>() else { return false };
    let [flags, eltype, elbyte, size, ndims] = words.map(u64::from_le_bytes);
    flags <= 1
        && eltype <= 5
        && (1..=16).contains(&elbyte)
        && size > 0
        && size % elbyte == 0
        && (1..=16).contains(&ndims)
}
