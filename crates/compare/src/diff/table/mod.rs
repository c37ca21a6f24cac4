//! Differences between two tables. Columns are matched by name, and rows by their content or by a key.
//!
//! Rows are hashed column by column, the hashes are aligned (see [`crate::align`]), and only matched rows are compared
//! cell by cell.

mod annotations;
mod columns;
mod cursor;
mod items;
mod names;
mod rows;
mod runs;
mod tally;
mod words;
mod zeros;

use super::options::Options;
use super::values::{ColumnChange, ColumnDifference, Rows, Values};
use super::verdict::Verdict;
use columns::{Columns, How, Pair, quoted};
use everybyte::escape;
use names::Side;
use ndbytes::idv::Table;
use ndbytes::{Error, Result};
use runs::Runs;
use tally::Tally;
use zeros::zeros;

/// The minimum number of sentences about columns that are listed, even if fewer differences are requested.
const LEAST_NOTES: usize = 10;

/// Compares the values of two tables.
///
/// # Errors
/// [`Error::NoColumn`] if one of them does not have the column for aligning the rows; [`Error::Io`]; [`Error::Limit`]; [`Error::Time`].
pub(crate) fn tables(a: &Table<'_>, b: &Table<'_>, asked: &Options) -> Result<Values> {
    let mut columns = Columns::of(a, b)?;
    let matched = match &asked.key {
        Some(name) => by_key([a, b], &columns, name, asked)?,
        None => by_content([a, b], &mut columns, asked)?,
    };
    let Matched { runs, tally } = match matched {
        Ok(matched) => matched,
        Err(reason) => return Ok(Values::incomparable(reason)),
    };
    finish([a, b], columns, &runs, tally, asked)
}

/// Matched rows, and how they differ.
struct Matched<'o> {
    runs: Runs,
    tally: Tally<'o>,
}

/// Aligns rows by their content. Tables of the same length are first compared row by row; another alignment is used
/// only if it leaves fewer differing rows.
fn by_content<'o>(
    tables: [&Table<'_>; 2],
    columns: &mut Columns<'_>,
    asked: &'o Options,
) -> Result<Result<Matched<'o>, String>> {
    let [a, b] = tables;
    let runs = Runs::in_place(a.rows(), b.rows());
    let tally = Tally::of(&columns.pairs, &runs, b, asked)?;
    let differing = tally.changed() + runs.other_rows();
    if tally.changed() == 0 {
        return Ok(Ok(Matched { runs, tally }));
    }
    let readable: Vec<&Pair<'_>> =
        columns.pairs.iter().zip(&tally.columns).filter(|(_, found)| found.is_ok()).map(|(pair, _)| pair).collect();
    let words = match row_words(tables, &readable, asked) {
        Ok(words) => words,
        Err(Error::Limit { .. }) => {
            let note = "there is not enough memory to find rows that were inserted or deleted: rows of the same number \
                        are compared";
            columns.notes.push(note.into());
            return Ok(Ok(Matched { runs, tally }));
        }
        Err(error) => return Err(error),
    };
    let aligned = Runs::by_content(&words[0], &words[1]);
    drop(words);
    if aligned == runs || aligned.other_rows() >= differing {
        return Ok(Ok(Matched { runs, tally }));
    }
    let realigned = Tally::of(&columns.pairs, &aligned, b, asked)?;
    let is_better = realigned.changed() + aligned.other_rows() < differing;
    Ok(Ok(if is_better { Matched { runs: aligned, tally: realigned } } else { Matched { runs, tally } }))
}

/// Returns a zero for each row of both tables.
fn numbers([a, b]: [&Table<'_>; 2]) -> Result<[Vec<u64>; 2]> {
    let what = "a number for each row";
    Ok([zeros(a, a.rows(), what)?, zeros(b, b.rows(), what)?])
}

/// Returns a number for each row of both tables. Equal rows have equal numbers.
fn row_words(tables: [&Table<'_>; 2], pairs: &[&Pair<'_>], asked: &Options) -> Result<[Vec<u64>; 2]> {
    let mut words = numbers(tables)?;
    for pair in pairs {
        for (side, column) in [(Side::A, &pair.a), (Side::B, &pair.b)] {
            let words = &mut words[side as usize];
            words::words(column, &pair.how, side, asked, |row, word| {
                if let Some(state) = words.get_mut(row) {
                    *state = words::mix(*state, word);
                }
            })?;
        }
    }
    Ok(words)
}

/// Aligns rows by the values of a column. An inner error is the reason why that is impossible.
fn by_key<'o>(
    tables: [&Table<'_>; 2],
    columns: &Columns<'_>,
    name: &str,
    asked: &'o Options,
) -> Result<Result<Matched<'o>, String>> {
    for table in tables {
        table.column(name)?;
    }
    let Some(pair) = columns.pairs.iter().find(|pair| pair.a.name() == name) else {
        return Ok(Err(format!(
            "the rows cannot be aligned: the types of column {} have no common values",
            quoted(name)
        )));
    };
    let mut words = numbers(tables)?;
    for (table, words) in tables.iter().zip(&words) {
        // The order of the rows, their partners, and their runs.
        table.debit(words.len().saturating_mul(48), "the order of the rows")?;
    }
    for (side, column) in [(Side::A, &pair.a), (Side::B, &pair.b)] {
        let words = &mut words[side as usize];
        words::words(column, &pair.how, side, asked, |row, word| {
            if let Some(place) = words.get_mut(row) {
                *place = word;
            }
        })?;
    }
    let runs = Runs::by_name(&words[0], &words[1]);
    drop(words);
    let tally = Tally::of(&columns.pairs, &runs, tables[1], asked)?;
    Ok(Ok(Matched { runs, tally }))
}

