//! The rows of a table as cells of text, for people and for JSON.

use super::choice;
use super::source::{Content, Opened, TableSource};
use super::text::{self, Cell, CellText};
use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::options::Options;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use ndbytes::Limits;
use ndbytes_arrow::table::Times;

/// A displayed column of a table.
///
/// ```
/// use ndbytes::Limits;
/// use ndbytes_convert::TableSource;
///
/// let trees = TableSource::idv("trees", ndbytes::idv::open("../../samples/trees.idv")?, 777);
/// let columns = trees.shown_columns(Limits::default())?;
/// let evergreen = columns.iter().find(|column| column.name == "Evergreen").unwrap();
/// assert_eq!((&*evergreen.type_name, evergreen.is_number), ("Boolean", false));
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShownColumn {
    /// The name.
    pub name: String,
    /// The type, as Arrow names it.
    pub type_name: String,
    /// True for numbers, which are aligned right.
    pub is_number: bool,
    /// The reason why the values are not shown, if they are not.
    pub unshown: Option<String>,
}

/// A table that is read batch by batch, for conversion to text.
pub(super) struct Reading<'t> {
    opened: Opened<'t>,
    /// The schema, with ticks marked.
    pub schema: SchemaRef,
    limits: Limits,
}

impl<'t> Reading<'t> {
    /// Starts reading a table for display.
    pub fn new(table: &'t TableSource, limits: Limits) -> Result<Self> {
        let limits = limits.started();
        let options = Options::new().limits(limits);
        let (choice, times, _) = choice::choose(&[table], FileKind::Jsonl, &options)?;
        let opened = table.open(&choice)?;
        let are_ticks = times == Times::Ticks;
        let schema = if are_ticks { text::ticks::mark(&opened.schema) } else { opened.schema.clone() };
        Ok(Reading { opened, schema, limits })
    }

    /// Passes batches to a function until it returns false.
    pub fn each(&mut self, take: &mut dyn FnMut(&RecordBatch) -> Result<bool>) -> Result<()> {
        let name = self.opened.table.address().to_owned();
        for batch in self.opened.batches()? {
            self.limits.ensure_time()?;
            if !take(&batch.map_err(|error| Error::of_arrow(error, &name))?)? {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the displayed columns of a schema.
pub(super) fn columns_of(schema: &SchemaRef) -> Vec<ShownColumn> {
    let column = |field: &arrow_schema::FieldRef| ShownColumn {
        name: field.name().clone(),
        type_name: field.data_type().to_string(),
        is_number: field.data_type().is_numeric() || matches!(field.data_type(), DataType::Null),
        unshown: CellText::of(field).err(),
    };
    schema.fields().iter().map(column).collect()
}

impl TableSource {
    /// The selected columns.
    ///
    /// # Errors
    /// Any error while opening the table.
    pub fn shown_columns(&self, limits: Limits) -> Result<Vec<ShownColumn>> {
        let (readable, refused) = self.readable()?;
        let mut columns = columns_of(&Reading::new(&readable, limits)?.schema);
        columns.extend(refused);
        Ok(columns)
    }

    /// Returns the table without its unreadable columns, and a list of those columns. Selected columns must all be readable.
    pub(super) fn readable(&self) -> Result<(TableSource, Vec<ShownColumn>)> {
        let (Content::Store(table), None) = (self.content(), self.chosen()) else {
            return Ok((self.clone(), Vec::new()));
        };
        let refused = table.refused().map_err(|error| Error::of_table(error, self.address()))?;
        let is_read = |name: &&str| !refused.iter().any(|(refused, _)| refused == name);
        let names: Vec<String> = table.names().filter(is_read).map(str::to_owned).collect();
        let column = |(name, reason)| ShownColumn {
            name,
            type_name: "(not read)".to_owned(),
            is_number: false,
            unshown: Some(reason),
        };
        Ok((self.clone().columns(names), refused.into_iter().map(column).collect()))
    }

    /// Reads all selected rows.
    ///
    /// # Errors
    /// Any error while reading the table.
    pub fn ensure_readable(&self, limits: Limits) -> Result<()> {
        Reading::new(&self.readable()?.0, limits)?.each(&mut |_| Ok(true))
    }

    /// Passes the selected rows to a function one by one, as the cells of the shown columns, until it returns false.
    ///
    /// # Errors
    /// Any error while reading the table; [`Error::Refused`] for a value without a text form.
    pub fn each_row(&self, limits: Limits, take: &mut dyn FnMut(&[Cell]) -> bool) -> Result<()> {
        let readable = self.readable()?.0;
        let mut reading = Reading::new(&readable, limits)?;
        let texts: Vec<_> = reading.schema.fields().iter().map(|field| CellText::of(field).ok()).collect();
        let mut cells: Vec<Cell> = Vec::new();
        reading.each(&mut |batch| {
            let columns: Vec<_> =
                texts.iter().zip(batch.columns()).filter_map(|(it, array)| Some((it.as_ref()?, array))).collect();
            cells.extend((cells.len()..columns.len()).map(|_| Cell::default()));
            for row in 0..batch.num_rows() {
                for (cell, (text, array)) in cells.iter_mut().zip(&columns) {
                    text.put(array, row, cell).map_err(|what| self.refused(&what))?;
                }
                if !take(&cells) {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Returns the error for a value without a text form.
    pub(super) fn refused(&self, what: &str) -> Error {
        Error::Refused { kind: FileKind::Jsonl, what: format!("a value of {}, which {what}", self.address()) }
    }
}
