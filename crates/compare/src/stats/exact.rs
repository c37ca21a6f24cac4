//! Natural numbers of any size, their signed sums, and the float nearest to a sum.
//!
//! A sum of floats depends on the order of the additions if each of them rounds. Here, none of them does. A float is an
//! integer times a power of two, so a sum of floats is a big integer in units of the smallest float: about 2,100 bits
//! for doubles, and twice that for their squares. The only rounding is at the end.
//!
//! The numbers are as long as the values require. The types of the values bound their length, so a file cannot make
//! them grow without limit.

use ndbytes::LongDouble;

/// A natural number: 64-bit limbs, least significant first.
#[derive(Debug, Default, Clone)]
pub struct Natural(Vec<u64>);

impl Natural {
    /// Adds `value · times · 2^shift`.
    pub fn add(&mut self, value: u128, times: u64, shift: u32) {
        let halves = [(value as u64, shift), ((value >> 64) as u64, shift + 64)];
        for (half, shift) in halves.into_iter().filter(|(half, _)| *half > 0) {
            self.add_shifted(u128::from(half) * u128::from(times), shift);
        }
    }

    /// Adds `value² · times · 2^shift`.
    pub fn add_square(&mut self, value: u128, times: u64, shift: u32) {
        let (low, high) = (value & u128::from(u64::MAX), value >> 64);
        self.add(low * low, times, shift);
        self.add(low * high, times, shift + 65);
        self.add(high * high, times, shift + 128);
    }

    fn add_shifted(&mut self, value: u128, shift: u32) {
        let (place, bits) = ((shift / 64) as usize, shift % 64);
        // The value takes two limbs, and the bits shifted beyond them.
        let beyond = if bits == 0 { 0 } else { (value >> (128 - bits)) as u64 };
        let shifted = value << bits;
        let mut carry = false;
        for (limb, place) in [shifted as u64, (shifted >> 64) as u64, beyond].into_iter().zip(place..) {
            carry = self.add_limb(limb, place, carry);
        }
        for place in place + 3.. {
            if !carry {
                break;
            }
            carry = self.add_limb(0, place, carry);
        }
    }

    /// Adds a limb and a carry at an index, and returns the carry.
    fn add_limb(&mut self, limb: u64, place: usize, carry: bool) -> bool {
        // At most 70 limbs, or 1,030 for long doubles: the squares of all floats fit.
        while self.0.len() <= place {
            self.0.push(0);
        }
        let (sum, first) = self.0[place].overflowing_add(limb);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        self.0[place] = sum;
        first || second
    }

    /// Adds a number.
    pub fn add_natural(&mut self, other: &Natural) {
        for (&limb, shift) in other.0.iter().zip((0..).step_by(64)).filter(|(limb, _)| **limb > 0) {
            self.add_shifted(limb.into(), shift);
        }
    }

    /// Returns the product with a number.
    pub fn times(&self, factor: u64) -> Natural {
        let mut product = Natural::default();
        for (&limb, shift) in self.0.iter().zip((0..).step_by(64)) {
            product.add_shifted(u128::from(limb) * u128::from(factor), shift);
        }
        product
    }

    /// The square.
    pub fn square(&self) -> Natural {
        let mut square = Natural::default();
        for (&one, first) in self.0.iter().zip((0..).step_by(64)).filter(|(one, _)| **one > 0) {
            for (&other, second) in self.0.iter().zip((0..).step_by(64)) {
                square.add_shifted(u128::from(one) * u128::from(other), first + second);
            }
        }
        square
    }

    /// Returns the difference of two numbers, and whether it is negative.
    pub fn minus(&self, other: &Natural) -> (Natural, bool) {
        let limbs = self.0.len().max(other.0.len());
        let limb = |number: &Natural, place: usize| number.0.get(place).copied().unwrap_or(0);
        let is_negative =
            (0..limbs).rev().map(|place| limb(self, place).cmp(&limb(other, place))).find(|order| order.is_ne())
                == Some(std::cmp::Ordering::Less);
        let (more, less) = if is_negative { (other, self) } else { (self, other) };
        let mut borrow = false;
        let difference = (0..limbs).map(|place| {
            let (rest, first) = limb(more, place).overflowing_sub(limb(less, place));
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            borrow = first || second;
            rest
        });
        (Natural(difference.collect()), is_negative)
    }

