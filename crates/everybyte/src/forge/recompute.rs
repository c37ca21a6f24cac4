//! Files set right: numbers that are wrong are brought up to date, whoever made them wrong.

use super::edit::Edit;
use super::field_table::Dependent;
use super::grammar::Grammar;
use super::mapped_file::MappedFile;
use super::number::Number;
use super::propagate::{Action, propagated};
use super::recipe::Repair;
use super::session::Session;
use crate::role::{Affine, Role};

/// The times that a file is set right: a number that is set moves others, or is summed by others.
const ROUNDS: usize = 8;

/// Sets the lengths, counts, copies and checksums of a file right. For many files, [`Session::set_right`] is faster.
pub fn set_right<G: Grammar + ?Sized>(grammar: &G, file: &[u8], repair: Repair) -> Vec<u8> {
    Session::new(grammar).set_right(file, repair)
}

impl<G: Grammar + ?Sized> Session<'_, G> {
    /// Sets the lengths, counts, copies and checksums of a file right, as far as `repair` mends their roles. The fields stay
    /// as they are: a length that leads beyond the end of the file becomes that of the bytes that are there. Places stay,
    /// since no map says where a field stands that was not found. What has no room for its value stays too.
    ///
    /// The same file gives the same bytes. A file that was set right is not changed again, unless a number contradicts
    /// another one.
    pub fn set_right(&self, file: &[u8], repair: Repair) -> Vec<u8> {
        let mut bytes = file.to_vec();
        for _ in 0..ROUNDS {
            let mapped = MappedFile::new(self.grammar, self.shapes(), &bytes);
            let work = Work { grammar: self.grammar, mapped: &mapped, repair };
            // Sums are made of numbers that are right.
            let mut edits = work.edits(|number| work.number(number));
            if edits.is_empty() {
                edits = work.edits(|number| work.sum(number));
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
    /// The edits that give numbers the values that they should have.
    fn edits(&self, value: impl Fn(&Dependent) -> Option<i128>) -> Vec<Edit> {
        let numbers = self.mapped.table.dependents.iter().filter(|number| self.repair.mends(&number.role));
        numbers.filter_map(|number| self.edit(number.field, value(number)?)).collect()
    }

    fn edit(&self, number: usize, value: i128) -> Option<Edit> {
        let table = &self.mapped.table;
        let old = self.mapped.bytes(self.grammar, number)?;
        let new = table.slot(number)?.shape.write(Number::Integer(value), &old)?;
        let field = &table.fields[number];
        (new != old).then(|| Edit::whole(field.space, field.bytes(), number, new))
    }

    /// The value that a length, a count or a copy should have; `None` if it has it, and of other numbers.
    fn number(&self, number: &Dependent) -> Option<i128> {
        let expected = number.expected.filter(|_| number.agrees == Some(false))?;
        let is_extent = matches!(number.role, Role::Extent { .. });
        let unread = number.subject.as_ref().filter(|subject| is_extent && !self.is_read(subject.field));
        let left = unread.map(|subject| self.mapped.table.lengths[&subject.space].saturating_sub(subject.bytes.start));
        let affine = number.role.target().map_or(Affine::SAME, |target| target.affine);
        let value = left.map_or(Some(expected), |left| affine.invert(left.into()));
        value.filter(|&value| number.value != Some(value))
    }

    /// Returns false for a field without parts that could not be read, since its length leads beyond the end of the space.
    fn is_read(&self, field: usize) -> bool {
        let node = self.mapped.table.node(field);
        node.is_complete() || !node.is_leaf()
    }

    /// The checksum that a number should be; `None` if it is, and of other numbers.
    fn sum(&self, number: &Dependent) -> Option<i128> {
        let subject = number.subject.as_ref().filter(|_| matches!(number.role, Role::CheckOf { .. }))?;
        let content = self.mapped.content(self.grammar, subject.space)?;
        let own = self.mapped.table.fields[number.field].bytes_in(subject.space);
        let sum = self.mapped.sum_of(self.grammar, number.field, &content, subject.bytes.clone(), own)?;
        (number.value != Some(sum)).then_some(sum)
    }
}
