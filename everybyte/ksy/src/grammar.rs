//! Specifications as grammars: the forge mutates files along their fields and repairs what depends on them.

use crate::packing::{Argument, Unpacking};
use crate::read::Machine;
use crate::spec::Spec;
use everybyte::forge::Grammar;
use everybyte::map::Space;
use everybyte::tool::Described;
use everybyte::{Endian, Explained, Finding, reference::Book};

/// The grammar of a specification.
///
/// ```
/// use everybyte::forge::replay;
/// use everybyte_ksy::{Spec, SpecGrammar};
///
/// let spec: Spec = "
/// meta: {id: note, endian: be}
/// seq:
///   - {id: length, type: u2}
///   - {id: text, size: length - 2}
///   - {id: sum, type: u4, -check: crc32(text)}
/// ".parse()?;
/// let file = b"\x00\x04hi\xd8\x93\x2a\xac";
/// assert!(spec.check(file).is_empty());
/// let recipe = r#"splice text[2..end] = "!""#.parse()?;
/// let made = replay(&SpecGrammar::new(&spec), file, &recipe)?;
/// assert_eq!(made, b"\x00\x05hi!\x41\xd3\x83\x3a");
/// assert!(spec.check(&made).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SpecGrammar<'s> {
    spec: &'s Spec,
    books: [Book; 1],
}

impl<'s> SpecGrammar<'s> {
    /// Creates the grammar of a specification.
    pub fn new(spec: &'s Spec) -> Self {
        SpecGrammar { spec, books: [spec.book()] }
    }
}

impl Grammar for SpecGrammar<'_> {
    fn name(&self) -> &str {
        self.spec.name()
    }

    fn books(&self) -> &[Book] {
        &self.books
    }

    fn root(&self) -> Option<&str> {
        self.spec.plan.types.first().map(|root| &*root.name)
    }

    fn byte_order(&self, _file: &[u8]) -> Endian {
        self.spec.byte_order()
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        self.spec.explain(file).spaces
    }

    fn content(&self, file: &[u8], _spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        self.spec.opened(file, space).map(|opened| opened.content)
    }

    fn findings(&self, file: &[u8]) -> Option<Vec<Finding>> {
        Some(self.spec.check(file))
    }

    fn pack(&self, file: &[u8], _spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        let Opened { by, arguments, .. } = self.spec.opened(file, space)?;
        by.pack(content, &arguments)
    }
}

/// An unpacked space.
struct Opened {
    content: Vec<u8>,
    by: Unpacking,
    arguments: Vec<Argument>,
}

impl Spec {
    /// Returns the bytes of a space that was unpacked, and how it was unpacked.
    fn opened(&self, file: &[u8], space: u32) -> Option<Opened> {
        let read = |machine: &mut Machine<'_>| {
            machine.read();
            machine.read_instances();
        };
        let opened = self.with_machine(file, read, |mut machine| {
            let found = machine.spaces.get(space as usize)?;
            let (content, (by, vals)) = (found.bytes.to_vec(), found.packed.clone()?);
            let arguments = vals.iter().map(|val| machine.argument(val, usize::MAX).ok()).collect::<Option<_>>()?;
            Some(Opened { content, by, arguments })
        });
        opened.ok().flatten()
    }
}

impl Described for Spec {
    fn name(&self) -> &str {
        Spec::name(self)
    }

    fn explain(&self, file: &[u8]) -> Explained {
        Spec::explain(self, file)
    }

    fn book(&self) -> Book {
        Spec::book(self)
    }

    fn grammar(&self) -> Box<dyn Grammar + '_> {
        Box::new(SpecGrammar::new(self))
    }
}
