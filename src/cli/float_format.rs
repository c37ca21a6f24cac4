//! Decimal text of floating-point numbers, as NumPy shows them alone and in array columns.
//!
//! The rules are those `numpy.printoptions` documents for its defaults: `precision=8`, `suppress=False`, `sign='-'`
//! and `floatmode='maxprec'` ("print at most `precision` fractional digits, but if an element can be uniquely
//! represented with fewer digits only print it with that many").

use half::f16;
use std::fmt::Write;

/// Most fractional digits shown in an array (`precision` in `numpy.printoptions`).
const PRECISION: usize = 8;
/// Non-zero magnitudes below this are written with an exponent.
const SMALLEST_POSITIONAL: f64 = 1e-4;
/// A column whose magnitudes differ by more than this factor is written with exponents.
const WIDEST_RATIO: f32 = 1e3;

/// The type a number was stored in: it decides how many digits identify the number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Half,
    Single,
    Double,
}

impl Kind {
    /// Magnitudes from which an exponent is used: in an array, and alone.
    ///
    /// These are the limits of NumPy 2.3 and later, which follow the decimal digits a type can hold. NumPy 2.0 to 2.2
    /// used `(1e8, 1e16)` for every type.
    fn exponent_limits(self) -> (f64, f64) {
        match self {
            Kind::Half => (1e3, 1e3),
            Kind::Single => (1e6, 1e6),
            Kind::Double => (1e8, 1e16),
        }
    }

    /// Whether a decimal denotes this very number of this type.
    fn reads_as(self, text: &str, number: f64) -> bool {
        match self {
            Kind::Half => text.parse().is_ok_and(|back: f64| f16::from_f64(back).to_f64() == number),
            Kind::Single => text.parse().is_ok_and(|back: f32| f64::from(back) == number),
            Kind::Double => text.parse().is_ok_and(|back: f64| back == number),
        }
    }

    /// Whether magnitudes from `min` to `max` (neither zero) are too far apart for plain decimals.
    ///
    /// NumPy compares in the array's own type, which matters for values that round to the limits.
    fn is_wide_range(self, min: f64, max: f64) -> bool {
        match self {
            Kind::Half => {
                let (min, max) = (f16::from_f64(min), f16::from_f64(max));
                min < f16::from_f64(SMALLEST_POSITIONAL) || max / min > f16::from_f32(WIDEST_RATIO)
            }
            Kind::Single => {
                let (min, max) = (min as f32, max as f32);
                min < SMALLEST_POSITIONAL as f32 || max / min > WIDEST_RATIO
            }
            Kind::Double => min < SMALLEST_POSITIONAL || max / min > f64::from(WIDEST_RATIO),
        }
    }
}

/// A floating-point number of any of the three widths; `f64` holds all of them exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Real {
    value: f64,
    kind: Kind,
}

impl From<f16> for Real {
    fn from(value: f16) -> Self {
        Real { value: value.to_f64(), kind: Kind::Half }
    }
}

impl From<f32> for Real {
    fn from(value: f32) -> Self {
        Real { value: f64::from(value), kind: Kind::Single }
    }
}

impl From<f64> for Real {
    fn from(value: f64) -> Self {
        Real { value, kind: Kind::Double }
    }
}

/// The pieces of an unsigned decimal number: `whole.fraction` times ten to the `exponent`.
struct Parts {
    whole: String,
    fraction: String,
    exponent: i32,
}

impl Real {
    /// Whether the number is zero without a minus sign, which a complex scalar leaves out.
    pub(crate) fn is_positive_zero(self) -> bool {
        self.value == 0.0 && self.value.is_sign_positive()
    }

    /// The number on its own, as `str` of a NumPy scalar: `1.0`, `1e+16`, `nan`.
    pub(crate) fn scalar(self) -> String {
        self.alone(false, ".0")
    }

    /// The number as a part of a complex scalar, where whole numbers have no `.0`; `plus` forces a sign.
    pub(crate) fn complex_part(self, plus: bool) -> String {
        self.alone(plus, "")
    }

