//! The plan for a column, built once: its field, and how its values become an array.
//!
//! Everything that depends only on the column is decided here, before the first row: the Arrow type, the metadata,
//! and the array of categories, which all batches share. A batch then only moves its values into the planned shape.
//! Numbers keep their buffer; texts keep their bytes.

use super::arrays::{self, Stored};
use super::buffers::{numbers, offsets};
use super::options::{Keys, Options, Sparse};
use super::spread;
use crate::annotations;
use crate::error::{Error, Result, Trouble};
use crate::metadata as names;
use crate::ticks::Times;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, FixedSizeListArray, ListArray, StructArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use ndbytes::idv::{Column, ColumnType, ItemType, Layout, Values};
use ndbytes::{Debited, Memory};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of categories in a dictionary, if sparse vectors contain them.
const MOST_SPARSE_CATEGORIES: usize = 1 << 20;

/// A column: its field, and how its values become an array.
#[derive(Debug)]
pub(crate) struct ColumnPlan {
    /// The index among all columns of the file.
    pub index: usize,
    pub field: FieldRef,
    name: String,
    item: ItemType,
    shape: Shape,
    categories: Option<ArrayRef>,
}

/// The shape of the array.
#[derive(Debug, Clone)]
enum Shape {
    Items,
    Fixed(FieldRef, i32),
    List(FieldRef),
    Struct(Fields),
}

/// The settings for converting values to arrays.
pub(crate) struct Making<'m> {
    pub options: &'m Options,
    pub memory: &'m Memory,
    /// The memory that was taken.
    pub debited: Vec<Debited>,
    /// The number of bytes by which sparse vectors grew.
    pub grown: u64,
}

impl Shape {
    /// Returns the type of values whose items have this type.
    fn data_type(&self, item: DataType) -> DataType {
        match self {
            Shape::Items => item,
            Shape::Fixed(child, size) => DataType::FixedSizeList(Arc::clone(child), *size),
            Shape::List(child) => DataType::List(Arc::clone(child)),
            Shape::Struct(fields) => DataType::Struct(fields.clone()),
        }
    }
}

impl ColumnPlan {
    pub fn new(column: &Column<'_>, making: &mut Making<'_>) -> Result<Self> {
        let options = making.options;
        let name = column.name();
        let unreadable = || ndbytes::Error::UnreadableColumn { name: column.name() };
        let column_type = column.column_type().ok_or_else(unreadable)?;
        let item = column_type.item;
        let mut metadata = HashMap::from([(names::TYPE.to_owned(), column_type.to_string())]);
        let mut categories = None;
        if let ItemType::Key(key) = item {
            metadata.insert(names::KEY_COUNT.to_owned(), key.count.to_string());
            categories = match options.keys {
                Keys::Raw => None,
                _ => self::categories(column, key.count, making)?,
            };
        }
        annotate(column, column_type, &mut metadata, making)?;
        let child_type = arrays::data_type(item, categories.as_ref(), options);
        let is_time = item == ItemType::DateTimeOffset && options.times != Times::Ticks;
        let extension = (names::EXTENSION.to_owned(), names::TIMESTAMP_WITH_OFFSET.to_owned());
        let shape = match &column_type.dims {
            None => Shape::Items,
            Some(dims) => {
                let mut child = Field::new("item", child_type.clone(), true);
                if is_time {
                    child.set_metadata(HashMap::from([extension.clone()]));
                }
                let child = Arc::new(child);
                match (options.sparse, column_type.vector_size().and_then(|size| i32::try_from(size).ok())) {
                    (Sparse::Struct, _) => Shape::Struct(vector_fields(child)),
                    (_, None) => Shape::List(child),
                    (_, Some(size)) => {
                        if dims.len() > 1 && child_type.is_numeric() {
                            metadata.insert(names::EXTENSION.to_owned(), names::FIXED_SHAPE_TENSOR.to_owned());
                            let shape = format!("{{\"shape\":{dims:?}}}");
                            metadata.insert(names::EXTENSION_METADATA.to_owned(), shape);
                        }
                        Shape::Fixed(child, size)
                    }
                }
            }
        };
        if is_time && column_type.dims.is_none() {
            metadata.extend([extension]);
        }
        let field = Arc::new(Field::new(&name, shape.data_type(child_type), true).with_metadata(metadata));
        Ok(ColumnPlan { index: column.index(), field, name, item, shape, categories })
    }

    /// Returns whether sparse vectors become dense.
    pub fn is_spread(&self) -> bool {
        matches!(self.shape, Shape::Fixed(..) | Shape::List(_))
    }

