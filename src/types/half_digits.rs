//! The shortest decimal digits of half floats, which no library prints.

use half::f16;

/// Returns the double whose shortest digits identify a half float. These are the fewest digits for which no other half float is
/// nearer. For example, the double for the half float 1.0009765625 is printed with `{:?}` as 1.001. Zeros, infinities and NaN are
/// returned unchanged.
#[doc(hidden)]
pub fn shortest_half(number: f16) -> f64 {
    let (exact, magnitude) = (number.to_f64(), number.to_f64().abs());
    if exact == 0.0 || !exact.is_finite() {
        return exact;
    }
    let power = magnitude.log10().floor() as i32;
    let is_same = |decimal: &f64| f16::from_f64(*decimal).to_f64() == magnitude;
    // Five digits distinguish any two half floats.
    let found = (-power..5 - power).find_map(|places| {
        let scale = 10_f64.powi(places.abs());
        let (scaled, unscaled): (f64, fn(f64, f64) -> f64) = match places < 0 {
            true => (magnitude / scale, |digits, scale| digits * scale),
            // The product of 11 bits and a power of ten up to the twelfth is exact.
            false => (magnitude * scale, |digits, scale| digits / scale),
        };
        // Half floats are denser below a power of two than above it, so if two decimals are equally close, only the upper one may
        // work.
        let nearest = [scaled.round_ties_even(), (scaled + 0.5).floor()];
        nearest.map(|digits| unscaled(digits, scale)).into_iter().find(is_same)
    });
    found.unwrap_or(magnitude).copysign(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_fewest_that_come_back() {
        for bits in 0..=u16::MAX {
            let half = f16::from_bits(bits);
            let (exact, shortest) = (half.to_f64(), shortest_half(half));
            if !exact.is_finite() {
                assert!(shortest == exact || exact.is_nan() && shortest.is_nan());
                continue;
            }
            assert_eq!(f16::from_f64(shortest).to_bits(), bits);
            let digits = |number: f64| format!("{number:e}").split('e').next().unwrap().trim_start_matches('-').len();
            for fewer in 0..digits(shortest).saturating_sub(2) {
                let text = format!("{exact:.fewer$e}");
                assert_ne!(f16::from_f64(text.parse().unwrap()).to_bits(), bits, "{text} is shorter than {shortest:e}");
            }
        }
        let shown =
            [20816.0, 1.001, 6e-8, -0.0, 65504.0].map(|number| format!("{:?}", shortest_half(f16::from_f64(number))));
        assert_eq!(shown, ["20820.0", "1.001", "6e-8", "-0.0", "65500.0"]);
    }
}
