//! Arrays as columns: one row per item along the first axis. With several axes, an item is a fixed-shape tensor, for which Arrow has the
//! extension type `arrow.fixed_shape_tensor`.
//!
//! ```
//! use arrow_array::Array;
//! use ndbytes_arrow::tensors::TensorColumn;
//!
//! let array = ndbytes::open("../../samples/digits-idx3-ubyte.gz")?.into_array()?;
//! let column = TensorColumn::new("digits", &array.item_type(), array.shape())?;
//! let digits = column.array(array.bytes()?.to_vec())?;
//! assert_eq!((digits.len(), digits.data_type().to_string().contains("784")), (10, true));
//! # Ok::<(), ndbytes_arrow::Error>(())
//! ```

use crate::error::{Error, Result};
use crate::metadata::{EXTENSION, EXTENSION_METADATA, FIXED_SHAPE_TENSOR};
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, FixedSizeListArray, PrimitiveArray, RecordBatch, RecordBatchReader};
use arrow_buffer::{BooleanBuffer, MutableBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use ndbytes::ndarray::{Slice, SliceInfoElem};
use ndbytes::{Array, ElementKind, ItemType};
use std::collections::HashMap;
use std::sync::Arc;

/// The column that an array becomes.
///
/// ```
/// use ndbytes_arrow::tensors::{TensorColumn, shape_of};
///
/// // A million pictures of 28 × 28 bytes: each row is a tensor.
/// let column = TensorColumn::new("digits", &"|u1".parse().unwrap(), &[1_000_000, 28, 28])?;
/// assert_eq!((column.rows(), column.row_bytes()), (1_000_000, 784));
/// assert_eq!(shape_of(column.field()), Some(vec![28, 28]));
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TensorColumn {
    field: FieldRef,
    item_type: ItemType,
    /// The number of elements in a row, or `None` if a row is one element.
    elements: Option<i32>,
    rows: u64,
}

impl TensorColumn {
    /// Creates the column for an array of these items and this shape, with one row per item along the first axis.
    ///
    /// # Errors
    /// [`Error::Column`] if the array has no axis, or if Arrow does not have the type of the items. Also if the rows have no elements, or
    /// more than 2^31 - 1 of them.
    pub fn new(name: impl Into<String>, item_type: &ItemType, shape: &[usize]) -> Result<Self> {
        let name = name.into();
        let refused = |what: String| Error::Column { column: name.clone(), what };
        let Some((&rows, inner)) = shape.split_first() else {
            return Err(refused("has no axes, so it has no rows".into()));
        };
        let element = data_type(item_type)
            .ok_or_else(|| refused(format!("has items of {item_type}, for which Arrow has no type")))?;
        let count = inner.iter().try_fold(1_usize, |count, &extent| count.checked_mul(extent));
        let count = count.and_then(|count| i32::try_from(count).ok()).filter(|&count| count > 0);
        let count =
            count.ok_or_else(|| refused(format!("has rows of shape {inner:?}, which is too large for a list")))?;
        let field = match inner {
            [] => Field::new(&name, element, false),
            inner => {
                // Other programs recognise tensors only in lists whose items may be missing.
                let child = Arc::new(Field::new("item", element, true));
                let shape = format!("{{\"shape\":{inner:?}}}");
                let metadata = HashMap::from(
                    [(EXTENSION, FIXED_SHAPE_TENSOR.to_owned()), (EXTENSION_METADATA, shape)]
                        .map(|(key, value)| (key.to_owned(), value)),
                );
                Field::new(&name, DataType::FixedSizeList(child, count), false).with_metadata(metadata)
            }
        };
        let elements = (!inner.is_empty()).then_some(count);
        Ok(TensorColumn { field: Arc::new(field), item_type: item_type.clone(), elements, rows: rows as u64 })
    }

    /// Returns the field of the schema.
    pub fn field(&self) -> &FieldRef {
        &self.field
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the size of a row in bytes, as stored in the array.
    pub fn row_bytes(&self) -> u64 {
        u64::from(self.elements.unwrap_or(1).unsigned_abs()).saturating_mul(self.item_type.stride())
    }

    /// Creates rows from their bytes in the array. Numbers in the other byte order are swapped.
    ///
    /// # Errors
    /// [`Error::Arrow`] if the bytes are not whole rows.
    pub fn array(&self, mut bytes: Vec<u8>) -> Result<ArrayRef> {
        if let ItemType::Plain(dtype) = &self.item_type
            && dtype.is_swapped()
        {
            ndbytes::internals::swap_in_place(&mut bytes, dtype.kind.swapped());
        }
        let elements = elements(&self.item_type, bytes);
        Ok(match (self.elements, self.field.data_type()) {
            (Some(count), DataType::FixedSizeList(child, _)) => {
                Arc::new(FixedSizeListArray::try_new(Arc::clone(child), count, elements, None)?)
            }
            _ => elements,
        })
    }
}

/// Returns the Arrow type for items.
fn data_type(item_type: &ItemType) -> Option<DataType> {
    let ItemType::Plain(dtype) = item_type else { return None };
    Some(match dtype.kind {
        ElementKind::Bool | ElementKind::Bit => DataType::Boolean,
        ElementKind::I8 => DataType::Int8,
        ElementKind::I16 => DataType::Int16,
        ElementKind::I32 => DataType::Int32,
        ElementKind::I64 => DataType::Int64,
        ElementKind::U8 => DataType::UInt8,
        ElementKind::U16 => DataType::UInt16,
        ElementKind::U32 => DataType::UInt32,
        ElementKind::U64 => DataType::UInt64,
        ElementKind::F16 => DataType::Float16,
        ElementKind::F32 => DataType::Float32,
        ElementKind::F64 => DataType::Float64,
        _ => return None,
    })
}

/// Converts elements to an Arrow array.
fn elements(item_type: &ItemType, bytes: Vec<u8>) -> ArrayRef {
    fn numbers<T: ArrowPrimitiveType>(bytes: &[u8]) -> ArrayRef {
        let mut buffer = MutableBuffer::with_capacity(bytes.len());
        buffer.extend_from_slice(bytes);
        let length = bytes.len() / size_of::<T::Native>();
        Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::new(buffer.into(), 0, length), None))
    }
    match item_type.dtype().kind {
        ElementKind::I8 => numbers::<Int8Type>(&bytes),
        ElementKind::I16 => numbers::<Int16Type>(&bytes),
        ElementKind::I32 => numbers::<Int32Type>(&bytes),
        ElementKind::I64 => numbers::<Int64Type>(&bytes),
        // Bytes need no alignment, so they need no copy either.
        ElementKind::U8 => Arc::new(PrimitiveArray::<UInt8Type>::new(bytes.into(), None)),
        ElementKind::U16 => numbers::<UInt16Type>(&bytes),
        ElementKind::U32 => numbers::<UInt32Type>(&bytes),
        ElementKind::U64 => numbers::<UInt64Type>(&bytes),
        ElementKind::F16 => numbers::<Float16Type>(&bytes),
        ElementKind::F32 => numbers::<Float32Type>(&bytes),
        ElementKind::F64 => numbers::<Float64Type>(&bytes),
        _ => Arc::new(BooleanArray::new(BooleanBuffer::collect_bool(bytes.len(), |place| bytes[place] != 0), None)),
    }
}

