//! The facts about a format that everything stands on: its names, and how its files are known.

use super::form::Form;

/// The facts about a format.
pub struct Facts {
    /// Its name in options and in the ids of its rules.
    pub name: &'static str,
    /// The name that people use, and its article.
    pub title: &'static str,
    pub article: &'static str,
    /// The reader whose verdicts the profile `reference` follows, with its version.
    pub reference_reader: &'static str,
    /// The names of its files, the usual one first.
    pub forms: &'static [Form],
    /// How its files are known by their first bytes.
    pub signature: Signature,
    /// True if the order of bytes follows from the file.
    pub states_byte_order: bool,
    /// True if the payload is one run of bytes, which has no fields.
    pub is_in_one_piece: bool,
    /// True if its files are inside gzip under names without `.gz`, too.
    pub is_often_gzipped: bool,
    /// The name of the spaces of a map beside that of the file; `None` if there are none.
    pub inner_space: Option<&'static str>,
}

/// How files of a format are known by their first bytes. Magics are asked for before likenesses.
#[derive(Clone, Copy)]
pub enum Signature {
    /// By a magic, which may have wrong bytes.
    Magic(fn(&[u8]) -> bool),
    /// By a header that fits the length of the file.
    Likeness {
        /// Returns whether the file may be one of the format.
        fits: fn(&[u8], u64) -> bool,
        /// Returns whether the header declares the length of the file to the byte.
        is_exact: fn(&[u8], u64) -> bool,
    },
}

/// Returns whether six of the eight bytes of a magic are right.
pub fn is_nearly(head: &[u8], magic: &[u8; 8]) -> bool {
    head.len() >= magic.len() && right_bytes(head, magic) >= 6
}

/// The number of bytes of a magic that are right.
pub fn right_bytes(head: &[u8], magic: &[u8]) -> usize {
    head.iter().zip(magic).filter(|(one, other)| one == other).count()
}
