//! The byte order of a format: fixed, or detected from the first bytes of a file.

use binrw::Endian;

/// The byte order of integers whose layouts do not state one.
///
/// ```
/// use everybyte::{Endian, view::ByteOrder};
///
/// // The sixth byte of an ELF file is 1 for little-endian, and 2 for big-endian.
/// const ELF: ByteOrder = ByteOrder::BigIf { at: 5, bytes: b"\x02" };
/// assert_eq!(ELF.of(b"\x7fELF\x02\x02"), Endian::Big);
/// assert_eq!(ELF.of(b"\x7fELF\x02\x01"), Endian::Little);
/// assert_eq!(ELF.of(b""), Endian::Little);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    /// Little-endian in every file.
    Little,
    /// Big-endian in every file.
    Big,
    /// Big-endian if the file contains certain bytes, otherwise little-endian.
    BigIf {
        /// The offset of the bytes that indicate the byte order.
        at: u64,
        /// The bytes at that offset in a big-endian file.
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
