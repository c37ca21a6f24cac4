//! Padding that is adjusted to the bytes before it.
//!
//! Padding that grows moves everything after it, including other padding. Padding fields are therefore handled from
//! first to last, each with the total growth of the ones before it.

use super::edit::{Edit, Moves};
use super::field_table::FieldTable;
use crate::alignment::Alignment;
use std::collections::BTreeSet;

/// Returns the edits that realign padding after an action and all its other consequences.
pub fn fitted(table: &FieldTable<'_>, action: &[Edit], others: &[&Edit]) -> Vec<Edit> {
    let all = || action.iter().chain(others.iter().copied());
    let spaces: BTreeSet<u32> = all().filter(|edit| edit.growth() != 0).map(|edit| edit.space).collect();
    let fitted_in = |space: u32| {
        let moves = Moves::new(all().filter(|edit| edit.space == space));
        fitted_in(table, space, action, &moves)
    };
    spaces.into_iter().flat_map(fitted_in).collect()
}

fn fitted_in(table: &FieldTable<'_>, space: u32, action: &[Edit], moves: &Moves<'_>) -> Vec<Edit> {
    // Padding that the action edits itself is left alone.
    let is_edited = |field: usize| action.iter().any(|edit| edit.overlaps(&edit_of(table, field, Vec::new())));
    let is_fitted = |field: &usize| table.fields[*field].alignment.is_some() && !is_edited(*field);
    let mut paddings: Vec<usize> = table.fields_of(space).filter(is_fitted).collect();
    paddings.sort_by_key(|&field| (table.fields[field].start, field));
    // The end of each padding field that grew, and the total growth up to there.
    let mut grown: Vec<(u64, i64)> = Vec::new();
    let mut fitted = Vec::new();
    for field in paddings {
        let of = &table.fields[field];
        let Some(alignment) = of.alignment else { continue };
        let moved = |offset: u64| {
            let before = grown.partition_point(|&(end, _)| end <= offset);
            let by = before.checked_sub(1).map_or(0, |last| grown[last].1);
            moves.moved(offset, None).saturating_add_signed(by)
        };
        let from = if alignment.from == 0 { 0 } else { moved(alignment.from) };
        let needed = Alignment { from, ..alignment }.needed(moved(of.start));
        let length = of.length();
        if needed == length {
            continue;
        }
        let by = grown.last().map_or(0, |&(_, by)| by) + needed as i64 - length as i64;
        grown.push((of.end, by));
        fitted.push(edit_of(table, field, vec![alignment.byte; needed as usize]));
    }
    fitted
}

/// Returns the edit that replaces the bytes of padding. If the padding is empty, the previous field keeps its end.
fn edit_of(table: &FieldTable<'_>, field: usize, bytes: Vec<u8>) -> Edit {
    let of = &table.fields[field];
    let whole = Edit::whole(of.space, of.bytes(), field, bytes);
    if of.start < of.end || of.start == 0 {
        return whole;
    }
    let before = match of.parent {
        Some(parent) => table.parts(parent).take_while(|&part| part < field).last(),
        None => table.level(of.space).take_while(|&part| part < field).last(),
    };
    Edit { owner: of.start - 1..of.start, after: before.map_or(0..0, |before| before..field), ..whole }
}
