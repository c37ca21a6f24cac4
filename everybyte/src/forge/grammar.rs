//! The information about a format that the forge needs in addition to its layouts.

use super::choices::Choices;
use super::contents;
use crate::finding::Finding;
use crate::map::Space;
use crate::nodes::Node;
use crate::reference::Book;
use crate::sums::Summed;
use binrw::Endian;

/// A kind of file, as the forge sees it: the map and anything that the map does not express. No method may panic,
/// whatever bytes it is given.
///
/// ```
/// use everybyte::forge::{Choices, Grammar, Of, replay};
/// use everybyte::{Endian, Format, layout, map::Space, reference::Book};
///
/// #[layout]
/// struct Pair {
///     a: u8,
///     b: u8,
/// }
///
/// impl Format for Pair {
///     const NAME: &'static str = "pair";
/// }
///
/// /// Pairs, and an operation that swaps their halves.
/// struct Swapping(Of<Pair>);
///
/// impl Grammar for Swapping {
///     fn name(&self) -> &str {
///         self.0.name()
///     }
///
///     fn books(&self) -> &[Book] {
///         self.0.books()
///     }
///
///     fn byte_order(&self, file: &[u8]) -> Endian {
///         self.0.byte_order(file)
///     }
///
///     fn map(&self, file: &[u8]) -> Vec<Space> {
///         self.0.map(file)
///     }
///
///     fn operations(&self) -> &'static [&'static str] {
///         &["swap-halves"]
///     }
///
///     fn operate(&self, _operation: &str, file: &[u8], _choices: &mut Choices<'_>) -> Option<Vec<u8>> {
///         Some(file.iter().rev().copied().collect())
///     }
/// }
///
/// let recipe = "do swap-halves seed=1".parse()?;
/// assert_eq!(replay(&Swapping(Of::new()), &[1, 2], &recipe)?, [2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Of`](super::Of) is the grammar of a declared format. Wrap it to add what the declaration cannot express.
pub trait Grammar {
    /// The name of the kind in recipes.
    fn name(&self) -> &str;

    /// The field references of its layouts.
    fn books(&self) -> &[Book];

    /// The type of the outermost structure; `None` if it is unknown.
    fn root(&self) -> Option<&str> {
        None
    }

    /// The byte order of numbers whose layouts do not state one.
    fn byte_order(&self, file: &[u8]) -> Endian;

    /// The byte map of a file, even if the file is broken; the first space is the file. It is empty if nothing can be read.
    fn map(&self, file: &[u8]) -> Vec<Space>;

    /// The bytes of a space other than the file: the decompressed content of a field.
    ///
    /// If the declaration has `opens(…)`, you do not need this method.
    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        contents::content(file, spaces, space)
    }

    /// The new bytes of the field that opens a space, after the content of the space has changed.
    fn pack(&self, _file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        contents::opener(spaces, space)?.1.codec().map(|codec| codec.pack(content))
    }

    /// The value of a checksum over bytes; `number` is the field that states it. If the declaration has `sum = …`, you
    /// do not need this method.
    fn check_sum(&self, number: Node<'_>, bytes: &[u8]) -> Option<Summed> {
        number.sum().map(|sum| sum.of(bytes))
    }

    /// The number of rules that a file violates; `None` if unknown. If [everything](super::Repair::Everything) is repaired, a mutant
    /// violates no more rules than its original.
    fn violations(&self, file: &[u8]) -> Option<usize> {
        self.findings(file).map(|findings| findings.len())
    }

    /// The rules that a file violates; `None` if unknown. An [edit](super::Editor) that violates any further rule is refused.
    fn findings(&self, _file: &[u8]) -> Option<Vec<Finding>> {
        None
    }

    /// The names of the operations on whole structures that the kind supports, in addition to those on fields.
    fn operations(&self) -> &'static [&'static str] {
        &[]
    }

    /// Performs an operation; `None` if it does not apply to the file. The same choices produce the same bytes.
    fn operate(&self, _operation: &str, _file: &[u8], _choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        None
    }

    /// Adjusts the rest of a file to a changed fact, such as the payload when an axis changes. `before` is the file
    /// before the change; `fact` is the path of the changed field. `None` if nothing depends on it.
    fn agree(&self, _before: &[u8], _after: &[u8], _fact: &str) -> Option<Vec<u8>> {
        None
    }
}
