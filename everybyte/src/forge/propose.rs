//! Chooses a step: a field and what to do with it.
//!
//! Each decision reads from [`Choices`], which may be the bytes of a fuzzer. A step names its field by key and is
//! applied by the same code that replays recipes, so every mutant has a recipe that reproduces it.
//!
//! Mild steps are for mutants that should stay valid. They leave alone everything that has a single correct value:
//! numbers that follow from other fields, constants, reserved bits, and elements that offsets or indices point to.

use super::by_kind::ByKind;
use super::choices::Choices;
use super::field_table::{FieldTable, Slot};
use super::grammar::Grammar;
use super::interesting_values;
use super::json::Json;
use super::list_elements::Lists;
use super::mapped_file::MappedFile;
use super::number::{Body, Number};
use super::recipe::{Setting, Step};
use super::shapes::Shapes;
use crate::coding::LONGEST;
use crate::map::GAP;
use crate::role::Role;
use crate::value::Value;

/// The number of attempts to find a field.
const TRIES: usize = 8;

/// The choices for a step.
pub struct Proposer<'a, 'g, G: ?Sized> {
    pub grammar: &'a G,
    pub shapes: &'a Shapes<'g>,
    pub mapped: &'a MappedFile<'g>,
    /// The slots that may change, by kind.
    pub kinds: &'a ByKind<Vec<usize>>,
    /// The lists whose elements may change; empty if only some fields may.
    pub lists: &'a Lists,
    /// True if everything is recomputed. A wrong number would be corrected then, so none is written.
    pub is_mild: bool,
    /// True if the file may be cut or extended anywhere.
    pub has_edges: bool,
    /// The maximum number of bytes of the file.
    pub most: usize,
}

