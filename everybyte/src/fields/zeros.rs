//! Reserved bytes.

use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::{BinRead, BinWrite};
use std::borrow::Cow;

/// `N` reserved bytes, which should be zero. Other bytes are kept, so that they can be shown and written back.
///
/// ```
/// use everybyte::{Endian, Source, bytes::Zeros, layout, read, write};
///
/// #[layout]
/// struct Header {
///     version: u8,
///     reserved: Zeros<2>,
/// }
///
/// let header: Header = read(Source::new(b"\x01\0\x07"), Endian::Big, ())?;
/// assert!(!header.reserved.are_zero());
/// assert_eq!(write(&header, Endian::Big)?, b"\x01\0\x07");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, BinRead, BinWrite)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Zeros<const N: usize>(pub [u8; N]);

impl<const N: usize> Zeros<N> {
    /// Returns whether all bytes are zero.
    pub fn are_zero(&self) -> bool {
        self.0.iter().all(|&byte| byte == 0)
    }
}

impl<const N: usize> Default for Zeros<N> {
    fn default() -> Self {
        Zeros([0; N])
    }
}

impl<const N: usize> Layout for Zeros<N> {
    const MIN_SIZE: u64 = N as u64;
    const SIZE: Option<u64> = Some(N as u64);
    const NATURE: Nature = Nature::VALUE;

    fn type_name() -> String {
        format!("Zeros<{N}>")
    }

    fn form() -> Form {
        Form::Bytes(N as u64)
    }

    fn value(&self) -> Value {
        if self.are_zero() { Value::Uint(0) } else { Value::bytes(&self.0) }
    }

    fn meaning(&self) -> Cow<'static, str> {
        if self.are_zero() { "" } else { "has to be zero" }.into()
    }
}
