//! The column for a field: its type, and its annotations.
//!
//! The type of a field alone does not determine a column: a list of floats may have been a vector of any dimensions. If the
//! metadata of the field states a column type that agrees with it, that type is restored, with annotations; otherwise the natural
//! type is used. Metadata that contradicts the values is ignored, since someone may have changed the column.

use super::categories::{Categories, is_value};
use super::options::{NullPolicy, WriteOptions};
use super::times::{Zone, time_unit};
use crate::annotations;
use crate::error::{Result, Trouble};
use crate::metadata::{self, vector_fields};
use crate::tensors::shape_of;
use arrow_schema::{DataType, Field};
use ndbytes::Memory;
use ndbytes::idv::{ColumnType, ItemType, KeyType, NewColumn, Values};

/// A column, and the source of its values.
#[derive(Debug)]
pub(crate) struct Target {
    pub name: String,
    pub column_type: ColumnType,
    /// The values of the categories, if keys are represented by them.
    pub categories: Option<Categories>,
}

impl Target {
    /// Returns the target of a field, and the column to announce.
    pub fn of(field: &Field, options: &WriteOptions, memory: &Memory) -> Result<(Target, NewColumn)> {
        Target::new(field, options, memory).map_err(|trouble| trouble.of(field.name(), |item| item as u64))
    }

    fn new(field: &Field, options: &WriteOptions, memory: &Memory) -> Result<(Target, NewColumn), Trouble> {
        let name = field.name().clone();
        let (item, mut dims) = parts(field.data_type())?;
        if let DataType::Timestamp(_, Some(zone)) = item {
            Zone::of(zone, options.zones).map_err(Trouble::Column)?;
        }
        if let Some(shape) = shape_of(field).filter(|shape| shape.len() > 1) {
            dims = Some(shape);
        }
        let stated = field.metadata().get(metadata::TYPE).filter(|_| options.metadata);
        let stated: Option<ColumnType> = stated.and_then(|text| text.parse().ok());
        let stated = stated.filter(|stated| agrees(stated, item, dims.as_deref()));
        let mut notes = Vec::new();
        if stated.is_some() {
            notes = self::notes(field, options)?;
        }
        let column_type = match stated {
            Some(column_type) => column_type,
            None => ColumnType { item: natural(item)?, dims },
        };
        let mut categories = None;
        if let ItemType::Key(key) = column_type.item
            && item != &stored(key)
        {
            let values = match item {
                DataType::Dictionary(_, values) => values,
                values => values,
            };
            let note = notes.iter().find(|(kind, ..)| kind == "KeyValues");
            let value_type = natural(values)?;
            categories = Some(match note {
                Some((_, stated, values)) if stated.item == value_type => {
                    Categories::stated(value_type, values, memory)?
                }
                Some(_) => return Err(Trouble::Column("has values of another type than its KeyValues".into())),
                None => Categories::new(value_type),
            });
        }
        let mut column = NewColumn::new(&name, column_type.clone());
        for (kind, value_type, values) in notes {
            column = column.annotation(kind, value_type, values);
        }
        Ok((Target { name, column_type, categories }, column))
    }
}

/// Returns the annotations in the metadata of a field, sorted by kind.
fn notes(field: &Field, options: &WriteOptions) -> Result<Vec<(String, ColumnType, Values)>, Trouble> {
    let mut notes = Vec::new();
    for (key, json) in field.metadata() {
        let Some(kind) = key.strip_prefix(metadata::ANNOTATION) else { continue };
        let (value_type, values) = annotations::from_json(json, options.nulls == NullPolicy::Default)
            .map_err(|what| Trouble::Column(format!("has the annotation {kind:?} in its metadata, which {what}")))?;
        notes.push((kind.to_owned(), value_type, values));
    }
    notes.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(notes)
}

