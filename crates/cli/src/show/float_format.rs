//! Floating-point numbers as decimal text, as NumPy shows them in array columns.
//!
//! The rules are documented in `numpy.printoptions` for its defaults: `precision=8`, `suppress=False`, `sign='-'` and
//! `floatmode='maxprec'`. The last of these prints at most `precision` fractional digits, and fewer if they represent
//! an element uniquely.

use crate::show::real::{Magnitude, Parts, Real};
use std::fmt::Write;

/// The maximum number of fractional digits shown in an array (`precision` in `numpy.printoptions`).
const PRECISION: usize = 8;

/// The maximum widths of the parts of a column's numbers, in one of the two notations.
#[derive(Clone, Copy, Debug, Default)]
struct Widths {
    /// The width of the sign and the digits before the point.
    whole: usize,
    /// The number of digits after the point.
    fraction: usize,
    /// The number of digits in the exponent.
    exponent: usize,
}

impl Widths {
    /// Widens the column for a number.
    fn include(&mut self, sign: &str, parts: &Parts) {
        self.whole = self.whole.max(sign.len() + parts.whole.len());
        self.fraction = self.fraction.max(parts.fraction.len());
        let exponent = parts.exponent.unsigned_abs().checked_ilog10().map_or(1, |digits| digits as usize + 1).max(2);
        self.exponent = self.exponent.max(exponent);
    }
}

/// The shared layout of all floating-point numbers in an array, which depends on every one of them.
#[derive(Clone, Copy, Debug)]
pub struct FloatColumn {
    /// Whether positive numbers get a sign, like imaginary parts.
    plus: bool,
    /// The smallest and the largest finite magnitude except zero, if any.
    extremes: Option<(Magnitude, Magnitude)>,
    /// Whether the magnitudes seen so far rule out plain decimals.
    scientific: bool,
    positional_widths: Widths,
    scientific_widths: Widths,
    /// The width of the longest `nan` or `inf`, with sign.
    special_width: usize,
}

impl FloatColumn {
    /// Creates a column without numbers. `plus` shows the sign of positive numbers, as in imaginary parts.
    pub fn new(plus: bool) -> Self {
        FloatColumn {
            plus,
            extremes: None,
            scientific: false,
            positional_widths: Widths::default(),
            scientific_widths: Widths::default(),
            special_width: 0,
        }
    }

    /// Makes room for a number.
    pub fn include(&mut self, real: Real) {
        let sign = real.sign(self.plus);
        if let Some(name) = real.magnitude.special() {
            self.special_width = self.special_width.max(sign.len() + name.len());
            return;
        }
        let magnitude = real.magnitude;
        if !magnitude.is_zero() {
            let (min, max) = self.extremes.unwrap_or((magnitude, magnitude));
            let min = if magnitude.is_below(min) { magnitude } else { min };
            let max = if max.is_below(magnitude) { magnitude } else { max };
            self.extremes = Some((min, max));
            self.scientific |= magnitude.is_large() || min.is_wide_range(max);
        }
        self.scientific_widths.include(sign, &real.scientific(PRECISION));
        if !self.scientific {
            self.positional_widths.include(sign, &real.positional(PRECISION));
        }
    }

    /// Appends a number, padded to the width of the column.
    pub fn push(&self, text: &mut String, real: Real) {
        let (widths, exponent_width) = if self.scientific {
            // The `e`, the sign of the exponent and its digits.
            (self.scientific_widths, 2 + self.scientific_widths.exponent)
        } else {
            (self.positional_widths, 0)
        };
        let after_point = widths.fraction + exponent_width;
        let width = self.special_width.max(widths.whole + 1 + after_point);
        let sign = real.sign(self.plus);
        if let Some(name) = real.magnitude.special() {
            pad(text, width.saturating_sub(sign.len() + name.len()));
            *text += sign;
            *text += name;
            return;
        }
        // Plain decimals differ in length and are padded; with exponents, all numbers have as many digits as the longest one.
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
pub fn pad(text: &mut String, count: usize) {
    text.extend(std::iter::repeat_n(' ', count));
}
