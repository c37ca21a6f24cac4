//! The fewest digits of half floats, which no library prints.

use half::f16;

/// The double whose shortest digits are those of a half float: the fewest that no other half float is nearest to. So `{:?}` prints
/// 1.001 for the half float 1.0009765625. Numbers that have no digits stay as they are.
#[doc(hidden)]
pub fn shortest_half(number: f16) -> f64 {
    let (exact, magnitude) = (number.to_f64(), number.to_f64().abs());
    if exact == 0.0 || !exact.is_finite() {
        return exact;
    }
    let power = magnitude.log10().floor() as i32;
    let is_same = |decimal: &f64| f16::from_f64(*decimal).to_f64() == magnitude;
    // Five digits tell any two of them apart.
    let found = (-power..5 - power).find_map(|places| {
        let scale = 10_f64.powi(places.abs());
        let (scaled, unscaled): (f64, fn(f64, f64) -> f64) = match places < 0 {
            true => (magnitude / scale, |digits, scale| digits * scale),
            // 11 bits times a power of ten up to the twelfth: nothing is lost.
            false => (magnitude * scale, |digits, scale| digits / scale),
        };
        // Below a power of two the numbers are denser than above, so that of two decimals equally close only the upper one may do.
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