    fn alone(self, plus: bool, whole_suffix: &str) -> String {
        let mut text = self.sign(plus).to_owned();
        let magnitude = self.value.abs();
        if let Some(name) = self.special() {
            text.push_str(name);
        } else if magnitude != 0.0 && !(SMALLEST_POSITIONAL..self.kind.exponent_limits().1).contains(&magnitude) {
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

    /// The sign to write: NaN has none of its own.
    fn sign(self, plus: bool) -> &'static str {
        match (self.value.is_sign_negative() && !self.value.is_nan(), plus) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        }
    }

    /// The name of a value that has no digits.
    fn special(self) -> Option<&'static str> {
        if self.value.is_nan() {
            Some("nan")
        } else if self.value.is_infinite() {
            Some("inf")
        } else {
            None
        }
    }

    /// The fewest digits that no other number of the same type is closest to, with a one-digit whole part.
    fn shortest(self) -> Parts {
        let magnitude = self.value.abs();
        let text = match self.kind {
            Kind::Half => shortest_half(magnitude),
            Kind::Single => format!("{:e}", magnitude as f32),
            Kind::Double => format!("{magnitude:e}"),
        };
        let parts = split_scientific(&text);
        // Where two decimals are equally close, NumPy takes the even one, as `{:.N}` does and `{:e}` does not.
        let even = format!("{magnitude:.digits$e}", digits = parts.fraction.len());
        if even != text && self.kind.reads_as(&even, magnitude) { split_scientific(&even) } else { parts }
    }

    /// One digit before the point and at most `limit` after it.
    fn scientific(self, limit: usize) -> Parts {
        let shortest = self.shortest();
        if shortest.fraction.len() <= limit {
            return shortest;
        }
        // Digits of the exact value: rounding the shortest ones again could give others.
        let mut parts = self.rounded(limit);
        trim_zeros(&mut parts.fraction);
        parts
    }

    /// One digit before the point and exactly `count` after it.
    fn scientific_padded(self, count: usize) -> Parts {
        let shortest = self.shortest();
        if shortest.fraction.len() == count {
            shortest
        } else {
            // NumPy adds no zeros, but further digits of the exact value.
            self.rounded(count)
        }
    }

    /// The exact value, rounded to `count` digits after the first.
    fn rounded(self, count: usize) -> Parts {
        split_scientific(&format!("{:.count$e}", self.value.abs()))
    }

    /// All digits in their places, at most `limit` after the point; the exponent is zero.
    fn positional(self, limit: usize) -> Parts {
        let Parts { whole, fraction, exponent } = self.shortest();
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
            let rounded = format!("{:.limit$}", self.value.abs());
            let (whole, kept) = rounded.split_once('.').unwrap_or((&rounded, ""));
            digits = whole.to_owned();
            fraction = kept.to_owned();
            trim_zeros(&mut fraction);
        }
        Parts { whole: digits, fraction, exponent: 0 }
    }
}

/// Takes apart what `{:e}` writes, such as `1.25e-3`.
fn split_scientific(text: &str) -> Parts {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    Parts { whole: whole.to_owned(), fraction: fraction.to_owned(), exponent: exponent.parse().unwrap_or(0) }
}

fn trim_zeros(fraction: &mut String) {
    fraction.truncate(fraction.trim_end_matches('0').len());
}

/// The shortest digits of a half-precision magnitude, which the standard library cannot print itself.
fn shortest_half(magnitude: f64) -> String {
    // Below a power of two the numbers are denser than above, so that of two decimals equally close only the upper one
    // may do: the second attempt finds it by breaking the tie.
    let nudged = magnitude * (1.0 + f64::EPSILON);
    for digits in 0..4 {
        for attempt in [magnitude, nudged] {
            let text = format!("{attempt:.digits$e}");
            if Kind::Half.reads_as(&text, magnitude) {
                return text;
            }
        }
    }
    // Five digits tell any two of them apart.
    format!("{magnitude:.4e}")
}

