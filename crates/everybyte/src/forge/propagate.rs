//! Numbers that follow an edit: offsets, lengths, counts, copies, checksums.

use super::edit::{Edit, Moves, edited};
use super::field_table::{Dependent, Subject};
use super::grammar::Grammar;
use super::mapped_file::MappedFile;
use super::number::Number;
use super::padding::fitted;
use super::recipe::Repair;
use crate::role::{Affine, Role};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The times that numbers are mended again because mending changed lengths.
const ROUNDS: usize = 5;

/// The edits of a file in one step.
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
    /// The elements that come.
    pub change: i64,
    /// The first byte of the element that is removed or repeated.
    pub at: u64,
}

/// The file after an action; `None` if the content of a space cannot be had or not be packed. `decide` is asked of each
/// number that would change whether it does.
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
    /// The edits that follow from the action and from the edits that followed before, and the file after all of them.
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

    /// The edits that put packed bytes into the field that opens their content, or into its pieces. Pieces stay as long as they
    /// are, but for the last one that has bytes. `None` if one of them has no field.
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

    /// The edits that fit padding to what moved before it.
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

    /// The numbers that follow, checksums aside.
    fn numbers(&mut self, moves: &BTreeMap<u32, Moves<'_>>) -> Vec<Edit> {
        let mut edits = Vec::new();
        // The values of numbers that changed, for those that copy them.
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
        // A copy of a copy follows in the second pass.
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

    /// The copies of texts and bytes that the action edits.
    fn copied_bytes(&mut self) -> Vec<Edit> {
        let (mapped, action) = (self.mapped, self.action);
        let mut made = Vec::new();
        for dependent in mapped.table.dependents.iter().filter(|dependent| dependent.value.is_none()) {
            let (Role::CopyOf { .. }, Some(subject)) = (&dependent.role, &dependent.subject) else { continue };
            let Range { start, end } = subject.bytes;
            let is_inside = |edit: &&Edit| edit.space == subject.space && start <= edit.at.start && edit.at.end <= end;
            // What comes between two fields belongs to the one that the edit is in.
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

    /// The value that a place, an extent or a count has to get; `None` if it keeps its own.
    fn follows(&self, dependent: &Dependent, moves: &BTreeMap<u32, Moves<'_>>) -> Option<i128> {
        let value = dependent.value?;
        let affine = dependent.role.target().map_or(Affine::SAME, |target| target.affine);
        let said = affine.apply(value)?;
        let new = match dependent.role {
            Role::Place { .. } => {
                let lead = dependent.leads?;
                // 0 says that there is no such field.
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

    /// The elements by which a list grows.
    fn elements(&self, subject: &Subject, moves: &BTreeMap<u32, Moves<'_>>) -> Option<i128> {
        let table = &self.mapped.table;
        let field = &table.fields[subject.field];
        if let Some(Counted { list, change, at }) = self.action.counted {
            let is_of = match subject.is_run {
                true => subject.bytes.contains(&at) && table.list_of(subject.field).is_some_and(|(of, _)| of == list),
                false => list == subject.field,
            };
            // Bytes that are packed again grow with the content.
            if is_of || field.slot.is_none() {
                return is_of.then_some(change.into());
            }
        }
        if subject.is_run {
            return None;
        }
        // A list without elements of its own, such as a byte string: its elements are counted by its bytes.
        let bytes = moved(subject, moves.get(&subject.space)?);
        let growth =
            i128::from(bytes.end.saturating_sub(bytes.start)) - i128::from(subject.bytes.end - subject.bytes.start);
        let each = match (field.slot, field.each) {
            (Some(_), each) => each.unwrap_or(1),
            (None, _) => table.parts(subject.field).find_map(|part| table.fields[part].each)?,
        };
        (each > 0 && growth % i128::from(each) == 0).then(|| growth / i128::from(each))
    }

    /// The edit that gives a number its new value, if it is to be mended and has room for it.
    fn written(&mut self, dependent: &Dependent, value: i128) -> Option<Edit> {
        let table = &self.mapped.table;
        let field = &table.fields[dependent.field];
        let slot = table.slot(dependent.field).filter(|_| self.repair.mends(&dependent.role))?;
        let range = field.start as usize..field.end as usize;
        let old = self.mapped.content(self.grammar, field.space)?.get(range)?.to_vec();
        let new = slot.shape.write(Number::Integer(value), &old)?;
        let edit = Edit::whole(field.space, field.bytes(), dependent.field, new);
        (!self.is_edited(&edit) && self.is_mended(dependent.field)).then_some(edit)
    }

    fn is_mended(&mut self, field: usize) -> bool {
        *self.decisions.entry(field).or_insert_with(|| (self.decide)(field))
    }

    /// Brings the checksums over bytes of a space up to date: those of the space itself at once, others as edits.
    fn checks(&mut self, space: u32, old: &[u8], new: &mut [u8], moves: &BTreeMap<u32, Moves<'_>>) -> Vec<Edit> {
        let mapped = self.mapped;
        let over = |dependent: &&Dependent| {
            let is_check = matches!(dependent.role, Role::CheckOf { .. });
            is_check && dependent.subject.as_ref().is_some_and(|subject| subject.space == space)
        };
        let mut checks: Vec<&Dependent> = mapped.table.dependents.iter().filter(over).collect();
        // A sum over others comes after them.
        checks.sort_by_key(|check| check.subject.as_ref().map(|subject| subject.bytes.end - subject.bytes.start));
        let still = Moves::new([].iter());
        let mut edits = Vec::new();
        for check in checks {
            let (Some(value), Some(subject)) = (check.value, check.subject.as_ref()) else { continue };
            let field = &mapped.table.fields[check.field];
            if field.space > space || !self.repair.mends(&check.role) {
                continue;
            }
            let range = moved(subject, moves.get(&space).unwrap_or(&still));
            // A sum may be made of itself, too.
            let own = field.bytes_in(space);
            let own_start = moves.get(&space).unwrap_or(&still).moved(own.start, None);
            let moved_own = own_start..own_start + (own.end - own.start);
            let bytes = subject.bytes.start as usize..subject.bytes.end as usize;
            if old.get(bytes.clone()) == new.get(range.start as usize..range.end as usize) {
                continue;
            }
            // A sum that was wrong before stays as it is.
            if mapped.sum_of(self.grammar, check.field, old, subject.bytes.clone(), own) != Some(value) {
                continue;
            }
            let sum = mapped.sum_of(self.grammar, check.field, new, range, moved_own);
            let Some(sum) = sum.filter(|&sum| sum != value) else { continue };
            let Some(edit) = self.written(check, sum) else { continue };
            let copies = mapped.table.dependents.iter().filter(|other| {
                let is_copy = matches!(other.role, Role::CopyOf { .. }) && other.agrees == Some(true);
                is_copy && other.subject.as_ref().is_some_and(|subject| subject.field == check.field)
            });
            for edit in
                std::iter::once(edit).chain(copies.filter_map(|copy| self.written(copy, sum)).collect::<Vec<_>>())
            {
                if edit.space > space {
                    continue;
                }
                if edit.space < space {
                    edits.push(edit);
                    continue;
                }
                let start = moves.get(&space).unwrap_or(&still).moved(edit.at.start, None) as usize;
                if let Some(bytes) = new.get_mut(start..start + edit.bytes.len()) {
                    bytes.copy_from_slice(&edit.bytes);
                }
            }
        }
        edits
    }
}

/// The bytes of a subject after the edits.
fn moved(subject: &Subject, moves: &Moves<'_>) -> std::ops::Range<u64> {
    // A run of elements ends where the next one begins.
    let last = Some(subject.field).filter(|_| !subject.is_run);
    moves.moved(subject.bytes.start, None)..moves.moved(subject.bytes.end, last)
}