/// Combines the results.
fn finish(
    [a, b]: [&Table<'_>; 2],
    columns: Columns<'_>,
    runs: &Runs,
    tally: Tally<'_>,
    asked: &Options,
) -> Result<Values> {
    let Columns { pairs, mut listed, mut notes, .. } = columns;
    let (first, changed) = tally.first();
    let changed_count = tally.changed();
    let mut values = tally.found;
    let about_annotations = annotations::differences(&pairs, asked)?;
    for (pair, found) in pairs.iter().zip(tally.columns) {
        notes.extend(compared(pair, found, &mut listed[pair.place]));
    }
    let Changes { unreadable, are_types_other, are_columns_other } = Changes::of(&listed, &pairs);
    if runs.is_reordered {
        notes.push("the rows of the second file are in another order".into());
    }
    let do_values_differ =
        values.different > 0 || !runs.are_in_place() || are_columns_other || !about_annotations.is_empty();
    notes.extend(about_annotations);
    bound(&mut notes, asked.most.max(LEAST_NOTES), "further notes on columns are not shown");
    let count = listed.len();
    listed.retain(|column| column.different > 0 || column.change.is_some());
    let more = listed.len().saturating_sub(asked.most);
    if more > 0 {
        listed.truncate(asked.most);
        notes.push(format!("{more} further {}", if more == 1 { "column differs" } else { "columns differ" }));
    }
    if unreadable > 0 && !do_values_differ {
        // The first sentence is the reason for the verdict.
        notes.insert(0, format!("{unreadable} of {count} columns cannot be read; all others are equal"));
    }
    values.verdict = match () {
        () if do_values_differ => Verdict::ValuesDiffer,
        () if unreadable > 0 => Verdict::Incomplete,
        () if values.within > 0 => Verdict::SameWithinTolerance,
        () if are_types_other => Verdict::TypeDiffers,
        () => Verdict::SameValues,
    };
    values.first = first;
    values.columns = listed;
    values.notes = notes;
    if !runs.are_in_place() {
        values.rows = Some(Rows {
            axis: 0,
            a: a.rows(),
            b: b.rows(),
            inserted_count: runs::count(&runs.inserted),
            deleted_count: runs::count(&runs.deleted),
            changed_count,
            inserted: rows::listed(b, &runs.inserted, asked.most)?,
            deleted: rows::listed(a, &runs.deleted, asked.most)?,
            changed,
        });
    }
    Ok(values)
}

/// Records the result for a pair of columns in the list. Returns a sentence about it, if there is one.
fn compared(pair: &Pair<'_>, found: Result<u64, String>, column: &mut ColumnDifference) -> Option<String> {
    match found {
        Ok(different) => {
            column.different = different;
            let Some(ColumnChange::Type(a, b)) = &column.change else { return None };
            let how = match (different, &pair.how) {
                (0, How::Numbers(_)) => "every value is the same after widening",
                (0, _) => "every value is the same",
                (_, How::Numbers(_)) => "compared after widening",
                _ => "compared anyway",
            };
            Some(format!("column {}: {a} → {b}: {how}", quoted(&pair.a.name())))
        }
        Err(reason) => {
            let note = format!("column {} cannot be read: {}", quoted(&pair.a.name()), escape(&reason));
            column.change = Some(ColumnChange::Unreadable(reason));
            Some(note)
        }
    }
}

/// The changes of entire columns that affect the verdict.
#[derive(Default)]
struct Changes {
    /// The number of unreadable columns.
    unreadable: u64,
    are_types_other: bool,
    /// Whether a column has no partner, or one that it shares no values with.
    are_columns_other: bool,
}

impl Changes {
    /// Summarises the changes of the columns for the verdict.
    fn of(listed: &[ColumnDifference], pairs: &[Pair<'_>]) -> Self {
        let mut changes = Changes::default();
        for (place, column) in listed.iter().enumerate() {
            match &column.change {
                Some(ColumnChange::Added | ColumnChange::Removed) => changes.are_columns_other = true,
                Some(ColumnChange::Unreadable(_)) => changes.unreadable += 1,
                Some(ColumnChange::Type(..)) => {
                    changes.are_types_other = true;
                    // A column without a pair has two types that share no values.
                    let is_paired = pairs.binary_search_by_key(&place, |pair| pair.place).is_ok();
                    changes.are_columns_other |= !is_paired;
                }
                None => {}
            }
        }
        changes
    }
}

/// Cuts a list of sentences to a maximum number and states how many there were.
fn bound(notes: &mut Vec<String>, most: usize, what: &str) {
    let more = notes.len().saturating_sub(most);
    if more > 0 {
        notes.truncate(most);
        notes.push(format!("{more} {what}"));
    }
}
