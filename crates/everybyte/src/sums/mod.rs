//! Checksums by name, for `#[layout(check_of = …, sum = …)]`. Any function of bytes that gives an unsigned integer is one.
//!
//! The names are those of the catalogue of parametrised CRC algorithms by Greg Cook, where it has them.
//!
//! ```
//! use everybyte::sums::{adler32, crc32};
//!
//! assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
//! assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
//! ```

mod added;
mod crc;

pub use added::{adler32, fletcher16, internet, sum8, sum16, sum32, words32, xor8};
pub use crc::{crc8, crc16_arc, crc16_ibm_3740, crc16_umts, crc16_umts_after, crc16_xmodem};
pub use crc::{crc32, crc32_bzip2, crc32c, crc64_xz};

use crate::error::amount;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A checksum: its name, and how it is made.
#[derive(Clone, Copy)]
pub struct Sum {
    name: &'static str,
    of: fn(&[u8]) -> u64,
    /// The byte that stands for each byte of the sum itself while it is made.
    own: u8,
    /// True if its bytes do not stand beside it: it is judged when all of them have nodes.
    is_elsewhere: bool,
    /// True if it stands directly after its bytes.
    follows: bool,
}

impl Sum {
    /// A sum of this name.
    pub const fn new(name: &'static str, of: fn(&[u8]) -> u64) -> Self {
        Sum { name, of, own: 0, is_elsewhere: false, follows: false }
    }

    /// The same, with another byte in place of each of its own while it is made of bytes among which it stands.
    #[must_use]
    pub const fn with_own(self, own: u8) -> Self {
        Sum { own, ..self }
    }

    /// The same, of bytes that do not stand beside it.
    #[must_use]
    pub const fn elsewhere(self) -> Self {
        Sum { is_elsewhere: true, ..self }
    }

    /// The same, directly after its bytes.
    #[must_use]
    pub const fn following(self) -> Self {
        Sum { follows: true, ..self }
    }

    /// Returns whether it stands directly after its bytes.
    pub(crate) fn follows(&self) -> bool {
        self.follows
    }

    /// A sentence on the sum that bytes have, with all digits of the field that states it, `own`.
    pub(crate) fn told(&self, expected: u64, length: u64, own: Range<u64>) -> String {
        let width = 2 + 2 * own.end.saturating_sub(own.start).min(8) as usize;
        format!("the {} of {} is {expected:#0width$x}", self.name, amount(length))
    }

    /// Returns whether its bytes do not stand beside it.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.is_elsewhere
    }

    /// The bytes at `place` of which it is made. Where it stands among them itself, at `own`, other bytes stand in its place.
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

    /// Its name, as the declaration has it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The sum of some bytes.
    pub fn of(&self, bytes: &[u8]) -> u64 {
        (self.of)(bytes)
    }
}

/// Sums of one name are the same.
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
