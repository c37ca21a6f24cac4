//! Converts numbers to a wider type that holds each of them exactly.

use ndbytes::everybyte::Endian;
use ndbytes::half::{bf16, f16};
use ndbytes::{Dtype, ElementKind, ItemType, Items, Result};

/// A number type, and the wider one that it is converted to.
#[derive(Debug, Clone, Copy)]
pub struct Widening {
    from: Dtype,
    to: ElementKind,
}

impl Widening {
    /// Returns how to widen a type to one that IDX and GGUF support.
    pub fn of(from: Dtype) -> Option<Self> {
        let to = match from.kind {
            ElementKind::U8 => ElementKind::I16,
            ElementKind::U16 => ElementKind::I32,
            ElementKind::F16 | ElementKind::Bf16 => ElementKind::F32,
            ElementKind::U32 => ElementKind::F64,
            _ => return None,
        };
        Some(Widening { from, to })
    }

    /// Returns the wider type.
    pub fn to(self) -> ElementKind {
        self.to
    }

    /// Appends numbers in native byte order.
    fn widen(self, bytes: &[u8], to: &mut Vec<u8>) {
        let is_big = self.from.endian == Endian::Big;
        let half = |bytes: [u8; 2]| if is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
        let word = |bytes: [u8; 4]| if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        let halves = bytes.as_chunks().0.iter().map(|bytes| half(*bytes));
        match self.from.kind {
            ElementKind::U8 => bytes.iter().for_each(|&number| to.extend(i16::from(number).to_ne_bytes())),
            ElementKind::U16 => halves.for_each(|number| to.extend(i32::from(number).to_ne_bytes())),
            ElementKind::F16 => halves.for_each(|bits| to.extend(f16::from_bits(bits).to_f32().to_ne_bytes())),
            ElementKind::Bf16 => halves.for_each(|bits| to.extend(bf16::from_bits(bits).to_f32().to_ne_bytes())),
            _ => {
                let words = bytes.as_chunks().0.iter().map(|bytes| word(*bytes));
                words.for_each(|number| to.extend(f64::from(number).to_ne_bytes()));
            }
        }
    }
}

/// Items as numbers of the wider type.
pub struct Widened<'i> {
    items: Box<dyn Items + 'i>,
    widening: Widening,
    item_type: ItemType,
    buffer: Vec<u8>,
}

impl<'i> Widened<'i> {
    /// Items of the wider type, in native byte order.
    pub fn new(items: Box<dyn Items + 'i>, widening: Widening) -> Self {
        let item_type = ItemType::Plain(Dtype::new(widening.to, Endian::NATIVE));
        Widened { items, widening, item_type, buffer: Vec::new() }
    }
}

impl Items for Widened<'_> {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        self.items.shape()
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        self.buffer.clear();
        self.widening.widen(self.items.read(start, count)?, &mut self.buffer);
        Ok(&self.buffer)
    }
}
