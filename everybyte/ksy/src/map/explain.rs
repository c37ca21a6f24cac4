//! Explains files.

use super::book;
use super::findings;
use super::tree::Tree;
use crate::read::Machine;
use crate::spec::Spec;
use everybyte::map::{Nodes, Space};
use everybyte::{Explained, Finding, finding::Severity, reference::Book};
use std::convert::Infallible;

impl Spec {
    /// Explains every byte of a file: its field, its value and its meaning.
    ///
    /// All instances are read. Unpacked bytes are separate spaces. Errors become findings, with positions in the file and in the
    /// specification. Reading continues after an invalid value, and after a structure whose end is known. Memory and time are
    /// proportional to the file, whatever the specification says.
    pub fn explain(&self, file: &[u8]) -> Explained {
        let explained = self.with_machine(file, read_whole, |machine| {
            let (spaces, is_whole) = Tree::new(&machine, &self.roles).spaces();
            let findings = findings::of(&machine, self.files(), &spaces, is_whole);
            Explained::new(self.plan.types[0].name.clone(), spaces, findings)
        });
        explained.unwrap_or_else(|message| {
            let bytes = 0..file.len() as u64;
            let Ok(space) = Space::new(0, "file", file.len() as u64, Nodes::new(), |buffer: &mut [u8], at: u64| {
                buffer.copy_from_slice(&file[at as usize..][..buffer.len()]);
                Ok::<(), Infallible>(())
            });
            let finding = Finding::new("limit", Severity::Error, String::new(), 0, bytes, message);
            Explained::new(self.plan.types[0].name.clone(), vec![space], vec![finding])
        })
    }

    /// Returns the findings of [`Spec::explain`], except for those about the map itself. A map is built only if it is
    /// needed.
    pub fn check(&self, file: &[u8]) -> Vec<Finding> {
        let found = self.with_machine(file, read_whole, |machine| {
            let needs_map = findings::needs_gaps(&machine) && !machine.is_consumed();
            (!needs_map).then(|| findings::of(&machine, self.files(), &[], true))
        });
        found.ok().flatten().unwrap_or_else(|| self.explain(file).findings)
    }

    /// Returns the field reference, with one entry per type, in the order of the specification.
    pub fn book(&self) -> Book {
        book::of(&self.plan, &self.roles)
    }
}

/// Reads a file completely, with all instances and checksums.
fn read_whole(machine: &mut Machine<'_>) {
    machine.read();
    machine.read_instances();
    machine.check_sums();
}
