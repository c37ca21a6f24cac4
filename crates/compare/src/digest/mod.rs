//! Digests of all bytes of a file, or only of its values.
//!
//! A digest is a BLAKE3 hash, truncated to 128 bits. It is infeasible to make two files, or two arrays, with the same digest.
//!
//! [`bytes`] is the digest of the bytes of the file: the output of `b3sum`, truncated. [`values`] is the digest of the content. The same
//! array has the same digest in any format, with any codec, chunks, byte order and axis order.
//!
//! # Definition
//!
//! Numbers are unsigned 64-bit integers, little-endian. A text is its length in bytes, followed by its bytes in UTF-8.
//!
//! **An array**: BLAKE3 of the text `ndbytes array 1` and the name of the item type as a text, followed by the number
//! of axes, the length of each, and the hashes of the leaves.
//!
//! * The name of a plain type is NumPy's, in little-endian order, such as `<f4`. A bit has the name of a boolean. A
//!   structure is `[('name', type), …]`, without the offsets of its fields; a subarray is `(type, extents)`.
//! * Items are in C order: the last axis varies fastest. The bytes of each item are in little-endian order. All bits count: −0.0 is
//!   not 0.0, and two NaNs differ by their payload. Padding does not count: the bytes between the fields of a structure are
//!   skipped, and the last six bytes of an x87 number are hashed as zeros. A structure with overlapping fields is hashed as stored.
//! * A leaf is the hash of consecutive items: 2^k steps along the first axis on which one step has at most 64 KiB, with
//!   the smallest k for which that is 64 KiB or more. A leaf ends at the end of the axis. If a step is larger on every
//!   axis, a leaf is one item.
//! * A chunk that a file declares uninitialised has no values. Its items count as zeros. The leaves are followed by the
//!   text `unwritten` and then, for each such chunk in order, by its first coordinate and the coordinate after its last
//!   along each axis. An array without any values is one such chunk.
//!
//! **A table**: BLAKE3 of the text `ndbytes table 1`, the number of rows, and the number of readable columns, followed
//! by each of these in file order. For a column, its name and its type as texts come first, then the number of its
//! readable annotations, each with kind, type and value, and finally the hashes of its leaves.
//!
//! * A leaf is the hash of the values of 4,096 rows.
//! * A value is a byte 0 if it is missing, otherwise a byte 1 followed by its bytes. Integers, keys and ticks take 64
//!   bits, row identifiers 128, floats their own width, booleans a byte, and offsets from UTC in minutes 16 bits. A
//!   text is as above; half a character is encoded like a character. A vector is its number of items, a byte (1 if only
//!   some of them are stored, otherwise 0), the number of stored items, their indices if only some are stored, and the
//!   stored items, each as a value.

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

/// The number of bytes that are hashed between two checks of the clock.
const PIECE: u64 = 64 << 20;

/// The same, but for a source, whose bytes are copied.
const SOURCE_PIECE: u64 = 4 << 20;

/// A 128-bit digest. It is displayed as 32 hexadecimal digits.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_compare::digest;
///
/// let of = |bytes| digest::bytes(&Input::from_slice(bytes, Limits::default()));
/// assert_eq!(of(b"abc")?.to_string(), "6437b3ac38465133ffb63b75273a8db5"); // the first half of `b3sum`
/// assert_ne!(of(b"abc")?, of(b"abd")?);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 16]);

impl Digest {
    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Parses the 32 digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number = (text.len() == 32 && text.bytes().all(is_digit)).then(|| u128::from_str_radix(text, 16).ok())?;
        number.map(|number| Digest(number.to_be_bytes()))
    }

    /// Returns the digest of some of the bytes of an input.
    pub(crate) fn of_range(input: &Input<'_>, bytes: Range<u64>) -> Result<Self> {
        let mut hasher = blake3::Hasher::new();
        update(&mut hasher, input, bytes)?;
        Ok(Digest::of(&hasher))
    }

    /// Returns the first 128 bits of a BLAKE3 hash: enough to rule out accidental collisions, and for 64 bits of
    /// security against deliberate ones.
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

/// The digest of all bytes of an input. A file is mapped, and hashed on the threads of the current rayon pool.
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
/// [`Error::Io`](ndbytes::Error::Io) if it cannot be read; [`Error::Time`](ndbytes::Error::Time) if its time limit is exceeded.
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

/// The digest of the values of a file: an array or a table.
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
/// As for [`open`](ndbytes::open), and for reading the values of a [`File`].
/// [`Error::Invalid`](ndbytes::Error::Invalid) with the rule `limit-exceeded` if the decoded items of an array exceed
/// [`Limits::output`].
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
