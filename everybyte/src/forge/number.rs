//! Reads and writes numbers as the bytes of a leaf.
//!
//! A number is written with the width and byte order that it has in the file. A number that does not fit is refused,
//! not truncated, so that the caller can choose another value or show the valid range to the user.

use crate::coding::Coding;
use crate::digits::Digits;
use crate::reference::{Bits, CodeDoc};
use crate::sums::Summed;
use crate::terms::{Content, Form};
use binrw::Endian;

/// How the bytes of a leaf are encoded.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'g> {
    /// The content of the bytes.
    pub body: Body<'g>,
    /// The byte order of its numbers.
    pub order: Endian,
    /// True if a constant byte precedes the number.
    pub is_marked: bool,
}

/// The kind of a leaf.
#[derive(Debug, Clone, Copy)]
pub enum Body<'g> {
    /// An integer that uses all of the bytes.
    Integer {
        /// True if it can be negative.
        is_signed: bool,
        /// The defined codes.
        codes: &'g [CodeDoc],
        /// Its named bits.
        bits: &'g [Bits],
    },
    /// A floating-point number that uses all of the bytes.
    Float,
    /// A variable-length number.
    Varint(Coding),
    /// A number written as digits.
    Digits(Digits),
    /// Bytes.
    Bytes {
        /// The kind of content, if it is text.
        content: Option<Content>,
        /// True if the number of bytes is always the same.
        is_fixed: bool,
    },
    /// An integer that is the same in every file.
    Constant,
    /// Bytes that are the same in every file.
    Fixed,
    /// Bytes up to a zero byte.
    NulString,
    /// A length, followed by that many bytes.
    Counted(&'g Form, u64),
}

/// A number in a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

/// The maximum number of bytes of a number.
const WIDEST: usize = 16;

impl Shape<'_> {
    /// Plain bytes.
    pub const BYTES: Self =
        Shape { body: Body::Bytes { content: None, is_fixed: true }, order: Endian::Little, is_marked: false };

    /// Returns whether the leaf is a number.
    pub fn is_number(&self) -> bool {
        matches!(self.body, Body::Integer { .. } | Body::Constant | Body::Float | Body::Varint(_) | Body::Digits(_))
    }

    /// Reads a number; `None` if the bytes do not encode one.
    pub fn read(&self, bytes: &[u8]) -> Option<Number> {
        let bytes = bytes.get(usize::from(self.is_marked)..)?;
        match self.body {
            Body::Integer { is_signed, .. } => integer(bytes, self.order, is_signed).map(Number::Integer),
            Body::Constant => integer(bytes, self.order, false).map(Number::Integer),
            Body::Float => match bytes.len() {
                4 => Some(Number::Float(f32::from_bits(integer(bytes, self.order, false)? as u32).into())),
                8 => Some(Number::Float(f64::from_bits(integer(bytes, self.order, false)? as u64))),
                _ => None,
            },
            Body::Varint(coding) => coding.decode(bytes).map(Number::Integer),
            Body::Digits(digits) => digits.read(bytes).map(|number| Number::Integer(number.into())),
            _ => None,
        }
    }

    /// Encodes a number in place of other bytes; `None` if it does not fit. A variable-length number takes as many bytes as it needs.
    pub fn write(&self, number: Number, old: &[u8]) -> Option<Vec<u8>> {
        let (mark, rest) = old.split_at_checked(usize::from(self.is_marked))?;
        let body = match (self.body, number) {
            (Body::Float, Number::Integer(integer)) => float(integer as f64, rest.len(), self.order)?,
            (Body::Float, Number::Float(value)) => float(value, rest.len(), self.order)?,
            (_, Number::Float(_)) => return None,
            (Body::Varint(coding), Number::Integer(value)) => coding.encode(value, kept_width(coding, rest))?,
            (Body::Digits(digits), Number::Integer(value)) => digits.write(value.try_into().ok()?)?,
            (Body::Integer { is_signed, .. }, Number::Integer(value)) => {
                fitted(value, rest.len(), is_signed, self.order)?
            }
            (_, Number::Integer(value)) => fitted(value, rest.len(), value < 0, self.order)?,
        };
        Some([mark, &body].concat())
    }

    /// Encodes a checksum with the same width; `None` if it does not fit.
    pub fn write_sum(&self, sum: &Summed, old: &[u8]) -> Option<Vec<u8>> {
        match sum {
            Summed::Number(number) => self.write(Number::Integer((*number).into()), old),
            Summed::Bytes(bytes) => (bytes.len() == old.len()).then(|| bytes.clone()),
        }
    }

    /// The smallest and the largest integer of this many bytes.
    pub fn range(&self, width: usize) -> (i128, i128) {
        match self.body {
            Body::Varint(coding) => coding.range(),
            Body::Digits(digits) => digits.range(),
            Body::Integer { is_signed, .. } => limits(width - usize::from(self.is_marked).min(width), is_signed),
            _ => limits(width, false),
        }
    }

    /// Encodes text with the same width.
    pub fn text(&self, text: &[u8], old: &[u8]) -> Vec<u8> {
        match self.body {
            Body::NulString => [text, &[0]].concat(),
            Body::Counted(length, mask) => {
                let number = Shape { body: bare(length), order: ordered(length, self.order), is_marked: false };
                let kept = match number.body {
                    Body::Varint(coding) => coding.encode(text.len() as i128, 0),
                    _ => {
                        let width = fixed_width(length).min(old.len());
                        let stated = integer(&old[..width], number.order, false).unwrap_or(0);
                        let marks = stated & !i128::from(mask);
                        fitted(marks | text.len() as i128 & i128::from(mask), width, false, number.order)
                    }
                };
                [&kept.unwrap_or_default(), text].concat()
            }
            _ => text.to_vec(),
        }
    }

    /// The bytes of the text in a leaf.
    pub fn text_in<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        match self.body {
            Body::NulString => bytes.strip_suffix(&[0]).unwrap_or(bytes),
            Body::Counted(Form::Varint(Coding::Leb128), _) => {
                let head = bytes.iter().take_while(|&&byte| byte >= 0x80).count() + 1;
                bytes.get(head..).unwrap_or(&[])
            }
            Body::Counted(length, _) => bytes.get(fixed_width(length)..).unwrap_or(&[]),
            _ => bytes,
        }
    }
}

