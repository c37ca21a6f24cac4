//! 80-bit x87 numbers and their decimal representation.
//!
//! `rustc_apfloat` has these numbers, but does not print the same text as NumPy. Version 0.2.3 prints 0.1 as
//! 0.100000000000000000001, which has more digits than needed to round-trip. Its precision counts all digits instead of only those
//! after the point.

use everybyte::Endian;
use std::cmp::Ordering;
use std::fmt;

/// An 80-bit number, with a sign, a 15-bit exponent, and a 64-bit significand with an explicit first bit.
///
/// ```
/// use ndbytes::LongDouble;
///
/// let third = LongDouble::from_bits(0x3FFD, 0xAAAA_AAAA_AAAA_AAAB);
/// assert_eq!(format!("{third:.3}"), "0.333");
/// assert_eq!(LongDouble::from(0.5).to_string(), "0.5");
/// ```
///
/// It is printed like Rust's floats, with the fewest digits that identify it. With a precision, it is printed with that many digits
/// after the point, correctly rounded (ties to even). `{:e}` prints an exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LongDouble {
    sign_exponent: u16,
    significand: u64,
}

/// The exponent of infinity and NaN.
const SPECIAL: u16 = 0x7fff;

/// The first bit of the significand, which is the integer before the binary point.
const INTEGER: u64 = 1 << 63;

impl LongDouble {
    /// Reads a number from 16 bytes. The last 6 bytes (the first 6 if big-endian) are padding.
    pub fn from_bytes(mut bytes: [u8; 16], endian: Endian) -> Self {
        if endian == Endian::Big {
            bytes.reverse();
        }
        let number = u128::from_le_bytes(bytes);
        LongDouble { sign_exponent: (number >> 64) as u16, significand: number as u64 }
    }

    /// The number with this sign, exponent and significand. As in x87, the highest of the 16 bits is the sign.
    pub fn from_bits(sign_exponent: u16, significand: u64) -> Self {
        LongDouble { sign_exponent, significand }
    }

    /// The sign and exponent in 16 bits, and the significand.
    pub fn to_bits(self) -> (u16, u64) {
        (self.sign_exponent, self.significand)
    }

    /// Returns whether the sign is negative, even for zero or NaN.
    pub fn is_sign_negative(self) -> bool {
        self.sign_exponent >> 15 != 0
    }

    /// Returns whether it is NaN. This includes significands without their first bit, which processors since the 80387 refuse.
    pub fn is_nan(self) -> bool {
        let lacks_integer = self.exponent() != 0 && self.significand & INTEGER == 0;
        lacks_integer || (self.exponent() == SPECIAL && self.significand != INTEGER)
    }

    /// Returns whether it is infinity, of either sign.
    pub fn is_infinite(self) -> bool {
        self.exponent() == SPECIAL && self.significand == INTEGER
    }

    /// Returns whether it is zero, of either sign.
    pub fn is_zero(self) -> bool {
        self.exponent() == 0 && self.significand == 0
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        LongDouble { sign_exponent: self.exponent(), ..self }
    }

    fn exponent(self) -> u16 {
        self.sign_exponent & SPECIAL
    }

    /// The magnitude of a finite number: the significand, and the exponent of two to multiply it by.
    #[doc(hidden)]
    pub fn parts(self) -> (u64, i32) {
        (self.significand, self.scale())
    }

    /// The exponent of two to multiply the significand by, as an integer.
    fn scale(self) -> i32 {
        i32::from(self.exponent().max(1)) - 16383 - 63
    }

    /// Compares magnitudes. NaN is not treated specially.
    #[doc(hidden)]
    pub fn cmp_magnitude(self, other: Self) -> Ordering {
        let (mine, theirs) = (self.significand, other.significand);
        // Both significands are normalised, so if the exponents differ, they determine the result.
        let top = |number: u64, scale: i32| {
            let zeros = number.leading_zeros();
            (scale - zeros as i32, number << zeros)
        };
        match (mine, theirs) {
            (0, _) | (_, 0) => mine.cmp(&theirs),
            _ => top(mine, self.scale()).cmp(&top(theirs, other.scale())),
        }
    }

    /// Returns whether the quotient of this magnitude and another one, rounded to a long double, exceeds an integer. The other
    /// magnitude must not be zero or exceed this one.
    #[doc(hidden)]
    pub fn is_more_than(self, times: u16, other: Self) -> bool {
        let apart = self.scale() - other.scale();
        // Significands with the same exponent differ by less than a factor of two, except with the smallest exponent.
        if apart > 17 || times == 0 {
            return true;
        }
        let product = u128::from(other.significand) * u128::from(times);
        let excess = (u128::from(self.significand) << apart.max(0)).checked_sub(product);
        // Half a unit in the last place of a quotient of this size. A remainder up to this is rounded down.
        let half = other.significand >> (64 - times.ilog2());
        excess.is_some_and(|excess| excess > half.into())
    }