/// Returns the type of the items, and the dimensions of vectors.
fn parts(data_type: &DataType) -> Result<(&DataType, Option<Vec<u32>>), Trouble> {
    Ok(match data_type {
        DataType::FixedSizeList(child, size) => (child.data_type(), Some(vec![u32::try_from(*size).unwrap_or(0)])),
        DataType::List(child) | DataType::LargeList(child) => (child.data_type(), Some(vec![0])),
        DataType::Struct(_) if as_stored(data_type) => match data_type {
            DataType::Struct(fields) => match fields[2].data_type() {
                DataType::List(child) => (child.data_type(), Some(vec![0])),
                _ => return Err(unknown(data_type)),
            },
            _ => return Err(unknown(data_type)),
        },
        item => (item, None),
    })
}

/// Returns whether a struct is a stored vector.
pub(crate) fn as_stored(data_type: &DataType) -> bool {
    let DataType::Struct(fields) = data_type else { return false };
    let is_index = |field: &Field| match field.data_type() {
        DataType::List(child) => child.data_type() == &DataType::UInt32,
        _ => false,
    };
    fields.len() == 3
        && fields[0].name() == vector_fields::LENGTH
        && fields[0].data_type() == &DataType::UInt32
        && fields[1].name() == vector_fields::INDICES
        && is_index(&fields[1])
        && fields[2].name() == vector_fields::VALUES
        && matches!(fields[2].data_type(), DataType::List(_))
}

fn unknown(data_type: &DataType) -> Trouble {
    Trouble::Column(format!("has the type {data_type}, which IDV cannot hold"))
}

/// Returns whether the type in the metadata is consistent with this type of items and these dimensions.
fn agrees(stated: &ColumnType, item: &DataType, dims: Option<&[u32]>) -> bool {
    let same_shape = match (&stated.dims, dims) {
        (None, None) => true,
        (Some(_), Some([0])) => true,
        (Some(_), Some([size])) => stated.vector_size().is_none_or(|stated| stated == *size),
        (Some(stated), Some(dims)) => stated == dims,
        _ => false,
    };
    let same_item = match (stated.item, item) {
        (ItemType::DateTime | ItemType::TimeSpan, DataType::Int64) => true,
        (ItemType::Key(key), item) if item == &stored(key) => true,
        (ItemType::Key(_), DataType::Dictionary(_, values)) => natural(values).is_ok_and(is_value),
        (ItemType::Key(_), values) => natural(values).is_ok_and(is_value),
        (item, DataType::Dictionary(_, values)) => natural(values).is_ok_and(|natural| natural == item),
        (item, data_type) => natural(data_type).is_ok_and(|natural| natural == item),
    };
    same_shape && same_item
}

/// Returns the number type that stores a key.
fn stored(key: KeyType) -> DataType {
    match key.width {
        1 => DataType::UInt8,
        2 => DataType::UInt16,
        4 => DataType::UInt32,
        _ => DataType::UInt64,
    }
}

/// Returns the item type that best suits the items of an array.
pub(crate) fn natural(data_type: &DataType) -> Result<ItemType, Trouble> {
    Ok(match data_type {
        DataType::Int8 => ItemType::I8,
        DataType::Int16 => ItemType::I16,
        DataType::Int32 => ItemType::I32,
        DataType::Int64 => ItemType::I64,
        DataType::UInt8 => ItemType::U8,
        DataType::UInt16 => ItemType::U16,
        DataType::UInt32 => ItemType::U32,
        DataType::UInt64 => ItemType::U64,
        DataType::Float16 | DataType::Float32 => ItemType::F32,
        DataType::Float64 => ItemType::F64,
        DataType::Boolean => ItemType::Bool,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => ItemType::Text,
        DataType::Timestamp(_, None) | DataType::Date32 | DataType::Date64 => ItemType::DateTime,
        DataType::Timestamp(_, Some(_)) => ItemType::DateTimeOffset,
        DataType::Duration(_) | DataType::Time32(_) | DataType::Time64(_) => ItemType::TimeSpan,
        DataType::FixedSizeBinary(16) => ItemType::RowId,
        DataType::Struct(_) if time_unit(data_type).is_some() => ItemType::DateTimeOffset,
        DataType::Dictionary(_, values) => match natural(values)? {
            value if is_value(value) => ItemType::Key(KeyType::new(1)),
            value => value,
        },
        _ => return Err(unknown(data_type)),
    })
}
