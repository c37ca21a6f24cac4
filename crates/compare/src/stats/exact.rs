//! Natural numbers of any size, sums of them with signs, and the float that is nearest to what they make.

use ndbytes::LongDouble;

/// A natural number: limbs of 64 bits, the least first.
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
        // Two limbs, and the bits that the shift takes beyond them.
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

    /// Adds a limb and a carry at a place, and returns the carry.
    fn add_limb(&mut self, limb: u64, place: usize, carry: bool) -> bool {
        // At most 70 limbs, or 1,030 of long doubles: the squares of all floats have no more.
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

    /// The product with a number.
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

    /// The difference of two numbers, and true if it is negative.
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

    /// The number, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        (self.bits() <= 128).then(|| self.window(0))
    }

    /// The number of bits without zeros before them.
    fn bits(&self) -> u32 {
        let last = self.0.iter().rposition(|&limb| limb > 0);
        last.map_or(0, |last| (last as u32 + 1) * 64 - self.0[last].leading_zeros())
    }

    /// 128 bits from the bit `from` on.
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

    /// Divides, and returns whether something is left.
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

/// A sum of positive and negative numbers, which loses nothing.
#[derive(Debug, Default, Clone)]
pub struct Sum {
    /// The sum of the positive numbers, and of the negative ones without their signs.
    above: Natural,
    below: Natural,
}

impl Sum {
    /// Adds `magnitude · times · 2^shift`, or takes it away.
    pub fn add(&mut self, is_negative: bool, magnitude: u128, times: u64, shift: u32) {
        let side = if is_negative { &mut self.below } else { &mut self.above };
        side.add(magnitude, times, shift);
    }

    /// Adds a finite float to a sum of multiples of `2^LEAST`.
    pub fn add_float(&mut self, number: f64) {
        let (significand, exponent) = parts(number);
        self.add(significand < 0, significand.unsigned_abs().into(), 1, (exponent - LEAST) as u32);
    }

    /// Adds a sum.
    pub fn add_sum(&mut self, other: &Sum) {
        self.above.add_natural(&other.above);
        self.below.add_natural(&other.below);
    }

    /// The sum without its sign, and true if it is negative.
    pub fn parts(&self) -> (Natural, bool) {
        self.above.minus(&self.below)
    }

    /// The float that is nearest to the sum, times `2^exponent`, divided by `count`.
    pub fn mean(&self, count: u64, exponent: i32) -> f64 {
        let (sum, is_negative) = self.parts();
        let mean = quotient(sum, count, exponent).to_f64();
        if is_negative { -mean } else { mean }
    }

    /// Returns whether the sum is not less than a number.
    pub fn is_at_least(&self, number: &Natural) -> bool {
        let (sum, is_negative) = self.parts();
        !is_negative && !sum.minus(number).1
    }
}

/// The exponent of the least float.
pub const LEAST: i32 = -1074;

/// The exponent of the least long double.
pub const LEAST_LONG: i32 = -16445;

/// The significand of a finite float with its sign, and the exponent of its last bit.
#[inline]
pub fn parts(number: f64) -> (i64, i32) {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let magnitude = (bits & ((1 << 52) - 1)) as i64 | i64::from(exponent > 0) << 52;
    let significand = if number.is_sign_negative() { -magnitude } else { magnitude };
    (significand, (exponent.max(1) - 1 + i64::from(LEAST)) as i32)
}

/// A number times `2^exponent`, or a little more. It has more bits than any float if it is more.
#[derive(Debug)]
pub struct Unrounded {
    number: Natural,
    exponent: i32,
    is_more: bool,
}

/// `number · 2^exponent / by`.
pub fn quotient(mut number: Natural, by: u64, exponent: i32) -> Unrounded {
    // Two limbs more have more bits than the divisor and the float together.
    number.shift_by_limbs(2);
    let is_more = number.divide(by);
    Unrounded { number, exponent: exponent - 128, is_more }
}

/// The square root of `number · 4^exponent`, divided by `by`.
pub fn root_quotient(mut number: Natural, by: u64, exponent: i32) -> Unrounded {
    // The root of the quotient by the square, which has more bits than a float and its square together.
    number.shift_by_limbs(6);
    let first = number.divide(by);
    let is_more = number.divide(by) || first;
    let mut dropped = number.bits().saturating_sub(126).next_multiple_of(2);
    let window = number.window(dropped);
    let mut root = window.isqrt();
    let mut rest = window - root * root;
    // Four bits more than the first 63 of the root.
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

    /// The nearest double; of two, the even one.
    pub fn to_f64(&self) -> f64 {
        match self.rounded(f64::MANTISSA_DIGITS, LEAST, 971) {
            // A significand that became too long carries into the exponent.
            Some((significand, last)) => f64::from_bits((((last - LEAST) as u64) << 52) + significand as u64),
            None => f64::INFINITY,
        }
    }

    /// The nearest long double; of two, the even one.
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

    /// The nearest significand of some bits, or the one after the last, and the exponent of its last bit. `None` if that is beyond
    /// the greatest.
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