    /// Returns the digits of the magnitude and the power of ten of the first digit.
    ///
    /// This is the algorithm of Steele and White. The number is represented as a fraction of two integers, as are half of the
    /// distances to its neighbours. Digits are produced until the remainder is smaller than these.
    fn digits(self, cut: Cut) -> (Vec<u8>, i32) {
        if self.significand == 0 {
            return (vec![0], 0);
        }
        let (mut fraction, mut power) = self.fraction();
        let most = match cut {
            Cut::Shortest => usize::MAX,
            Cut::Digits(digits) => digits,
            Cut::Fraction(digits) => match usize::try_from(i64::from(power) + 1 + digits as i64) {
                Ok(0) if fraction.is_above_five() => return (vec![1], power + 1),
                Ok(0) | Err(_) => return (vec![0], 0),
                Ok(most) => most,
            },
        };
        let mut digits = Vec::new();
        let rounds_up = loop {
            let digit = fraction.take_digit();
            digits.push(digit);
            let (low, high) = match cut {
                Cut::Shortest => fraction.is_near(self.significand.is_multiple_of(2)),
                _ => (false, false),
            };
            if low != high {
                break high;
            }
            if low || digits.len() == most || fraction.rest.0.is_empty() {
                break match fraction.rest.doubled_cmp(&fraction.one) {
                    Ordering::Equal => digit % 2 == 1,
                    order => order.is_gt(),
                };
            }
            fraction.go_on();
        };
        if rounds_up {
            let zeros = digits.iter().rev().take_while(|&&digit| digit == 9).count();
            digits.truncate(digits.len() - zeros);
            match digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    digits.push(1);
                    power += 1;
                }
            }
            // Further places are printed as zeros.
        }
        (digits, power)
    }

    /// The magnitude as a multiple (from 1 to below 10) of a power of ten, and that power.
    fn fraction(self) -> (Fraction, i32) {
        let (significand, scale) = (self.significand, self.scale());
        // A number just above a power of two is nearer to the one below it than to the one above.
        let spread = if significand == INTEGER && self.exponent() > 1 { 2 } else { 1 };
        let up = scale.max(0).unsigned_abs() + spread;
        let mut rest = Big::from(significand).shifted(up);
        let mut one = Big::from(1).shifted(scale.min(0).unsigned_abs() + spread);
        let mut below = Big::from(1).shifted(up - spread);
        let mut above = below.shifted(spread - 1);

        // The guess is either correct or one too low.
        let length = f64::from(63 - significand.leading_zeros() as i32 + scale);
        let mut power = (length * std::f64::consts::LOG10_2 - 1e-9).floor() as i32;
        let scaled: &mut [&mut Big] =
            if power < 0 { &mut [&mut rest, &mut below, &mut above] } else { &mut [&mut one] };
        for number in scaled {
            number.multiply_by_ten_to(power.unsigned_abs());
        }
        let mut next = one.clone();
        next.multiply(10);
        if rest.cmp(&next).is_ge() {
            power += 1;
            one = next;
        }
        (Fraction { rest, one, below, above }, power)
    }

    /// Writes the sign, and `inf` or `NaN` if the number is infinite or NaN. Returns whether it was.
    fn write_special(self, f: &mut fmt::Formatter<'_>) -> Result<bool, fmt::Error> {
        if self.is_nan() {
            return f.write_str("NaN").map(|()| true);
        }
        f.write_str(if self.is_sign_negative() { "-" } else { "" })?;
        if self.is_infinite() { f.write_str("inf").map(|()| true) } else { Ok(false) }
    }
}

impl From<f64> for LongDouble {
    fn from(value: f64) -> Self {
        let (sign, bits) = (if value.is_sign_negative() { 0x8000 } else { 0 }, value.to_bits() << 1 >> 1);
        let (exponent, significand) = ((bits >> 52) as u16, bits << 12 >> 1);
        let (exponent, significand) = match exponent {
            // The exponent has a larger range, so subnormal numbers of `f64` are normal here.
            0 if significand == 0 => (0, 0),
            0 => {
                let shift = significand.leading_zeros();
                (16383 - 1022 - shift as u16, significand << shift)
            }
            0x7ff => (SPECIAL, INTEGER | significand),
            exponent => (exponent + 16383 - 1023, INTEGER | significand),
        };
        LongDouble { sign_exponent: sign | exponent, significand }
    }
}

/// Where the digits end.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// They end at the first digit that identifies the number.
    Shortest,
    /// After this many digits.
    Digits(usize),
    /// They end after this many places after the decimal point.
    Fraction(usize),
}

