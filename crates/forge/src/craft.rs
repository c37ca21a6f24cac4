//! The craft of each kind of file.

use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian, Node};
use ndbytes::Format;

/// Bytes that were made; `None` if what was asked does not suit the file.
type Made = Option<Vec<u8>>;

/// A kind of file: its grammar, whole valid files of it, and how its rules are broken.
///
/// Functions that have the name of one of [`Grammar`] are that function.
pub(crate) struct Craft {
    /// Its name, with which the ids of its rules begin.
    pub name: &'static str,
    /// The usual extension of a container's files; `None` for a format, which has its own.
    pub of_container: Option<&'static str>,
    pub byte_order: fn(&[u8]) -> Endian,
    pub map: fn(&[u8]) -> Vec<Space>,
    pub content: fn(&[u8], &[Space], u32) -> Made,
    pub pack: fn(&[u8], &[Space], u32, &[u8]) -> Made,
    pub check_sum: fn(Node<'_>, &[u8]) -> Option<u64>,
    pub operations: &'static [&'static str],
    pub operate: fn(&str, &[u8], &mut Choices<'_>) -> Made,
    pub agree: fn(&[u8], &[u8], &str) -> Made,
    /// Makes a whole valid file of about `size` bytes at most, which breaks no rule in profile strict, whatever the choices.
    pub valid: fn(&mut Choices<'_>, usize) -> Whole,
    /// The breakers of the rules whose ids begin with the name, in lists one after the other.
    pub breakers: &'static [&'static [Breaker]],
}

impl Craft {
    /// A kind whose files are one space of little-endian numbers, without checksums or operations of its own.
    pub const fn new(
        name: &'static str,
        valid: fn(&mut Choices<'_>, usize) -> Whole,
        breakers: &'static [&'static [Breaker]],
    ) -> Self {
        Craft {
            name,
            of_container: None,
            byte_order: |_| Endian::Little,
            map: map::map,
            content: |_, _, _| None,
            pack: |_, _, _, _| None,
            check_sum: |_, _| None,
            operations: &[],
            operate: |_, _, _| None,
            agree: |_, _, _| None,
            valid,
            breakers,
        }
    }

    /// The usual end of the names of its files, without the dot.
    pub fn extension(&self) -> &'static str {
        let of_format = || Format::ALL.into_iter().find(|format| format.name() == self.name).map(Format::extension);
        self.of_container.or_else(of_format).expect("a kind is a format, or a container with an extension")
    }
}

impl Grammar for Craft {
    fn name(&self) -> &str {
        self.name
    }

    fn books(&self) -> &[Book] {
        map::books(self.name)
    }

    fn byte_order(&self, file: &[u8]) -> Endian {
        (self.byte_order)(file)
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        (self.map)(file)
    }

    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        (self.content)(file, spaces, space)
    }

    fn pack(&self, file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        (self.pack)(file, spaces, space, content)
    }

    fn check_sum(&self, number: Node<'_>, bytes: &[u8]) -> Option<u64> {
        (self.check_sum)(number, bytes)
    }

    fn operations(&self) -> &'static [&'static str] {
        self.operations
    }

    fn operate(&self, operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        (self.operate)(operation, file, choices)
    }

    fn agree(&self, before: &[u8], after: &[u8], fact: &str) -> Option<Vec<u8>> {
        (self.agree)(before, after, fact)
    }
}

/// How a rule is broken: a file, and the steps that break it.
pub(crate) struct Breaker {
    /// The id of the rule.
    pub rule: &'static str,
    /// Makes a file that suits the steps; `None` if these choices do not lead to one.
    pub from: fn(&mut Choices<'_>) -> Option<Whole>,
    /// The lines of a recipe; empty if the file itself breaks the rule. `?` in a path is any index that there is.
    pub steps: &'static str,
    /// The memory that the check may take, in bytes; `None` for the default.
    pub memory: Option<u64>,
}

impl Breaker {
    pub const fn new(rule: &'static str, from: fn(&mut Choices<'_>) -> Option<Whole>, steps: &'static str) -> Self {
        Breaker { rule, from, steps, memory: None }
    }
}
