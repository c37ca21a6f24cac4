//! Parses values from text.

use super::times::Time;

/// The maximum length of a text that is parsed as a number.
const LONGEST_NUMBER: usize = 1100;

/// A value in a text file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// A boolean.
    Bool(bool),
    /// An integer of at most 64 bits.
    Int(i128),
    /// A number with a decimal point or an exponent, or without digits, such as `NaN`.
    Float(f64),
    /// A date, a time or a duration.
    Time(Time),
    /// Anything else.
    Text,
}

impl Scalar {
    /// Returns the value of a field without quotes. A field that a number would not preserve, such as ` 5`, `0.10`,
    /// `1E5` or `True`, makes the column text.
    pub fn of_field(field: &str) -> Scalar {
        match field {
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            text => {
                let number = number(text).filter(|number| stays(text, number));
                number.or_else(|| float_without_digits(text).map(Scalar::Float)).unwrap_or_else(|| time(text))
            }
        }
    }

    /// Returns the value of a JSON string. Times, and numbers without digits, are strings in JSON.
    pub fn of_json_text(text: &str) -> Scalar {
        match float_without_digits(text) {
            // Other words are not read as numbers, since many texts are ordinary words.
            Some(number) if text.starts_with("NaN(") || matches!(text, "Infinity" | "-Infinity") => {
                Scalar::Float(number)
            }
            _ => time(text),
        }
    }

    /// Returns a description of the value, for messages.
    pub fn words(&self) -> &'static str {
        match self {
            Scalar::Bool(_) => "a boolean",
            Scalar::Int(_) | Scalar::Float(_) => "a number",
            Scalar::Time(_) => "a time",
            Scalar::Text => "a text",
        }
    }
}

fn time(text: &str) -> Scalar {
    Time::of(text).map_or(Scalar::Text, Scalar::Time)
}

/// Returns a decimal number, or `None` if no 64-bit type preserves it, such as longer integers, leading zeros, and
/// numbers that would become infinite or 0.
pub fn number(text: &str) -> Option<Scalar> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if text.len() > LONGEST_NUMBER || !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
    if whole > 1 && digits.starts_with('0') {
        return None;
    }
    // There is no integer -0.
    if whole == digits.len() && text != "-0" {
        let number: i128 = text.parse().ok()?;
        return (i128::from(i64::MIN)..=u64::MAX.into()).contains(&number).then_some(Scalar::Int(number));
    }
    let number: f64 = text.parse().ok()?;
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = !mantissa.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    (number.is_finite() && (number != 0.0 || is_zero)).then_some(Scalar::Float(number))
}

/// Returns whether a number preserves all digits of its text. Only the exponent may have another form, such as `1e-05` for `1e-5`.
fn stays(text: &str, number: &Scalar) -> bool {
    let Scalar::Float(number) = number else { return true };
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_usual = !whole.is_empty() && !digits.contains('E') && (fraction == "0" || !fraction.ends_with('0'));
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    let all = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    let first = exponent + whole.len() as i64 - 1 - (all.len() - significant.len()) as i64;
    let significant = significant.trim_end_matches('0');
    // The fewest digits that restore the number.
    let shortest = format!("{:e}", number.abs());
    let (mantissa, power) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let is_zero = *number == 0.0 && significant.is_empty();
    let is_same = mantissa.replace('.', "") == significant && power.parse() == Ok(first);
    is_usual && !fraction.is_empty() && (is_zero || is_same)
}

/// Parses `NaN`, `Infinity` and the like, including a NaN with its 32 or 64 bits.
fn float_without_digits(text: &str) -> Option<f64> {
    Some(match text {
        "NaN" => f64::NAN,
        "-NaN" => -f64::NAN,
        "Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        text => {
            let bits = text.strip_prefix("NaN(0x")?.strip_suffix(')')?;
            let number = u64::from_str_radix(bits, 16).ok().filter(|_| bits.bytes().all(|byte| byte != b'+'))?;
            let number = match bits.len() {
                8 => widened(number as u32),
                16 => f64::from_bits(number),
                _ => return None,
            };
            return number.is_nan().then_some(number);
        }
    })
}

