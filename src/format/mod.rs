//! Formats, and their detection by content.

pub mod foreign;
pub mod info;

use ndbytes_schemas::blosc2::{MAGIC, MAGIC_OFFSET};
use ndbytes_schemas::idx::ElementType;
use ndbytes_schemas::{idv, rawarray};
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

    /// The name that people use, with its article.
    pub(crate) fn with_article(self) -> String {
        let article = if matches!(self, Format::Idx | Format::Idv) { "an" } else { "a" };
        format!("{article} {}", self.title())
    }

    /// The name of the format's feature, and of its rules.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Idx => "idx",
            Format::RawArray => "rawarray",
            Format::Idv => "idv",
            Format::B2nd => "b2nd",
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
        f.write_str(self.name())
    }
}

/// The format of a file that begins with `head` and has `length` bytes in all. Gzip is not inflated here.
///
/// A file that only nearly has a format's signature counts as one of that format, so that its check can name what is
/// broken: six of the eight bytes of RawArray's, IDV's or Blosc2's magic, or an IDX header whose first two bytes or whose
/// element type are wrong but whose claims fit the length exactly. Many files that are not IDX begin with two zeros.
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
    if is_frame(head) {
        return Some(Format::B2nd);
    }
    match head {
        [0, 0, rest @ ..] if !foreign::is_ancient_rawarray(head) => {
            let is_idx = rest.first().is_none_or(|&code| element_type(code).is_some()) || untyped_idx(head, length);
            is_idx.then_some(Format::Idx)
        }
        _ if little_endian_idx(head) || prefixed_idx(head, length) => Some(Format::Idx),
        _ => None,
    }
}

/// Says whether a file that begins with `head` is compressed with gzip.
pub fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(b"\x1f\x8b")
}

/// Returns whether a file begins as a zip archive does.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

/// Returns whether a file begins as a frame of Blosc2 does, or nearly so.
pub(crate) fn is_frame(head: &[u8]) -> bool {
    let Some(magic) = head.get(MAGIC_OFFSET..MAGIC_OFFSET + MAGIC.len()) else { return false };
    magic.iter().zip(MAGIC).filter(|&(&one, other)| one == other).count() >= 6
}

/// Returns whether this is an IDX header with every word reversed: `nn tt 00 00`.
pub(crate) fn little_endian_idx(head: &[u8]) -> bool {
    let &[ndim, code, 0, 0, ..] = head else { return false };
    ndim > 0 && element_type(code).is_some() && head.len() >= 4 + 4 * usize::from(ndim)
}

/// Returns whether this is an IDX header, with any first three bytes, followed by as many elements as it declares.
#[cfg(feature = "zip")]
pub(crate) fn is_exact_idx(head: &[u8], length: u64) -> bool {
    prefixed_idx(head, length) || head.starts_with(&[0, 0]) && untyped_idx(head, length)
}

/// Returns whether everything but the first two bytes is IDX, to the byte.
fn prefixed_idx(head: &[u8], length: u64) -> bool {
    let [_, _, code, ndim, ..] = *head else { return false };
    ndim > 0 && element_type(code).is_some_and(|element_type| idx_fits(element_type, ndim, head, length))
}

/// Returns whether everything but the element type is IDX, to the byte, and holds elements of some type. Writers that leave
/// the type out may leave the number of axes out too: then there is one axis.
fn untyped_idx(head: &[u8], length: u64) -> bool {
    let Some(ndim) = head.get(3).map(|&ndim| ndim.max(1)) else { return false };
    let is_empty = length == 4 + 4 * u64::from(ndim);
    !is_empty && ElementType::ALL.iter().any(|&element_type| idx_fits(element_type, ndim, head, length))
}

/// Returns whether `ndim` dims follow the first four bytes, and then as many elements as they declare, to the end.
fn idx_fits(element_type: ElementType, ndim: u8, head: &[u8], length: u64) -> bool {
    let words = head.get(4..).unwrap_or_default().as_chunks::<4>().0;
    let Some(dims) = words.get(..usize::from(ndim)) else { return false };
    let dims: Vec<u32> = dims.iter().map(|word| u32::from_be_bytes(*word)).collect();
    let payload = ndbytes_schemas::idx::payload_length(element_type, &dims);
    length.checked_sub(4 + 4 * u64::from(ndim)) == Some(payload)
}

fn element_type(code: u8) -> Option<ElementType> {
    ElementType::ALL.iter().copied().find(|element_type| element_type.code() == code)
}
