//! How numbers are written in digits.

/// How a number is written in digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    /// The base, from 2 to 36.
    pub base: u32,
    /// The bytes of the text.
    pub size: u64,
    /// The bytes of the text that have no digits.
    pub placement: Placement,
}

/// The bytes of a text that have no digits of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Spaces before the number.
    Right,
    /// Spaces after the number.
    Left,
    /// Zeros before the number: they are digits, too.
    Zeroed,
    /// Zeros before the number, and a zero byte after it.
    ZeroEnded,
}

impl Digits {
    /// The number that a text states; `None` if it states none, or one that does not fit into 64 bits.
    ///
    /// Spaces may stand before the number, spaces and zero bytes after it. A decimal number may have a sign.
    pub fn read(self, text: &[u8]) -> Option<i64> {
        let start = text.iter().position(|&byte| byte != b' ')?;
        let end = text.iter().rposition(|&byte| !matches!(byte, b' ' | 0))? + 1;
        let number = std::str::from_utf8(text.get(start..end)?).ok()?;
        let has_sign = number.starts_with(['+', '-']);
        i64::from_str_radix(number, self.base).ok().filter(|_| !has_sign || self.base == 10)
    }

    /// The text of a number; `None` if it has no room.
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
            // Zeros stand after a sign.
            _ => {
                let start = usize::from(fill == b'0' && number < 0);
                digits.splice(start..start, filling);
            }
        }
        digits.extend((self.placement == Placement::ZeroEnded).then_some(0));
        Some(digits)
    }

    /// The least and the greatest number that has room.
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

    /// The digits of a number, with the sign of a negative one.
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

    /// The words for a number that does not stand at its place; `None` if it does.
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

    /// The name of the type that is written so.
    pub(crate) fn type_name(self) -> String {
        let placement = match self.placement {
            Placement::Right => "right",
            Placement::Left => "left",
            Placement::Zeroed => "zeroed",
            Placement::ZeroEnded => "zero-ended",
        };
        format!("{} text of {} ({placement})", self.name(), self.size)
    }

    /// The name of its digits.
    pub(crate) fn name(self) -> &'static str {
        match self.base {
            8 => "octal",
            10 => "decimal",
            16 => "hexadecimal",
            _ => "digits",
        }
    }
}
