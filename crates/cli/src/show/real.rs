//! Floating-point numbers of any width as decimal text, as NumPy shows them.
//!
//! Output should match what a NumPy user would see. The digits are the fewest that identify the number in its own type,
//! and a column switches to exponents by NumPy's rules, which compare in the type of the array.

use half::f16;
use ndbytes::LongDouble;
use ndbytes::internals::shortest_half;

/// Nonzero magnitudes below this are written with an exponent.
const SMALLEST_POSITIONAL: f64 = 1e-4;
/// A column whose magnitudes differ by more than this factor is written with exponents.
const WIDEST_RATIO: u16 = 1000;

/// The type in which a number was stored, which determines how many digits identify it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Half,
    Single,
    Double,
}

impl Kind {
    /// Returns the magnitudes from which an exponent is used, in an array and on its own.
    ///
    /// These are the limits of NumPy 2.3 and later, which depend on the number of decimal digits that a type can hold.
    /// NumPy 2.0 to 2.2 used `(1e8, 1e16)` for every type.
    fn exponent_limits(self) -> (f64, f64) {
        match self {
            Kind::Half => (1e3, 1e3),
            Kind::Single => (1e6, 1e6),
            Kind::Double => (1e8, 1e16),
        }
    }

    /// Returns whether a decimal text denotes exactly this number of this type.
    fn reads_as(self, text: &str, number: f64) -> bool {
        match self {
            Kind::Half => text.parse().is_ok_and(|back: f64| f16::from_f64(back).to_f64() == number),
            Kind::Single => text.parse().is_ok_and(|back: f32| f64::from(back) == number),
            Kind::Double => text.parse().is_ok_and(|back: f64| back == number),
        }
    }

    /// Returns whether magnitudes from `min` to `max` (neither zero) are too far apart for plain decimals.
    ///
    /// Like NumPy, this compares in the array's own type, which matters for values that round to the limits.
    fn is_wide_range(self, min: f64, max: f64) -> bool {
        match self {
            Kind::Half => {
                let (min, max) = (f16::from_f64(min), f16::from_f64(max));
                min < f16::from_f64(SMALLEST_POSITIONAL) || max / min > f16::from_f32(WIDEST_RATIO.into())
            }
            Kind::Single => {
                let (min, max) = (min as f32, max as f32);
                min < SMALLEST_POSITIONAL as f32 || max / min > f32::from(WIDEST_RATIO)
            }
            Kind::Double => min < SMALLEST_POSITIONAL || max / min > f64::from(WIDEST_RATIO),
        }
    }
}

/// A number without its sign.
#[derive(Clone, Copy, Debug)]
pub enum Magnitude {
    /// A number of one of the three widths that `f64` holds exactly.
    Short(f64, Kind),
    Long(LongDouble),
}

impl Magnitude {
    pub fn is_zero(self) -> bool {
        match self {
            Magnitude::Short(value, _) => value == 0.0,
            Magnitude::Long(value) => value.is_zero(),
        }
    }