    /// Converts the values to an array. `first` is their first row.
    pub fn array(&self, values: Values, first: u64, making: &mut Making<'_>) -> Result<ArrayRef> {
        let mut rows = Rows::of(&values, matches!(self.shape, Shape::Struct(_)));
        self.make(values, &mut rows, making)
            .map_err(|trouble| trouble.of(&self.name, |item| first + rows.of_item(item)))
    }

    fn make(&self, values: Values, rows: &mut Rows, making: &mut Making<'_>) -> Result<ArrayRef, Trouble> {
        Ok(match &self.shape {
            Shape::Items => self.items(values, making)?,
            Shape::Fixed(child, size) => {
                let items = self.items(values, making)?;
                Arc::new(FixedSizeListArray::try_new(Arc::clone(child), *size, items, None)?)
            }
            Shape::List(child) => {
                let offsets = offsets(rows.ends(values.rows()), "items")?;
                let items = self.items(values, making)?;
                Arc::new(ListArray::try_new(Arc::clone(child), offsets, items, None)?)
            }
            Shape::Struct(fields) => self.as_stored(fields, values, making)?,
        })
    }

    /// Returns the items of all rows, including those that sparse vectors do not store.
    fn items(&self, values: Values, making: &mut Making<'_>) -> Result<ArrayRef, Trouble> {
        let (stored, nulls) = match self.is_spread() && spread::is_sparse(&values) {
            true => {
                let (stored, nulls, grown) = spread::spread(values, making.memory, &mut making.debited)?;
                making.grown = making.grown.saturating_add(grown);
                (stored, nulls)
            }
            false => {
                let (items, nulls) = values.into_parts();
                let nulls = arrays::validity(&nulls, items.len());
                (Stored::from(items), nulls)
            }
        };
        arrays::array(stored, nulls, self.item, self.categories.as_ref(), making.options, making.memory)
    }

    /// Returns stored vectors: length, indices (null if all items are stored) and values.
    fn as_stored(&self, fields: &Fields, values: Values, making: &mut Making<'_>) -> Result<ArrayRef, Trouble> {
        let rows = values.rows();
        let bytes = 32_u64.saturating_mul(rows as u64);
        let indices_of = |field: &FieldRef| match field.data_type() {
            DataType::List(child) => Ok(Arc::clone(child)),
            other => Err(Trouble::Other(ArrowError::SchemaError(format!("indices of the type {other}")).into())),
        };
        let (lengths, item_ends, index_ends, sparse, indices) = match values.layout() {
            Layout::Mixed { lengths, item_ends, index_ends, sparse, indices } => {
                making.debited.push(making.memory.take(bytes + 4 * indices.len() as u64, "the shapes of vectors")?);
                (lengths.to_vec(), item_ends.to_vec(), index_ends.to_vec(), sparse.to_vec(), indices.to_vec())
            }
            layout => {
                let length = if let Layout::Dense(length) = layout { length } else { 1 };
                making.debited.push(making.memory.take(bytes, "the shapes of vectors")?);
                let ends = (1..=rows as u64).map(|row| row * u64::from(length)).collect();
                (vec![length; rows], ends, vec![0; rows], vec![false; rows], Vec::new())
            }
        };
        let lengths = numbers::<UInt32Type>(lengths, None);
        let index_offsets = offsets(index_ends.into_iter(), "indices")?;
        let stored_all = NullBuffer::new(BooleanBuffer::from(sparse));
        let indices = numbers::<UInt32Type>(indices, None);
        let indices = ListArray::try_new(indices_of(&fields[1])?, index_offsets, indices, Some(stored_all))?;
        let item_offsets = offsets(item_ends.into_iter(), "items")?;
        let items = self.items(values, making)?;
        let items = ListArray::try_new(indices_of(&fields[2])?, item_offsets, items, None)?;
        let children: Vec<ArrayRef> = vec![lengths, Arc::new(indices), Arc::new(items)];
        Ok(Arc::new(StructArray::try_new(fields.clone(), children, None)?))
    }
}

/// The division of items into rows, to name the row of an item.
enum Rows {
    Each,
    Every(u64),
    Ends(Vec<u64>),
}

impl Rows {
    /// Returns the indices of all items, or of the stored ones.
    fn of(values: &Values, stored: bool) -> Self {
        match values.layout() {
            Layout::Dense(length) => Rows::Every(length.into()),
            Layout::Mixed { item_ends, .. } if stored => Rows::Ends(item_ends.to_vec()),
            Layout::Mixed { lengths, .. } => {
                let ends = lengths.iter().scan(0_u64, |end, &length| {
                    *end += u64::from(length);
                    Some(*end)
                });
                Rows::Ends(ends.collect())
            }
            _ => Rows::Each,
        }
    }

