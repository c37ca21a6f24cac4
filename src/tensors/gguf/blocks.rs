//! The element types of GGUF, and the decoders of their blocks.
//!
//! Each step is rounded to single precision, in the same order as in the Python package `gguf`, so that every bit is the same.

use crate::types::dtype::ElementKind;
use crate::types::tensor_type::{Blocks, DecodeBlock, Reading, TensorType};
use everybyte::Endian;
use half::f16;
use ndbytes_schemas::gguf::Element;
use std::sync::LazyLock;

/// All type codes are below this number.
const CODES: u32 = 64;

/// The types, indexed by their codes.
static TYPES: LazyLock<Vec<Option<TensorType>>> =
    LazyLock::new(|| (0..CODES).map(|code| declared(Element(code))).collect());

/// Returns the type with this code.
pub(super) fn type_of(element: Element) -> Option<&'static TensorType> {
    TYPES.get(usize::try_from(element.0).ok()?)?.as_ref()
}

fn declared(element: Element) -> Option<TensorType> {
    Some(TensorType { name: element.name()?, bits: 8 * element.bytes(), reading: reading(element) })
}

fn reading(element: Element) -> Reading {
    let decode: Option<DecodeBlock> = match element {
        Element::F32 => return Reading::As(ElementKind::F32),
        Element::F16 => return Reading::As(ElementKind::F16),
        Element::BF16 => return Reading::As(ElementKind::Bf16),
        Element::F64 => return Reading::As(ElementKind::F64),
        Element::I8 => return Reading::As(ElementKind::I8),
        Element::I16 => return Reading::As(ElementKind::I16),
        Element::I32 => return Reading::As(ElementKind::I32),
        Element::I64 => return Reading::As(ElementKind::I64),
        Element::Q4_0 => Some(q4_0),
        Element::Q4_1 => Some(q4_1),
        Element::Q5_0 => Some(q5_0),
        Element::Q5_1 => Some(q5_1),
        Element::Q8_0 => Some(q8_0),
        Element::Q4_K => Some(q4_k),
        Element::Q6_K => Some(q6_k),
        _ => None,
    };
    Reading::Blocks(Blocks { elements: element.block(), decode })
}

/// Returns the half-precision float at a position in a block, as single precision.
fn half(block: &[u8], at: usize, order: Endian) -> f32 {
    let bytes = [block[at], block[at + 1]];
    match order {
        Endian::Little => f16::from_le_bytes(bytes),
        Endian::Big => f16::from_be_bytes(bytes),
    }
    .to_f32()
}

/// Returns the 4-bit number of an element. The second half of the elements is in the upper halves of the bytes.
fn nibble(packed: &[u8], index: usize) -> u8 {
    let half = packed.len();
    if index < half { packed[index] & 15 } else { packed[index - half] >> 4 }
}

/// Returns the fifth bit of an element, which is in a 32-bit number.
fn fifth(block: &[u8], at: usize, order: Endian, index: usize) -> u8 {
    let bytes = [block[at], block[at + 1], block[at + 2], block[at + 3]];
    let bits = match order {
        Endian::Little => u32::from_le_bytes(bytes),
        Endian::Big => u32::from_be_bytes(bytes),
    };
    (((bits >> index) & 1) as u8) << 4
}

fn q4_0(block: &[u8], order: Endian, to: &mut [f32]) {
    let scale = half(block, 0, order);
    for (index, to) in to.iter_mut().enumerate() {
        *to = scale * (f32::from(nibble(&block[2..], index)) - 8.0);
    }
}

fn q4_1(block: &[u8], order: Endian, to: &mut [f32]) {
    let (scale, least) = (half(block, 0, order), half(block, 2, order));
    for (index, to) in to.iter_mut().enumerate() {
        *to = scale * f32::from(nibble(&block[4..], index)) + least;
    }
}

fn q5_0(block: &[u8], order: Endian, to: &mut [f32]) {
    let scale = half(block, 0, order);
    for (index, to) in to.iter_mut().enumerate() {
        let number = nibble(&block[6..], index) | fifth(block, 2, order, index);
        *to = scale * (f32::from(number) - 16.0);
    }
}

fn q5_1(block: &[u8], order: Endian, to: &mut [f32]) {
    let (scale, least) = (half(block, 0, order), half(block, 2, order));
    for (index, to) in to.iter_mut().enumerate() {
        let number = nibble(&block[8..], index) | fifth(block, 4, order, index);
        *to = scale * f32::from(number) + least;
    }
}

fn q8_0(block: &[u8], order: Endian, to: &mut [f32]) {
    let scale = half(block, 0, order);
    for (to, &byte) in to.iter_mut().zip(&block[2..]) {
        *to = f32::from(byte as i8) * scale;
    }
}

/// Decodes eight parts of 32 elements, each with a 6-bit scale and a 6-bit offset.
fn q4_k(block: &[u8], order: Endian, to: &mut [f32]) {
    let (scale, offset) = (half(block, 0, order), half(block, 2, order));
    let (packed, numbers) = block[4..].split_at(12);
    for (part, to) in to.chunks_exact_mut(32).enumerate() {
        let (scale_bits, offset_bits) = match part {
            0..4 => (packed[part] & 63, packed[part + 4] & 63),
            _ => (
                (packed[part + 4] & 15) | ((packed[part - 4] >> 2) & 48),
                (packed[part + 4] >> 4) | ((packed[part] >> 2) & 48),
            ),
        };
        let (scale, offset) = (scale * f32::from(scale_bits), offset * f32::from(offset_bits));
        let (pair, shift) = (&numbers[part / 2 * 32..][..32], part % 2 * 4);
        for (to, &byte) in to.iter_mut().zip(pair) {
            *to = scale * f32::from((byte >> shift) & 15) - offset;
        }
    }
}

/// Decodes sixteen parts of 16 elements, each with an 8-bit scale.
fn q6_k(block: &[u8], order: Endian, to: &mut [f32]) {
    let (low, rest) = block.split_at(128);
    let (high, scales) = rest.split_at(64);
    let scale = half(block, 208, order);
    for (index, to) in to.iter_mut().enumerate() {
        // 128 elements are four rows of 32. Two rows share each byte of lower bits, and all four share each byte of upper bits.
        let (side, row, column) = (index / 128, index / 32 % 4, index % 32);
        let lower = (low[side * 64 + row % 2 * 32 + column] >> (row / 2 * 4)) & 15;
        let upper = (high[side * 32 + column] >> (row * 2)) & 3;
        let number = f32::from(lower | (upper << 4)) - 32.0;
        *to = scale * f32::from(scales[index / 16] as i8) * number;
    }
}
