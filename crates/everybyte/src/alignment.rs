//! The multiples up to which padding goes.

/// The multiple up to which padding goes, as a map has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alignment {
    /// The offset from which multiples are counted.
    pub from: u64,
    /// The number of whose multiples the end is one; at least 1.
    pub to: u64,
    /// The byte of the padding.
    pub byte: u8,
}

impl Alignment {
    /// The number of bytes from an offset to the next multiple.
    pub fn needed(self, offset: u64) -> u64 {
        (self.to - offset.wrapping_sub(self.from) % self.to) % self.to
    }

    /// The same multiples, with offsets counted from `by`.
    pub(crate) fn counted_from(self, by: u64) -> Self {
        let near = || (u128::from(self.from) + u128::from(self.to) - u128::from(by % self.to)) % u128::from(self.to);
        Alignment { from: self.from.checked_sub(by).unwrap_or_else(|| near() as u64), ..self }
    }
}