/// The number of bytes in a batch of rows of an array.
const BATCH: u64 = 8 << 20;

/// Reads the rows of an array as batches with a single column.
///
/// ```
/// use ndbytes_arrow::tensors::TensorReader;
///
/// let digits = ndbytes::open("../../samples/digits-idx3-ubyte.gz")?.into_array()?;
/// let mut batches = TensorReader::new(digits.into(), "digits")?;
/// assert_eq!(batches.next().unwrap()?.num_rows(), 10);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
#[derive(Debug)]
pub struct TensorReader {
    array: Arc<Array<'static>>,
    column: TensorColumn,
    schema: SchemaRef,
    next: u64,
}

impl TensorReader {
    /// Creates a reader for the batches of an array, with the name of their column.
    ///
    /// # Errors
    /// As for [`TensorColumn::new`].
    pub fn new(array: Arc<Array<'static>>, name: impl Into<String>) -> Result<Self> {
        let column = TensorColumn::new(name, &array.item_type(), array.shape())?;
        let schema = Arc::new(Schema::new(vec![Arc::clone(column.field())]));
        Ok(TensorReader { array, column, schema, next: 0 })
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        let rows = self.column.rows();
        if self.next >= rows {
            return Ok(None);
        }
        let together = (BATCH / self.column.row_bytes().max(1)).max(1);
        let range = self.next..rows.min(self.next.saturating_add(together));
        self.next = range.end;
        let first = Slice::from(range.start as isize..range.end as isize);
        let inner = self.array.shape()[1..].iter().map(|_| SliceInfoElem::from(Slice::from(..)));
        let picks: Vec<_> = [SliceInfoElem::from(first)].into_iter().chain(inner).collect();
        let mut items = self.array.select(picks)?;
        let count = items.count();
        let bytes = items.read(0, count)?.to_vec();
        Ok(Some(RecordBatch::try_new(Arc::clone(&self.schema), vec![self.column.array(bytes)?])?))
    }
}

impl Iterator for TensorReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().map_err(ArrowError::from).transpose()
    }
}

impl RecordBatchReader for TensorReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Returns the shape of the tensors of a field; `None` for other columns. Also `None` if the shape does not match the number of
/// elements of the list.
pub fn shape_of(field: &Field) -> Option<Vec<u32>> {
    let DataType::FixedSizeList(_, size) = field.data_type() else { return None };
    let metadata = field.metadata();
    if metadata.get(EXTENSION).is_none_or(|name| name != FIXED_SHAPE_TENSOR) {
        return None;
    }
    let described: serde_json::Value = serde_json::from_str(metadata.get(EXTENSION_METADATA)?).ok()?;
    // A permutation would put the elements in another order.
    if described.get("permutation").is_some_and(|order| !order.is_null()) {
        return None;
    }
    let shape = described.get("shape")?.as_array()?.iter();
    let shape: Vec<u32> = shape.map(|extent| u32::try_from(extent.as_u64()?).ok()).collect::<Option<_>>()?;
    let count = shape.iter().try_fold(1_u32, |count, &extent| count.checked_mul(extent))?;
    (i64::from(count) == i64::from(*size)).then_some(shape)
}
