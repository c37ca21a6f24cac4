//! The facts about a column that are known only when its rows are written: the tables of a file come after its blocks.

use super::{NewAnnotation, NewColumn, TableWriter, ensure_type};
use crate::error::{Error, Result};
use crate::idv::values::Values;
use crate::idv::values::make::inexpressible;
use crate::idv::values::types::{ColumnType, ItemType, KeyType};
use std::io::{Seek, Write};

impl<W: Write + Seek> TableWriter<W> {
    /// Bytes that are written so far. Blocks of values are written when they are full, and the tables of the file at its end.
    pub fn length(&self) -> u64 {
        self.position
    }

    /// Adds an annotation to a column, by its place. `value` is a single row.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer columns, [`Error::Inexpressible`] if the column has an annotation of this kind
    /// or if this one cannot be written.
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

    /// Raises the number of categories of a column of keys, by its place. Call it before keys of these are written.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer columns. [`Error::Inexpressible`] if the column has no keys, or if it
    /// has more categories, or if its numbers cannot distinguish so many.
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
