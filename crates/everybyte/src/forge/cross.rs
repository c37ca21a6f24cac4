//! Crossing: a part of one file in another one.

use super::recipe::{Setting, Step};
use super::session::{Desk, Making, Mutant, Mutation, Session};
use super::{Choices, Grammar};
use std::sync::Arc;

/// The times that a part is looked for.
const TRIES: usize = 8;

/// Puts a part of a second file into the first one: an element of a list of the same name, or a field of the same kind.
pub fn cross<G: Grammar + ?Sized>(grammar: &G, files: [&[u8]; 2], how: &Mutation, choices: &mut Choices<'_>) -> Mutant {
    Session::new(grammar).cross(files, how, choices)
}

impl<'g, G: Grammar + ?Sized> Session<'g, G> {
    /// Puts a part of a second file into the first one. The recipe is for the first one.
    pub fn cross(&mut self, [one, other]: [&[u8]; 2], how: &Mutation, choices: &mut Choices<'_>) -> Mutant {
        let mut making = Making::new(one, how);
        let desk = self.take(&making.bytes);
        let begun = Arc::clone(&desk.stage.file);
        let giver = self.desk(other);
        for _ in 0..TRIES {
            let is_made = match choices.one_in(3) {
                true => self.field(&desk, &giver, &mut making, how, choices),
                false => self.element(&desk, &giver, &mut making, how, choices),
            };
            if is_made {
                break;
            }
        }
        self.keep(desk, &begun);
        if making.bytes == one {
            making.plain(how.max_len, choices);
        }
        making.done()
    }

    /// A field gets the bytes of one of its kind.
    fn field(
        &self,
        desk: &Desk<'g>,
        giver: &Desk<'g>,
        making: &mut Making<'_>,
        how: &Mutation,
        choices: &mut Choices<'_>,
    ) -> bool {
        let [ours, theirs] = [&desk.stage.scene, &giver.stage.scene];
        let shared: Vec<usize> = ours.kinds.keys().copied().filter(|kind| theirs.kinds.contains_key(kind)).collect();
        if shared.is_empty() {
            return false;
        }
        let kind = *choices.pick(&shared);
        let [to, from] = [ours, theirs].map(|scene| scene.slots[*choices.pick(&scene.kinds[&kind])].field);
        let Some(bytes) = giver.stage.bytes(self.grammar, from) else { return false };
        let step = Step::Set { key: ours.key(to), value: Setting::Bytes(bytes) };
        self.made(&desk.stage, step, making, how, choices)
    }

    /// An element of a list comes in the place of one of its kind, or after it.
    fn element(
        &self,
        desk: &Desk<'g>,
        giver: &Desk<'g>,
        making: &mut Making<'_>,
        how: &Mutation,
        choices: &mut Choices<'_>,
    ) -> bool {
        let shared: Vec<usize> = desk.lists.keys().copied().filter(|kind| giver.lists.contains_key(kind)).collect();
        if shared.is_empty() {
            return false;
        }
        let kind = *choices.pick(&shared);
        let [to, from] = [desk, giver].map(|desk| {
            let list = choices.pick(&desk.lists[&kind]);
            *choices.pick(list)
        });
        let Some(bytes) = giver.stage.bytes(self.grammar, from) else { return false };
        let splice = |key: String| Step::Splice { key, from: 0, to: None, bytes: bytes.clone() };
        if choices.one_in(2) {
            return self.made(&desk.stage, splice(desk.stage.scene.key(to)), making, how, choices);
        }
        // After it: the copy of our element becomes theirs.
        let end = desk.stage.scene.fields[to].end;
        if !self.made(&desk.stage, Step::Duplicate(desk.stage.scene.key(to)), making, how, choices) {
            return false;
        }
        let twice = self.desk(&making.bytes);
        let space = desk.stage.scene.fields[to].space;
        let is_copy = |element: &&usize| {
            let field = &twice.stage.scene.fields[**element];
            field.space == space && field.start == end
        };
        if let Some(&copy) = twice.lists.get(&kind).and_then(|lists| lists.iter().flatten().find(is_copy)) {
            self.made(&twice.stage, splice(twice.stage.scene.key(copy)), making, how, choices);
        }
        true
    }
}