    /// Returns the name of a value that has no digits.
    pub fn special(self) -> Option<&'static str> {
        let (is_nan, is_infinite) = match self {
            Magnitude::Short(value, _) => (value.is_nan(), value.is_infinite()),
            Magnitude::Long(value) => (value.is_nan(), value.is_infinite()),
        };
        if is_nan { Some("nan") } else { is_infinite.then_some("inf") }
    }

    /// Compares numbers of the same width.
    pub fn is_below(self, other: Self) -> bool {
        match (self, other) {
            (Magnitude::Short(value, _), Magnitude::Short(other, _)) => value < other,
            (Magnitude::Long(value), Magnitude::Long(other)) => value.cmp_magnitude(other).is_lt(),
            _ => false,
        }
    }

    /// Returns whether this number, unless it is zero, rules out plain decimals in an array.
    pub fn is_large(self) -> bool {
        match self {
            Magnitude::Short(value, kind) => value >= kind.exponent_limits().0,
            Magnitude::Long(value) => value.cmp_magnitude(Kind::Double.exponent_limits().0.into()).is_ge(),
        }
    }

    /// Returns whether the minimum and maximum magnitude (except zero) of an array rule out plain decimals.
    pub fn is_wide_range(self, max: Self) -> bool {
        match (self, max) {
            (Magnitude::Short(min, kind), Magnitude::Short(max, _)) => kind.is_wide_range(min, max),
            (Magnitude::Long(min), Magnitude::Long(max)) => {
                let is_small = min.cmp_magnitude(SMALLEST_POSITIONAL.into()).is_lt();
                is_small || max.is_more_than(WIDEST_RATIO, min)
            }
            _ => false,
        }
    }

    /// Returns whether this number, unless it is zero, is written with an exponent when it is printed on its own.
    fn needs_exponent(self) -> bool {
        match self {
            Magnitude::Short(value, kind) => !(SMALLEST_POSITIONAL..kind.exponent_limits().1).contains(&value),
            Magnitude::Long(value) => {
                // The long double nearest to the decimal number, rather than the nearest double.
                let smallest = LongDouble::from_bits(0x3ff1, 0xd1b7_1758_e219_652c);
                let largest = Kind::Double.exponent_limits().1.into();
                value.cmp_magnitude(smallest).is_lt() || value.cmp_magnitude(largest).is_ge()
            }
        }
    }

    /// Returns the fewest digits that identify the number among all numbers of its type, with one digit before the point.
    fn shortest(self) -> Parts {
        let (magnitude, kind) = match self {
            Magnitude::Short(magnitude, kind) => (magnitude, kind),
            Magnitude::Long(value) => return split_scientific(&format!("{value:e}")),
        };
        let text = match kind {
            Kind::Half => format!("{:e}", shortest_half(f16::from_f64(magnitude))),
            Kind::Single => format!("{:e}", magnitude as f32),
            Kind::Double => format!("{magnitude:e}"),
        };
        let parts = split_scientific(&text);
        // If two decimals are equally close, NumPy uses the even one, like `{:.N}` and unlike `{:e}`.
        let even = format!("{magnitude:.digits$e}", digits = parts.fraction.len());
        if even != text && kind.reads_as(&even, magnitude) { split_scientific(&even) } else { parts }
    }

    /// Returns the exact value, rounded to `count` digits after the first.
    fn rounded(self, count: usize) -> Parts {
        split_scientific(&match self {
            Magnitude::Short(value, _) => format!("{value:.count$e}"),
            Magnitude::Long(value) => format!("{value:.count$e}"),
        })
    }

    /// Returns the exact value, rounded to `count` digits after the point.
    fn fixed(self, count: usize) -> String {
        match self {
            Magnitude::Short(value, _) => format!("{value:.count$}"),
            Magnitude::Long(value) => format!("{value:.count$}"),
        }
    }
}

/// A floating-point number of any width.
#[derive(Clone, Copy, Debug)]
pub struct Real {
    pub magnitude: Magnitude,
    is_negative: bool,
}

impl From<f16> for Real {
    fn from(value: f16) -> Self {
        Real::short(value.to_f64(), Kind::Half)
    }
}

impl From<f32> for Real {
    fn from(value: f32) -> Self {
        Real::short(value.into(), Kind::Single)
    }
}

impl From<f64> for Real {
    fn from(value: f64) -> Self {
        Real::short(value, Kind::Double)
    }
}

impl From<LongDouble> for Real {
    fn from(value: LongDouble) -> Self {
        Real { magnitude: Magnitude::Long(value.abs()), is_negative: value.is_sign_negative() }
    }
}

/// The pieces of an unsigned decimal number: `whole.fraction` times ten to the `exponent`.
pub struct Parts {
    pub whole: String,
    pub fraction: String,
    pub exponent: i32,
}