impl<'g, G: Grammar + ?Sized> Proposer<'_, 'g, G> {
    /// Proposes a step; `None` if the choices did not lead to one.
    pub fn step(&self, choices: &mut Choices<'_>) -> Option<Step> {
        match choices.below(16) {
            0..=2 if !self.lists.is_empty() => self.element(choices),
            3 => self.pair(choices),
            4 if !self.is_mild && self.has_edges => self.edge(choices),
            _ => self.field(choices),
        }
    }

    fn table(&self) -> &FieldTable<'g> {
        &self.mapped.table
    }

    /// Chooses a slot: first its kind, so that long tables do not dominate.
    fn slot(&self, choices: &mut Choices<'_>) -> Option<&Slot<'g>> {
        for _ in 0..TRIES {
            let slots = self.kinds.at(choices.index(self.kinds.len()))?;
            let slot = &self.table().slots[slots[choices.index(slots.len())]];
            if !self.is_mild || self.is_free(slot, choices) {
                return Some(slot);
            }
        }
        None
    }

    fn json(&self, slot: &Slot<'g>) -> Option<Json> {
        Json::of(self.table().node(slot.field).type_name())
    }

    /// Returns whether another value of a slot may produce an equally useful file. A wrong number has no effect if it is
    /// recomputed, and is not a mild mutation otherwise. A payload is rarely changed, because that does not change the structure.
    fn is_free(&self, slot: &Slot<'g>, choices: &mut Choices<'_>) -> bool {
        let field = &self.table().fields[slot.field];
        match field.role {
            Some(Role::Fact | Role::Writer) => true,
            _ if field.is_piece => false,
            Some(Role::Payload) => field.opens.is_none() && choices.one_in(8),
            Some(_) => false,
            None if field.opens.is_some() || field.name == GAP => false,
            None => match slot.shape.body {
                Body::Constant | Body::Fixed => false,
                Body::Bytes { is_fixed: true, .. } if self.json(slot).is_none() => false,
                // A field whose role is not declared may have only a single valid value.
                _ => !self.table().has_facts || choices.one_in(4),
            },
        }
    }

    /// Sets one field to another value.
    fn field(&self, choices: &mut Choices<'_>) -> Option<Step> {
        let slot = self.slot(choices)?;
        let table = self.table();
        let field = &table.fields[slot.field];
        let bytes = self.mapped.bytes(self.grammar, slot.field)?;
        let key = table.key(slot.field);
        if let Some(each) = field.each.filter(|&each| each > 0 && each < field.length()) {
            let place = choices.below(field.length() / each) * each;
            let old = bytes.get(place as usize..(place + each) as usize)?;
            let new = match slot.shape.read(old) {
                Some(number) => slot.shape.write(self.number(slot, number, each as usize, choices)?, old)?,
                None => choices.bytes(each as usize),
            };
            return Some(Step::Splice { key, from: place, to: Some(place + each), bytes: new });
        }
        if !self.is_mild && choices.one_in(8) {
            return self.bytes(slot, key, &bytes, choices);
        }
        // In three of four cases, JSON remains valid JSON.
        if let Some(json) = self.json(slot).filter(|_| !choices.one_in(4)) {
            return json.mutate(&bytes, choices).map(|json| Step::Set { key, value: Setting::Bytes(json) });
        }
        match (slot.shape.body, slot.shape.read(&bytes)) {
            (Body::Integer { bits, .. }, Some(Number::Integer(old))) if !bits.is_empty() => {
                let (name, new) = interesting_values::run(self.shapes, bits, old, self.is_mild, choices)?;
                Some(Step::Set { key: format!("{key}.{name}"), value: Setting::Integer(new) })
            }
            (Body::Varint(coding), Some(Number::Integer(number))) if !self.is_mild && choices.one_in(4) => {
                // This is the same number in more bytes.
                let more = 1 + choices.index(LONGEST.saturating_sub(bytes.len()).max(1));
                let longer = coding.encode(number, bytes.len() + more)?;
                Some(Step::Set { key, value: Setting::Bytes(longer) })
            }
            (_, Some(number)) => {
                let value = match self.number(slot, number, bytes.len(), choices)? {
                    Number::Integer(integer) => Setting::Integer(integer),
                    Number::Float(float) => Setting::Float(float),
                };
                Some(Step::Set { key, value })
            }
            (Body::Bytes { content: Some(_), is_fixed: false } | Body::NulString | Body::Counted(..), _) => {
                self.text(slot, key, &bytes, choices)
            }
            _ => self.bytes(slot, key, &bytes, choices),
        }
    }

    /// Chooses another number for a slot.
    fn number(&self, slot: &Slot<'g>, old: Number, width: usize, choices: &mut Choices<'_>) -> Option<Number> {
        match (slot.shape.body, old) {
            (Body::Float, _) => Some(Number::Float(interesting_values::float(width, choices))),
            (Body::Integer { codes, .. }, Number::Integer(old)) if !codes.is_empty() => {
                interesting_values::code(&slot.shape, width, old, self.is_mild, choices).map(Number::Integer)
            }
            (_, Number::Integer(old)) => {
                let new = interesting_values::integer(self.table(), slot, old, self.is_mild, choices);
                (new != old).then_some(Number::Integer(new))
            }
            (_, Number::Float(_)) => None,
        }
    }

    fn text(&self, slot: &Slot<'g>, key: String, old: &[u8], choices: &mut Choices<'_>) -> Option<Step> {
        let most = self.most.saturating_sub(self.mapped.file.len());
        let old_text = slot.shape.text_in(old);
        let new = match self.is_mild {
            true => interesting_values::mild_text(old_text, choices),
            false => interesting_values::text(old_text, most, choices),
        };
        let value = match String::from_utf8(new) {
            Ok(text) => Setting::Text(text),
            Err(error) => Setting::Bytes(slot.shape.text(error.as_bytes(), old)),
        };
        Some(Step::Set { key, value })
    }

    /// Replaces bytes of a field. The length changes only where that is allowed.
    fn bytes(&self, slot: &Slot<'g>, key: String, old: &[u8], choices: &mut Choices<'_>) -> Option<Step> {
        let length = old.len();
        let is_text = || matches!(self.table().node(slot.field).value(), Value::Text(_));
        if self.is_mild
            && is_text()
            && let Some((place, letter)) = interesting_values::letter(old, choices)
        {
            let place = place as u64;
            return Some(Step::Splice { key, from: place, to: Some(place + 1), bytes: vec![letter] });
        }
        let is_fixed = match slot.shape.body {
            Body::Bytes { is_fixed, .. } => is_fixed,
            Body::Constant | Body::Fixed | Body::Integer { .. } | Body::Float | Body::Digits(_) => true,
            _ => false,
        };
        let at = choices.index(length);
        let run = 1 + choices.index((length - at).min(16));
        let way = if is_fixed && (self.is_mild || !choices.one_in(8)) { choices.below(3) } else { choices.below(6) };
        let (from, to, bytes) = match way {
            0 => (at, at + 1, vec![old[at] ^ 1 << choices.below(8)]),
            1 => (at, at + 1, vec![*choices.pick(&[0, 1, 0x7F, 0x80, 0xFF])]),
            2 => (at, at + run, choices.bytes(run)),
            3 => (at, at + run, Vec::new()),
            4 => (at, at, choices.bytes(run)),
            _ => (length, length, old[at..at + run].to_vec()),
        };
        let [from, to] = [from, to].map(|place| place as u64);
        Some(Step::Splice { key, from, to: Some(to), bytes })
    }

    /// Removes, duplicates or swaps an element of a list.
    fn element(&self, choices: &mut Choices<'_>) -> Option<Step> {
        let lists = self.lists.at(choices.index(self.lists.len()))?;
        let elements = &lists[choices.index(lists.len())];
        let key = |element: usize| self.table().key(element);
        let element = elements[choices.index(elements.len())];
        Some(match choices.below(3) {
            0 if self.is_needed(element) => return None,
            0 => Step::Remove(key(element)),
            1 if self.is_mild && (self.table().states_run(element) || self.table().is_indexed(element)) => return None,
            1 => Step::Duplicate(key(element)),
            _ => {
                let other = elements[choices.index(elements.len())];
                if other == element || self.is_needed(element) || self.is_needed(other) {
                    return None;
                }
                Step::Swap(key(element), key(other))
            }
        })
    }

    /// Returns whether other fields refer to an element, in which case a mild mutation does not move it.
    fn is_needed(&self, element: usize) -> bool {
        self.is_mild && (self.table().is_led_to(element) || self.table().states_run(element))
    }

    /// Swaps two fields of the same kind or width, or copies the bytes of one to the other.
    fn pair(&self, choices: &mut Choices<'_>) -> Option<Step> {
        let table = self.table();
        let one = self.slot(choices)?;
        let length = table.fields[one.field].length();
        let of_kind = self.kinds.get(table.fields[one.field].kind)?;
        for _ in 0..8 {
            let other = match choices.one_in(2) && of_kind.len() > 1 {
                true => Some(&table.slots[of_kind[choices.index(of_kind.len())]]),
                // Facts of different kinds have no values in common.
                false if self.is_mild => None,
                false => self.slot(choices),
            };
            let Some(other) = other.filter(|other| other.field != one.field) else { continue };
            if table.fields[other.field].length() == length {
                let [one, other] = [one, other].map(|slot| table.key(slot.field));
                return Some(match choices.one_in(2) {
                    true => Step::Swap(one, other),
                    false => Step::Copy { from: one, to: other },
                });
            }
        }
        None
    }

    /// Cuts or extends the file at the edge of a field.
    fn edge(&self, choices: &mut Choices<'_>) -> Option<Step> {
        let count = 1 + choices.below(9);
        let run = *choices.pick(&[1, count as usize, 16]);
        match choices.below(4) {
            0 => {
                let by = choices.below(3) as i64 - 1;
                Some(Step::Cut { key: Some(self.table().key(self.slot(choices)?.field)), by })
            }
            1 => Some(Step::Cut { key: None, by: -(count as i64) }),
            2 => Some(Step::Append(if choices.one_in(2) { vec![0; run] } else { choices.bytes(run) })),
            _ => {
                let slot = self.slot(choices)?;
                let from = if choices.one_in(2) { 0 } else { self.table().fields[slot.field].length() };
                let bytes = if choices.one_in(2) { vec![0; run] } else { choices.bytes(run) };
                Some(Step::Splice { key: self.table().key(slot.field), from, to: Some(from), bytes })
            }
        }
    }
}

/// Returns an operation of the grammar for some of the steps, and `None` for the others, which change fields.
pub fn operation<G: Grammar + ?Sized>(grammar: &G, is_mild: bool, choices: &mut Choices<'_>) -> Option<Step> {
    let operations = grammar.operations();
    let share = if is_mild { 3 } else { 1 };
    if operations.is_empty() || choices.below(4) >= share {
        return None;
    }
    let operation = (*choices.pick(operations)).to_owned();
    Some(Step::Do { operation, seed: choices.any() })
}
