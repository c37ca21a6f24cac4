//! The facts about a format: its names, and how its files are recognised.

use super::form::Form;

/// The facts about a format.
pub struct Facts {
    /// The name in options and rule identifiers.
    pub name: &'static str,
    /// The display name and its article.
    pub title: &'static str,
    pub article: &'static str,
    /// The reader that the `reference` profile predicts, with its version.
    pub reference_reader: &'static str,
    /// The forms of its file names, starting with the usual one.
    pub forms: &'static [Form],
    /// How its files are recognised by their first bytes.
    pub signature: Signature,
    /// True if the file determines the byte order.
    pub states_byte_order: bool,
    /// True if the payload is a single run of bytes that has no fields.
    pub is_in_one_piece: bool,
    /// True if its files are often compressed with gzip without having `.gz` in their names.
    pub is_often_gzipped: bool,
    /// The name of the decompressed spaces in a map; `None` if the format has no such spaces.
    pub inner_space: Option<&'static str>,
}

/// How files of a format are recognised by their first bytes. Magics are checked before likenesses.
#[derive(Clone, Copy)]
pub enum Signature {
    /// A magic, in which some bytes may be wrong.
    Magic(fn(&[u8]) -> bool),
    /// A header that fits the length of the file.
    Likeness {
        /// Returns whether the file may be in the format.
        fits: fn(&[u8], u64) -> bool,
        /// Returns whether the header declares the exact length of the file.
        is_exact: fn(&[u8], u64) -> bool,
    },
}

/// Returns whether at least six of the eight bytes of a magic are correct.
pub fn is_nearly(head: &[u8], magic: &[u8; 8]) -> bool {
    // Because the length is fixed, the compiler compares all bytes at once.
    head.first_chunk::<8>().is_some_and(|head| right_bytes(head, magic) >= 6)
}

/// The number of bytes of a magic that are correct.
#[inline]
pub fn right_bytes(head: &[u8], magic: &[u8]) -> usize {
    head.iter().zip(magic).filter(|(one, other)| one == other).count()
}