    fn ends(&self, rows: usize) -> Box<dyn Iterator<Item = u64> + '_> {
        match self {
            Rows::Each => Box::new(1..=rows as u64),
            Rows::Every(length) => Box::new((1..=rows as u64).map(move |row| row * length)),
            Rows::Ends(ends) => Box::new(ends.iter().copied()),
        }
    }

    fn of_item(&self, item: usize) -> u64 {
        let item = item as u64;
        match self {
            Rows::Each => item,
            Rows::Every(length) => item / (*length).max(1),
            Rows::Ends(ends) => ends.partition_point(|&end| end <= item) as u64,
        }
    }
}

fn vector_fields(child: FieldRef) -> Fields {
    use names::vector_fields::{INDICES, LENGTH, VALUES};
    let index = Arc::new(Field::new("item", DataType::UInt32, false));
    Fields::from(vec![
        Field::new(LENGTH, DataType::UInt32, false),
        Field::new(INDICES, DataType::List(index), true),
        Field::new(VALUES, DataType::List(child), false),
    ])
}

/// Returns the values of the categories as a dictionary, unless that is impossible.
fn categories(column: &Column<'_>, count: u64, making: &mut Making<'_>) -> Result<Option<ArrayRef>> {
    let Some(annotation) = column.annotation("KeyValues") else { return Ok(None) };
    let Some(item) = annotation.value_type().map(|value_type| value_type.item) else { return Ok(None) };
    use ItemType::{F32, F64, I8, I16, I32, I64, Text, U8, U16, U32, U64};
    if !matches!(item, Text | F32 | F64 | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64) {
        return Ok(None);
    }
    let values = match annotation.read() {
        Err(ndbytes::Error::UnreadableColumn { .. }) => return Ok(None),
        values => values?,
    };
    let length = values.vector(0).map_or(0, |vector| vector.len());
    let is_sparse = spread::is_sparse(&values);
    if length as u64 != count || !values.nulls().is_empty() || (is_sparse && length > MOST_SPARSE_CATEGORIES) {
        return Ok(None);
    }
    // The array, and the table that determines whether all are distinct.
    making.debited.push(making.memory.take(64_u64.saturating_mul(length as u64), "the values of categories")?);
    let stored = match is_sparse {
        true => match spread::spread(values, making.memory, &mut making.debited) {
            Ok((stored, _, _)) => stored,
            Err(trouble) => return Err(trouble.of(&column.name(), |item| item as u64)),
        },
        false => Stored::from(values.into_items()),
    };
    if let Stored::Text { bytes, .. } = &stored {
        making.debited.push(making.memory.take(bytes.len() as u64, "the values of categories")?);
    }
    // Arrow has no text with half a character, so such keys stay numbers.
    let array = arrays::array(stored, None, item, None, &Options::default(), making.memory).ok();
    Ok(array.filter(arrays::are_distinct))
}

/// Adds the annotations of a column to the metadata of its field.
fn annotate(
    column: &Column<'_>,
    column_type: &ColumnType,
    metadata: &mut HashMap<String, String>,
    making: &mut Making<'_>,
) -> Result<()> {
    let mut add = |kind: &str, value_type: &ColumnType, values: &Values, length: Option<u32>| {
        let Some(json) = annotations::to_json(value_type, values, length) else { return Ok(()) };
        making.debited.push(making.memory.take(json.len() as u64, "annotations as metadata")?);
        metadata.insert(format!("{}{kind}", names::ANNOTATION), json);
        Ok::<(), Error>(())
    };
    for annotation in column.annotations() {
        let Some(value_type) = annotation.value_type() else { continue };
        match annotation.read() {
            Err(ndbytes::Error::UnreadableColumn { .. }) => {}
            values => add(&annotation.kind(), value_type, &values?, None)?,
        }
    }
    // Version 1.1.1.3 has its own slot names.
    let slots = column_type.vector_size();
    if let (None, Some(slots)) = (column.annotation("SlotNames"), slots)
        && let Some(values) = column.slot_names()?
        && values.vector(0).is_some_and(|vector| vector.len() <= slots as usize)
    {
        add("SlotNames", &ColumnType::vector(ItemType::Text, [slots]), &values, Some(slots))?;
    }
    Ok(())
}
