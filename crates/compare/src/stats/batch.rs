//! Surveys and exact sums of a few hundred floats at a time, in parallel lanes.
//!
//! A float of a batch is cut into pieces of about 22 bits, at the same positions for all floats. Products of two pieces, and sums
//! of 512 such products, have at most 53 bits. Each addition is exact, so the lanes of a processor may add in any order.

use super::exact::{LEAST, Sum, power_of_two};
use multiversion::multiversion;

/// The maximum size of a batch, `2^9`.
pub const MOST: usize = 512;

/// The number of floats that are processed in parallel lanes.
const LANES: usize = 8;

/// The bits of infinity.
const INFINITY: i64 = f64::INFINITY.to_bits().cast_signed();

/// The properties of the floats in a batch.
#[derive(Debug, Clone, Copy)]
pub struct Survey {
    pub nan: u64,
    pub infinite: u64,
    pub zeros: u64,
    /// The minimum and maximum of the finite numbers by [`order`], so that the order of zeros does not matter. If there are no numbers, the
    /// minimum exceeds the maximum.
    pub min: i64,
    pub max: i64,
    /// The bits of the smallest finite number other than zero, and of the largest, without signs.
    least: i64,
    most: i64,
}

/// Examines a batch.
#[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
pub fn survey(numbers: &[f64]) -> Survey {
    let (mut nan, mut infinite, mut zeros) = ([0_i64; LANES], [0_i64; LANES], [0_i64; LANES]);
    let (mut min, mut max) = ([i64::MAX; LANES], [i64::MIN; LANES]);
    let (mut least, mut most) = ([i64::MAX; LANES], [0_i64; LANES]);
    for group in numbers.chunks(LANES) {
        for (lane, number) in group.iter().enumerate() {
            let bits = number.to_bits().cast_signed();
            let magnitude = bits & i64::MAX;
            let is_finite = magnitude < INFINITY;
            nan[lane] += i64::from(magnitude > INFINITY);
            infinite[lane] += i64::from(magnitude == INFINITY);
            zeros[lane] += i64::from(magnitude == 0);
            let place = turned(bits);
            min[lane] = min[lane].min(if is_finite { place } else { i64::MAX });
            max[lane] = max[lane].max(if is_finite { place } else { i64::MIN });
            least[lane] = least[lane].min(if is_finite && magnitude > 0 { magnitude } else { i64::MAX });
            most[lane] = most[lane].max(if is_finite { magnitude } else { 0 });
        }
    }
    let count = |lanes: [i64; LANES]| lanes.iter().sum::<i64>().cast_unsigned();
    let least_of = |lanes: [i64; LANES]| lanes.into_iter().fold(i64::MAX, i64::min);
    let most_of = |lanes: [i64; LANES]| lanes.into_iter().fold(i64::MIN, i64::max);
    let (nan, infinite, zeros) = (count(nan), count(infinite), count(zeros));
    Survey { nan, infinite, zeros, min: least_of(min), max: most_of(max), least: least_of(least), most: most_of(most) }
}

impl Survey {
    /// Returns two exponents: all finite numbers are multiples of two to the first, and less than two to the second.
    /// `digits` is the number of bits in their significands. `None` if all are zero.
    fn exponents(&self, digits: u32) -> Option<(i32, i32)> {
        let top = |magnitude: i64| (magnitude >> 52).max(1) as i32 - 1022;
        (self.most > 0).then(|| ((top(self.least) - digits as i32).max(LEAST), top(self.most)))
    }

    /// Returns the finite numbers.
    pub fn finite<'n>(&self, numbers: &'n [f64], room: &'n mut [f64; MOST]) -> &'n [f64] {
        if self.nan + self.infinite == 0 {
            return numbers;
        }
        let mut count = 0;
        for &number in numbers.iter().filter(|number| number.is_finite()) {
            room[count] = number;
            count += 1;
        }
        &room[..count]
    }