fn bare(form: &Form) -> Body<'_> {
    match form {
        Form::Varint(coding) => Body::Varint(*coding),
        Form::Ordered(_, form) => bare(form),
        _ => Body::Integer { is_signed: false, codes: &[], bits: &[] },
    }
}

fn ordered(form: &Form, around: Endian) -> Endian {
    if let Form::Ordered(order, _) = form { *order } else { around }
}

fn fixed_width(form: &Form) -> usize {
    match form {
        Form::Integer { size, .. } | Form::Constant(size, _) => *size as usize,
        Form::Ordered(_, form) => fixed_width(form),
        Form::Marked(_, form) => fixed_width(form) + 1,
        _ => 1,
    }
}

/// The limits of an integer of this many bytes.
pub fn limits(width: usize, is_signed: bool) -> (i128, i128) {
    let bits = (width.min(WIDEST) * 8) as u32;
    match (bits, is_signed) {
        (0, _) => (0, 0),
        (128, true) => (i128::MIN, i128::MAX),
        (128, false) => (0, i128::MAX),
        (_, true) => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
        (_, false) => (0, (1 << bits) - 1),
    }
}

/// Reads an integer; `None` for a 16-byte unsigned integer that does not fit.
pub fn integer(bytes: &[u8], order: Endian, is_signed: bool) -> Option<i128> {
    if bytes.is_empty() || bytes.len() > WIDEST {
        return None;
    }
    let add = |number: u128, byte: &u8| number << 8 | u128::from(*byte);
    let number = match order {
        Endian::Big => bytes.iter().fold(0, add),
        Endian::Little => bytes.iter().rev().fold(0, add),
    };
    let spare = 128 - bytes.len() as u32 * 8;
    if is_signed { Some((number as i128) << spare >> spare) } else { i128::try_from(number).ok() }
}

