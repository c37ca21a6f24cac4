//! Several files with the same columns, read as one table.

use super::column::Column;
use super::open::Options;
use super::table::Table;
use super::values::Values;
use super::values::types::{ColumnType, ItemType};
use crate::error::{Error, Result};
use std::ops::Range;
use std::path::Path;

/// Several tables with the same columns, concatenated by row.
///
/// ```
/// let both = ndbytes::idv::open_all(["samples/trees.idv"; 2])?;
/// assert_eq!((both.rows(), both.read("Evergreen")?.rows()), (8, 8));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Tables<'a> {
    parts: Vec<Table<'a>>,
    /// The index after the last row of each table.
    ends: Vec<u64>,
}

/// Opens several files as one table.
///
/// # Errors
/// As for [`Tables::new`] and [`open`](super::open).
pub fn open_all<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Tables<'static>> {
    Options::new().open_all(paths)
}

impl Options {
    /// Opens several files as one table.
    ///
    /// # Errors
    /// As for [`Tables::new`] and [`open`](super::open).
    pub fn open_all<P: AsRef<Path>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Tables<'static>> {
        Tables::new(paths.into_iter().map(|path| self.open(path)).collect::<Result<_>>()?)
    }
}

impl<'a> Tables<'a> {
    /// Concatenates tables by row.
    ///
    /// # Errors
    /// [`Error::OtherColumns`] unless all tables have the same readable columns, with the same names, types and order and, for
    /// keys, the same category values. [`Error::UnreadableColumn`] if the codec or compression of the category values is unknown.
    pub fn new(parts: Vec<Table<'a>>) -> Result<Self> {
        let mut ends = Vec::new();
        let mut rows = 0_u64;
        for (place, part) in parts.iter().enumerate() {
            ensure_same(&parts[0], part, place)?;
            rows = rows.saturating_add(part.rows());
            ends.push(rows);
        }
        Ok(Tables { parts, ends })
    }

    /// The total number of rows.
    pub fn rows(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The tables.
    pub fn parts(&self) -> &[Table<'a>] {
        &self.parts
    }

    /// The columns that can be read and are not hidden, with their names and types.
    pub fn columns(&self) -> Vec<(String, ColumnType)> {
        let columns = self.parts.first().map(visible).unwrap_or_default();
        columns.iter().filter_map(|column| Some((column.name(), column.column_type()?.clone()))).collect()
    }

    /// All values of a column.
    ///
    /// # Errors
    /// As for [`Table::column`] and [`Column::read`].
    pub fn read(&self, name: &str) -> Result<Values> {
        self.read_rows(name, 0..self.rows())
    }

    /// The values of some rows of a column.
    ///
    /// # Errors
    /// As for [`Table::column`] and [`Column::read_rows`].
    pub fn read_rows(&self, name: &str, rows: Range<u64>) -> Result<Values> {
        if rows.end > self.rows() || rows.start > rows.end {
            return Err(Error::OutOfRange { index: rows.end, length: self.rows() });
        }
        let mut values: Option<Values> = None;
        let mut first = 0;
        for (part, &end) in self.parts.iter().zip(&self.ends) {
            let wanted = rows.start.max(first)..rows.end.min(end);
            // The first table determines the type, even if none of its rows are requested.
            if wanted.start < wanted.end || values.is_none() {
                let wanted = if wanted.start < wanted.end { wanted.start - first..wanted.end - first } else { 0..0 };
                let more = part.column(name)?.read_rows(wanted)?;
                match &mut values {
                    Some(values) => values.append(more),
                    None => values = Some(more),
                }
            }
            first = end;
        }
        values.ok_or_else(|| Error::NoColumn { name: name.to_owned() })
    }
}

/// Returns the columns that can be read and are not hidden.
fn visible<'t>(table: &'t Table<'_>) -> Vec<Column<'t>> {
    table.columns().filter(|column| column.is_readable() && !column.is_hidden()).collect()
}

fn same_values(mine: Option<Values>, theirs: Option<Values>) -> bool {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => mine.is_identical(&theirs),
        (mine, theirs) => mine.is_none() && theirs.is_none(),
    }
}

fn ensure_same(first: &Table<'_>, other: &Table<'_>, place: usize) -> Result<()> {
    let (mine, theirs) = (visible(first), visible(other));
    let differ = |what: String| Err(Error::OtherColumns { table: place, what });
    if mine.len() != theirs.len() {
        return differ(format!("{} columns, but the first one has {}", theirs.len(), mine.len()));
    }
    for (mine, theirs) in mine.iter().zip(&theirs) {
        let (Some(my_type), Some(their_type)) = (mine.column_type(), theirs.column_type()) else { continue };
        let (my_name, their_name) = (mine.name(), theirs.name());
        if my_name != their_name || my_type != their_type {
            return differ(format!(
                "the column {their_name:?} of {their_type} in the place of {my_name:?} of {my_type}"
            ));
        }
        if matches!(my_type.item, ItemType::Key(_))
            && place > 0
            && !same_values(mine.key_values()?, theirs.key_values()?)
        {
            return differ(format!("other categories in the column {their_name:?}"));
        }
    }
    Ok(())
}