    /// Returns the number, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        (self.bits() <= 128).then(|| self.window(0))
    }

    /// The number of bits without leading zeros.
    fn bits(&self) -> u32 {
        let last = self.0.iter().rposition(|&limb| limb > 0);
        last.map_or(0, |last| (last as u32 + 1) * 64 - self.0[last].leading_zeros())
    }

    /// Returns 128 bits, starting with the bit `from`.
    fn window(&self, from: u32) -> u128 {
        let (place, bits) = ((from / 64) as usize, from % 64);
        let limb = |place: usize| u128::from(self.0.get(place).copied().unwrap_or(0));
        let low = limb(place) | limb(place + 1) << 64;
        if bits == 0 { low } else { low >> bits | limb(place + 2) << (128 - bits) }
    }

    /// Returns whether a bit below the bit `end` is set.
    fn has_bits_below(&self, end: u32) -> bool {
        let (place, bits) = ((end / 64) as usize, end % 64);
        let below = self.0.iter().take(place).any(|&limb| limb > 0);
        below || self.0.get(place).is_some_and(|limb| limb & ((1 << bits) - 1) > 0)
    }

    fn shift_by_limbs(&mut self, limbs: usize) {
        self.0.splice(0..0, std::iter::repeat_n(0, limbs));
    }

    /// Divides, and returns whether there is a remainder.
    fn divide(&mut self, by: u64) -> bool {
        let mut rest = 0;
        for limb in self.0.iter_mut().rev() {
            let part = u128::from(rest) << 64 | u128::from(*limb);
            *limb = (part / u128::from(by)) as u64;
            rest = (part % u128::from(by)) as u64;
        }
        rest > 0
    }
}

/// An exact sum of positive and negative numbers.
#[derive(Debug, Default, Clone)]
pub struct Sum {
    /// The sum of the positive numbers, and the sum of the magnitudes of the negative ones.
    above: Natural,
    below: Natural,
}

impl Sum {
    /// Adds `magnitude² · times · 2^shift`.
    pub fn add_square(&mut self, magnitude: u128, times: u64, shift: u32) {
        self.above.add_square(magnitude, times, shift);
    }

    /// Adds or subtracts `magnitude · times · 2^shift`.
    pub fn add(&mut self, is_negative: bool, magnitude: u128, times: u64, shift: u32) {
        let side = if is_negative { &mut self.below } else { &mut self.above };
        side.add(magnitude, times, shift);
    }

    /// Adds a finite float to a sum of multiples of `2^LEAST`.
    pub fn add_float(&mut self, number: f64) {
        self.add_floats(number, 1, LEAST);
    }

    /// Adds a finite float several times to a sum of multiples of `2^least`, which must be no larger than the float's last bit.
    pub fn add_floats(&mut self, number: f64, times: u64, least: i32) {
        let (significand, exponent) = parts(number);
        self.add(significand < 0, significand.unsigned_abs().into(), times, (exponent - least) as u32);
    }

    /// Adds a sum.
    pub fn add_sum(&mut self, other: &Sum) {
        self.above.add_natural(&other.above);
        self.below.add_natural(&other.below);
    }

    /// Returns the sum without its sign, and whether it is negative.
    pub fn parts(&self) -> (Natural, bool) {
        self.above.minus(&self.below)
    }

    /// The float nearest to the sum, times `2^exponent`, divided by `count`.
    pub fn mean(&self, count: u64, exponent: i32) -> f64 {
        let (sum, is_negative) = self.parts();
        let mean = quotient(sum, count, exponent).to_f64();
        if is_negative { -mean } else { mean }
    }

    /// Returns whether the sum is greater than or equal to a number.
    pub fn is_at_least(&self, number: &Natural) -> bool {
        let (sum, is_negative) = self.parts();
        !is_negative && !sum.minus(number).1
    }
}

/// The exponent of the smallest float.
pub const LEAST: i32 = -1074;

/// The exponent of the smallest long double.
pub const LEAST_LONG: i32 = -16445;

/// Returns two to a power from -1074 to 1023.
pub fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        -1022.. => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (exponent + 1074)),
    }
}

