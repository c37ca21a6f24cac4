//! Single values as text.

use ndbytes::Scalar;
use std::fmt::{self, Write};

/// The maximum length of an item's text, in bytes.
const LONGEST: usize = 400;

/// Text of a limited length.
pub struct BoundedText {
    pub text: String,
    most: usize,
}

impl BoundedText {
    pub fn new(most: usize) -> Self {
        BoundedText { text: String::new(), most }
    }
}

impl Write for BoundedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if self.text.len() + letter.len_utf8() > self.most {
                return Err(fmt::Error);
            }
            self.text.push(letter);
        }
        Ok(())
    }
}

/// The text of a value, or its beginning if it is long.
pub fn text(scalar: &Scalar) -> String {
    let mut room = BoundedText::new(LONGEST);
    match write(scalar, &mut room) {
        Ok(()) => room.text,
        Err(fmt::Error) => room.text + "…",
    }
}

fn write(scalar: &Scalar, to: &mut BoundedText) -> fmt::Result {
    match scalar {
        Scalar::Bool(value) => write!(to, "{value}"),
        Scalar::Int(number) => write!(to, "{number}"),
        Scalar::Uint(number) => write!(to, "{number}"),
        Scalar::F16(number) => float(to, &number.to_f32(), number.is_nan()),
        Scalar::F32(number) => float(to, number, number.is_nan()),
        Scalar::F64(number) => float(to, number, number.is_nan()),
        Scalar::Complex64(re, im) => complex(to, (re, re.is_nan()), (im, im.is_nan(), im.is_sign_negative())),
        Scalar::Complex128(re, im) => complex(to, (re, re.is_nan()), (im, im.is_nan(), im.is_sign_negative())),
        Scalar::LongDouble(number) => bits(to, number.to_bits()),
        Scalar::ComplexLongDouble(re, im) => {
            bits(to, re.to_bits())?;
            to.write_str(" ")?;
            bits(to, im.to_bits())
        }
        Scalar::ByteString(bytes) => write!(to, "b\"{}\"", bytes.escape_ascii()),
        Scalar::Str(units) => quoted(to, units.iter().map(|&unit| char::from_u32(unit).ok_or(unit))),
        Scalar::DateTime(steps, unit) => match unit.point(*steps) {
            Some(point) => to.write_str(&point),
            None if *steps == i64::MIN => to.write_str("NaT"),
            None => write!(to, "{steps}{unit}"),
        },
        Scalar::TimeDelta(i64::MIN, _) => to.write_str("NaT"),
        Scalar::TimeDelta(steps, unit) => write!(to, "{steps}{unit}"),
        Scalar::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(to, "{byte:02x}")),
        Scalar::Structure(fields) => {
            to.write_str("{")?;
            for (place, (name, value)) in fields.iter().enumerate() {
                write!(to, "{}{name}: ", if place > 0 { ", " } else { "" })?;
                write(value, to)?;
            }
            to.write_str("}")
        }
        Scalar::Subarray(_, items) => {
            to.write_str("[")?;
            for (place, item) in items.iter().enumerate() {
                to.write_str(if place > 0 { ", " } else { "" })?;
                write(item, to)?;
            }
            to.write_str("]")
        }
    }
}

/// Writes a number with as many digits as it needs.
pub fn float(to: &mut impl Write, number: &dyn fmt::Debug, is_nan: bool) -> fmt::Result {
    if is_nan { to.write_str("nan") } else { write!(to, "{number:?}") }
}

fn complex(to: &mut BoundedText, re: (&dyn fmt::Debug, bool), im: (&dyn fmt::Debug, bool, bool)) -> fmt::Result {
    float(to, re.0, re.1)?;
    to.write_str(if im.2 && !im.1 { "" } else { "+" })?;
    float(to, im.0, im.1)?;
    to.write_str("j")
}

/// Writes the sign and the exponent of an x87 number, and its digits in base 2.
fn bits(to: &mut BoundedText, (exponent, digits): (u16, u64)) -> fmt::Result {
    write!(to, "{exponent:04x}:{digits:016x}")
}

/// Writes a quoted text. Code units that are not characters are shown as numbers.
pub fn quoted(to: &mut impl Write, letters: impl Iterator<Item = Result<char, u32>>) -> fmt::Result {
    to.write_str("\"")?;
    for letter in letters {
        match letter {
            Ok(letter @ ('"' | '\\')) => write!(to, "\\{letter}")?,
            Ok(letter) => to.write_char(letter)?,
            Err(unit) => write!(to, "\\u{{{unit:x}}}")?,
        }
    }
    to.write_str("\"")
}
