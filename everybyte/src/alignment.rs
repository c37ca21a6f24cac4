//! The alignment of padding.

/// The multiple that padding fills up to, as recorded in a map.
///
/// ```
/// use everybyte::{Format, bytes::Align, explain, layout};
///
/// #[layout]
/// struct Record {
///     kind: u8,
///     padding: Align<4>,
///     value: u8,
/// }
/// # impl Format for Record { const NAME: &'static str = "record"; }
///
/// let explained = explain::<Record>(b"\x01\0\0\0\x02");
/// let padding = explained.spaces[0].nodes.iter().nth(1).unwrap();
/// let alignment = padding.alignment().unwrap();
/// assert_eq!((alignment.to, alignment.needed(4), alignment.needed(5)), (4, 0, 3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alignment {
    /// The offset from which multiples are counted.
    pub from: u64,
    /// The end of the padding is a multiple of this number, which is at least 1.
    pub to: u64,
    /// The padding byte.
    pub byte: u8,
}

impl Alignment {
    /// The number of bytes from an offset to the next multiple.
    pub fn needed(self, offset: u64) -> u64 {
        (self.to - offset.wrapping_sub(self.from) % self.to) % self.to
    }

    /// Returns the same multiples, with offsets relative to `by`.
    pub(crate) fn counted_from(self, by: u64) -> Self {
        let near = || (u128::from(self.from) + u128::from(self.to) - u128::from(by % self.to)) % u128::from(self.to);
        Alignment { from: self.from.checked_sub(by).unwrap_or_else(|| near() as u64), ..self }
    }
}
