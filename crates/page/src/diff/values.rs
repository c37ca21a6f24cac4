//! The differences between the values of two files, in words.

use everybyte::page::shown;
use ndbytes_compare::diff::{self, ColumnChange, Datum, Difference, Extreme, Rows};
use serde::Serialize;

/// The maximum number of listed items, rows, columns and cells.
const ITEMS: usize = 200;
const ROWS: usize = 60;
const COLUMNS: usize = 100;
const CELLS: usize = 24;

/// The maximum number of characters in a value, name or sentence, and of axes in an index.
const VALUE: usize = 120;
const SENTENCE: usize = 500;
const AXES: usize = 32;

#[derive(Debug, Serialize)]
pub struct Values {
    verdict: String,
    compared: u64,
    different: u64,
    within: u64,
    sign_of_zero: u64,
    infinite: u64,
    nan: (u64, u64, u64),
    notes: Vec<String>,
    first: Vec<Item>,
    /// The largest distances, and their items.
    largest: Vec<(&'static str, Item, String)>,
    columns: Vec<Column>,
    rows: Option<RowList>,
}

/// An item that differs.
#[derive(Debug, Serialize)]
struct Item {
    index: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    a: String,
    b: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ulp: Option<String>,
    /// Where there are no steps to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Column {
    name: String,
    different: u64,
    change: String,
}

/// Rows that were inserted, deleted or changed: how many, and the first ones.
#[derive(Debug, Serialize)]
struct RowList {
    axis: u64,
    a: u64,
    b: u64,
    inserted_count: u64,
    deleted_count: u64,
    changed_count: u64,
    inserted: Vec<(u64, String)>,
    deleted: Vec<(u64, String)>,
    changed: Vec<(u64, u64, Vec<Item>)>,
}

impl Values {
    pub fn new(found: &diff::Values) -> Self {
        let largest = &found.largest;
        let largest =
            [("|Δ|", largest.absolute.as_ref()), ("relative", largest.relative.as_ref()), ("ulp", largest.steps())];
        Values {
            verdict: found.verdict.to_string(),
            compared: found.compared,
            different: found.different,
            within: found.within,
            sign_of_zero: found.sign_of_zero,
            infinite: found.infinite,
            nan: (found.nan.a_only, found.nan.b_only, found.nan.other_payload),
            notes: found
                .whereabouts()
                .iter()
                .chain(&found.notes)
                .take(ROWS)
                .map(|note| shown(note, SENTENCE))
                .collect(),
            first: found.first.iter().take(ITEMS).map(Item::new).collect(),
            largest: largest
                .into_iter()
                .filter_map(|(name, extreme)| extreme.map(|at| (name, Item::of(at), datum(&at.difference))))
                .collect(),
            columns: found.columns.iter().take(COLUMNS).map(Column::new).collect(),
            rows: found.rows.as_ref().map(RowList::new),
        }
    }
}

impl Item {
    fn new(difference: &Difference) -> Self {
        let distance = difference.distance;
        Item {
            index: difference.index.iter().take(AXES).copied().collect(),
            column: difference.column.as_ref().map(|name| shown(name, VALUE)),
            a: datum(&difference.a),
            b: datum(&difference.b),
            absolute: distance.map(|distance| distance.absolute),
            ulp: distance.and_then(|distance| distance.steps()).map(|steps| steps.to_string()),
            relative: distance
                .filter(|it| it.ulp.is_some() && it.steps().is_none() && it.relative < 1.0)
                .map(|distance| distance.relative),
            offset: difference.offset,
        }
    }

    fn of(extreme: &Extreme) -> Self {
        Item {
            index: extreme.index.iter().take(AXES).copied().collect(),
            column: extreme.column.as_ref().map(|name| shown(name, VALUE)),
            a: datum(&extreme.a),
            b: datum(&extreme.b),
            absolute: None,
            ulp: None,
            relative: None,
            offset: None,
        }
    }
}

impl Column {
    fn new(column: &diff::ColumnDifference) -> Self {
        Column {
            name: shown(&column.name, VALUE),
            different: column.different,
            change: match &column.change {
                None => String::new(),
                Some(ColumnChange::Added) => "added".into(),
                Some(ColumnChange::Removed) => "removed".into(),
                Some(ColumnChange::Type(a, b)) => shown(&format!("type {a} → {b}"), SENTENCE),
                Some(ColumnChange::Unreadable(why)) => shown(why, SENTENCE),
                Some(_) => "differs".into(),
            },
        }
    }
}

impl RowList {
    fn new(rows: &Rows) -> Self {
        let listed = |rows: &[diff::Row]| rows.iter().take(ROWS).map(|row| (row.row, datum(&row.values))).collect();
        RowList {
            axis: rows.axis,
            a: rows.a,
            b: rows.b,
            inserted_count: rows.inserted_count,
            deleted_count: rows.deleted_count,
            changed_count: rows.changed_count,
            inserted: listed(&rows.inserted),
            deleted: listed(&rows.deleted),
            changed: rows
                .changed
                .iter()
                .take(ROWS)
                .map(|row| (row.a, row.b, row.cells.iter().take(CELLS).map(Item::new).collect()))
                .collect(),
        }
    }
}

fn datum(value: &Datum) -> String {
    shown(&value.to_string(), VALUE)
}
