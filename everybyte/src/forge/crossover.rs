//! Crossover: puts a part of one file into another.
//!
//! Two files of a corpus may each have a rare feature, and crossing them tests both together. Parts are exchanged
//! only between fields or elements of the same kind (their path without indices), so a reader may well accept the
//! result. The recipe contains the bytes of the part, so it can be replayed without the second file.

use super::choices::Choices;
use super::grammar::Grammar;
use super::recipe::{Setting, Step};
use super::session::{Making, Mutant, Mutation, Prepared, Session};

/// The number of attempts to find a part.
const TRIES: usize = 8;

/// Replaces a part of the first file with a part of the second: a list element with one from a list of the same name,
/// or a field with one of the same kind.
pub fn cross<G: Grammar + ?Sized>(grammar: &G, files: [&[u8]; 2], how: &Mutation, choices: &mut Choices<'_>) -> Mutant {
    Session::new(grammar).cross(files, how, choices)
}

impl<'g, G: Grammar + ?Sized> Session<'g, G> {
    /// Replaces a part of the first file with a part of the second. The recipe applies to the first file.
    pub fn cross(&mut self, [one, other]: [&[u8]; 2], how: &Mutation, choices: &mut Choices<'_>) -> Mutant {
        let mut making = Making::new(one, how);
        let prepared = self.take(&making.bytes);
        let giver = self.take(other);
        for _ in 0..TRIES {
            let is_made = match choices.one_in(3) {
                true => self.field(&prepared, &giver, &mut making, how, choices),
                false => self.element(&prepared, &giver, &mut making, how, choices),
            };
            if is_made {
                break;
            }
        }
        if *giver.mapped.file != *prepared.mapped.file {
            self.keep(giver);
        }
        self.keep(prepared);
        if making.bytes == one {
            making.plain(how.max_len, choices);
        }
        making.done()
    }

    /// Replaces a field with the bytes of another field of its kind.
    fn field(
        &self,
        prepared: &Prepared<'g>,
        giver: &Prepared<'g>,
        making: &mut Making<'_>,
        how: &Mutation,
        choices: &mut Choices<'_>,
    ) -> bool {
        let [ours, theirs] = [&prepared.mapped.table, &giver.mapped.table];
        let shared = ours.kinds.shared(&theirs.kinds);
        if shared.is_empty() {
            return false;
        }
        let kind = *choices.pick(&shared);
        let ends =
            [ours, theirs].map(|table| table.kinds.get(kind).map(|slots| table.slots[*choices.pick(slots)].field));
        let [Some(to), Some(from)] = ends else { return false };
        let Some(bytes) = giver.mapped.bytes(self.grammar, from) else { return false };
        let step = Step::Set { key: ours.key(to), value: Setting::Bytes(bytes) };
        self.made(prepared, step, making, how, choices)
    }

    /// Replaces a list element with another one of its kind, or inserts the other one after it.
    fn element(
        &self,
        prepared: &Prepared<'g>,
        giver: &Prepared<'g>,
        making: &mut Making<'_>,
        how: &Mutation,
        choices: &mut Choices<'_>,
    ) -> bool {
        let shared = prepared.lists.shared(&giver.lists);
        if shared.is_empty() {
            return false;
        }
        let kind = *choices.pick(&shared);
        let ends = [prepared, giver].map(|prepared| prepared.lists.get(kind).map(|lists| element_of(lists, choices)));
        let [Some(to), Some(from)] = ends else { return false };
        let Some(bytes) = giver.mapped.bytes(self.grammar, from) else { return false };
        let splice = |key: String| Step::Splice { key, from: 0, to: None, bytes: bytes.clone() };
        if choices.one_in(2) {
            return self.made(prepared, splice(prepared.mapped.table.key(to)), making, how, choices);
        }
        // To insert the other element after ours, our element is duplicated and the copy is replaced.
        let end = prepared.mapped.table.fields[to].end;
        if !self.made(prepared, Step::Duplicate(prepared.mapped.table.key(to)), making, how, choices) {
            return false;
        }
        let twice = self.prepared(&making.bytes);
        let space = prepared.mapped.table.fields[to].space;
        let is_copy = |element: &&usize| {
            let field = &twice.mapped.table.fields[**element];
            field.space == space && field.start == end
        };
        if let Some(&copy) = twice.lists.get(kind).and_then(|lists| lists.iter().flatten().find(is_copy)) {
            self.made(&twice, splice(twice.mapped.table.key(copy)), making, how, choices);
        }
        true
    }
}

/// Returns an element of one of the lists.
fn element_of(lists: &[Vec<usize>], choices: &mut Choices<'_>) -> usize {
    let list = choices.pick(lists);
    *choices.pick(list)
}
