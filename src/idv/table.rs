//! Tables and their columns.

use super::column::Column;
use super::payload::examine_payload;
use super::read::batches::Batches;
use super::read::columns::ColumnBlocks;
use super::structure::Structure;
use super::tolerance::admit;
use crate::bytes::input::Input;
use crate::bytes::limits::hashed;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::options::Settings;
use ndbytes_schemas::idv as layout;
use std::collections::HashMap;
use std::fmt::Display;
use std::ops::Range;
use std::sync::OnceLock;

/// An open table.
///
/// # Read a column
///
/// ```
/// use ndbytes::idv::{self, Value};
///
/// let trees = idv::open("samples/trees.idv")?;
/// let names = trees.column("Name")?.read()?;
/// assert!(matches!(names.get(0), Some(Value::Text(text)) if text.to_str() == Some("pine")));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// [`Table::batches`] reads several columns block by block, reusing the same memory.
#[derive(Debug)]
pub struct Table<'a> {
    pub(super) input: Input<'a>,
    pub(super) structure: Structure,
    pub(super) settings: Settings,
    pub(super) tolerated: Vec<Finding>,
    pub(super) warnings: Vec<Finding>,
    /// The indices of the columns that are not hidden, by name. An unreadable column is listed only if its name is unique.
    pub(super) names: OnceLock<HashMap<String, usize>>,
}

impl Table<'_> {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.structure.rows()
    }

    /// The version of the format.
    pub fn version(&self) -> layout::Version {
        self.structure.header.version
    }

    /// The oldest version whose readers can read the file.
    pub fn compatible_version(&self) -> layout::Version {
        self.structure.header.compatible_version
    }

    /// All columns in file order, including hidden and unreadable ones.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = Column<'_>> {
        (0..self.structure.columns.len()).map(|index| self.at(index))
    }

    /// The readable column with this name; the last one if there are several.
    ///
    /// # Errors
    /// [`Error::NoColumn`] if the column does not exist; [`Error::UnreadableColumn`] if its codec or compression is unknown.
    pub fn column(&self, name: &str) -> Result<Column<'_>> {
        if self.names.get().is_none() {
            let names = self.columns().map(|column| column.blocks.parts().entry.name.bytes().len() as u64).sum::<u64>();
            let table = hashed::<(String, usize)>(self.columns().len());
            self.input.budget().take(names + table, "the names of columns")?;
        }
        let names = self.names.get_or_init(|| {
            // If two columns have the same name, the later one stays.
            let unreadable = self.columns().filter(|column| !column.is_readable());
            let columns = unreadable.chain(self.columns().filter(Column::is_readable));
            columns.map(|column| (column.name(), column.index())).collect()
        });
        match names.get(name).map(|&index| self.at(index)) {
            Some(column) if column.is_readable() => Ok(column),
            Some(_) => Err(Error::UnreadableColumn { name: name.to_owned() }),
            None => Err(Error::NoColumn { name: name.to_owned() }),
        }
    }

    /// Reads some columns from the first row to the last, a few blocks at a time, using memory only for these blocks.
    ///
    /// # Errors
    /// As for [`Table::column`].
    pub fn batches(&self, columns: &[&str]) -> Result<Batches<'_>> {
        let columns = columns.iter().map(|name| self.column(name)).collect::<Result<Vec<_>>>()?;
        Ok(Batches::new(columns.into_iter().map(|column| column.blocks).collect()))
    }

    /// Checks the annotations of a table and the blocks of hidden columns. Call it after reading all other columns, to find every
    /// error that [`check`](crate::check) would report.
    ///
    /// # Errors
    /// [`Error::Invalid`] if an annotation or a block breaks a rule of severity error that is not tolerated; [`Error::Io`].
    pub fn ensure_rest(&self) -> Result<()> {
        let mut findings = Findings::default();
        examine_payload(&self.input, &self.structure, |column| column.is_hidden, &mut findings)?;
        let admitted = findings.into_vec().into_iter().try_for_each(|finding| admit(&self.settings, finding));
        self.input.placed(admitted)
    }

    /// Warnings about the tables of the file: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The findings that the options tolerated in the tables of the file.
    pub fn tolerated(&self) -> &[Finding] {
        &self.tolerated
    }

    /// Charges memory for a description of the table.
    #[doc(hidden)]
    pub fn debit(&self, bytes: usize, what: &'static str) -> Result<()> {
        self.input.budget().take(bytes as u64, what)
    }

    /// Returns an empty list with capacity for `length` elements, which are debited.
    pub(crate) fn debited_list<T>(&self, length: usize, what: &'static str) -> Result<Vec<T>> {
        self.input.budget().list(length as u64, what)
    }

    /// The parts of the file, in the order of their bytes, with the names used in findings.
    #[doc(hidden)]
    pub fn parts(&self) -> impl Iterator<Item = &(Range<u64>, impl Display)> {
        self.structure.sections.parts().iter()
    }

    fn at(&self, index: usize) -> Column<'_> {
        let Table { input, structure, settings, .. } = self;
        Column::new(ColumnBlocks { input, structure, settings, index })
    }
}
