//! Opens files and directories that ndbytes can read but has no rules for.

use super::failure::{Failure, chosen};
use super::slice::{Chosen, Slice};
use crate::show::text;
use ndbytes_convert::door::{self, ForeignKind, NamedArray};
use ndbytes_convert::{Error, TableSource};
use std::path::PathBuf;

/// A third-party file or store, and the requested slice of its values.
pub struct Foreign {
    pub inner: Box<door::Foreign>,
    pub slice: Option<Slice>,
}

/// The maximum number of arrays that a message names.
const MOST_NAMED: usize = 10;

/// Converts an error of the conversion library.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::Library(error) => Failure::Error(error),
        error => Failure::Words(error.to_string()),
    }
}

impl Foreign {
    pub fn kind(&self) -> ForeignKind {
        self.inner.kind()
    }

    /// Returns whether it is a python-blosc2 table, whose members have rules.
    pub fn is_ctable(&self) -> bool {
        self.kind() == ForeignKind::CTable
    }

    /// Returns the table, if it contains one.
    pub fn table(&self) -> Option<&TableSource> {
        self.inner.table()
    }

    /// Returns all requested arrays.
    pub fn arrays(&self) -> Result<Vec<NamedArray<'_>>, Failure> {
        self.inner.arrays().map_err(failure)
    }

    /// Returns the only array.
    pub fn array(&self) -> Result<NamedArray<'_>, Failure> {
        let mut arrays = self.arrays()?;
        match arrays.len() {
            1 => Ok(arrays.remove(0)),
            _ => Err(Failure::Words(self.choice(&arrays))),
        }
    }

    /// Returns the message that one of several arrays must be selected.
    fn choice(&self, arrays: &[NamedArray<'_>]) -> String {
        let path = text::path(self.inner.path());
        let Some(first) = arrays.first() else { return format!("{} without arrays", self.kind()) };
        let names: Vec<&str> = arrays.iter().take(MOST_NAMED).map(|array| &*array.name).collect();
        let more = if arrays.len() > names.len() { ", …" } else { "" };
        let (count, names) = (arrays.len(), names.join(", "));
        format!(
            "there are {count} arrays: choose one as in {path}!{}; there are {names}{more}",
            first.address.as_deref().unwrap_or(&first.name)
        )
    }

    /// Returns the requested rows of the table.
    pub fn rows(&self, table: &TableSource) -> Result<Chosen, Failure> {
        let count = table.count().map_err(failure)?;
        chosen(self.slice.as_ref(), &[usize::try_from(count).unwrap_or(usize::MAX)])
    }

    /// Returns the table with only the requested rows.
    pub fn rows_of(&self, table: &TableSource) -> Result<TableSource, Failure> {
        rows(table, self.slice.as_ref())
    }

    /// Returns the path that opens an array.
    pub fn address(&self, array: &NamedArray<'_>) -> PathBuf {
        let path = self.inner.path();
        match &array.address {
            Some(name) => {
                let mut address = path.as_os_str().to_owned();
                address.push("!");
                address.push(name);
                address.into()
            }
            None => path.to_owned(),
        }
    }
}

/// Returns the rows of a table that a slice selects. They keep their order.
pub fn rows(table: &TableSource, slice: Option<&Slice>) -> Result<TableSource, Failure> {
    let table = table.clone();
    let Some(slice) = slice else { return Ok(table) };
    let count = table.count().map_err(failure)?;
    let chosen = slice.choose(&[usize::try_from(count).unwrap_or(usize::MAX)]).map_err(Failure::Words)?;
    match chosen.axes().next() {
        Some(axis) if axis.step == 1 || axis.count < 2 => Ok(table.rows(axis.start..axis.start + axis.count)),
        Some(axis) => {
            let words =
                format!("the slice has the step {}, but rows of a table can only be selected in order", axis.step);
            Err(Failure::Words(words))
        }
        None => Ok(table),
    }
}
