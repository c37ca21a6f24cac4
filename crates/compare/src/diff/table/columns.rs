//! Pairs the columns of two tables by name.
//!
//! Columns may be moved, added and removed, so only the name identifies them. Types determine how values are compared: numbers of
//! any two types are compared as numbers, keys by the names of their categories, and everything else only with its own type.

use super::names::Names;
use crate::diff::datum::Datum;
use crate::diff::values::{ColumnChange, ColumnDifference};
use everybyte::Endian;
use ndbytes::idv::{Column, ColumnType, ItemType, Table};
use ndbytes::internals::hashed;
use ndbytes::{Dtype, ElementKind, Result};
use std::collections::HashMap;

/// A column of each of the tables, with the same name.
pub(super) struct Pair<'t> {
    pub a: Column<'t>,
    pub b: Column<'t>,
    pub how: How,
    /// The index of the column among all that are listed.
    pub place: usize,
}

/// How the values of two columns are compared.
pub(super) enum How {
    /// They are either equal or not.
    Plain,
    /// As numbers of these types.
    Numbers([Dtype; 2]),
    /// As keys of named categories.
    Named(Box<Names>),
}

/// The columns of both tables.
pub(super) struct Columns<'t> {
    tables: [&'t Table<'t>; 2],
    /// The pairs that can be compared.
    pub pairs: Vec<Pair<'t>>,
    /// All columns: first the columns of the first table, in the order of the file, then the columns that only the
    /// second table has.
    pub listed: Vec<ColumnDifference>,
    /// Sentences about columns.
    pub notes: Vec<String>,
}

impl<'t> Columns<'t> {
    /// Pairs the columns of two tables by name; if several have the same name, the last readable one counts.
    pub fn of(a: &'t Table<'t>, b: &'t Table<'t>) -> Result<Self> {
        let (mine, theirs) = (by_name(a)?, by_name(b)?);
        let mut columns = Columns { tables: [a, b], pairs: Vec::new(), listed: Vec::new(), notes: Vec::new() };
        for (name, column) in in_order(&mine) {
            match theirs.get(name) {
                Some(other) => columns.pair(name, *column, *other)?,
                None => columns.list(name, Some(ColumnChange::Removed)),
            }
        }
        for (name, _) in in_order(&theirs).into_iter().filter(|(name, _)| !mine.contains_key(*name)) {
            columns.list(name, Some(ColumnChange::Added));
        }
        Ok(columns)
    }

    /// Lists a column without comparing values.
    fn list(&mut self, name: &str, change: Option<ColumnChange>) {
        self.listed.push(ColumnDifference::new(shown(name), 0, change));
    }

    /// Pairs two columns with the same name, or lists why their values cannot be compared.
    fn pair(&mut self, name: &str, a: Column<'t>, b: Column<'t>) -> Result<()> {
        let types = a.column_type().filter(|_| a.is_readable()).zip(b.column_type().filter(|_| b.is_readable()));
        let Some((type_a, type_b)) = types else {
            let change = match a.codec() == b.codec() && a.is_readable() == b.is_readable() {
                true => ColumnChange::Unreadable("its codec or its compression is unknown".into()),
                false => {
                    self.notes
                        .push(format!("column {}: only one of the files has values that can be read", quoted(name)));
                    ColumnChange::Type(shown(&a.codec()), shown(&b.codec()))
                }
            };
            self.list(name, Some(change));
            return Ok(());
        };
        let change = (type_a != type_b).then(|| ColumnChange::Type(type_a.to_string(), type_b.to_string()));
        match how(type_a, type_b) {
            Some(mut how) => {
                if let (ItemType::Key(_), ItemType::Key(_)) = (type_a.item, type_b.item) {
                    how = Names::of(self.tables, [&a, &b], &quoted(name), &mut self.notes)?
                        .map_or(how, |names| How::Named(names.into()));
                }
                self.pairs.push(Pair { a, b, how, place: self.listed.len() });
            }
            None => {
                self.notes.push(format!("column {}: {type_a} and {type_b} cannot be compared", quoted(name)));
            }
        }
        self.list(name, change);
        Ok(())
    }
}

/// Returns how values of two types are compared, or `None` if they cannot be.
fn how(a: &ColumnType, b: &ColumnType) -> Option<How> {
    let are_keys = matches!((a.item, b.item), (ItemType::Key(_), ItemType::Key(_)));
    match (number(a.item), number(b.item)) {
        _ if a.dims.is_some() != b.dims.is_some() => None,
        (Some(a), Some(b)) => Some(How::Numbers([a, b])),
        _ => (a.item == b.item || are_keys).then_some(How::Plain),
    }
}

/// Returns the type of numbers, or `None` if values are not numbers that another type could hold.
fn number(item: ItemType) -> Option<Dtype> {
    let kind = match item {
        ItemType::I8 => ElementKind::I8,
        ItemType::I16 => ElementKind::I16,
        ItemType::I32 => ElementKind::I32,
        ItemType::I64 => ElementKind::I64,
        ItemType::U8 => ElementKind::U8,
        ItemType::U16 => ElementKind::U16,
        ItemType::U32 => ElementKind::U32,
        ItemType::U64 => ElementKind::U64,
        ItemType::F32 => ElementKind::F32,
        ItemType::F64 => ElementKind::F64,
        ItemType::Bool => ElementKind::Bool,
        ItemType::Text | ItemType::TimeSpan | ItemType::DateTime | ItemType::DateTimeOffset => return None,
        ItemType::RowId | ItemType::Key(_) => return None,
    };
    Some(Dtype { kind, endian: Endian::Little })
}

/// Returns a name of limited length.
pub(super) fn shown(name: &str) -> String {
    match Datum::text(name) {
        Datum::Text(text) => text,
        _ => unreachable!("text is text"),
    }
}

/// Returns a name for use in a sentence.
pub(super) fn quoted(name: &str) -> String {
    Datum::text(name).to_string()
}

/// Visible columns by name.
type ByName<'t> = HashMap<String, Column<'t>>;

/// Returns the columns that are not hidden; an unreadable one counts if no other has its name.
fn by_name<'t>(table: &'t Table<'_>) -> Result<ByName<'t>> {
    let columns = || table.columns().filter(|column| !column.is_hidden());
    let bytes = columns().map(|column| 2 * column.name().len() as u64).sum::<u64>();
    let entries = hashed::<(String, Column<'_>, ColumnDifference)>(table.columns().len());
    table.debit(usize::try_from(bytes.saturating_add(entries)).unwrap_or(usize::MAX), "the names of columns")?;
    let (readable, unreadable): (Vec<_>, Vec<_>) = columns().partition(Column::is_readable);
    Ok(unreadable.into_iter().chain(readable).map(|column| (column.name(), column)).collect())
}

/// Returns the columns in the order of the file.
fn in_order<'n, 't>(columns: &'n ByName<'t>) -> Vec<(&'n str, &'n Column<'t>)> {
    let mut ordered: Vec<_> = columns.iter().map(|(name, column)| (name.as_str(), column)).collect();
    ordered.sort_by_key(|(_, column)| column.index());
    ordered
}
