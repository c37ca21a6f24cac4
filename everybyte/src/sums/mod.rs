//! Checksums by name, for `#[layout(check_of = …, sum = …)]`. Any function of bytes that returns an unsigned integer or a `[u8; N]` can be
//! used. The feature `hashes` adds MD5 and the SHA family.
//!
//! The CRCs are named as in Greg Cook's catalogue of parametrised CRC algorithms, if they are listed there.
//!
//! ```
//! use everybyte::sums::{adler32, crc32};
//!
//! assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
//! assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
//! ```

mod added;
mod crc;
#[cfg(feature = "hashes")]
mod hashes;
mod summed;

pub use added::{adler32, fletcher16, internet, sum8, sum16, sum32, words32, xor8};
pub use crc::{crc8, crc16_arc, crc16_ibm_3740, crc16_umts, crc16_umts_after, crc16_xmodem};
pub use crc::{crc32, crc32_bzip2, crc32c, crc64_xz};
#[cfg(feature = "hashes")]
pub use hashes::{md5, sha1, sha256, sha512};
pub use summed::Summed;
#[cfg(feature = "forge")]
pub(crate) use summed::is_stated;

use crate::error::amount;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A checksum: its name and the function that computes it.
///
/// ```
/// use everybyte::sums::{Sum, crc32};
///
/// const CRC: Sum = Sum::new("CRC-32", |bytes| crc32(bytes).into());
/// assert_eq!((CRC.name(), CRC.of(b"123456789").number()), ("CRC-32", Some(0xCBF4_3926)));
/// ```
#[derive(Clone, Copy)]
pub struct Sum {
    name: &'static str,
    of: fn(&[u8]) -> Summed,
    /// The byte that replaces each byte of the checksum itself while it is computed.
    own: u8,
    /// True if its bytes are elsewhere. The checksum is then checked once all of them have nodes.
    is_elsewhere: bool,
    /// True if it directly follows its bytes.
    follows: bool,
}

impl Sum {
    /// Creates a checksum with this name.
    pub const fn new(name: &'static str, of: fn(&[u8]) -> Summed) -> Self {
        Sum { name, of, own: 0, is_elsewhere: false, follows: false }
    }

    /// Sets the byte that replaces each of the checksum's own bytes, for a checksum that covers itself.
    #[must_use]
    pub const fn with_own(self, own: u8) -> Self {
        Sum { own, ..self }
    }

    /// Marks the checksum as one over bytes of another structure.
    #[must_use]
    pub const fn elsewhere(self) -> Self {
        Sum { is_elsewhere: true, ..self }
    }

    /// Marks the checksum as directly following its bytes.
    #[must_use]
    pub const fn following(self) -> Self {
        Sum { follows: true, ..self }
    }

    /// Returns whether it directly follows its bytes.
    pub(crate) fn follows(&self) -> bool {
        self.follows
    }

    /// Returns a sentence that states the checksum of some bytes, with as many digits as the field at `own` has.
    pub(crate) fn told(&self, expected: &Summed, length: u64, own: Range<u64>) -> String {
        let expected = expected.shown(own.end.saturating_sub(own.start));
        format!("the {} of {} is {expected}", self.name, amount(length))
    }

    /// Returns whether its bytes are elsewhere.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.is_elsewhere
    }

    /// Returns the bytes at `place`, which the checksum covers. If they include the checksum's own bytes, at `own`,
    /// those are replaced.
    pub(crate) fn bytes<'b>(&self, bytes: &'b [u8], place: Range<u64>, own: Range<u64>) -> Cow<'b, [u8]> {
        let is_inside = place.start <= own.start && own.end <= place.end && own.start < own.end;
        if !is_inside {
            return Cow::Borrowed(bytes);
        }
        let mut blank = bytes.to_vec();
        if let Some(own_bytes) = blank.get_mut((own.start - place.start) as usize..(own.end - place.start) as usize) {
            own_bytes.fill(self.own);
        }
        Cow::Owned(blank)
    }

    /// Its name in the declaration.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The checksum of some bytes.
    pub fn of(&self, bytes: &[u8]) -> Summed {
        (self.of)(bytes)
    }
}

/// Checksums with the same name are equal.
impl PartialEq for Sum {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sum").field(&self.name).finish()
    }
}