/// Encodes an integer in this many bytes; `None` if it does not fit.
pub fn fitted(value: i128, width: usize, is_signed: bool, order: Endian) -> Option<Vec<u8>> {
    let (least, most) = limits(width, is_signed);
    if width == 0 || width > WIDEST || !(least..=most).contains(&value) {
        return None;
    }
    let bytes = value.to_le_bytes();
    let mut bytes = bytes[..width].to_vec();
    if order == Endian::Big {
        bytes.reverse();
    }
    Some(bytes)
}

/// The bytes of an integer with different bits starting at `first`, counted from its lowest bit. Bits beyond its width are left
/// out.
pub fn with_run(bytes: &[u8], order: Endian, (first, width): (u32, u32), run: u64) -> Vec<u8> {
    let mut made = bytes.to_vec();
    for bit in 0..width.min(u64::BITS) {
        let (byte, place) = ((first + bit) as usize / 8, (first + bit) % 8);
        let byte = if order == Endian::Big { bytes.len().checked_sub(byte + 1) } else { Some(byte) };
        if let Some(byte) = byte.and_then(|byte| made.get_mut(byte)) {
            *byte = *byte & !(1 << place) | ((run >> bit & 1) as u8) << place;
        }
    }
    made
}

fn float(value: f64, width: usize, order: Endian) -> Option<Vec<u8>> {
    let bits = match width {
        4 => u64::from((value as f32).to_bits()),
        8 => value.to_bits(),
        _ => return None,
    };
    fitted(bits.into(), width, false, order)
}

/// Returns the number of bytes in a number that is longer than necessary; otherwise 0.
fn kept_width(coding: Coding, bytes: &[u8]) -> usize {
    let shortest = coding.decode(bytes).map_or(usize::MAX, |value| coding.shortest(value));
    if bytes.len() > shortest { bytes.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{Body, Number, Shape};
    use crate::coding::Coding;
    use crate::terms::{Content, Form};
    use binrw::Endian;

    const LENGTH: Form = Form::Integer { size: 1, is_signed: false };
    const SIGNED: Body<'_> = Body::Integer { is_signed: true, codes: &[], bits: &[] };

    fn shape(body: Body<'_>) -> Shape<'_> {
        Shape { body, order: Endian::Big, is_marked: false }
    }

    #[test]
    fn a_number_is_written_in_the_bytes_that_it_has() {
        let marked = Shape { is_marked: true, ..shape(SIGNED) };
        assert_eq!(marked.read(&[0xD1, 0xFF, 0xFE]), Some(Number::Integer(-2)));
        assert_eq!(marked.write(Number::Integer(300), &[0xD1, 0, 0]), Some(vec![0xD1, 1, 44]));
        assert_eq!(marked.write(Number::Integer(0x8000), &[0xD1, 0, 0]), None);
        assert_eq!(shape(Body::Float).write(Number::Integer(1), &[0; 4]), Some(vec![0x3F, 0x80, 0, 0]));
    }

    #[test]
    fn a_number_of_groups_takes_more_bytes_only_if_it_had_too_many() {
        let write =
            |number, old: &[u8]| shape(Body::Varint(Coding::Leb128)).write(Number::Integer(number), old).unwrap();
        assert_eq!((write(128, &[0x7F]), write(1, &[0x80, 1])), (vec![0x80, 1], vec![1]));
        assert_eq!(write(1, &[0x80, 0]), [0x81, 0]);
        assert_eq!(shape(Body::Varint(Coding::Leb128)).read(&[0xFF; 10]), None);
        assert_eq!(shape(Body::Varint(Coding::Leb128)).write(Number::Integer(-1), &[0]), None);
    }

    #[test]
    fn a_counted_text_keeps_the_bits_of_its_length_that_are_none() {
        let counted = Form::Counted(Box::new(LENGTH), 0x1F, Content::Utf8);
        let Form::Counted(length, mask, _) = &counted else { unreachable!("it was made above") };
        let shape = shape(Body::Counted(length, *mask));
        assert_eq!(shape.text(b"abc", b"\xA1x"), b"\xA3abc");
        assert_eq!(shape.text_in(b"\xA3abc"), b"abc");
    }
}
