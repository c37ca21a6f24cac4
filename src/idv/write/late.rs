//! Facts about a column that may be known only after its rows have been written. The tables of a file come after its blocks.

use super::{NewAnnotation, NewColumn, TableWriter, ensure_type};
use crate::error::{Error, Result};
use crate::idv::values::Values;
use crate::idv::values::make::inexpressible;
use crate::idv::values::types::{ColumnType, ItemType, KeyType};
use std::io::{Seek, Write};

impl<W: Write + Seek> TableWriter<W> {
    /// The number of bytes written so far. Blocks are written when they are full, and the tables are written at the end.
    pub fn length(&self) -> u64 {
        self.position
    }

    /// Adds an annotation to a column, given by its index. `value` must be a single row.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer columns; [`Error::Inexpressible`] if the column already has an annotation of this kind, or
    /// if this one cannot be written.
    pub fn annotate(
        &mut self,
        column: usize,
        kind: impl Into<String>,
        value_type: ColumnType,
        value: Values,
    ) -> Result<()> {
        let kind = kind.into();
        let column = self.late_column(column)?;
        if kind.is_empty() || column.annotations.iter().any(|annotation| annotation.kind == kind) {
            return Err(inexpressible(format!("two annotations {kind:?} of a column, or one without a kind")));
        }
        let annotation = NewAnnotation { kind, value_type, value };
        annotation.ensure_expressible()?;
        column.annotations.push(annotation);
        Ok(())
    }

    /// Increases the number of categories of a key column, given by its index. Call it before writing keys with new categories.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer columns. [`Error::Inexpressible`] if it is not a key column, if it
    /// already has more categories, or if its stored number cannot distinguish so many.
    pub fn grow_categories(&mut self, column: usize, count: u64) -> Result<()> {
        let column = self.late_column(column)?;
        match column.column_type.item {
            ItemType::Key(key) if count >= key.count => {
                let item = ItemType::Key(KeyType { count, ..key });
                ensure_type(&ColumnType::scalar(item))?;
                column.column_type.item = item;
                Ok(())
            }
            item => Err(inexpressible(format!("{count} categories in a column of {item}"))),
        }
    }

    fn late_column(&mut self, column: usize) -> Result<&mut NewColumn> {
        let columns = &mut self.writer.columns;
        let length = columns.len() as u64;
        columns.get_mut(column).ok_or(Error::OutOfRange { index: column as u64, length })
    }
}