/// Converts a 32-bit NaN to a 64-bit one with the same payload. A cast could make it quiet.
fn widened(bits: u32) -> f64 {
    let (sign, payload) = (u64::from(bits >> 31) << 63, u64::from(bits & 0x007f_ffff) << 29);
    let is_nan = bits & 0x7f80_0000 == 0x7f80_0000;
    if is_nan { f64::from_bits(sign | 0x7ff0_0000_0000_0000 | payload) } else { 0.0 }
}

/// The 32-bit number nearest to a text whose 64-bit number is known; a NaN keeps as much of its payload as possible.
pub fn single(text: &str, number: f64) -> f32 {
    if !number.is_nan() {
        return text.trim_ascii().parse().unwrap_or(number as f32);
    }
    let bits = number.to_bits();
    let payload = (bits >> 29) as u32 & 0x007f_ffff;
    f32::from_bits(((bits >> 63) as u32) << 31 | 0x7f80_0000 | if payload == 0 { 0x0040_0000 } else { payload })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbers_only_if_they_stay_the_same() {
        for (text, is) in [
            ("0", Scalar::Int(0)),
            ("-7", Scalar::Int(-7)),
            ("18446744073709551615", Scalar::Int(u64::MAX.into())),
            ("18446744073709551616", Scalar::Text),
            ("-9223372036854775809", Scalar::Text),
            ("007", Scalar::Text),
            ("+7", Scalar::Text),
            ("00.5", Scalar::Text),
            ("0.5", Scalar::Float(0.5)),
            (".5", Scalar::Text),
            ("5.", Scalar::Text),
            ("0.10", Scalar::Text),
            ("0.1", Scalar::Float(0.1)),
            ("10.0", Scalar::Float(10.0)),
            ("100000.25", Scalar::Float(100_000.25)),
            ("0.30000000000000004", Scalar::Float(0.300_000_000_000_000_04)),
            ("0.3000000000000000001", Scalar::Text),
            ("1e-05", Scalar::Float(1e-5)),
            ("1.5e+20", Scalar::Float(1.5e20)),
            ("0.0", Scalar::Float(0.0)),
            ("1E3", Scalar::Text),
            (" 1.5 ", Scalar::Text),
            (" 5", Scalar::Text),
            ("1e400", Scalar::Text),
            ("1e-400", Scalar::Text),
            ("-Infinity", Scalar::Float(f64::NEG_INFINITY)),
            ("-inf", Scalar::Text),
            ("1_000", Scalar::Text),
            ("0x10", Scalar::Text),
            ("TRUE", Scalar::Text),
            ("True", Scalar::Text),
            ("true", Scalar::Bool(true)),
            ("", Scalar::Text),
            ("-", Scalar::Text),
            (".", Scalar::Text),
            ("NaN(0x7f800000)", Scalar::Text),
            ("NaN(0x+fc00000)", Scalar::Text),
        ] {
            assert_eq!(Scalar::of_field(text), is, "{text}");
        }
        assert!(matches!(Scalar::of_field("-0.0"), Scalar::Float(zero) if zero.is_sign_negative()));
        for (text, bits) in
            [("NaN(0xffc00000)", 0xfff8_0000_0000_0000_u64), ("NaN(0x7ff0000000000001)", 0x7ff0_0000_0000_0001)]
        {
            assert!(matches!(Scalar::of_field(text), Scalar::Float(nan) if nan.to_bits() == bits), "{text}");
            assert!(matches!(Scalar::of_json_text(text), Scalar::Float(nan) if nan.to_bits() == bits), "{text}");
        }
        assert_eq!(Scalar::of_json_text("1"), Scalar::Text);
        assert_eq!(Scalar::of_json_text("nan"), Scalar::Text);
        assert_eq!(single("NaN(0xffc00001)", widened(0xffc0_0001)).to_bits(), 0xffc0_0001);
    }
}
