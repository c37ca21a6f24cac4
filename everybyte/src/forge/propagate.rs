//! Updates the numbers that follow from an edit: offsets, lengths, counts, copies and checksums.
//!
//! An edit that changes the length of a field moves everything after it, in its space and, through the packed bytes
//! that contain the space, in the enclosing spaces. [`propagated`] works in rounds. A round computes the new value of
//! each dependent number from the moves, applies all edits from the innermost space to the file, and packs each
//! changed space into the field that opens it. If a number or a packed field changes its length, that is one more
//! move, and another round follows, up to [`ROUNDS`].
//!
//! Checksums come last in each space, since they need its final bytes. A length, a count or a copy that was wrong stays
//! wrong. An offset always follows the bytes that it points to.

use super::edit::{Edit, Moves, edited};
use super::field_table::{Dependent, Subject};
use super::grammar::Grammar;
use super::mapped_file::MappedFile;
use super::number::{Number, Shape};
use super::padding::fitted;
use super::recipe::Repair;
use crate::role::{Affine, Role};
use crate::sums::{Summed, is_stated};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The maximum number of rounds in which numbers are recomputed because other numbers changed their length.
const ROUNDS: usize = 5;

/// The edits of one step.
#[derive(Debug, Default)]
pub struct Action {
    /// The edits.
    pub edits: Vec<Edit>,
    /// A list whose number of elements changes.
    pub counted: Option<Counted>,
}

/// A list whose number of elements changes.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    /// The list.
    pub list: usize,
    /// The number of elements added.
    pub change: i64,
    /// The first byte of the element that is removed or repeated.
    pub at: u64,
}