impl Real {
    fn short(value: f64, kind: Kind) -> Self {
        Real { magnitude: Magnitude::Short(value.abs(), kind), is_negative: value.is_sign_negative() }
    }

    /// Returns whether the number is zero without a minus sign, which is omitted from a complex scalar.
    pub fn is_positive_zero(self) -> bool {
        self.magnitude.is_zero() && !self.is_negative
    }

    /// Formats the number on its own, like `str` of a NumPy scalar: `1.0`, `1e+16`, `nan`.
    pub fn scalar(self) -> String {
        self.alone(false, ".0")
    }

    /// Formats the number as a part of a complex scalar, where integers have no `.0`; `plus` forces a sign.
    pub fn complex_part(self, plus: bool) -> String {
        self.alone(plus, "")
    }

    fn alone(self, plus: bool, whole_suffix: &str) -> String {
        let mut text = self.sign(plus).to_owned();
        if let Some(name) = self.magnitude.special() {
            text.push_str(name);
        } else if !self.magnitude.is_zero() && self.magnitude.needs_exponent() {
            let Parts { whole, fraction, exponent } = self.scientific(usize::MAX);
            let point = if fraction.is_empty() { "" } else { "." };
            text += &format!("{whole}{point}{fraction}e{exponent:+03}");
        } else {
            let Parts { whole, fraction, .. } = self.positional(usize::MAX);
            text += &whole;
            if fraction.is_empty() {
                text += whole_suffix;
            } else {
                text.push('.');
                text += &fraction;
            }
        }
        text
    }

    /// Returns the sign to write. NaN never has a minus sign.
    pub fn sign(self, plus: bool) -> &'static str {
        match (self.is_negative && self.magnitude.special() != Some("nan"), plus) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        }
    }

    /// Formats the number with one digit before the point and at most `limit` after it.
    pub fn scientific(self, limit: usize) -> Parts {
        let shortest = self.magnitude.shortest();
        if shortest.fraction.len() <= limit {
            return shortest;
        }
        // These are digits of the exact value, since rounding the shortest digits again could produce others.
        let mut parts = self.magnitude.rounded(limit);
        trim_zeros(&mut parts.fraction);
        parts
    }

    /// Formats the number with one digit before the point and exactly `count` after it.
    pub fn scientific_padded(self, count: usize) -> Parts {
        let shortest = self.magnitude.shortest();
        if shortest.fraction.len() == count {
            shortest
        } else {
            // NumPy appends further digits of the exact value, not zeros.
            self.magnitude.rounded(count)
        }
    }

    /// Formats the number without an exponent, with at most `limit` digits after the point; the exponent must be zero.
    pub fn positional(self, limit: usize) -> Parts {
        let Parts { whole, fraction, exponent } = self.magnitude.shortest();
        let mut digits = whole + &fraction;
        if exponent < 0 {
            digits.insert_str(0, &"0".repeat(exponent.unsigned_abs() as usize));
        }
        let whole_len = usize::try_from(exponent).unwrap_or(0) + 1;
        while digits.len() < whole_len {
            digits.push('0');
        }
        let mut fraction = digits.split_off(whole_len);
        if fraction.len() > limit {
            let rounded = self.magnitude.fixed(limit);
            let (whole, kept) = rounded.split_once('.').unwrap_or((&rounded, ""));
            digits = whole.to_owned();
            fraction = kept.to_owned();
            trim_zeros(&mut fraction);
        }
        Parts { whole: digits, fraction, exponent: 0 }
    }
}

/// Splits the text that `{:e}` writes, such as `1.25e-3`.
fn split_scientific(text: &str) -> Parts {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    Parts { whole: whole.to_owned(), fraction: fraction.to_owned(), exponent: exponent.parse().unwrap_or(0) }
}

fn trim_zeros(fraction: &mut String) {
    fraction.truncate(fraction.trim_end_matches('0').len());
}
