//! Builds GGUF files.

use everybyte::Endian;
use ndbytes_schemas::gguf::{Element, Gguf, Kind};

/// The alignment of files that do not state one.
pub(super) const ALIGNMENT: usize = Gguf::ALIGNMENT as usize;

/// A tensor: its name, its element type, its axes (the fastest first), and its bytes.
#[derive(Debug, Clone)]
pub(super) struct Tensor {
    pub name: Vec<u8>,
    pub element: Element,
    pub axes: Vec<u64>,
    pub bytes: Vec<u8>,
}

/// Numbers in a byte order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order(pub Endian);

impl Order {
    pub fn u32(self, value: u32) -> Vec<u8> {
        match self.0 {
            Endian::Little => value.to_le_bytes().to_vec(),
            Endian::Big => value.to_be_bytes().to_vec(),
        }
    }

    pub fn u64(self, value: u64) -> Vec<u8> {
        match self.0 {
            Endian::Little => value.to_le_bytes().to_vec(),
            Endian::Big => value.to_be_bytes().to_vec(),
        }
    }

    pub fn text(self, text: &[u8]) -> Vec<u8> {
        [self.u64(text.len() as u64), text.to_vec()].concat()
    }

    /// Writes a metadata entry: its key, its type, and the bytes of its value.
    pub fn fact(self, key: &[u8], kind: Kind, value: &[u8]) -> Vec<u8> {
        self.fact_of(key, kind as u32, value)
    }

    /// Writes a metadata entry with a type code that may be invalid.
    pub fn fact_of(self, key: &[u8], code: u32, value: &[u8]) -> Vec<u8> {
        [self.text(key), self.u32(code), value.to_vec()].concat()
    }

    fn entry(self, tensor: &Tensor, offset: u64) -> Vec<u8> {
        let axes: Vec<u8> = tensor.axes.iter().flat_map(|&axis| self.u64(axis)).collect();
        let rank = self.u32(tensor.axes.len() as u32);
        [self.text(&tensor.name), rank, axes, self.u32(tensor.element.0), self.u64(offset)].concat()
    }

    /// A file with consecutive tensors, each followed by its padding.
    pub fn file(self, facts: &[Vec<u8>], tensors: &[Tensor]) -> Vec<u8> {
        let mut offset = 0;
        let place = |tensor: &Tensor| {
            let start = offset;
            offset += tensor.bytes.len().next_multiple_of(ALIGNMENT) as u64;
            start
        };
        let offsets: Vec<u64> = tensors.iter().map(place).collect();
        self.file_at(facts, tensors, &offsets)
    }

    /// Creates a file whose tensors are at these offsets, which must not decrease.
    pub fn file_at(self, facts: &[Vec<u8>], tensors: &[Tensor], offsets: &[u64]) -> Vec<u8> {
        let counts = [tensors.len(), facts.len()].map(|count| self.u64(count as u64)).concat();
        let mut bytes = [Gguf::MAGIC.to_vec(), self.u32(Gguf::VERSION), counts, facts.concat()].concat();
        for (tensor, &offset) in tensors.iter().zip(offsets) {
            bytes.extend(self.entry(tensor, offset));
        }
        let padded = bytes.len().next_multiple_of(ALIGNMENT);
        fill(&mut bytes, padded);
        let data = bytes.len();
        for (tensor, &offset) in tensors.iter().zip(offsets) {
            let start = data + offset as usize;
            let end = start + tensor.bytes.len();
            fill(&mut bytes, end);
            bytes[start..end].copy_from_slice(&tensor.bytes);
        }
        let padded = bytes.len().next_multiple_of(ALIGNMENT);
        fill(&mut bytes, padded);
        bytes
    }
}

/// Appends zeros to bytes, up to a length.
fn fill(bytes: &mut Vec<u8>, length: usize) {
    let missing = length.saturating_sub(bytes.len());
    bytes.extend(std::iter::repeat_n(0, missing));
}