/// Returns the significand of a finite float with its sign, and the exponent of its last bit.
#[inline]
pub fn parts(number: f64) -> (i64, i32) {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let magnitude = (bits & ((1 << 52) - 1)) as i64 | i64::from(exponent > 0) << 52;
    let significand = if number.is_sign_negative() { -magnitude } else { magnitude };
    (significand, (exponent.max(1) - 1 + i64::from(LEAST)) as i32)
}

/// A number times `2^exponent`, or slightly more. If it is more, the number has more bits than any float.
#[derive(Debug)]
pub struct Unrounded {
    number: Natural,
    exponent: i32,
    is_more: bool,
}

/// Returns `number · 2^exponent / by`.
pub fn quotient(mut number: Natural, by: u64, exponent: i32) -> Unrounded {
    // Two extra limbs have more bits than the divisor and the float together.
    number.shift_by_limbs(2);
    let is_more = number.divide(by);
    Unrounded { number, exponent: exponent - 128, is_more }
}

/// Returns the square root of `number · 4^exponent`, divided by `by`.
pub fn root_quotient(mut number: Natural, by: u64, exponent: i32) -> Unrounded {
    // This is the root of the quotient of the number and `by²`. The extra limbs have more bits than a float and its
    // square together.
    number.shift_by_limbs(6);
    let first = number.divide(by);
    let is_more = number.divide(by) || first;
    let mut dropped = number.bits().saturating_sub(126).next_multiple_of(2);
    let window = number.window(dropped);
    let mut root = window.isqrt();
    let mut rest = window - root * root;
    // Four bits beyond the first 63 of the root.
    for _ in 0..4.min(dropped / 2) {
        dropped -= 2;
        rest = rest << 2 | number.window(dropped) & 3;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let is_more = is_more || rest > 0 || number.has_bits_below(dropped);
    Unrounded { number: root.into(), exponent: exponent - 192 + (dropped / 2) as i32, is_more }
}

impl From<u128> for Natural {
    fn from(number: u128) -> Self {
        Natural(vec![number as u64, (number >> 64) as u64])
    }
}

impl Unrounded {
    /// `significand · 2^exponent`.
    pub fn new(significand: u128, exponent: i32) -> Self {
        Unrounded { number: significand.into(), exponent, is_more: false }
    }

    /// The nearest double; ties go to even.
    pub fn to_f64(&self) -> f64 {
        match self.rounded(f64::MANTISSA_DIGITS, LEAST, 971) {
            // A significand that became too long carries into the exponent.
            Some((significand, last)) => f64::from_bits((((last - LEAST) as u64) << 52) + significand as u64),
            None => f64::INFINITY,
        }
    }

    /// Returns the nearest long double; if two are equally near, the even one.
    pub fn to_long(&self) -> LongDouble {
        let infinity = LongDouble::from_bits(0x7fff, 1 << 63);
        let Some((significand, last)) = self.rounded(64, LEAST_LONG, 16320) else { return infinity };
        // A significand that became too long carries into the exponent.
        let (significand, last) = if significand >> 64 == 0 { (significand, last) } else { (1 << 63, last + 1) };
        match significand >> 63 {
            0 => LongDouble::from_bits(0, significand as u64),
            _ if last > 16320 => infinity,
            _ => LongDouble::from_bits((last - LEAST_LONG + 1) as u16, significand as u64),
        }
    }

    /// Returns the nearest significand with this many bits, or one more than the largest, and the exponent of its last
    /// bit. `None` if it is too large.
    fn rounded(&self, digits: u32, least: i32, greatest: i32) -> Option<(u128, i32)> {
        let Unrounded { number, exponent, is_more } = self;
        let bits = number.bits();
        if bits == 0 {
            return Some((0, least));
        }
        let last = (bits as i32 + exponent - digits as i32).max(least);
        if last > greatest {
            return None;
        }
        let significand = match last - exponent {
            kept @ ..=0 => number.window(0) << -kept,
            dropped => {
                let (dropped, kept) = (dropped as u32, number.window(dropped as u32));
                let is_half = number.window(dropped - 1) & 1 == 1;
                let is_up = is_half && (*is_more || number.has_bits_below(dropped - 1) || kept & 1 == 1);
                kept + u128::from(is_up)
            }
        };
        Some((significand, last))
    }
}
