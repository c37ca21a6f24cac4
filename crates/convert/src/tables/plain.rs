//! A table as in-memory IDV with plain types, so that tables of all kinds are compared in the same way.
//!
//! The comparison of tables supports only IDV. A Parquet or CSV file is converted to IDV in memory; values that IDV
//! cannot hold become text, and equal values become the same text. IDV has no nulls, so a column of flags records which
//! values are missing.

use super::rows::Reading;
use super::source::TableSource;
use super::text::{Cell, CellKind, CellText};
use crate::error::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use ndbytes::idv::{ColumnType, Compression, ItemType, Items, NewColumn, Texts, Values, Writer};
use ndbytes::{Debited, Limits, Memory};
use std::io::Cursor;

impl TableSource {
    /// Converts the selected rows to an IDV file. Numbers and booleans are kept; everything else becomes text, as in
    /// JSON Lines. For a column with missing values, another column flags them.
    ///
    /// # Errors
    /// [`ndbytes::Error::Limit`]; an error for a column that cannot be read or has no text form; any error while
    /// reading the table.
    pub fn to_plain_idv(&self, limits: Limits) -> Result<Vec<u8>> {
        let (readable, refused) = self.readable()?;
        if let Some(column) = refused.into_iter().next() {
            let (column, what) = (column.name, column.unshown.unwrap_or_default());
            return Err(Error::of_table(ndbytes_arrow::Error::Column { column, what }, self.address()));
        }
        let mut reading = Reading::new(&readable, limits)?;
        let fields = reading.schema.fields().clone();
        let columns = fields.iter().map(|field| Column::new(field)).collect::<Result<Vec<_>, _>>();
        let mut columns = columns.map_err(|what| self.refused(&what))?;
        let memory = Memory::new(limits);
        let (mut rows, mut held): (u64, Vec<Debited>) = (0, Vec::new());
        reading.each(&mut |batch| {
            for (column, array) in columns.iter_mut().zip(batch.columns()) {
                // There are two copies while the file is being made.
                let needed = (array.get_array_memory_size() as u64).saturating_mul(2);
                held.push(memory.take(needed, "a table, which is compared in memory")?);
                column.add(array).map_err(|what| self.refused(&what))?;
            }
            rows += batch.num_rows() as u64;
            Ok(true)
        })?;
        let (mut new, mut values) = (Vec::new(), Vec::new());
        for (field, Column { item, items, missing, .. }) in fields.iter().zip(columns) {
            let name = field.name();
            new.push(NewColumn::new(name, ColumnType { item, dims: None }));
            values.push(Values::scalars(items));
            if missing.iter().any(|missing| *missing) {
                new.push(NewColumn::new(format!("{name} is missing"), ColumnType { item: ItemType::Bool, dims: None }));
                values.push(Values::scalars(Items::Bool(missing)));
            }
        }
        let is_empty = new.is_empty();
        let mut table = Writer::new(new).compression(Compression::NONE).begin(Cursor::new(Vec::new()))?;
        match is_empty {
            true => table.write_empty_rows(rows)?,
            false => table.write(&values)?,
        }
        Ok(table.finish_sink()?.into_inner())
    }
}

/// A column in memory.
struct Column {
    item: ItemType,
    items: Items,
    missing: Vec<bool>,
    text: CellText,
    cell: Cell,
}

impl Column {
    /// Creates a column without rows. The error is a clause about why the values have no text form.
    fn new(field: &Field) -> Result<Self, String> {
        let (item, items) = match field.data_type() {
            DataType::Int8 => (ItemType::I8, Items::I8(Vec::new())),
            DataType::Int16 => (ItemType::I16, Items::I16(Vec::new())),
            DataType::Int32 => (ItemType::I32, Items::I32(Vec::new())),
            DataType::Int64 if super::text::ticks::Ticks::of(field).is_none() => {
                (ItemType::I64, Items::I64(Vec::new()))
            }
            DataType::UInt8 => (ItemType::U8, Items::U8(Vec::new())),
            DataType::UInt16 => (ItemType::U16, Items::U16(Vec::new())),
            DataType::UInt32 => (ItemType::U32, Items::U32(Vec::new())),
            DataType::UInt64 => (ItemType::U64, Items::U64(Vec::new())),
            DataType::Float16 | DataType::Float32 => (ItemType::F32, Items::F32(Vec::new())),
            DataType::Float64 => (ItemType::F64, Items::F64(Vec::new())),
            DataType::Boolean => (ItemType::Bool, Items::Bool(Vec::new())),
            _ => (ItemType::Text, Items::Text(Texts::default())),
        };
        let text = CellText::of(field)?;
        Ok(Column { item, items, missing: Vec::new(), text, cell: Cell::default() })
    }

    /// Appends values. A missing value becomes zero, false or the empty text.
    fn add(&mut self, array: &ArrayRef) -> Result<(), String> {
        macro_rules! put {
            ($items:expr, $type:ty) => {
                $items.extend(array.as_primitive::<$type>().iter().map(Option::unwrap_or_default))
            };
        }
        match &mut self.items {
            Items::I8(items) => put!(items, Int8Type),
            Items::I16(items) => put!(items, Int16Type),
            Items::I32(items) => put!(items, Int32Type),
            Items::I64(items) => put!(items, Int64Type),
            Items::U8(items) => put!(items, UInt8Type),
            Items::U16(items) => put!(items, UInt16Type),
            Items::U32(items) => put!(items, UInt32Type),
            Items::U64(items) => put!(items, UInt64Type),
            Items::F32(items) => match array.as_primitive_opt::<Float16Type>() {
                Some(halves) => items.extend(halves.iter().map(|half| half.unwrap_or_default().to_f32())),
                None => put!(items, Float32Type),
            },
            Items::F64(items) => put!(items, Float64Type),
            Items::Bool(items) => items.extend(array.as_boolean().iter().map(Option::unwrap_or_default)),
            Items::Text(texts) => {
                for row in 0..array.len() {
                    self.text.put(array, row, &mut self.cell)?;
                    self.missing.push(self.cell.kind == CellKind::Missing);
                    texts.push(&self.cell.text);
                }
                return Ok(());
            }
            _ => {}
        }
        self.missing.extend((0..array.len()).map(|row| array.is_null(row)));
        Ok(())
    }
}
