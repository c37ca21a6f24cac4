//! Digests: of all bytes of a file, and of its values alone.
//!
//! A digest is BLAKE3, cut to 128 bits: nobody can make two files, or two arrays, that have the same one.
//!
//! [`bytes`] is the digest of the file as it is: what `b3sum` prints, cut. [`values`] is the digest of what the file
//! says. It is the same for the same array in any format, with any codec, chunks, byte order and order of axes in
//! memory.
//!
//! # Definition
//!
//! Numbers are unsigned, little-endian, of 64 bits. A text is its length in bytes, and then its bytes in UTF-8.
//!
//! **An array**: BLAKE3 of the text `ndbytes array 1`, and the name of the item type as a text. The number of axes, the
//! length of each, and the hashes of the leaves follow.
//!
//! * The name of a plain type is NumPy's in little-endian order, such as `<f4`. A bit is a boolean. A structure is
//!   `[('name', type), …]` without the places of its fields, a subarray `(type, extents)`.
//! * Items stand in C order: the last axis varies fastest. Each item is its bytes in little-endian order. All bits count:
//!   −0.0 is not 0.0, and two NaNs differ by their payload. Bytes that are padding do not count: those between the fields of
//!   a structure, and the last six of an x87 number, which are zero. A structure whose fields overlap is taken as it is stored.
//! * A leaf is the hash of items that stand one after the other. They are 2^k steps along the first axis along which
//!   one step has at most 64 KiB. k is the least one that gives 64 KiB or more. An axis that ends, ends the leaf. If a
//!   step along every axis has more, a leaf is one item.
//! * A chunk that a file declares uninitialised has no values. Zeros stand for its items. The text `unwritten` follows
//!   the leaves. Then come, for each such chunk, its first coordinate and the one after its last along each axis.
//!   Chunks are in order. An array without any values is one such chunk.
//!
//! **A table**: BLAKE3 of the text `ndbytes table 1`, the number of rows, and the number of columns that can be read.
//! Each of these follows, in file order. A column has its name and its type as texts. The number of its annotations
//! that can be read follows, each with kind, type and value. The hashes of its leaves come last.
//!
//! * A leaf is the hash of the values of 4,096 rows.
//! * A value is a byte 0 if it is missing; else a byte 1 and its bytes. Integers, keys and ticks take 64 bits, names of
//!   rows 128, floats their own width, booleans a byte, minutes from UTC 16 bits. A text is as above; half a character
//!   is encoded as if it were one. A vector is its number of items. A byte 1 if only some of them are stored, else 0.
//!   The number of stored items follows, the place of each, if only some are stored, and these items, each a value.

mod array;
mod canonical;
mod leaves;
pub(crate) mod table;

pub(crate) use array::noted;
pub use array::{of_array, unwritten_items};
pub(crate) use canonical::size as item_size;
pub(crate) use leaves::Leaves;
use ndbytes::internals::Debit;
use ndbytes::{File, Input, Limits, Options, Result, threads};
use std::fmt;
use std::ops::Range;
pub use table::of_table;

/// Bytes that are hashed between two looks at the clock.
const PIECE: u64 = 64 << 20;

/// The same for a source, whose bytes are copied.
const SOURCE_PIECE: u64 = 4 << 20;

/// A digest of 128 bits. It is displayed as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 16]);

impl Digest {
    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Reads the 32 digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number = (text.len() == 32 && text.bytes().all(is_digit)).then(|| u128::from_str_radix(text, 16).ok())?;
        number.map(|number| Digest(number.to_be_bytes()))
    }

    /// The digest of some of the bytes of an input.
    pub(crate) fn of_range(input: &Input<'_>, bytes: Range<u64>) -> Result<Self> {
        let mut hasher = blake3::Hasher::new();
        update(&mut hasher, input, bytes)?;
        Ok(Digest::of(&hasher))
    }

    pub(crate) fn of(hasher: &blake3::Hasher) -> Self {
        Digest(*hasher.finalize().as_bytes().first_chunk().expect("a hash is longer"))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// The digest of all bytes of an input. A file is mapped, and hashed in the threads of the current rayon pool.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_compare::digest;
///
/// let digest = digest::bytes(&Input::from_slice(b"", Limits::default()))?;
/// assert_eq!(digest.to_string(), "af1349b9f5f9a1a6a0404dea36dcc949");
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`](ndbytes::Error::Io) if it cannot be read, [`Error::Time`](ndbytes::Error::Time) if the time of its limits is over.
pub fn bytes(input: &Input<'_>) -> Result<Digest> {
    Digest::of_range(input, 0..input.length())
}

/// Adds bytes of an input.
pub(crate) fn update(hasher: &mut blake3::Hasher, input: &Input<'_>, bytes: Range<u64>) -> Result<()> {
    let piece = if input.is_source() { SOURCE_PIECE } else { PIECE };
    threads::ready();
    let mut start = bytes.start;
    while start < bytes.end {
        input.budget().ensure_time()?;
        let end = bytes.end.min(start + piece);
        hasher.update_rayon(&input.seen(start..end, &Debit::new(input.budget()))?);
        start = end;
    }
    Ok(())
}

/// The digest of the values of a file: an array, or a table.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_compare::digest;
///
/// let limits = Limits::default();
/// let of = |file: &[u8]| digest::values(&Input::from_slice(file, limits), &limits);
/// let idx = [0, 0, 11, 1, 0, 0, 0, 2, 0, 7, 0, 8];
/// let npy = b"\x93NUMPY\x01\0\x46\0{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }            \n\x07\0\x08\0";
/// assert_eq!(of(&idx)?, of(npy)?);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// As for [`open`](ndbytes::open) and [`File`]'s values. [`Error::Invalid`](ndbytes::Error::Invalid) with the rule
/// `limit-exceeded` if the decoded items of an array take more than [`Limits::output`].
pub fn values(input: &Input<'_>, limits: &Limits) -> Result<Digest> {
    match Options::new().limits(*limits).read(input.again(*limits)?)? {
        File::Array(array) => of_array(&array, limits),
        File::Table(table) => of_table(&table),
    }
}

/// Adds a number.
fn number(hasher: &mut blake3::Hasher, number: u64) {
    hasher.update(&number.to_le_bytes());
}

/// Adds a text.
fn text(hasher: &mut blake3::Hasher, text: &[u8]) {
    number(hasher, text.len() as u64);
    hasher.update(text);
}