    /// Adds the finite numbers to a sum.
    pub fn add_to(&self, sum: &mut Sum, numbers: &[f64], digits: u32) {
        let Some((last, top)) = self.exponents(digits) else { return };
        let cut = (top - 44).max(LEAST);
        // The upper pieces have 44 bits, and the lower ones 44 and a sign. The sum of 512 has nine more bits: 53.
        if last + 45 < cut || top > 1000 {
            return numbers.iter().for_each(|&number| sum.add_float(number));
        }
        halves(numbers, grid(cut)).into_iter().for_each(|part| sum.add_float(part));
    }

    /// Returns the sums of finite numbers and of their squares, if intermediate sums can hold all bits.
    pub fn sums(&self, numbers: &[f64], digits: u32) -> Option<Sums> {
        let Some((last, top)) = self.exponents(digits) else { return Some(Sums::default()) };
        // The first piece has 22 bits and the others 22 and a sign. Squares of all but the smallest and largest numbers are floats.
        let is_exact = top - last <= 68 && last >= -500 && top <= 500;
        is_exact.then(|| thirds(numbers, grid(top - 22), grid(top - 45)))
    }
}

/// The sums of numbers, and the sums of their squares.
#[derive(Debug, Default)]
pub struct Sums {
    pub numbers: [f64; 3],
    /// The squares of the pieces, each of which counts once.
    pub squares: [f64; 3],
    /// The products of two different pieces, each of which counts twice.
    pub products: [f64; 3],
}

/// Returns the number that rounds others to multiples of `2^cut` when it is added and subtracted again: the last bit of
/// its significand has that value.
fn grid(cut: i32) -> f64 {
    1.5 * power_of_two(cut + 52)
}

/// Returns the sums of the upper and the lower pieces of numbers.
#[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
fn halves(numbers: &[f64], grid: f64) -> [f64; 2] {
    let mut sums = [[0.0; LANES]; 2];
    for group in numbers.chunks(LANES) {
        for (lane, &number) in group.iter().enumerate() {
            let upper = (number + grid) - grid;
            sums[0][lane] += upper;
            sums[1][lane] += number - upper;
        }
    }
    sums.map(|lanes| lanes.iter().sum())
}

/// Returns the sums of the three pieces of numbers, and of the products of two of them.
#[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
fn thirds(numbers: &[f64], upper: f64, lower: f64) -> Sums {
    let mut sums = [[0.0; LANES]; 9];
    for group in numbers.chunks(LANES) {
        for (lane, &number) in group.iter().enumerate() {
            let first = (number + upper) - upper;
            let rest = number - first;
            let second = (rest + lower) - lower;
            let third = rest - second;
            sums[0][lane] += first;
            sums[1][lane] += second;
            sums[2][lane] += third;
            sums[3][lane] += first * first;
            sums[4][lane] += second * second;
            sums[5][lane] += third * third;
            sums[6][lane] += first * second;
            sums[7][lane] += first * third;
            sums[8][lane] += second * third;
        }
    }
    let [a, b, c, aa, bb, cc, ab, ac, bc] = sums.map(|lanes| lanes.iter().sum());
    Sums { numbers: [a, b, c], squares: [aa, bb, cc], products: [ab, ac, bc] }
}

/// Finds the positions of numbers among 64 ranges. The first range begins at `first · width`, and each number must be in a range.
#[multiversion(targets("x86_64+avx512f+avx512bw", "x86_64+avx2"))]
pub fn places(numbers: &[f64], per_width: f64, first: f64, places: &mut [u8; MOST]) {
    /// If a small integer is added to this number, the last bits of the sum are that integer.
    const UNITS: f64 = (1_u64 << 52) as f64;
    for (number, place) in numbers.iter().zip(places) {
        let widths = (number * per_width).floor();
        // A negative number whose quotient underflows is still below zero.
        let widths = if *number < 0.0 && widths == 0.0 { -1.0 } else { widths };
        *place = ((widths - first) + UNITS).to_bits() as u8;
    }
}

/// Maps a float to an integer with the same order as [`f64::total_cmp`].
pub fn order(number: f64) -> i64 {
    turned(number.to_bits().cast_signed())
}

/// Returns the float with this order.
pub fn number(order: i64) -> f64 {
    f64::from_bits(turned(order).cast_unsigned())
}

/// Inverts the bits of negative numbers, except for the sign.
fn turned(bits: i64) -> i64 {
    bits ^ ((bits >> 63) & i64::MAX)
}