/// Widest pieces of the numbers of a column, in one of the two notations.
#[derive(Clone, Copy, Debug, Default)]
struct Widths {
    /// Sign and digits before the point.
    whole: usize,
    /// Digits after the point.
    fraction: usize,
    /// Digits of the exponent.
    exponent: usize,
}

impl Widths {
    fn include(&mut self, sign: &str, parts: &Parts) {
        self.whole = self.whole.max(sign.len() + parts.whole.len());
        self.fraction = self.fraction.max(parts.fraction.len());
        let exponent = if parts.exponent.abs() < 100 { 2 } else { 3 };
        self.exponent = self.exponent.max(exponent);
    }
}

/// The layout shared by all floating-point numbers of an array: show it every number, then let it write them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloatColumn {
    /// Whether positive numbers get a sign: true for imaginary parts.
    plus: bool,
    /// Smallest and largest finite magnitude but zero; until one is seen, `min > max`.
    min: f64,
    max: f64,
    /// Whether the magnitudes seen so far rule out plain decimals.
    scientific: bool,
    positional_widths: Widths,
    scientific_widths: Widths,
    /// Longest `nan` or `inf`, with sign.
    special_width: usize,
}

impl FloatColumn {
    pub(crate) fn new(plus: bool) -> Self {
        FloatColumn {
            plus,
            min: f64::INFINITY,
            max: 0.0,
            scientific: false,
            positional_widths: Widths::default(),
            scientific_widths: Widths::default(),
            special_width: 0,
        }
    }

    /// Makes room for a number.
    pub(crate) fn include(&mut self, real: Real) {
        let sign = real.sign(self.plus);
        if let Some(name) = real.special() {
            self.special_width = self.special_width.max(sign.len() + name.len());
            return;
        }
        let magnitude = real.value.abs();
        if magnitude != 0.0 {
            self.min = self.min.min(magnitude);
            self.max = self.max.max(magnitude);
            self.scientific |=
                magnitude >= real.kind.exponent_limits().0 || real.kind.is_wide_range(self.min, self.max);
        }
        self.scientific_widths.include(sign, &real.scientific(PRECISION));
        if !self.scientific {
            self.positional_widths.include(sign, &real.positional(PRECISION));
        }
    }

    /// Appends a number, padded to the width of the column.
    pub(crate) fn push(&self, text: &mut String, real: Real) {
        let (widths, exponent_width) = if self.scientific {
            // The `e`, the sign of the exponent and its digits.
            (self.scientific_widths, 2 + self.scientific_widths.exponent)
        } else {
            (self.positional_widths, 0)
        };
        let after_point = widths.fraction + exponent_width;
        let width = self.special_width.max(widths.whole + 1 + after_point);
        let sign = real.sign(self.plus);
        if let Some(name) = real.special() {
            pad(text, width.saturating_sub(sign.len() + name.len()));
            *text += sign;
            *text += name;
            return;
        }
        // Plain decimals differ in length and are padded; with exponents, all have the digits of the longest.
        let parts = if self.scientific { real.scientific_padded(widths.fraction) } else { real.positional(PRECISION) };
        pad(text, width.saturating_sub(sign.len() + parts.whole.len() + 1 + after_point));
        *text += sign;
        *text += &parts.whole;
        text.push('.');
        *text += &parts.fraction;
        if self.scientific {
            let exponent_sign = if parts.exponent < 0 { '-' } else { '+' };
            // Writing to a string cannot fail.
            let _ = write!(text, "e{exponent_sign}{:0digits$}", parts.exponent.abs(), digits = widths.exponent);
        } else {
            pad(text, widths.fraction.saturating_sub(parts.fraction.len()));
        }
    }
}

/// Appends spaces.
pub(crate) fn pad(text: &mut String, count: usize) {
    text.extend(std::iter::repeat_n(' ', count));
}
