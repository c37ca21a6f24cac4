//! The byte order of a format's files.

use binrw::Endian;

/// The byte order of integers, where the layout does not state it.
///
/// ```
/// use everybyte::{ByteOrder, Endian};
///
/// // The sixth byte of an ELF file is 1 for little-endian, and 2 for big-endian.
/// const ELF: ByteOrder = ByteOrder::BigIf { at: 5, bytes: b"\x02" };
/// assert_eq!(ELF.of(b"\x7fELF\x02\x02"), Endian::Big);
/// assert_eq!(ELF.of(b"\x7fELF\x02\x01"), Endian::Little);
/// assert_eq!(ELF.of(b""), Endian::Little);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    /// The lowest byte first, in each file.
    Little,
    /// The highest byte first, in each file.
    Big,
    /// The highest byte first in files that say so, and the lowest one in others.
    BigIf {
        /// The offset of the bytes that say so, from the beginning of the file.
        at: u64,
        /// Those bytes.
        bytes: &'static [u8],
    },
}

impl ByteOrder {
    /// The byte order of a file.
    pub fn of(self, file: &[u8]) -> Endian {
        let is_big = match self {
            ByteOrder::Little => false,
            ByteOrder::Big => true,
            ByteOrder::BigIf { at, bytes } => {
                usize::try_from(at).ok().and_then(|at| file.get(at..)).is_some_and(|rest| rest.starts_with(bytes))
            }
        };
        if is_big { Endian::Big } else { Endian::Little }
    }
}
