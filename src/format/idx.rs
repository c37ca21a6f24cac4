//! The facts about IDX, and the ways in which its header may be broken.

use super::facts::{Facts, Signature};
use super::form::{Form, Holds};
use super::names::Name;
use super::rawarray;
use everybyte::{BinRead, Endian, Source, error::Problem, read};
use ndbytes_schemas::idx::{ElementType, Idx};
use std::path::Path;

/// The words for the element types in file names, in the order of [`ElementType::ALL`].
const WORDS: [&str; 6] = ["ubyte", "byte", "short", "int", "float", "double"];

/// Returns the number of axes and the element type that a file name states, with the word for the type.
pub(crate) fn stated_by_name(path: &Path) -> Option<(u8, ElementType, &'static str)> {
    let (axes, place) = Name::axes_of(path)?;
    Some((axes, *ElementType::ALL.get(place)?, WORDS[place]))
}

/// Returns the word for an element type in file names.
pub(crate) fn word_of(element_type: ElementType) -> &'static str {
    let place = ElementType::ALL.iter().position(|known| *known == element_type);
    place.map_or("", |place| WORDS[place])
}

pub(super) const FACTS: Facts = Facts {
    name: "idx",
    title: "IDX",
    article: "an",
    reference_reader: "idx2numpy 1.2.3",
    forms: &[Form::shared("idx", Holds::File), Form::axes(&WORDS, Holds::File)],
    signature: Signature::Likeness { fits: is_alike, is_exact },
    states_byte_order: false,
    is_in_one_piece: true,
    is_often_gzipped: true,
    inner_space: None,
};

/// Returns whether a file may be IDX, perhaps with a broken header.
fn is_alike(head: &[u8], length: u64) -> bool {
    match begins_like_idx(head) {
        true => !rawarray::is_ancient(head) && (!has_unknown_type(head, length) || untyped_idx(head, length)),
        false => little_endian_idx(head).is_some() || prefixed_idx(head, length),
    }
}

/// Returns whether a file begins with the zeros of IDX.
pub(crate) fn begins_like_idx(head: &[u8]) -> bool {
    head.starts_with(&[0; 2])
}

/// Returns the length of the header if it is an IDX header with every word reversed: `nn tt 00 00`.
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

/// Returns whether this is an IDX header, regardless of its first three bytes, followed by as many elements as it declares.
fn is_exact(head: &[u8], length: u64) -> bool {
    prefixed_idx(head, length) || begins_like_idx(head) && untyped_idx(head, length)
}

/// Returns whether this is exactly an IDX file, except for the first two bytes.
fn prefixed_idx(head: &[u8], length: u64) -> bool {
    idx(head, length).is_some_and(|header| !header.dims.is_empty() && fits(&header, length))
}

/// Returns whether this is exactly an IDX file with elements of some type, except for the element type in the header. Writers that
/// leave out the type may also leave out the number of axes, in which case there is one axis.
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

/// Returns the same header with a different byte at an offset.
fn with_byte(head: &[u8], offset: usize, byte: u8) -> Option<Vec<u8>> {
    let mut bytes = head.to_vec();
    *bytes.get_mut(offset)? = byte;
    Some(bytes)
}

/// Returns an IDX header, if the layout can be read.
fn idx(head: &[u8], length: u64) -> Option<Idx> {
    Idx::read_options(&mut Source::prefix(head, length), Endian::Big, ()).ok()
}

/// Returns whether the elements that a header declares end exactly at the end of the file.
fn fits(header: &Idx, length: u64) -> bool {
    header.payload.offset.checked_add(header.payload.length) == Some(length)
}

/// Returns whether the element type of an IDX header is not defined.
fn has_unknown_type(head: &[u8], length: u64) -> bool {
    let header = read::<Idx>(Source::prefix(head, length), Endian::Big, ());
    matches!(header, Err(error) if matches!(error.problem, Problem::UnknownCode { .. }))
}
