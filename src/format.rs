//! Which format a file is of, told by its content.

use crate::{b2nd, foreign};
use ndbytes_schemas::{idv, idx::ElementType, rawarray};
use std::fmt;

/// A format that ndbytes reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// IDX, the format of the MNIST files; also inside gzip.
    Idx,
    /// RawArray (`.ra`).
    RawArray,
    /// IDV, ML.NET's binary dataview (`.idv`).
    Idv,
    /// b2nd, Blosc2's n-dimensional array (`.b2nd`).
    B2nd,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] = [Format::Idx, Format::RawArray, Format::Idv, Format::B2nd];

    /// The reader whose verdicts the profile `reference` follows.
    pub fn reference_reader(self) -> &'static str {
        match self {
            Format::Idx => "idx2numpy 1.2.3",
            Format::RawArray => "the crate rawarray 0.1.4",
            Format::Idv => "ML.NET 1.5",
            Format::B2nd => "python-blosc2 4.14",
        }
    }

    /// The name that people use.
    pub fn title(self) -> &'static str {
        match self {
            Format::Idx => "IDX",
            Format::RawArray => "RawArray",
            Format::Idv => "IDV",
            Format::B2nd => "b2nd",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Idx => "idx",
            Format::RawArray => "rawarray",
            Format::Idv => "idv",
            Format::B2nd => "b2nd",
        })
    }
}

/// The format of a file that begins with `head` and has `length` bytes in all. Gzip is looked through by whoever
/// inflates it, not here.
///
/// A file that only nearly has a format's signature counts as one of that format, so that its check can say what is
/// broken: six of the eight bytes of RawArray's, IDV's or Blosc2's magic, or an IDX header whose first two bytes are
/// wrong but whose claims fit the length exactly.
pub fn detect(head: &[u8], length: u64) -> Option<Format> {
    if let Some(magic) = head.first_chunk::<8>() {
        let agrees = |order: &[u8; 8]| magic.iter().zip(order).filter(|(one, other)| one == other).count() >= 6;
        let reversed = {
            let mut magic = rawarray::MAGIC;
            magic.reverse();
            magic
        };
        if agrees(&rawarray::MAGIC) || agrees(&reversed) {
            return Some(Format::RawArray);
        }
        if agrees(&idv::MAGIC) {
            return Some(Format::Idv);
        }
    }
    if b2nd::is_frame(head) {
        return Some(Format::B2nd);
    }
    match head {
        [0, 0, ..] if !foreign::is_ancient_rawarray(head) => Some(Format::Idx),
        _ if little_endian_idx(head) || prefixed_idx(head, length) => Some(Format::Idx),
        _ => None,
    }
}

/// Whether this is an IDX header with every word reversed: `nn tt 00 00`.
pub(crate) fn little_endian_idx(head: &[u8]) -> bool {
    let &[ndim, code, 0, 0, ..] = head else { return false };
    ndim > 0 && element_type(code).is_some() && head.len() >= 4 + 4 * usize::from(ndim)
}

/// Whether everything but the first two bytes is IDX, to the byte.
fn prefixed_idx(head: &[u8], length: u64) -> bool {
    let [_, _, code, ndim, rest @ ..] = head else { return false };
    let (Some(element_type), words) = (element_type(*code), rest.as_chunks::<4>().0) else { return false };
    let ndim = usize::from(*ndim);
    let Some(dims) = words.get(..ndim) else { return false };
    let dims: Vec<u32> = dims.iter().map(|word| u32::from_be_bytes(*word)).collect();
    let payload = ndbytes_schemas::idx::payload_length(element_type, &dims);
    ndim > 0 && length.checked_sub(4 + 4 * ndim as u64) == Some(payload)
}

fn element_type(code: u8) -> Option<ElementType> {
    ElementType::ALL.iter().copied().find(|element_type| element_type.code() == code)
}
