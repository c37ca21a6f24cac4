//! The forms of numbers written as digits.

/// How a number is written in digits.
///
/// ```
/// use everybyte::number::{Digits, Placement};
///
/// // The mode of a file in tar: octal, with zeros before it and a zero byte after it.
/// let mode = Digits { base: 8, size: 8, placement: Placement::ZeroEnded };
/// assert_eq!(mode.write(0o644), Some(b"0000644\0".to_vec()));
/// assert_eq!(mode.read(b"0000755\0"), Some(0o755));
/// assert_eq!(mode.write(0o100_000_000), None, "the digits do not fit");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    /// The base, from 2 to 36.
    pub base: u32,
    /// The number of bytes of the text.
    pub size: u64,
    /// The filler for the bytes that are not digits.
    pub placement: Placement,
}

/// The filler for the bytes of a text that are not digits.
///
/// ```
/// use everybyte::number::{Digits, Placement};
///
/// let written = |placement| Digits { base: 10, size: 4, placement }.write(42).unwrap();
/// assert_eq!(written(Placement::Right), b"  42");
/// assert_eq!(written(Placement::Left), b"42  ");
/// assert_eq!(written(Placement::Zeroed), b"0042");
/// assert_eq!(written(Placement::ZeroEnded), b"042\0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Spaces before the number.
    Right,
    /// Spaces after the number.
    Left,
    /// Leading zeros, which are digits themselves.
    Zeroed,
    /// Zeros before the number and a zero byte after it.
    ZeroEnded,
}

impl Digits {
    /// Reads the number; `None` if there is no number or if it does not fit into 64 bits.
    ///
    /// Spaces may precede the number, and spaces and zero bytes may follow it. A decimal number may have a sign.
    pub fn read(self, text: &[u8]) -> Option<i64> {
        let start = text.iter().position(|&byte| byte != b' ')?;
        let end = text.iter().rposition(|&byte| !matches!(byte, b' ' | 0))? + 1;
        let number = std::str::from_utf8(text.get(start..end)?).ok()?;
        let has_sign = number.starts_with(['+', '-']);
        i64::from_str_radix(number, self.base).ok().filter(|_| !has_sign || self.base == 10)
    }

    /// Writes a number as text; `None` if it does not fit.
    pub fn write(self, number: i64) -> Option<Vec<u8>> {
        let size = usize::try_from(self.size).ok()?;
        let mut digits = self.digits(number)?;
        let (fill, room) = match self.placement {
            Placement::Right | Placement::Left => (b' ', size),
            Placement::Zeroed => (b'0', size),
            Placement::ZeroEnded => (b'0', size.checked_sub(1)?),
        };
        let filling = std::iter::repeat_n(fill, room.checked_sub(digits.len())?);
        match self.placement {
            Placement::Left => digits.extend(filling),
            // Leading zeros come after the sign.
            _ => {
                let start = usize::from(fill == b'0' && number < 0);
                digits.splice(start..start, filling);
            }
        }
        digits.extend((self.placement == Placement::ZeroEnded).then_some(0));
        Some(digits)
    }

    /// Returns the smallest and the largest number that fit.
    #[cfg(feature = "forge")]
    pub(crate) fn range(self) -> (i128, i128) {
        let room = self.size - u64::from(self.placement == Placement::ZeroEnded).min(self.size);
        let most = |digits: u64| {
            let all = i128::from(self.base).checked_pow(digits.min(64) as u32);
            all.map_or(i64::MAX.into(), |all| (all - 1).min(i64::MAX.into()))
        };
        let least = if self.base == 10 { -most(room.saturating_sub(1)) } else { 0 };
        (least, most(room))
    }

    /// The digits of a number, with a sign if it is negative.
    fn digits(self, number: i64) -> Option<Vec<u8>> {
        let (mut digits, mut rest) = (Vec::new(), number.unsigned_abs());
        while rest > 0 || digits.is_empty() {
            let digit = char::from_digit((rest % u64::from(self.base)) as u32, self.base)?;
            digits.push(digit.to_ascii_uppercase() as u8);
            rest /= u64::from(self.base);
        }
        if number < 0 {
            digits.push(b'-');
        }
        digits.reverse();
        Some(digits).filter(|_| number >= 0 || self.base == 10)
    }

    /// Describes how a number is misplaced within its text; `None` if its position is correct.
    pub(crate) fn displaced(self, text: &[u8]) -> Option<&'static str> {
        let (first, last) = (*text.first()?, *text.last()?);
        match self.placement {
            Placement::Right if matches!(last, b' ' | 0) => Some("the number does not end with the last byte"),
            Placement::Left if first == b' ' => Some("the number does not begin with the first byte"),
            Placement::Zeroed if first == b' ' || matches!(last, b' ' | 0) => {
                Some("the number does not fill its bytes")
            }
            _ => None,
        }
    }

    /// Returns the name of the type for this notation.
    pub(crate) fn type_name(self) -> String {
        let placement = match self.placement {
            Placement::Right => "right",
            Placement::Left => "left",
            Placement::Zeroed => "zeroed",
            Placement::ZeroEnded => "zero-ended",
        };
        format!("{} text of {} ({placement})", self.name(), self.size)
    }

    /// Returns the name of its digits.
    pub(crate) fn name(self) -> &'static str {
        match self.base {
            8 => "octal",
            10 => "decimal",
            16 => "hexadecimal",
            _ => "digits",
        }
    }
}
