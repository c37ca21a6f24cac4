//! Formats, and their detection by content.

pub mod excerpt;
pub mod foreign;
pub mod info;
pub mod names;

use everybyte::{BinRead, Endian, Problem, Source, read};
use ndbytes_schemas::blosc2::Magic;
use ndbytes_schemas::idx::{ElementType, Idx};
use ndbytes_schemas::npy::Npy;
use ndbytes_schemas::rawarray::RawArray;
use ndbytes_schemas::{gzip, idv, zip};
use std::fmt;

/// A format that ndbytes reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// IDX, the format of the MNIST files.
    Idx,
    /// RawArray (`.ra`).
    RawArray,
    /// IDV, ML.NET's binary dataview (`.idv`).
    Idv,
    /// b2nd, Blosc2's n-dimensional array (`.b2nd`).
    B2nd,
    /// NumPy's `.npy`.
    Npy,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Idx, Format::RawArray, Format::Idv, Format::B2nd, Format::Npy];

    /// The reader whose verdicts the profile `reference` follows.
    pub fn reference_reader(self) -> &'static str {
        match self {
            Format::Idx => "idx2numpy 1.2.3",
            Format::RawArray => "the crate rawarray 0.1.4",
            Format::Idv => "ML.NET 1.5",
            Format::B2nd => "python-blosc2 4.14",
            Format::Npy => "NumPy 2.4",
        }
    }

    /// The name that people use, with its article.
    pub(crate) fn with_article(self) -> String {
        let article = if matches!(self, Format::Idx | Format::Idv | Format::Npy) { "an" } else { "a" };
        format!("{article} {}", self.title())
    }

    /// The name of the format in options and in the ids of its rules.
    pub fn name(self) -> &'static str {
        match self {
            Format::Idx => "idx",
            Format::RawArray => "rawarray",
            Format::Idv => "idv",
            Format::B2nd => "b2nd",
            Format::Npy => "npy",
        }
    }

    /// The name that people use.
    pub fn title(self) -> &'static str {
        match self {
            Format::Idx => "IDX",
            Format::RawArray => "RawArray",
            Format::Idv => "IDV",
            Format::B2nd => "b2nd",
            Format::Npy => ".npy",
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
/// broken. Six of the eight bytes of RawArray's, IDV's or Blosc2's magic are enough, and five of the six of NumPy's. An
/// IDX header may have wrong first two bytes or a wrong element type if its claims fit the length exactly. Many files
/// that are not IDX begin with two zeros.
pub fn detect(head: &[u8], length: u64) -> Option<Format> {
    if [Endian::Little, Endian::Big].into_iter().any(|order| is_nearly(head, &RawArray::magic(order))) {
        return Some(Format::RawArray);
    }
    if is_nearly(head, &idv::Header::MAGIC) {
        return Some(Format::Idv);
    }
    if is_frame(head) {
        return Some(Format::B2nd);
    }
    if right_bytes(head, &Npy::MAGIC) + 1 >= Npy::MAGIC.len() {
        return Some(Format::Npy);
    }
    let is_idx = match begins_like_idx(head) {
        true => !foreign::is_ancient_rawarray(head) && (!has_unknown_type(head, length) || untyped_idx(head, length)),
        false => little_endian_idx(head).is_some() || prefixed_idx(head, length),
    };
    is_idx.then_some(Format::Idx)
}

/// Returns whether six of the eight bytes of a magic are right.
fn is_nearly(head: &[u8], magic: &[u8; 8]) -> bool {
    head.len() >= magic.len() && right_bytes(head, magic) >= 6
}

/// The number of bytes of a magic that are right.
fn right_bytes(head: &[u8], magic: &[u8]) -> usize {
    head.iter().zip(magic).filter(|(one, other)| one == other).count()
}

/// Says whether a file that begins with `head` is compressed with gzip.
pub fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(&gzip::Header::MAGIC)
}

/// Returns whether a file begins as a zip archive does; one without entries begins with its end record.
pub fn is_zip(head: &[u8]) -> bool {
    head.starts_with(&zip::LocalHeader::MAGIC) || head.starts_with(&zip::EndRecord::MAGIC)
}

/// Returns whether a file begins as a frame of Blosc2 does, or nearly so.
pub(crate) fn is_frame(head: &[u8]) -> bool {
    head.get(Magic::TEXT_OFFSET as usize..).is_some_and(|text| is_nearly(text, &Magic::TEXT))
}

/// Returns whether a file begins with the zeros of IDX.
pub(crate) fn begins_like_idx(head: &[u8]) -> bool {
    head.starts_with(&[0; 2])
}

/// The length of the header, if it is one of IDX with every word reversed: `nn tt 00 00`.
pub(crate) fn little_endian_idx(head: &[u8]) -> Option<usize> {
    let mut bytes = head[..head.len().min(Idx::LONGEST_HEADER)].to_vec();
    reverse_words(&mut bytes);
    let header = idx(&bytes, u64::MAX)?;
    (header.zero.are_zero() && !header.dims.is_empty()).then_some(header.payload.offset as usize)
}

/// Reverses the words of an IDX header.
pub(crate) fn reverse_words(header: &mut [u8]) {
    header.as_chunks_mut::<{ size_of::<u32>() }>().0.iter_mut().for_each(|word| word.reverse());
}

/// Returns whether this is an IDX header, with any first three bytes, followed by as many elements as it declares.
pub(crate) fn is_exact_idx(head: &[u8], length: u64) -> bool {
    prefixed_idx(head, length) || begins_like_idx(head) && untyped_idx(head, length)
}

/// Returns whether everything but the first two bytes is IDX, to the byte.
fn prefixed_idx(head: &[u8], length: u64) -> bool {
    idx(head, length).is_some_and(|header| !header.dims.is_empty() && fits(&header, length))
}

/// Returns whether everything but the element type is IDX, to the byte, and holds elements of some type. Writers that leave
/// the type out may leave the number of axes out too: then there is one axis.
fn untyped_idx(head: &[u8], length: u64) -> bool {
    let head = &head[..head.len().min(Idx::LONGEST_HEADER)];
    let is_of = |element_type: ElementType| {
        let typed = with_byte(head, Idx::TYPE_OFFSET, element_type.code())?;
        let header = match idx(&typed, length)? {
            header if header.dims.is_empty() => idx(&with_byte(&typed, Idx::NDIM_OFFSET, 1)?, length)?,
            header => header,
        };
        Some(header.payload.length > 0 && fits(&header, length))
    };
    ElementType::ALL.iter().any(|&element_type| is_of(element_type) == Some(true))
}

/// The same header with another byte at an offset.
fn with_byte(head: &[u8], offset: usize, byte: u8) -> Option<Vec<u8>> {
    let mut bytes = head.to_vec();
    *bytes.get_mut(offset)? = byte;
    Some(bytes)
}

/// An IDX header, if the layout can be read.
fn idx(head: &[u8], length: u64) -> Option<Idx> {
    Idx::read_options(&mut Source::prefix(head, length), Endian::Big, ()).ok()
}

/// Returns whether the elements that a header declares end where the file does.
fn fits(header: &Idx, length: u64) -> bool {
    header.payload.offset.checked_add(header.payload.length) == Some(length)
}

/// Returns whether the element type of an IDX header is not defined.
fn has_unknown_type(head: &[u8], length: u64) -> bool {
    let header = read::<Idx>(Source::prefix(head, length), Endian::Big, ());
    matches!(header, Err(error) if matches!(error.problem, Problem::UnknownCode { .. }))
}
