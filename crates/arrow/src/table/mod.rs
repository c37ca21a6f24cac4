//! Reads IDV tables as record batches.
//!
//! ```
//! # use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("iris.idv");
//! # let mut file = Writer::new([NewColumn::new("Features", ColumnType::vector(ItemType::F32, [2]))]).create(&path)?;
//! # file.write(&[Values::dense(vec![0.5_f32, 1.5, 2.5, 3.5], 2)?])?;
//! # file.finish()?;
//! use ndbytes_arrow::table::{Options, ArrowTable};
//!
//! let table = ArrowTable::open(&path, Options::new().columns(["Features"]))?;
//! println!("{}", table.schema());
//! for batch in table.batches()? {
//!     println!("{} rows", batch?.num_rows());
//! }
//! # Ok::<(), ndbytes_arrow::Error>(())
//! ```
//!
//! | IDV | Arrow |
//! |---|---|
//! | `SByte` to `UInt64`, `Single`, `Double` | `Int8` to `UInt64`, `Float32`, `Float64`, without a copy |
//! | `Boolean` | `Boolean` |
//! | `String` | `Utf8`, whose bytes are not copied |
//! | `Key` with values of its categories | `Dictionary`, the missing key null |
//! | `Key` without such values | an unsigned integer, the missing key null |
//! | `DateTime` | `Timestamp` without a zone |
//! | `TimeSpan` | `Duration` |
//! | `DateTimeOffset` | the extension type `arrow.timestamp_with_offset` |
//! | `DataViewRowId` | `FixedSizeBinary(16)`, the highest byte first |
//! | `Vector<…, 4>` | `FixedSizeList`; of numbers with several dimensions the extension type `arrow.fixed_shape_tensor` |
//! | `Vector<…>` of unknown size | `List` |
//!
//! Values that are marked as missing in version 1.1.1.5 and earlier become null. Hidden and unreadable columns are left out. The metadata
//! of a field contains the type of the column and its annotations ([`metadata`]). With it, [`idv`](crate::idv) restores the same column.
//! Annotations of more than a million items, or of more than 4 MiB of text, are left out.

pub(crate) mod arrays;
mod buffers;
pub(crate) mod keys;
mod options;
pub(crate) mod plan;
mod reader;
mod shared;
mod spread;
#[cfg(feature = "ffi")]
mod stream;

use crate::error::Result;
use crate::metadata;
pub use crate::ticks::Times;
use arrow_schema::{Schema, SchemaRef};
use ndbytes::Memory;
use ndbytes::idv;
pub use options::{Keys, Options, Sparse, TextPolicy};
use plan::{ColumnPlan, Making};
pub use reader::Batches;
use shared::Shared;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// An IDV table, read as record batches. Clones share it.
///
/// ```
/// use ndbytes_arrow::table::{ArrowTable, Options};
///
/// let trees = ArrowTable::open("../../samples/trees.idv", Options::new())?;
/// let names = trees.project(&[trees.schema().index_of("Name")?])?;
/// assert_eq!((names.schema().fields().len(), names.rows()), (1, trees.rows()));
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArrowTable {
    shared: Arc<Shared>,
}

impl ArrowTable {
    /// Opens an `.idv` file; the path may point into a model archive.
    ///
    /// # Errors
    /// As for [`ndbytes::idv::open`] and [`ArrowTable::new`].
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self> {
        let table = idv::Options::new().limits(options.limits).open(path)?;
        ArrowTable::new(table, options)
    }

    /// Reads a table as record batches. The values of categories and the annotations are read immediately.
    ///
    /// # Errors
    /// [`Error::Ndbytes`](crate::Error::Ndbytes) if a column does not exist or cannot be read, or if an annotation violates a rule.
    pub fn new(table: impl Into<Arc<idv::Table<'static>>>, options: Options) -> Result<Self> {
        let table = table.into();
        let memory = Memory::new(options.limits);
        let mut making = Making { options: &options, memory: &memory, debited: Vec::new(), grown: 0 };
        let mut columns = Vec::new();
        match &options.columns {
            Some(names) => {
                for name in names {
                    columns.push(Arc::new(ColumnPlan::new(&table.column(name)?, &mut making)?));
                }
            }
            None => {
                for column in table.columns().filter(|column| column.is_readable() && !column.is_hidden()) {
                    columns.push(Arc::new(ColumnPlan::new(&column, &mut making)?));
                }
            }
        }
        let fields: Vec<_> = columns.iter().map(|plan| Arc::clone(&plan.field)).collect();
        let version = HashMap::from([(metadata::VERSION.to_owned(), table.version().to_string())]);
        let schema = Arc::new(Schema::new_with_metadata(fields, version));
        let debited = Arc::new(making.debited);
        Ok(ArrowTable { shared: Arc::new(Shared { table, schema, columns, options, debited }) })
    }

    /// Returns the schema of all batches.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.shared.schema)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.shared.table.rows()
    }

    /// Returns the table that is being read.
    pub fn table(&self) -> &Arc<idv::Table<'static>> {
        &self.shared.table
    }

    /// Returns all batches.
    ///
    /// # Errors
    /// [`Error::Ndbytes`](crate::Error::Ndbytes) if a column cannot be read.
    pub fn batches(&self) -> Result<Batches> {
        self.batches_of(0..self.rows())
    }

    /// Returns the batches of some rows.
    ///
    /// # Errors
    /// As for [`ArrowTable::batches`]; also an error if there are fewer rows.
    pub fn batches_of(&self, rows: Range<u64>) -> Result<Batches> {
        Batches::new(Arc::clone(&self.shared), rows)
    }

    /// Returns the rows of each batch: ranges of whole blocks, which can be read on different machines.
    ///
    /// # Errors
    /// As for [`ArrowTable::batches`].
    pub fn ranges(&self) -> Result<impl Iterator<Item = Range<u64>> + use<>> {
        let places = self.shared.columns.iter().map(|plan| plan.index);
        let step = idv::Portions::new(Arc::clone(&self.shared.table), places, self.shared.options.rows)?.step();
        let rows = self.rows();
        let starts = std::iter::successors(Some(0_u64), move |start| start.checked_add(step));
        Ok(starts.take_while(move |&start| start < rows).map(move |start| start..start.saturating_add(step).min(rows)))
    }

    /// Selects columns by their indices in the schema.
    ///
    /// # Errors
    /// [`Error::Arrow`](crate::Error::Arrow) if there are fewer columns.
    pub fn project(&self, columns: &[usize]) -> Result<Self> {
        let schema = Arc::new(self.shared.schema.project(columns)?);
        let Shared { table, columns: all, options, debited, .. } = &*self.shared;
        let columns = columns.iter().map(|&place| Arc::clone(&all[place])).collect();
        let (table, options, debited) = (Arc::clone(table), options.clone(), Arc::clone(debited));
        Ok(ArrowTable { shared: Arc::new(Shared { table, schema, columns, options, debited }) })
    }
}