impl fmt::Display for LongDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.write_special(f)? {
            return Ok(());
        }
        let (digits, power) = self.digits(f.precision().map_or(Cut::Shortest, Cut::Fraction));
        let digit = |power_of_ten: i32| {
            let place = usize::try_from(i64::from(power) - i64::from(power_of_ten)).ok();
            char::from(b'0' + place.and_then(|place| digits.get(place)).copied().unwrap_or(0))
        };
        let mut text: String = (0..=power.max(0)).rev().map(digit).collect();
        let shown = (digits.len() as i64 - 1 - i64::from(power)).max(0) as usize;
        let fraction = f.precision().unwrap_or(shown);
        if fraction > 0 {
            text.push('.');
            // The digits end long before this number of places is reached.
            text.extend((1..=fraction).map(|place| digit(-i32::try_from(place).unwrap_or(i32::MAX))));
        }
        f.write_str(&text)
    }
}

impl fmt::LowerExp for LongDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.write_special(f)? {
            return Ok(());
        }
        let precision = f.precision();
        let (digits, power) =
            self.digits(precision.map_or(Cut::Shortest, |digits| Cut::Digits(digits.saturating_add(1))));
        let mut text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let padding = precision.map_or(0, |precision| (precision + 1).saturating_sub(text.len()));
        text.extend(std::iter::repeat_n('0', padding));
        if text.len() > 1 {
            text.insert(1, '.');
        }
        write!(f, "{text}e{power}")
    }
}

/// A number as a fraction of integers, and half of its distances to its neighbours.
struct Fraction {
    rest: Big,
    one: Big,
    below: Big,
    above: Big,
}

impl Fraction {
    /// Extracts the digit before the point.
    fn take_digit(&mut self) -> u8 {
        let mut digit = 0;
        while self.rest.cmp(&self.one).is_ge() {
            self.rest.subtract(&self.one);
            digit += 1;
        }
        digit
    }

    /// Moves the point past the next digit.
    fn go_on(&mut self) {
        for number in [&mut self.rest, &mut self.below, &mut self.above] {
            number.multiply(10);
        }
    }

    /// Returns whether the rest is close enough to zero, and close enough to one, for the digits to identify the number. A tie
    /// counts if `even`.
    fn is_near(&self, even: bool) -> (bool, bool) {
        let nothing = self.rest.cmp(&self.below);
        let one = self.rest.plus(&self.above).cmp(&self.one);
        (nothing.is_lt() || (even && nothing.is_eq()), one.is_gt() || (even && one.is_eq()))
    }

    fn is_above_five(&self) -> bool {
        let mut ten = self.one.clone();
        ten.multiply(10);
        self.rest.doubled_cmp(&ten).is_gt()
    }
}

/// A natural number, as 64-bit limbs. The lowest limb comes first, and the highest is not zero.
#[derive(Clone)]
struct Big(Vec<u64>);

impl From<u64> for Big {
    fn from(number: u64) -> Self {
        Big(if number == 0 { vec![] } else { vec![number] })
    }
}

impl Big {
    fn multiply(&mut self, factor: u64) {
        let mut carry = 0_u128;
        for limb in &mut self.0 {
            carry += u128::from(*limb) * u128::from(factor);
            *limb = carry as u64;
            carry >>= 64;
        }
        if carry > 0 {
            self.0.push(carry as u64);
        }
    }

    fn multiply_by_ten_to(&mut self, power: u32) {
        (0..power / 19).for_each(|_| self.multiply(10_u64.pow(19)));
        self.multiply(10_u64.pow(power % 19));
    }

    fn shifted(&self, bits: u32) -> Self {
        let mut limbs = vec![0; bits as usize / 64];
        limbs.extend(&self.0);
        let mut number = Big(limbs);
        number.multiply(1 << (bits % 64));
        number
    }

    fn plus(&self, other: &Self) -> Self {
        let limb = |number: &Self, place: usize| number.0.get(place).copied().unwrap_or(0);
        let (mut sum, mut carry) = (Vec::new(), 0_u128);
        for place in 0..=self.0.len().max(other.0.len()) {
            carry += u128::from(limb(self, place)) + u128::from(limb(other, place));
            sum.push(carry as u64);
            carry >>= 64;
        }
        let mut sum = Big(sum);
        sum.trim();
        sum
    }

    /// Subtracts a number that must not be larger.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (place, limb) in self.0.iter_mut().enumerate() {
            let (difference, first) = limb.overflowing_sub(other.0.get(place).copied().unwrap_or(0));
            let (difference, second) = difference.overflowing_sub(borrow.into());
            *limb = difference;
            borrow = first || second;
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Compares twice this number with another.
    fn doubled_cmp(&self, other: &Self) -> Ordering {
        self.plus(self).cmp(other)
    }
}