/// The file after an action; `None` if the content of a space is unavailable or cannot be packed. `decide` is called
/// for each number that would change and returns whether to change it.
pub fn propagated<G: Grammar + ?Sized>(
    grammar: &G,
    mapped: &MappedFile<'_>,
    action: &Action,
    repair: Repair,
    decide: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<u8>> {
    let mut propagation = Propagation { grammar, mapped, action, repair, decide, decisions: HashMap::new() };
    let mut derived = Vec::new();
    let mut file = None;
    for _ in 0..ROUNDS {
        let (next, made) = propagation.round(&derived)?;
        file = Some(made);
        let lengths = |edits: &[Edit]| -> Vec<(u32, u64, i64)> {
            let growing = edits.iter().filter(|edit| edit.growth() != 0);
            growing.map(|edit| (edit.space, edit.at.start, edit.growth())).collect()
        };
        if lengths(&next) == lengths(&derived) {
            break;
        }
        derived = next;
    }
    file
}

struct Propagation<'a, 'g, G: ?Sized> {
    grammar: &'a G,
    mapped: &'a MappedFile<'g>,
    action: &'a Action,
    repair: Repair,
    decide: &'a mut dyn FnMut(usize) -> bool,
    /// The decision about each number.
    decisions: HashMap<usize, bool>,
}

impl<G: Grammar + ?Sized> Propagation<'_, '_, G> {
    /// The edits caused by the action and by previous edits, and the file after all of them.
    fn round(&mut self, derived: &[Edit]) -> Option<(Vec<Edit>, Vec<u8>)> {
        let all = || self.action.edits.iter().chain(derived);
        let mut moves: BTreeMap<u32, Moves<'_>> = BTreeMap::new();
        for edit in all().filter(|edit| edit.growth() != 0) {
            let of_space = || Moves::new(all().filter(|other| other.space == edit.space));
            moves.entry(edit.space).or_insert_with(of_space);
        }
        let mut next = self.numbers(&moves);
        next.extend(self.paddings(derived));
        // Spaces are written back from the inside to the outside.
        let mut open: BTreeMap<u32, Vec<Edit>> = BTreeMap::new();
        for edit in self.action.edits.iter().chain(&next) {
            open.entry(edit.space).or_default().push(edit.clone());
        }
        let file_space = self.mapped.file_space();
        open.entry(file_space).or_default();
        while let Some((space, edits)) = open.pop_last() {
            let old = self.mapped.content(self.grammar, space)?;
            let mut new = edited(&old, &edits);
            for edit in self.checks(space, &old, &mut new, &moves) {
                open.entry(edit.space).or_default().push(edit.clone());
                next.push(edit);
            }
            if space == file_space {
                return Some((next, new));
            }
            let &opener = self.mapped.table.openers.get(&space)?;
            let packed = self.grammar.pack(&self.mapped.file, &self.mapped.table.spaces, space, &new)?;
            for edit in self.packed(opener, packed)? {
                if !self.is_edited(&edit) {
                    open.entry(edit.space).or_default().push(edit.clone());
                    next.push(edit);
                }
            }
        }
        None
    }

    /// The edits that write packed bytes to the field that opens their content, or to its pieces. All pieces except the last
    /// nonempty one keep their length. `None` if one of the pieces has no field.
    fn packed(&self, opener: usize, packed: Vec<u8>) -> Option<Vec<Edit>> {
        let table = &self.mapped.table;
        let whole = |field: usize, bytes: Vec<u8>| {
            let of = &table.fields[field];
            Edit::whole(of.space, of.bytes(), field, bytes)
        };
        let pieces = table.pieces(table.node(opener), opener);
        if pieces.is_empty() {
            return Some(vec![whole(opener, packed)]);
        }
        let mut pieces = pieces.into_iter().collect::<Option<Vec<usize>>>()?;
        pieces.retain(|&piece| table.fields[piece].length() > 0);
        let last = pieces.pop()?;
        let mut rest = &packed[..];
        let mut edits = Vec::new();
        for piece in pieces {
            let (own, after) = rest.split_at((table.fields[piece].length() as usize).min(rest.len()));
            edits.push(whole(piece, own.to_vec()));
            rest = after;
        }
        edits.push(whole(last, rest.to_vec()));
        Some(edits)
    }

    /// Returns the edits that adjust padding to the moves before it.
    fn paddings(&mut self, derived: &[Edit]) -> Vec<Edit> {
        if !self.repair.fits_padding() {
            return Vec::new();
        }
        let table = &self.mapped.table;
        let is_padding = |edit: &&Edit| edit.field.is_some_and(|field| table.fields[field].alignment.is_some());
        let others: Vec<&Edit> = derived.iter().filter(|edit| !is_padding(edit)).collect();
        let mut edits = fitted(table, &self.action.edits, &others);
        edits.retain(|edit| edit.field.is_none_or(|field| self.is_mended(field)));
        edits
    }

    /// Returns whether the action edits these bytes itself.
    fn is_edited(&self, edit: &Edit) -> bool {
        self.action.edits.iter().any(|own| own.overlaps(edit))
    }

    /// Updates the dependent numbers, except checksums.
    fn numbers(&mut self, moves: &BTreeMap<u32, Moves<'_>>) -> Vec<Edit> {
        let mut edits = Vec::new();
        // The values of numbers that changed, for the numbers that copy them.
        let mut values: HashMap<usize, i128> = HashMap::new();
        let mapped = self.mapped;
        for edit in &self.action.edits {
            let slot = edit.field.and_then(|field| mapped.table.slot(field).map(|slot| (field, slot)));
            if let Some((field, Some(Number::Integer(value)))) =
                slot.map(|(field, slot)| (field, slot.shape.read(&edit.bytes)))
            {
                values.insert(field, value);
            }
        }
        let is_moving = !moves.is_empty() || self.action.counted.is_some();
        if is_moving {
            for dependent in &mapped.table.dependents {
                if let Some(value) = self.follows(dependent, moves)
                    && let Some(edit) = self.written(dependent, value)
                {
                    values.insert(dependent.field, value);
                    edits.push(edit);
                }
            }
        }
        edits.extend(self.copied_bytes());
        // A copy of a copy is updated in the second pass.
        for _ in 0..2 {
            if values.is_empty() {
                break;
            }
            for dependent in mapped.table.dependents.iter().filter(|number| matches!(number.role, Role::CopyOf { .. }))
            {
                let value = dependent.subject.as_ref().and_then(|subject| values.get(&subject.field)).copied();
                let Some(value) = value.filter(|_| !values.contains_key(&dependent.field)) else { continue };
                if dependent.agrees != Some(true) || dependent.value == Some(value) {
                    continue;
                }
                if let Some(edit) = self.written(dependent, value) {
                    values.insert(dependent.field, value);
                    edits.push(edit);
                }
            }
        }
        edits
    }

    /// Updates the copies of strings and bytes that the action changes.
    fn copied_bytes(&mut self) -> Vec<Edit> {
        let (mapped, action) = (self.mapped, self.action);
        let mut made = Vec::new();
        for dependent in mapped.table.dependents.iter().filter(|dependent| dependent.value.is_none()) {
            let (Role::CopyOf { .. }, Some(subject)) = (&dependent.role, &dependent.subject) else { continue };
            let Range { start, end } = subject.bytes;
            let is_inside = |edit: &&Edit| edit.space == subject.space && start <= edit.at.start && edit.at.end <= end;
            // Bytes between two fields belong to the field that contains the edit.
            let is_of = |edit: &&Edit| start <= edit.owner.start && edit.owner.end <= end && edit.after.is_empty();
            let own: Vec<Edit> = action.edits.iter().filter(is_inside).filter(is_of).cloned().collect();
            let Some(old) = mapped.bytes(self.grammar, subject.field).filter(|_| !own.is_empty()) else { continue };
            if mapped.bytes(self.grammar, dependent.field).as_ref() != Some(&old) || !self.repair.mends(&dependent.role)
            {
                continue;
            }
            let at = |offset: u64| offset - start;
            let own: Vec<Edit> =
                own.into_iter().map(|edit| Edit { at: at(edit.at.start)..at(edit.at.end), ..edit }).collect();
            let copy = &mapped.table.fields[dependent.field];
            let edit = Edit::whole(copy.space, copy.bytes(), dependent.field, edited(&old, &own));
            if !self.is_edited(&edit) && self.is_mended(dependent.field) {
                made.push(edit);
            }
        }
        made
    }

    /// The new value of an offset, a length or a count; `None` if it does not change.
    fn follows(&self, dependent: &Dependent, moves: &BTreeMap<u32, Moves<'_>>) -> Option<i128> {
        let value = dependent.value?;
        let affine = dependent.role.target().map_or(Affine::SAME, |target| target.affine);
        let said = affine.apply(value)?;
        let new = match dependent.role {
            Role::Place { .. } => {
                let lead = dependent.leads?;
                // 0 means that the field does not exist.
                let is_void = value == 0 && dependent.subject.is_none();
                let moves =
                    moves.get(&lead.space).filter(|_| !is_void && lead.to <= self.mapped.table.lengths[&lead.space])?;
                let way = |offset: u64| i128::from(moves.moved(offset, None)) - i128::from(offset);
                let base = if lead.from == 0 && !lead.from_end { 0 } else { way(lead.from) };
                said + way(lead.to) - base
            }
            Role::Extent { .. } if dependent.agrees == Some(true) => {
                let subject = dependent.subject.as_ref()?;
                let bytes = moved(subject, moves.get(&subject.space)?);
                said - i128::from(subject.bytes.end - subject.bytes.start)
                    + i128::from(bytes.end.saturating_sub(bytes.start))
            }
            Role::Counts { .. } if dependent.agrees != Some(false) => {
                said + self.elements(dependent.subject.as_ref()?, moves)?
            }
            _ => return None,
        };
        affine.invert(new).filter(|&new| new != value)
    }

    /// The number of elements by which a list grows.
    fn elements(&self, subject: &Subject, moves: &BTreeMap<u32, Moves<'_>>) -> Option<i128> {
        let table = &self.mapped.table;
        let field = &table.fields[subject.field];
        if let Some(Counted { list, change, at }) = self.action.counted {
            let is_of = match subject.is_run {
                true => subject.bytes.contains(&at) && table.list_of(subject.field).is_some_and(|(of, _)| of == list),
                false => list == subject.field,
            };
            // Packed bytes may change their length when they are packed again.
            if is_of || field.slot.is_none() {
                return is_of.then_some(change.into());
            }
        }
        if subject.is_run {
            return None;
        }
        // In a list without separate elements, such as a byte string, the elements are the bytes.
        let bytes = moved(subject, moves.get(&subject.space)?);
        let growth =
            i128::from(bytes.end.saturating_sub(bytes.start)) - i128::from(subject.bytes.end - subject.bytes.start);
        let each = match (field.slot, field.each) {
            (Some(_), each) => each.unwrap_or(1),
            (None, _) => table.parts(subject.field).find_map(|part| table.fields[part].each)?,
        };
        (each > 0 && growth % i128::from(each) == 0).then(|| growth / i128::from(each))
    }

    /// Returns the edit that recomputes a number, if its role is to be recomputed and the new value fits.
    fn written(&mut self, dependent: &Dependent, value: i128) -> Option<Edit> {
        self.written_by(dependent, |shape, old| shape.write(Number::Integer(value), old))
    }

    fn written_by(
        &mut self,
        dependent: &Dependent,
        written: impl FnOnce(&Shape<'_>, &[u8]) -> Option<Vec<u8>>,
    ) -> Option<Edit> {
        let table = &self.mapped.table;
        let field = &table.fields[dependent.field];
        let slot = table.slot(dependent.field).filter(|_| self.repair.mends(&dependent.role))?;
        let range = field.start as usize..field.end as usize;
        let old = self.mapped.content(self.grammar, field.space)?.get(range)?.to_vec();
        let new = written(&slot.shape, &old)?;
        let edit = Edit::whole(field.space, field.bytes(), dependent.field, new);
        (!self.is_edited(&edit) && self.is_mended(dependent.field)).then_some(edit)
    }

    /// Returns whether to correct a number. The decision may be random, so it is made once per number and kept for all rounds.
    fn is_mended(&mut self, field: usize) -> bool {
        *self.decisions.entry(field).or_insert_with(|| (self.decide)(field))
    }

    /// The new value of a checksum after the bytes of its space have changed; `None` if it does not change. `own` is the checksum's
    /// position in these bytes.
    fn new_sum(
        &self,
        (check, subject): (&Dependent, &Subject),
        [old, new]: [&[u8]; 2],
        (own, moves): (Range<u64>, &Moves<'_>),
    ) -> Option<Summed> {
        let (mapped, range) = (self.mapped, moved(subject, moves));
        let own_start = moves.moved(own.start, None);
        let moved_own = own_start..own_start + (own.end - own.start);
        let bytes = subject.bytes.start as usize..subject.bytes.end as usize;
        if old.get(bytes) == new.get(range.start as usize..range.end as usize) {
            return None;
        }
        let stated = mapped.bytes(self.grammar, check.field)?;
        let is_right = |sum: &Summed| is_stated(sum, check.value, &stated);
        // A sum that was already wrong is not changed.
        mapped.sum_of(self.grammar, check.field, old, subject.bytes.clone(), own).filter(is_right)?;
        mapped.sum_of(self.grammar, check.field, new, range, moved_own).filter(|sum| !is_right(sum))
    }

    /// Updates the checksums over bytes of a space. Checksums inside the space are updated directly, others by edits.
    ///
    /// Sums are computed from the shortest range to the longest, because a sum over a whole file covers the sums of its
    /// parts. A sum in an outer space becomes an edit there, which is applied when that space is processed. A sum in an
    /// inner space is left alone, because that space has already been packed.
    fn checks(&mut self, space: u32, old: &[u8], new: &mut [u8], moves: &BTreeMap<u32, Moves<'_>>) -> Vec<Edit> {
        let mapped = self.mapped;
        let over = |dependent: &&Dependent| {
            let is_check = matches!(dependent.role, Role::CheckOf { .. });
            is_check && dependent.subject.as_ref().is_some_and(|subject| subject.space == space)
        };
        let mut checks: Vec<&Dependent> = mapped.table.dependents.iter().filter(over).collect();
        // A sum that covers other sums is computed after them.
        checks.sort_by_key(|check| check.subject.as_ref().map(|subject| subject.bytes.end - subject.bytes.start));
        let unmoved = Moves::new([].iter());
        let still = moves.get(&space).unwrap_or(&unmoved);
        let mut edits = Vec::new();
        for check in checks {
            let (Some(subject), field) = (check.subject.as_ref(), &mapped.table.fields[check.field]) else { continue };
            if field.space > space || !self.repair.mends(&check.role) {
                continue;
            }
            let Some(sum) = self.new_sum((check, subject), [old, &*new], (field.bytes_in(space), still)) else {
                continue;
            };
            let Some(edit) = self.written_by(check, |shape, old| shape.write_sum(&sum, old)) else { continue };
            let copies = mapped.table.dependents.iter().filter(|other| {
                let is_copy = matches!(other.role, Role::CopyOf { .. }) && other.agrees == Some(true);
                is_copy && other.subject.as_ref().is_some_and(|subject| subject.field == check.field)
            });
            for edit in std::iter::once(edit).chain(
                copies
                    .filter_map(|copy| self.written_by(copy, |shape, old| shape.write_sum(&sum, old)))
                    .collect::<Vec<_>>(),
            ) {
                if edit.space > space {
                    continue;
                }
                if edit.space < space {
                    edits.push(edit);
                    continue;
                }
                let start = still.moved(edit.at.start, None) as usize;
                if let Some(bytes) = new.get_mut(start..start + edit.bytes.len()) {
                    bytes.copy_from_slice(&edit.bytes);
                }
            }
        }
        edits
    }
}

/// Returns the bytes of a subject after the edits.
fn moved(subject: &Subject, moves: &Moves<'_>) -> std::ops::Range<u64> {
    // A run of elements ends where the next one begins.
    let last = Some(subject.field).filter(|_| !subject.is_run);
    moves.moved(subject.bytes.start, None)..moves.moved(subject.bytes.end, last)
}
