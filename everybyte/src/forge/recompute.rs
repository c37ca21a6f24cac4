//! Recomputes derived fields that are out of date.
//!
//! Unlike [`propagate`](super::propagate), which keeps correct numbers correct, this module corrects wrong numbers without
//! knowing their earlier values. A pass corrects lengths, counts and copies first. Checksums are corrected only when these
//! numbers are final. Each pass maps the file again, since a corrected length changes which fields exist.

use super::edit::Edit;
use super::field_table::Dependent;
use super::grammar::Grammar;
use super::mapped_file::MappedFile;
use super::number::{Number, Shape};
use super::propagate::{Action, propagated};
use super::recipe::Repair;
use super::session::Session;
use crate::role::{Affine, Role};
use crate::sums::{Summed, is_stated};

/// The maximum number of passes. Several are needed, because setting one number can move other fields or change their sums.
const ROUNDS: usize = 8;

/// Corrects the lengths, counts, copies and checksums of a file. For many files, [`Session::set_right`] is faster.
pub fn set_right<G: Grammar + ?Sized>(grammar: &G, file: &[u8], repair: Repair) -> Vec<u8> {
    Session::new(grammar).set_right(file, repair)
}

impl<G: Grammar + ?Sized> Session<'_, G> {
    /// Recomputes a file's lengths, counts, copies and checksums, if their roles are in `repair`. Impossible values are bounded: a
    /// length that extends beyond the end of the file becomes the number of bytes that exist. Offsets are kept, because a map does
    /// not show the position of a field that was not found. A field that is too small for its value is also kept.
    ///
    /// The result is deterministic. Recomputing it again changes nothing, unless numbers contradict each other.
    pub fn set_right(&self, file: &[u8], repair: Repair) -> Vec<u8> {
        let mut bytes = file.to_vec();
        for _ in 0..ROUNDS {
            let mapped = MappedFile::new(self.grammar, self.shapes(), &bytes);
            let work = Work { grammar: self.grammar, mapped: &mapped, repair };
            // Checksums come last, because they need final numbers.
            let mut edits = work.edits(|number| {
                let value = work.number(number)?;
                work.edit(number.field, |shape, old| shape.write(Number::Integer(value), old))
            });
            if edits.is_empty() {
                edits = work.edits(|number| {
                    let sum = work.sum(number)?;
                    work.edit(number.field, |shape, old| shape.write_sum(&sum, old))
                });
            }
            if edits.is_empty() {
                break;
            }
            let action = Action { edits, counted: None };
            match propagated(self.grammar, &mapped, &action, repair, &mut |_| true) {
                Some(next) if next != bytes => bytes = next,
                _ => break,
            }
        }
        bytes
    }
}

struct Work<'a, 'g, G: ?Sized> {
    grammar: &'a G,
    mapped: &'a MappedFile<'g>,
    repair: Repair,
}

impl<G: Grammar + ?Sized> Work<'_, '_, G> {
    /// Returns the edits of numbers whose roles are repaired.
    fn edits(&self, edit: impl Fn(&Dependent) -> Option<Edit>) -> Vec<Edit> {
        let numbers = self.mapped.table.dependents.iter().filter(|number| self.repair.mends(&number.role));
        numbers.filter_map(edit).collect()
    }

    fn edit(&self, number: usize, written: impl FnOnce(&Shape<'_>, &[u8]) -> Option<Vec<u8>>) -> Option<Edit> {
        let table = &self.mapped.table;
        let old = self.mapped.bytes(self.grammar, number)?;
        let new = written(&table.slot(number)?.shape, &old)?;
        let field = &table.fields[number];
        (new != old).then(|| Edit::whole(field.space, field.bytes(), number, new))
    }

    /// The correct value of a length, a count or a copy; `None` if it is already correct or if the number has another role.
    fn number(&self, number: &Dependent) -> Option<i128> {
        let expected = number.expected.filter(|_| number.agrees == Some(false))?;
        let is_extent = matches!(number.role, Role::Extent { .. });
        let unread = number.subject.as_ref().filter(|subject| is_extent && !self.is_read(subject.field));
        let left = unread.map(|subject| self.mapped.table.lengths[&subject.space].saturating_sub(subject.bytes.start));
        let affine = number.role.target().map_or(Affine::SAME, |target| target.affine);
        let value = left.map_or(Some(expected), |left| affine.invert(left.into()));
        value.filter(|&value| number.value != Some(value))
    }

    /// Returns false for a field without parts that could not be read because it extends beyond the end of the space.
    fn is_read(&self, field: usize) -> bool {
        let node = self.mapped.table.node(field);
        node.is_complete() || !node.is_leaf()
    }

    /// The correct value of a checksum; `None` if it is already correct or if the number is not a checksum.
    fn sum(&self, number: &Dependent) -> Option<Summed> {
        let subject = number.subject.as_ref().filter(|_| matches!(number.role, Role::CheckOf { .. }))?;
        let content = self.mapped.content(self.grammar, subject.space)?;
        let own = self.mapped.table.fields[number.field].bytes_in(subject.space);
        let sum = self.mapped.sum_of(self.grammar, number.field, &content, subject.bytes.clone(), own)?;
        let stated = self.mapped.bytes(self.grammar, number.field)?;
        (!is_stated(&sum, number.value, &stated)).then_some(sum)
    }
}
