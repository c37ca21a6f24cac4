//! Compares the available bytes of two fields.

use crate::diff::structure::Side;
use crate::nodes::Node;

/// The number of bytes that are compared at a time.
const PIECE: usize = 1 << 16;

/// The result of comparing fields of equal length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The number of bytes that differ.
    pub different: u64,
    /// The number of bytes that were not compared.
    pub unread: u64,
}

/// Compares the bytes of both files.
pub struct Bytes<'s, 'm> {
    sides: [&'s Side<'m>; 2],
    /// The number of bytes that may still be compared.
    left: u64,
    buffers: [Box<[u8; PIECE]>; 2],
}

impl<'s, 'm> Bytes<'s, 'm> {
    /// Creates a comparison of two sides that reads at most `most` bytes.
    pub fn new(sides: [&'s Side<'m>; 2], most: u64) -> Self {
        Bytes { sides, left: most, buffers: [Box::new([0; PIECE]), Box::new([0; PIECE])] }
    }

    /// Compares two fields of the same length, each with its space.
    pub fn compare(&mut self, a: (Node<'_>, u32), b: (Node<'_>, u32)) -> Outcome {
        let length = a.0.end() - a.0.start();
        let [first_a, first_b] = [a.0, b.0].map(|node| node.first_bytes());
        let known = first_a.len().min(first_b.len());
        let beginning = Outcome { different: differing(&first_a[..known], &first_b[..known]), unread: 0 };
        if known as u64 >= length {
            return beginning;
        }
        let mut found = beginning;
        let mut at = known as u64;
        while at < length {
            let size = (length - at).min(PIECE as u64).min(self.left) as usize;
            let is_read = size > 0 && self.read([(a.1, a.0.start() + at), (b.1, b.0.start() + at)], size);
            if !is_read {
                found.unread = length - at;
                break;
            }
            found.different += differing(&self.buffers[0][..size], &self.buffers[1][..size]);
            self.left -= size as u64;
            at += size as u64;
        }
        found
    }

    /// Reads a piece of both sides; returns false if one of them is not available.
    fn read(&mut self, places: [(u32, u64); 2], size: usize) -> bool {
        self.sides
            .iter()
            .zip(&mut self.buffers)
            .zip(places)
            .all(|((side, buffer), (space, offset))| (side.read)(space, offset, &mut buffer[..size]))
    }
}

/// Returns the number of bytes that differ between two pieces of the same length.
fn differing(a: &[u8], b: &[u8]) -> u64 {
    if a == b { 0 } else { a.iter().zip(b).filter(|(a, b)| a != b).count() as u64 }
}
