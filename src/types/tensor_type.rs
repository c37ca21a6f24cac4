//! The element types of tensors, including some that arrays do not have.

use super::dtype::ElementKind;
use everybyte::Endian;
use half::f16;

/// An element type, as named by its format.
#[derive(Debug)]
pub struct TensorType {
    /// The name in the header of a file, or in the documentation of the format.
    pub name: &'static str,
    /// The number of bits per element or, if elements are stored in blocks, per block.
    pub bits: u64,
    /// How the elements are read.
    pub reading: Reading,
}

/// How elements are read.
#[derive(Debug, Clone, Copy)]
pub enum Reading {
    /// The elements are read without conversion.
    As(ElementKind),
    /// The elements are converted to 32-bit floats, which can represent all of their values.
    Decoded(fn(u8) -> f32),
    /// Blocks of elements that share a scale are converted to 32-bit floats.
    Blocks(Blocks),
    /// The elements are read as packed bytes, because the format does not define the order of elements in a byte.
    Packed,
}

/// Blocks of elements.
#[derive(Debug, Clone, Copy)]
pub struct Blocks {
    /// The number of elements per block.
    pub elements: u64,
    /// The decoder of a block; `None` if blocks of this type are read as raw bytes.
    pub decode: Option<DecodeBlock>,
}

/// Decodes all elements of a block.
pub type DecodeBlock = fn(&[u8], Endian, &mut [f32]);

/// The types of safetensors.
pub static TENSOR_TYPES: [TensorType; 22] = [
    TensorType { name: "BOOL", bits: 8, reading: Reading::As(ElementKind::Bool) },
    TensorType { name: "F4", bits: 4, reading: Reading::Packed },
    TensorType { name: "F6_E2M3", bits: 6, reading: Reading::Packed },
    TensorType { name: "F6_E3M2", bits: 6, reading: Reading::Packed },
    TensorType { name: "U8", bits: 8, reading: Reading::As(ElementKind::U8) },
    TensorType { name: "I8", bits: 8, reading: Reading::As(ElementKind::I8) },
    TensorType { name: "F8_E5M2", bits: 8, reading: Reading::Decoded(f8_e5m2) },
    TensorType { name: "F8_E4M3", bits: 8, reading: Reading::Decoded(f8_e4m3) },
    TensorType { name: "F8_E8M0", bits: 8, reading: Reading::Decoded(f8_e8m0) },
    TensorType { name: "F8_E4M3FNUZ", bits: 8, reading: Reading::Decoded(f8_e4m3fnuz) },
    TensorType { name: "F8_E5M2FNUZ", bits: 8, reading: Reading::Decoded(f8_e5m2fnuz) },
    TensorType { name: "I16", bits: 16, reading: Reading::As(ElementKind::I16) },
    TensorType { name: "U16", bits: 16, reading: Reading::As(ElementKind::U16) },
    TensorType { name: "F16", bits: 16, reading: Reading::As(ElementKind::F16) },
    TensorType { name: "BF16", bits: 16, reading: Reading::As(ElementKind::Bf16) },
    TensorType { name: "I32", bits: 32, reading: Reading::As(ElementKind::I32) },
    TensorType { name: "U32", bits: 32, reading: Reading::As(ElementKind::U32) },
    TensorType { name: "F32", bits: 32, reading: Reading::As(ElementKind::F32) },
    TensorType { name: "C64", bits: 64, reading: Reading::As(ElementKind::Complex64) },
    TensorType { name: "F64", bits: 64, reading: Reading::As(ElementKind::F64) },
    TensorType { name: "I64", bits: 64, reading: Reading::As(ElementKind::I64) },
    TensorType { name: "U64", bits: 64, reading: Reading::As(ElementKind::U64) },
];

impl TensorType {
    /// The type with this name.
    pub fn named(name: &str) -> Option<&'static TensorType> {
        TENSOR_TYPES.iter().find(|known| known.name == name)
    }

    /// The kind of the elements as they are returned.
    pub fn kind(&self) -> ElementKind {
        match self.reading {
            Reading::As(kind) => kind,
            Reading::Decoded(_) | Reading::Blocks(Blocks { decode: Some(_), .. }) => ElementKind::F32,
            Reading::Packed | Reading::Blocks(Blocks { decode: None, .. }) => ElementKind::Record(1),
        }
    }

    /// The number of elements per block; one if there are no blocks.
    pub fn block(&self) -> u64 {
        match self.reading {
            Reading::Blocks(blocks) => blocks.elements,
            Reading::As(_) | Reading::Decoded(_) | Reading::Packed => 1,
        }
    }
}

fn f8_e5m2(byte: u8) -> f32 {
    f16::from_bits(u16::from(byte) << 8).to_f32()
}

fn f8_e4m3(byte: u8) -> f32 {
    if byte & 0x7F == 0x7F { f32::NAN } else { small_float(byte, 3, 7) }
}

fn f8_e4m3fnuz(byte: u8) -> f32 {
    if byte == 0x80 { f32::NAN } else { small_float(byte, 3, 8) }
}

fn f8_e5m2fnuz(byte: u8) -> f32 {
    if byte == 0x80 { f32::NAN } else { small_float(byte, 2, 16) }
}

/// Returns a power of two.
fn f8_e8m0(byte: u8) -> f32 {
    match byte {
        0xFF => f32::NAN,
        0 => f32::from_bits(1 << 22),
        exponent => f32::from_bits(u32::from(exponent) << 23),
    }
}

/// Returns the value of an 8-bit float with a sign, an exponent, and this many fraction bits.
fn small_float(byte: u8, fraction_bits: u32, bias: i32) -> f32 {
    let fraction = f32::from(byte & ((1 << fraction_bits) - 1));
    let one = f32::from(1_u8 << fraction_bits);
    let magnitude = match i32::from((byte & 0x7F) >> fraction_bits) {
        0 => fraction / one * 2_f32.powi(1 - bias),
        exponent => (1.0 + fraction / one) * 2_f32.powi(exponent - bias),
    };
    if byte & 0x80 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are from `ml_dtypes`.
    #[test]
    fn floats_of_8_bits_are_decoded_exactly() {
        for (decode, byte, expected) in [
            (f8_e4m3 as fn(u8) -> f32, 0x38, 1.0),
            (f8_e4m3, 0x40, 2.0),
            (f8_e4m3, 0x44, 3.0),
            (f8_e4m3, 0x7E, 448.0),
            (f8_e4m3, 0x01, 0.001_953_125),
            (f8_e4m3, 0x80, -0.0),
            (f8_e5m2, 0x3C, 1.0),
            (f8_e5m2, 0x7B, 57344.0),
            (f8_e5m2, 0x7C, f32::INFINITY),
            (f8_e5m2, 0x01, 1.525_878_9e-5),
            (f8_e4m3fnuz, 0x7F, 240.0),
            (f8_e4m3fnuz, 0x40, 1.0),
            (f8_e5m2fnuz, 0x7F, 57344.0),
            (f8_e5m2fnuz, 0x40, 1.0),
            (f8_e8m0, 127, 1.0),
            (f8_e8m0, 0, 5.877_472e-39),
        ] {
            assert_eq!(decode(byte).to_bits(), expected.to_bits(), "{byte:#x}: {}", decode(byte));
        }
        for (decode, byte) in [(f8_e4m3 as fn(u8) -> f32, 0xFF), (f8_e4m3fnuz, 0x80), (f8_e5m2, 0x7D), (f8_e8m0, 0xFF)]
        {
            assert!(decode(byte).is_nan());
        }
    }
}
