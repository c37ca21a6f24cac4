//! Facts about a format that its layouts do not state, for the forge.

use super::choices::Choices;
use super::contents;
use crate::map::Space;
use crate::nodes::Node;
use crate::reference::Book;
use binrw::Endian;

/// A kind of file, as the forge sees it: its map, and the little that the map does not say. No method panics on any bytes.
pub trait Grammar {
    /// The name of the kind, as recipes have it.
    fn name(&self) -> &str;

    /// The field references of its layouts.
    fn books(&self) -> &[Book];

    /// The byte order of numbers, where the layouts do not state it.
    fn byte_order(&self, file: &[u8]) -> Endian;

    /// The byte map of a file, broken ones included; the first space is the file. Empty if nothing can be read.
    fn map(&self, file: &[u8]) -> Vec<Space>;

    /// The bytes of a space of the map that are not bytes of the file: what a field decompresses into.
    ///
    /// A declaration that has `opens(…)` says it.
    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        contents::content(file, spaces, space)
    }

    /// The bytes of the field that opens a space, after the bytes of the space have been changed.
    fn pack(&self, _file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        contents::opener(spaces, space)?.1.codec().map(|codec| codec.pack(content))
    }

    /// The value of a checksum over bytes; `number` is the field that states it. A declaration that has `sum = …` says it.
    fn check_sum(&self, number: Node<'_>, bytes: &[u8]) -> Option<u64> {
        number.sum().map(|sum| sum.of(bytes))
    }

    /// The number of rules that a file violates; `None` if nobody can say. With [everything](super::Repair::Everything) repaired,
    /// a mutant does not violate more of them than its file does.
    fn violations(&self, _file: &[u8]) -> Option<usize> {
        None
    }

    /// The names of the operations on whole structures that the kind has beside those on fields.
    fn operations(&self) -> &'static [&'static str] {
        &[]
    }

    /// Performs an operation; `None` if it does not suit the file. The same choices give the same bytes.
    fn operate(&self, _operation: &str, _file: &[u8], _choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        None
    }

    /// Makes the rest of a file follow a fact that was changed: the payload of an array whose extents are others. `before` is
    /// the file before the change, `fact` the path of the changed field. `None` if nothing has to follow.
    fn agree(&self, _before: &[u8], _after: &[u8], _fact: &str) -> Option<Vec<u8>> {
        None
    }
}
